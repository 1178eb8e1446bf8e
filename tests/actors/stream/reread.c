/* SPDX-License-Identifier: MIT */
#include "tests/actors/stream/reread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_same_val(const yyjson_val *a, const yyjson_val *b)
{
    switch (a->tag & YYJSON_TYPE_MASK) {
    case YYJSON_TYPE_NULL:
    case YYJSON_TYPE_BOOL:
        return a->tag == b->tag;
    case YYJSON_TYPE_STR: /* the rest of the tag is a hint for writers */
        return (b->tag & YYJSON_TYPE_MASK) == YYJSON_TYPE_STR &&
               a->tag >> YYJSON_TAG_BIT == b->tag >> YYJSON_TAG_BIT &&
               memcmp(a->uni.str, b->uni.str, a->tag >> YYJSON_TAG_BIT) == 0;
    default:
        return a->tag == b->tag && a->uni.u64 == b->uni.u64;
    }
}

/* They lie one after the other: containers say how far they reach. */
static bool is_same_doc(const yyjson_val *root, yyjson_doc *doc)
{
    const yyjson_val *other = yyjson_doc_get_root(doc);

    for (size_t i = 0; i < yyjson_doc_get_val_count(doc); i++)
        if (!is_same_val(&root[i], &other[i]))
            return false;
    return true;
}

/* In memory of its own, so that a read beyond it is a fault. */
bool reread(struct shapes *all, struct slice line)
{
    char *copy = bytes_alloc(line.len);
    struct slice text = slice_of(copy, line.len);
    yyjson_doc *doc = yyjson_read(line.ptr, line.len, YYJSON_READ_NOFLAG);
    yyjson_val *root;

    memcpy(copy, line.ptr, line.len);
    root = shapes_find(all, text);
    if (root != NULL && (doc == NULL || !is_same_doc(root, doc))) {
        fprintf(stderr, "not the same: %.*s\n", (int)line.len, line.ptr);
        abort();
    }
    if (root == NULL && doc != NULL)
        shapes_learn(all, text, doc);
    yyjson_doc_free(doc);
    free(copy);
    return root != NULL;
}

size_t reread_lines(struct shapes *all, struct slice text)
{
    const char *p = text.ptr, *end = text.ptr + text.len;
    size_t found = 0;

    while (p < end) {
        struct slice line = slice_first_line(slice_of(p, (size_t)(end - p)));

        if (line.len > 0 && line.ptr[0] == '{')
            found += reread(all, line);
        p += line.len + 1;
    }
    return found;
}
