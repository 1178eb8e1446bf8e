/* SPDX-License-Identifier: MIT */
#include "actors/launch/prompt_fill.h"

#include <stdio.h>
#include <string.h>

/* No name is longer; bounds the search for the closing braces. */
#define NAME_LIMIT 80

void prompt_put(struct bytes *out, const char *text)
{
    bytes_append(out, text, strlen(text));
}

/* The name between braces at text, which begins with them; len 0 if none. */
static struct slice name_at(const char *text, size_t braces, size_t *whole)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789_-";
    const char *name = text + braces + strspn(text + braces, " ");
    size_t len = strspn(name, letters);
    const char *end = name + len + strspn(name + len, " ");

    if (len > NAME_LIMIT || strncmp(end, "}}", braces) != 0)
        return SLICE_EMPTY;
    *whole = (size_t)(end - text) + braces;
    return slice_of(name, len);
}

void prompt_fill(struct bytes *out, const char *text, size_t braces,
                 prompt_lookup lookup, const void *ctx)
{
    const char *opening = braces == 2 ? "{{" : "{";

    for (const char *hole; (hole = strstr(text, opening));) {
        size_t whole = 1;
        struct slice value, name = name_at(hole, braces, &whole);
        bytes_append(out, text, (size_t)(hole - text));
        if (name.len && lookup(ctx, name, &value)) {
            bytes_append(out, value.ptr, value.len);
        } else {
            whole = 1;
            bytes_append(out, hole, whole);
        }
        text = hole + whole;
    }
    prompt_put(out, text);
}

static bool lookup_list(const void *ctx, struct slice name, struct slice *value)
{
    for (const struct prompt_value *v = ctx; v->name; v++) {
        if (slice_eq(slice_cstr(v->name), name)) {
            *value = v->value;
            return true;
        }
    }
    return false;
}

void prompt_fill_list(struct bytes *out, const char *text,
                      const struct prompt_value *values)
{
    prompt_fill(out, text, 1, lookup_list, values);
}

struct slice prompt_number(char buf[24], long long number)
{
    return slice_of(buf, (size_t)snprintf(buf, 24, "%lld", number));
}
