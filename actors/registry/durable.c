/* SPDX-License-Identifier: MIT */
#include "actors/registry/durable.h"

#include <stdlib.h>

#include "actors/registry/inside.h"
#include "actors/store/work.h"

/* An answer that waits for what it tells of to be safe. */
struct withheld {
    struct withheld *next;
    uint64_t number; /* of the rows */
    struct answer *answer;
};

void durable_begin(struct registry *r, struct rt_ref store,
                   const struct past *p)
{
    struct durable *d = &r->durable;

    d->store = store;
    if (p->is_known)
        return;
    d->condition.is_good = false;
    d->condition.why = p->why;
}

/* ---- rows -------------------------------------------------------------- */

struct store_write *durable_write(struct registry *r)
{
    struct durable *d = &r->durable;

    if (d->store.id == 0)
        return NULL;
    if (d->write == NULL)
        d->write = store_write_create();
    return d->write;
}

/* Whether it changes something, which an answer could tell of. */
static bool is_written(const struct store_write *w)
{
    return w->rows.len > 0 || (w->work != NULL && !w->work->is_question);
}

void durable_flush(struct rt_turn *t, struct registry *r)
{
    struct durable *d = &r->durable;

    if (d->write == NULL)
        return;
    if (d->write->rows.len > 0) {
        line_times_put(r, d->write);
        samples_put(t, r, d->write);
        checkpoints_put(t, r, d->write);
    }
    if (is_written(d->write))
        d->write->number = ++d->written;
    rt_pass_take(t, d->store, STORE_WRITE, &d->write->obj);
    d->write = NULL;
}

/* A refusal has changed nothing: it need not wait. */
void durable_deliver(struct rt_turn *t, struct registry *r, struct answer *a)
{
    struct order *o = a->order;
    struct store_write *w;

    if (r->durable.store.id == 0 || (a->is_error && r->durable.write == NULL)) {
        rt_pass(t, o->asker, ORDER_ANSWER, &a->obj);
        return;
    }
    w = durable_write(r);
    if (w->answer != NULL) {
        durable_flush(t, r);
        w = durable_write(r);
    }
    if (o->key[0] != 0 && !a->is_error) {
        store_row(w, STORE_ADD_CALL);
        store_text(w, slice_cstr(o->key));
        store_int(w, (int64_t)rt_wall_ms(t));
        store_int(w, a->is_error);
        store_text(w, bytes_slice(&a->json));
    }
    w->answer = RT_KEEP(a);
    w->asker = o->asker;
}

void durable_answer(struct rt_turn *t, struct registry *r, struct order *o,
                    struct answer *a)
{
    a->order = RT_KEEP(o);
    durable_deliver(t, r, a);
    rt_obj_drop(&a->obj);
}

void durable_say(struct rt_turn *t, struct registry *r, struct rt_ref to,
                 uint16_t kind, struct rt_obj *obj)
{
    struct store_write *w = durable_write(r);

    if (w != NULL)
        store_say(w, to, kind, obj);
    else
        rt_pass(t, to, kind, obj);
}

/* ---- answers to questions ---------------------------------------------- */

/*
 * A client that was told that an agent has ended finds it so, also in the next
 * hub. A disk that refuses may do so for long, and asking must go on: then, and
 * only then, an answer tells of what may be lost.
 */
static bool is_safe(const struct durable *d, uint64_t number)
{
    return d->store.id == 0 || d->safe >= number || !d->condition.is_good;
}

/* Later answers wait behind earlier ones: no client is told what was after it
 * was told what is. */
void durable_tell(struct rt_turn *t, struct registry *r, struct order *o,
                  struct answer *a)
{
    struct durable *d = &r->durable;
    bool is_more = d->write != NULL && is_written(d->write);
    uint64_t number = d->written + is_more;
    struct withheld *w;

    if (is_safe(d, number)) {
        answer_send(t, o, a);
        return;
    }
    w = bytes_alloc(sizeof(*w));
    *w = (struct withheld){.number = number, .answer = a};
    a->order = RT_KEEP(o);
    *(d->first != NULL ? &d->last->next : &d->first) = w;
    d->last = w;
}

static void forget_first(struct durable *d)
{
    struct withheld *w = d->first;

    d->first = w->next;
    rt_obj_drop(&w->answer->obj);
    free(w);
}

static void release(struct rt_turn *t, struct durable *d)
{
    while (d->first != NULL && is_safe(d, d->first->number)) {
        struct answer *a = d->first->answer;

        rt_pass(t, a->order->asker, ORDER_ANSWER, &a->obj);
        forget_first(d);
    }
}

void durable_on_safe(struct rt_turn *t, struct registry *r,
                     const struct store_safe *safe)
{
    r->durable.safe = safe->number;
    r->durable.bytes = safe->bytes;
    release(t, &r->durable);
}

void durable_on_condition(struct rt_turn *t, struct registry *r,
                          const struct store_condition *c)
{
    r->durable.condition = *c;
    rt_tell(t, rt_parent(t), STORE_CONDITION, c, sizeof(*c));
    release(t, &r->durable);
}

void durable_drop(struct registry *r)
{
    while (r->durable.first != NULL)
        forget_first(&r->durable);
    if (r->durable.write != NULL)
        rt_obj_drop(&r->durable.write->obj);
}

void durable_ask(struct rt_turn *t, struct registry *r, struct order *o)
{
    if (r->durable.store.id != 0)
        rt_pass(t, r->durable.store, STORE_ASK, &o->obj);
    else
        ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, HISTORY_NOT_KEPT,
                     order_name(o->kind).ptr);
}
