/*
 * Orders are lines of JSON on stdin: how a test tells a console, which is a
 * part of the hub in a program of its own, what to do.
 */
#ifndef TESTS_ACTORS_ORDERS_H
#define TESTS_ACTORS_ORDERS_H

#include <yyjson.h>

#include "runtime/rt.h"
#include "runtime/text/bytes.h"

typedef void (*orders_fn)(struct rt_turn *t, void *ctx, yyjson_val *order);

/* Has stdin watched; false when that cannot be. */
bool orders_open(struct rt_turn *t);
/* Obeys what has come; `in` keeps what is not a whole line yet. False at the
 * end of stdin, which is then watched no more. */
bool orders_read(struct rt_turn *t, struct bytes *in, orders_fn obey,
                 void *ctx);

#endif
