/*
 * The arguments of an order, read by a table. They have been checked against
 * the order's schema where it came in (transport/session/calls.h), so each is
 * what the table says, or is not there.
 */
#ifndef ACTORS_ORDER_ARGS_READ_H
#define ACTORS_ORDER_ARGS_READ_H

#include "actors/order/order.h"

enum arg_type {
    ARG_TEXT,  /* struct slice */
    ARG_COUNT, /* int64_t */
    ARG_TIME,  /* int64_t: milliseconds, or ISO 8601 as a text */
    ARG_BOOL   /* bool */
};

struct arg {
    const char *name; /* NULL ends a table */
    enum arg_type type;
    void *out; /* left as it is when the argument is not there, or null */
};

void args_read(const struct order *o, const struct arg *args);

#endif
