/*
 * The arguments of an order that is no tool's, read by a table: whatever does
 * not fit is refused by the name of its field.
 */
#ifndef ACTORS_ORDER_ARGS_H
#define ACTORS_ORDER_ARGS_H

#include "actors/order/order.h"

enum arg_type {
    ARG_TEXT,  /* struct slice; no U+0000, at most `max` bytes */
    ARG_COUNT, /* int64_t, between min and max */
    ARG_TIME,  /* int64_t: milliseconds, or ISO 8601 as a text */
    ARG_BOOL   /* bool */
};

struct arg {
    const char *name; /* NULL ends a table */
    enum arg_type type;
    void *out; /* left as it is when the argument is not there */
    int64_t min, max;
};

/* False: the order has been refused, by the name of the field. */
bool args_read(struct rt_turn *t, struct order *o, const struct arg *args);
/* "2026-02-13", "2026-02-13T12:00:00.5Z", "...+09:00"; UTC unless it says. */
bool args_time(struct slice text, int64_t *ms);

#endif
