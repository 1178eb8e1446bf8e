/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "actors/order/order.h"
#include "runtime/text/utf8.h"

static void free_answer(struct rt_obj *obj)
{
    struct answer *a = (struct answer *)obj;

    bytes_finish(&a->json);
    if (a->order != NULL)
        rt_obj_drop(&a->order->obj);
    rt_obj_drop(a->with);
    free(a);
}

struct answer *answer_create(uint64_t ticket)
{
    struct answer *a = bytes_zalloc(sizeof(*a));

    rt_obj_init(&a->obj, free_answer);
    a->ticket = ticket;
    return a;
}

void answer_send(struct rt_turn *t, struct order *o, struct answer *a)
{
    a->order = RT_KEEP(o);
    rt_pass_take(t, o->via.id != 0 ? o->via : o->asker, ORDER_ANSWER, &a->obj);
}

struct answer *answer_create_error(uint64_t ticket, enum code code)
{
    struct answer *a = answer_create(ticket);

    a->is_error = true;
    a->code = code;
    return a;
}

static struct answer *refusal(uint64_t ticket, enum code code,
                              const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

static struct answer *refusal(uint64_t ticket, enum code code,
                              const char *format, va_list args)
{
    struct answer *a = answer_create_error(ticket, code);
    char *text;
    int len = vasprintf(&text, format, args);

    if (len < 0)
        abort();
    code_put_error(&a->json, code, slice_of(text, (size_t)len), SLICE_EMPTY);
    free(text);
    return a;
}

struct answer *answer_refusal(uint64_t ticket, enum code code,
                              const char *format, ...)
{
    struct answer *a;
    va_list args;

    va_start(args, format);
    a = refusal(ticket, code, format, args);
    va_end(args);
    return a;
}

void order_refuse(struct rt_turn *t, struct order *o, enum code code,
                  const char *format, ...)
{
    struct answer *a;
    va_list args;

    va_start(args, format);
    a = refusal(o->ticket, code, format, args);
    va_end(args);
    answer_send(t, o, a);
}

struct slice order_brief(struct slice name)
{
    return slice_of(name.ptr, utf8_cut(name.ptr, name.len, ORDER_BRIEF));
}

struct answer *answer_no_group(uint64_t ticket, bool is_english,
                               struct slice id)
{
    id = order_brief(id);
    return answer_refusal(ticket, CODE_GROUP_NOT_FOUND,
                          MESSAGE(is_english, GROUP_NOT_FOUND), (int)id.len,
                          id.ptr);
}

struct answer *answer_no_agent(uint64_t ticket, bool is_english,
                               struct slice id)
{
    id = order_brief(id);
    return answer_refusal(ticket, CODE_AGENT_NOT_FOUND,
                          MESSAGE(is_english, AGENT_NOT_FOUND), (int)id.len,
                          id.ptr);
}

void order_refuse_group(struct rt_turn *t, struct order *o, struct slice id)
{
    answer_send(t, o, answer_no_group(o->ticket, order_is_english(o), id));
}

void order_refuse_agent(struct rt_turn *t, struct order *o, struct slice id)
{
    answer_send(t, o, answer_no_agent(o->ticket, order_is_english(o), id));
}
