/*
 * Shapes are lines that were read once and whose documents serve for others.
 *
 * A CLI writes the same few objects over and over. A line that differs from
 * one known in nothing but what its strings say and the digits of its counts
 * has the same document with other values, and to put those in takes a third
 * of what reading takes. What is not surely so, down to the last blank, is
 * refused and read as ever: no line means anything else for being known.
 */
#ifndef ACTORS_STREAM_SHAPES_H
#define ACTORS_STREAM_SHAPES_H

#include <yyjson.h>

#include "runtime/text/bytes.h"
#include "runtime/text/slice.h"

/* A CLI has fewer kinds of lines that come in numbers. */
#define SHAPES_KEPT 8
/* Of these so many that no other line was like: each is looked at in vain. */
#define SHAPES_FRESH 3
/* What is longer, or has more values and keys, seldom comes again. */
#define SHAPES_LINE ((size_t)4 << 10)
#define SHAPES_VALS 128
/* Lines let pass between two that are learnt in vain. */
#define SHAPES_PAUSE 63

struct shapes {
    struct shape *known[SHAPES_KEPT]; /* the last used first; NULL after them */
    struct bytes said;                /* strings that had escapes in them */
    unsigned pause, left;             /* lines to let pass: as a rule, now */
};

/* Zeroed memory knows none, and so does what was finished. */
void shapes_finish(struct shapes *all);
/* The root of the line's document if its shape is known, else NULL. It is
 * valid until the next call and as long as text, which its strings lie in. */
yyjson_val *shapes_find(struct shapes *all, struct slice text);
/* A line that is not known was read as doc, of which nothing is kept. */
void shapes_learn(struct shapes *all, struct slice text, yyjson_doc *doc);

#endif
