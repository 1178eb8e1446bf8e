/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "config/builtin.h"

/* The built-in roles name Cursor's models. Claude Code takes aliases, which
 * stay right when a model is replaced by the next. */
static const struct {
    const char *backend, *cursors, *own;
} models[] = {
    {"claude", "claude-4-sonnet", "sonnet"},
    {"claude", "composer-1.5", "sonnet"},
    {"claude", "opus-4.6-thinking", "opus"},
};

const char *builtin_model(const char *backend, const char *model)
{
    for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++)
        if (strcmp(models[i].backend, backend) == 0 &&
            strcmp(models[i].cursors, model) == 0)
            return models[i].own;
    return model;
}
