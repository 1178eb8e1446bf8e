/* SPDX-License-Identifier: MIT */
/*
 * To miss nothing: the store does works in the order they come, and tells of
 * them in that order. A look that has found nothing is heard of before any
 * message that was sent after it, and that wakes it.
 */
#include <stdlib.h>

#include "actors/mail/inside.h"
#include "actors/registry/registry.h"

static uint64_t hash_of(struct slice id)
{
    return slice_hash(SLICE_HASH, id);
}

static void look(struct rt_turn *t, struct mail *m, struct order *o)
{
    yyjson_val *marks = FIELD(o->args, "mark_as_read");
    struct mail_work *w = mail_work_create(o, message_receive);

    w->work.then = MAIL_RECEIVED;
    w->work.system = rt_self(t);
    w->work.is_question = yyjson_is_false(marks);
    rt_pass_take(t, m->registry, REGISTRY_WORK, &w->work.obj);
}

/* As long as a wait for agents: see mcp.waitSlice_ms. */
static uint64_t time_to_wait(const struct order *o)
{
    const struct config *c = o->roster->settings->config;
    uint64_t asked = FIELD_COUNT(o->args, "wait_ms");
    uint64_t slice = (uint64_t)c->mcp.wait_slice_ms;

    return !o->wants_progress && slice > 0 && asked > slice ? slice : asked;
}

void receivers_begin(struct rt_turn *t, struct mail *m, struct order *o)
{
    struct receivers *all = &m->receivers;
    struct receiver *r;

    if (order_is_wait(o->kind, o->args)) {
        r = bytes_zalloc(sizeof(*r));
        r->order = RT_KEEP(o);
        r->id = FIELD_TEXT(o->args, "agent_id");
        r->is_looking = true;
        r->alarm = rt_after(t, time_to_wait(o), MAIL_TIME_UP);
        LIST_APPEND(&all->all, r, link);
        index_add(&all->by_asker, &r->by_asker, o->asker.id);
        index_add(&all->by_alarm, &r->by_alarm, r->alarm);
        index_add(&all->by_id, &r->by_id, hash_of(r->id));
        rt_monitor(t, o->asker);
    }
    look(t, m, o);
}

static void remove_receiver(struct mail *m, struct receiver *r)
{
    struct receivers *all = &m->receivers;

    LIST_REMOVE(&all->all, r, link);
    index_remove(&all->by_asker, &r->by_asker);
    index_remove(&all->by_alarm, &r->by_alarm);
    index_remove(&all->by_id, &r->by_id);
    rt_obj_drop(&r->order->obj);
    free(r);
}

static struct receiver *by_asker(struct mail *m, struct rt_ref asker)
{
    return INDEX_ITEM(struct receiver, by_asker,
                      index_find(&m->receivers.by_asker, asker.id));
}

static void end(struct rt_turn *t, struct mail *m, struct receiver *r)
{
    rt_cancel(t, r->alarm);
    rt_demonitor(t, r->order->asker);
    remove_receiver(m, r);
}

static void answer_none(struct rt_turn *t, struct mail *m, struct receiver *r)
{
    struct answer *a = answer_create(r->order->ticket);

    message_put_none(&a->json);
    answer_send(t, r->order, a);
    end(t, m, r);
}

void receivers_on_looked(struct rt_turn *t, struct mail *m,
                         const struct mail_work *w)
{
    struct receiver *r = by_asker(m, w->work.order->asker);

    if (r == NULL || r->order != w->work.order)
        return;
    r->is_looking = false;
    if (w->work.answer != NULL) {
        end(t, m, r);
    } else if (r->is_woken) {
        r->is_woken = false;
        r->is_looking = true;
        look(t, m, r->order);
    } else if (r->is_late) {
        answer_none(t, m, r);
    }
}

static void wake(struct rt_turn *t, struct mail *m, struct receiver *r)
{
    if (r->is_looking) {
        r->is_woken = true;
        return;
    }
    r->is_looking = true;
    look(t, m, r->order);
}

/* No receiver: all but the sender. */
static void wake_for(struct rt_turn *t, struct mail *m, struct slice sender,
                     struct slice receiver)
{
    struct index_link *l;

    if (receiver.len == 0) {
        for (struct receiver *r = m->receivers.all.first; r; r = r->link.next)
            if (!slice_eq(r->id, sender))
                wake(t, m, r);
        return;
    }
    l = index_find(&m->receivers.by_id, hash_of(receiver));
    for (; l != NULL; l = index_next(l)) {
        struct receiver *r = INDEX_ITEM(struct receiver, by_id, l);

        if (slice_eq(r->id, receiver))
            wake(t, m, r);
    }
}

void receivers_wake(struct rt_turn *t, struct mail *m,
                    const struct mail_work *w)
{
    if (w->has_sent)
        wake_for(t, m, slice_cstr(w->sender), slice_cstr(w->receiver));
}

void receivers_wake_told(struct rt_turn *t, struct mail *m,
                         const struct mail_told *told)
{
    wake_for(t, m, SLICE_EMPTY, slice_cstr(told->receiver));
}

void receivers_on_time(struct rt_turn *t, struct mail *m, uint64_t alarm)
{
    struct receiver *r = INDEX_ITEM(struct receiver, by_alarm,
                                    index_find(&m->receivers.by_alarm, alarm));

    if (r == NULL)
        return;
    r->is_late = true;
    if (!r->is_looking)
        answer_none(t, m, r);
}

void receivers_forget(struct rt_turn *t, struct mail *m, struct rt_ref asker)
{
    struct receiver *r = by_asker(m, asker);

    if (r == NULL)
        return;
    rt_cancel(t, r->alarm);
    remove_receiver(m, r);
}

void receivers_drop(struct mail *m)
{
    while (m->receivers.all.first != NULL)
        remove_receiver(m, m->receivers.all.first);
    index_finish(&m->receivers.by_asker);
    index_finish(&m->receivers.by_alarm);
    index_finish(&m->receivers.by_id);
}
