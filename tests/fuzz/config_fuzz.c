/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/edit.h"
#include "config/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A value of the input's own, without the NUL that ends it. */
static char *value_of(const uint8_t *data, size_t size)
{
    size_t len = strnlen((const char *)data, size);
    char *value = malloc(len + 1);

    memcpy(value, data, len);
    value[len] = '\0';
    return value;
}

/* Whatever an edit makes of a good file can be read, or is refused; a value
 * that has been taken is there. */
static void edit(const struct config *c, const char *text, size_t len,
                 const struct config_edit *edit)
{
    struct config_error e;
    struct source s;
    char *copy = malloc(len + 1), *out = NULL;
    size_t out_len;
    struct config *fresh = NULL;

    memcpy(copy, text, len);
    copy[len] = '\0';
    if (source_take(&s, "f.yaml", copy, len, &e) != 0)
        abort();
    if (edit_text(&s, "research", edit, &out, &out_len, &e) == 0 &&
        config_parse("f.yaml", out, out_len, NULL, &fresh, &e) == 0 &&
        config_equal(c, fresh, "research") && !role_find(fresh, "research"))
        abort();
    config_destroy(fresh);
    free(out);
    source_finish(&s);
}

static void edit_all(const struct config *c, const char *text, size_t len,
                     const char *value)
{
    static const char *const items[] = {"textlint"};
    const struct config_edit edits[] = {
        {.key = "model", .value = "m"},
        {.key = "systemPrompt", .value = value},
        {.key = "timeout_ms", .value = NULL},
        {.key = "tools", .items = items, .count = 1},
        {.key = "tools"}};

    for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++)
        edit(c, text, len, &edits[i]);
}

/* The input is a value, a NUL, and a file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *value = value_of(data, size);
    size_t skip = strlen(value) < size ? strlen(value) + 1 : 0;
    const char *text = (const char *)data + skip;
    struct config_error e;
    struct config *c = NULL;
    int rc = config_parse("f.yaml", text, size - skip, NULL, &c, &e);

    if ((rc == 0) != (c != NULL) || (rc != 0) != (e.text[0] != '\0'))
        abort();
    if (c && role_find(c, "research"))
        edit_all(c, text, size - skip, value);
    config_destroy(c);
    free(value);
    return 0;
}
