/* A scalar as YAML writes it: the style it had if that can hold the value,
 * else the nearest that can. */
#ifndef CONFIG_SCALAR_H
#define CONFIG_SCALAR_H

#include <stdio.h>

#include "config/tree.h"

struct scalar_place {
    enum node_style style; /* that of the value it replaces */
    bool is_flow;          /* between [] or {}: no block styles */
    bool is_last;          /* nothing but blanks after it on its line */
    size_t indent;         /* of a block's lines */
    const char *eol;
    const char *comment; /* after a block's header: " # ...", or "" */
};

/*
 * Writes the value without a line end after it. A text that ends with a
 * newline may need one: then it returns true.
 */
bool scalar_write(FILE *out, const char *value, const struct scalar_place *p);

#endif
