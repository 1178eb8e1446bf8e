/*
 * A back-end is one headless CLI that an agent can be: what it is called and
 * what its lines mean. Adding one is a file backend_<name>.c that defines a
 * struct backend, and its line in the table of backend.c.
 */
#ifndef ACTORS_STREAM_BACKEND_H
#define ACTORS_STREAM_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include "actors/stream/parser.h"

struct backend {
    const char *name;            /* as the configuration writes it */
    const char *const *programs; /* names on PATH, best first, NULL-ended */
    /* One of them that other makers' programs have too, and what `--help` of
     * the right one has, one or the other, NULL-ended. NULL: there is none. */
    const char *shared_name;
    const char *const *marks;
    size_t parser_size; /* of its state, a struct parser first */
    /* A line may follow the result and open the run again. */
    bool is_result_provisional;
    /* What one line means. root is an object, type its "type" or empty. */
    void (*line)(struct parser *p, yyjson_val *root, struct slice type);
    /* At the end of the stream; NULL if there is nothing left to say. */
    void (*end)(struct parser *p);
    /* Releases what the state owns beyond struct parser; NULL if nothing. */
    void (*stop)(struct parser *p);
};

extern const struct backend backend_cursor;
extern const struct backend backend_claude;

/* By configured name; NULL if there is none. */
const struct backend *backend_find(const char *name);
/* By the file name of a program, with or without folders; NULL if unknown. */
const struct backend *backend_of_program(const char *program);
/* Whether the program at path is this back-end's by its name: its own, or that
 * of the file which the path leads to. Else backend_is_meant() says, by what it
 * prints for --help; nothing else is asked of a program of unknown make, for
 * any word might be a prompt to it. */
bool backend_is_certain(const struct backend *b, const char *path);
bool backend_is_meant(const struct backend *b, struct slice help);
/* The i-th back-end, NULL after the last: for lists and messages. */
const struct backend *backend_at(size_t i);

#endif
