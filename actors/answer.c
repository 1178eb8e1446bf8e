/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "actors/order.h"

static void free_answer(struct rt_obj *obj)
{
    bytes_finish(&((struct answer *)obj)->json);
    free(obj);
}

struct answer *answer_create(uint64_t ticket)
{
    struct answer *a = bytes_zalloc(sizeof(*a));

    rt_obj_init(&a->obj, free_answer);
    a->ticket = ticket;
    return a;
}

void answer_send(struct rt_turn *t, const struct order *o, struct answer *a)
{
    rt_pass(t, o->asker, ORDER_ANSWER, &a->obj);
    rt_obj_drop(&a->obj);
}

void order_refuse(struct rt_turn *t, const struct order *o, enum code code,
                  const char *format, ...)
{
    struct answer *a = answer_create(o->ticket);
    va_list args;
    char *text;
    int len;

    va_start(args, format);
    len = vasprintf(&text, format, args);
    va_end(args);
    if (len < 0)
        abort();
    a->is_error = true;
    code_put_error(&a->json, code, slice_of(text, (size_t)len), SLICE_EMPTY);
    free(text);
    answer_send(t, o, a);
}
