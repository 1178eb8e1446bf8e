/* SPDX-License-Identifier: MIT */
#include "config/config_diff.h"

#include <string.h>

#include "config/keys.h"
#include "config/line_diff.h"

/* The lines of the list of roles: a change is of these, and what is around them
 * may be a secret. */
static void find_roles(const char *text, size_t *first, size_t *last)
{
    bool is_inside = false;
    size_t line = 0;

    *first = *last = 0;
    for (const char *at = text; *at; line++) {
        if (!strchr(" \t\r\n#-", *at)) {
            is_inside = strncmp(at, "roles", 5) == 0;
            if (is_inside)
                *first = line;
        }
        if (is_inside)
            *last = line + 1;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
}

/* A file may be one line of all its settings. */
static void hide(struct bytes *text, const char *secret)
{
    struct bytes out = {0};
    const char *at, *found;

    if (!*secret || text->len == 0)
        return;
    bytes_append(text, "", 1);
    at = text->ptr;
    while ((found = strstr(at, secret))) {
        bytes_append(&out, at, (size_t)(found - at));
        bytes_format(&out, "{secret}");
        at = found + strlen(secret);
    }
    bytes_append(&out, at, strlen(at));
    bytes_finish(text);
    *text = out;
}

char *config_diff(const struct config *c, const char *was, struct slice now)
{
    const char *slash = strrchr(c->file, '/');
    struct bytes out = {0};
    size_t first, last;

    find_roles(was, &first, &last);
    line_diff(&out, slash ? slash + 1 : c->file,
              c->has_file ? slice_cstr(was) : (struct slice){0}, now, first,
              last);
    for (size_t i = 0; i < keys_config.count; i++)
        if (keys_config.rows[i].is_secret)
            hide(&out, *(const char *const *)((const char *)c +
                                              keys_config.rows[i].offset));
    bytes_append(&out, "", 1);
    return out.ptr;
}
