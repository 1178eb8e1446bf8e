/* SPDX-License-Identifier: MIT */
#include "actors/registry/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "actors/health/config_writer.h"
#include "actors/registry/wait.h"
#include "actors/store/transcript_pages.h"

static void on_message(struct rt_turn *t, struct registry *r, struct rt_msg *m);

/* ---- orders ------------------------------------------------------------ */

static void judge(struct rt_turn *t, struct registry *r, struct order *o,
                  bool is_due)
{
    if (o->roster != NULL)
        rt_obj_drop(&o->roster->obj);
    o->roster = RT_KEEP(r->roster);
    switch (o->kind) {
    case ORDER_CREATE_GROUP:
        registry_create_group(t, r, o);
        break;
    case ORDER_DELETE_GROUP:
        registry_delete_group(t, r, o);
        break;
    case ORDER_RUN_AGENTS:
    case ORDER_RUN_SEQUENTIAL:
    case ORDER_RUN_MAGENTIC:
        registry_run(t, r, o, is_due);
        break;
    case ORDER_REPORT_RESULT:
        registry_report(t, r, o);
        break;
    case ORDER_UPDATE_LEDGER:
        registry_update_ledger(t, r, o);
        break;
    case ORDER_CANCEL_AGENT:
        registry_cancel(t, r, o);
        break;
    case ORDER_LIST_AGENTS:
    case ORDER_GET_AGENT_STATUS:
    case ORDER_LIST_ROLES:
    case ORDER_LIST_GROUPS:
    case ORDER_SHOW_AGENT:
    case ORDER_HUB_STATUS:
    case ORDER_SNAPSHOT:
    case ORDER_TRANSCRIPT:
        registry_read(t, r, o);
        break;
    case ORDER_HISTORY:
    case ORDER_EVENTS:
    case ORDER_USAGE:
    case ORDER_RECORD:
    case ORDER_GC:
        registry_ask_store(t, r, o);
        break;
    case ORDER_UPDATE_ROLE:
    case ORDER_REVALIDATE:
        registry_edit(t, r, o);
        break;
    case ORDER_WAIT_AGENT: /* comes as WATCH_BEGIN */
    case ORDER_KINDS:
        break;
    }
}

static void free_parked(struct parked *p)
{
    rt_obj_drop(&p->order->obj);
    free(p);
}

/* Those that still have to wait park themselves again. */
static void try_parked(struct rt_turn *t, struct registry *r)
{
    struct parked *p = r->parked, *next;

    r->parked = NULL;
    for (; p != NULL; p = next) {
        next = p->next;
        rt_cancel(t, p->timer);
        judge(t, r, p->order, false);
        free_parked(p);
    }
}

static void on_gate(struct rt_turn *t, struct registry *r, uint64_t timer)
{
    struct parked **link = &r->parked, *p;

    while (*link != NULL && (*link)->timer != timer)
        link = &(*link)->next;
    if ((p = *link) == NULL)
        return;
    *link = p->next;
    judge(t, r, p->order, true);
    free_parked(p);
}

static void on_roster(struct rt_turn *t, struct registry *r,
                      struct roster *roster)
{
    rt_obj_keep(&roster->obj);
    rt_obj_drop(&r->roster->obj);
    r->roster = roster;
    registry_complete_changes(t, r);
    registry_tell_health(t, r);
    try_parked(t, r);
}

/* ---- the store --------------------------------------------------------- */

static bool is_change(enum order_kind kind)
{
    return kind == ORDER_CREATE_GROUP || kind == ORDER_DELETE_GROUP ||
           kind == ORDER_RUN_AGENTS || kind == ORDER_RUN_SEQUENTIAL ||
           kind == ORDER_RUN_MAGENTIC || kind == ORDER_REPORT_RESULT ||
           kind == ORDER_UPDATE_LEDGER || kind == ORDER_UPDATE_ROLE;
}

/* What cannot be made durable is not begun; but whoever wants to end agents
 * is let, and waits for his answer. */
static bool refuse_change(struct rt_turn *t, struct registry *r,
                          struct order *o)
{
    if (r->store.id == 0 || r->condition.is_good || !is_change(o->kind))
        return false;
    o->roster = RT_KEEP(r->roster);
    ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE,
                 "データベースに書き込めないため実行できません: %s",
                 "nothing can be changed, for it could not be kept: %s",
                 r->condition.why);
    return true;
}

/* A call that a relay repeats may have been answered by an earlier hub. */
static void on_placed(struct rt_turn *t, struct registry *r, struct order *o)
{
    if (refuse_change(t, r, o))
        return;
    if (o->is_repeated && r->store.id != 0 && o->key[0] != 0 &&
        (is_change(o->kind) || o->kind == ORDER_CANCEL_AGENT)) {
        o->roster = RT_KEEP(r->roster);
        rt_pass(t, r->store, STORE_RECALL, &o->obj);
    } else {
        judge(t, r, o, false);
    }
}

static void begin_feed(struct rt_turn *t, struct registry *r)
{
    event_startup(t, r);
    registry_tell_health(t, r);
    registry_flush(t, r); /* whoever has waited to ask for it finds it */
}

static void on_past(struct rt_turn *t, struct registry *r, struct rt_ref store,
                    const struct past *p)
{
    struct rt_msg *m = r->held_first, *next;

    if (!r->is_blank)
        return;
    r->store = store;
    if (p->is_known) {
        r->is_blank = false;
        registry_restore(t, r, p);
        begin_feed(t, r);
    } else {
        r->condition.is_good = false;
        slice_keep(r->condition.why, sizeof(r->condition.why), p->why);
    }
    r->held_first = r->held_last = NULL;
    for (; m != NULL; m = next) {
        next = m->next;
        on_message(t, r, m);
        rt_free(t, m);
    }
}

/* Orders wait until it is known what there is, or that nobody knows. That the
 * disk refuses may be told before: until there is a store to keep them, orders
 * would be carried out and lost. */
static bool hold(struct rt_turn *t, struct registry *r, struct rt_msg *m)
{
    if (!r->is_blank || r->store.id != 0 ||
        (m->kind != ORDER_PLACED && m->kind != WATCH_BEGIN &&
         m->kind != FEED_LISTEN))
        return false;
    m = rt_take(t, m);
    m->next = NULL;
    *(r->held_last != NULL ? &r->held_last->next : &r->held_first) = m;
    r->held_last = m;
    return true;
}

/* What the store found, and what is to be cleared away behind it. */
static void on_leavings(struct rt_turn *t, struct registry *r, struct rt_msg *m)
{
    struct store_transcripts_done tidied;

    switch (m->kind) {
    case STORE_LOOKED_UP:
        registry_watch_seen(t, r, RT_OBJ(m, struct store_lookup));
        break;
    case STORE_REMOVED:
        rt_pass(t, r->cleaner, CLEANER_REMOVE, RT_OBJ(m, struct rt_obj));
        break;
    case STORE_TRANSCRIPTS:
        rt_pass(t, r->cleaner, CLEANER_TRANSCRIPTS, RT_OBJ(m, struct rt_obj));
        break;
    case CLEANER_DONE:
        durable_tidied(r, rt_body(m));
        break;
    case CLEANER_LIST_DONE:
        tidied.has_helped = ((struct cleaner_list_done *)rt_body(m))->done > 0;
        rt_tell(t, r->store, STORE_TRANSCRIPTS_DONE, &tidied, sizeof(tidied));
        break;
    default:
        break;
    }
}

/* ---- the actor --------------------------------------------------------- */

static void on_message(struct rt_turn *t, struct registry *r, struct rt_msg *m)
{
    switch (m->kind) {
    case ORDER_PLACED:
        on_placed(t, r, RT_OBJ(m, struct order));
        break;
    case STORE_RECALLED:
        judge(t, r, RT_OBJ(m, struct order), false);
        break;
    case STORE_PAST:
        on_past(t, r, m->from, RT_OBJ(m, struct past));
        break;
    case STORE_CONDITION:
        r->condition = *(struct store_condition *)rt_body(m);
        rt_tell(t, rt_parent(t), STORE_CONDITION, &r->condition,
                sizeof(r->condition));
        registry_tell_withheld(t, r);
        break;
    case STORE_SAFE:
        r->safe = ((struct store_safe *)rt_body(m))->number;
        registry_tell_withheld(t, r);
        break;
    case WATCH_BEGIN:
        registry_watch(t, r, m->from, RT_OBJ(m, struct order));
        break;
    case RT_DOWN:
        registry_unwatch(r, m->from);
        subscribers_forget(t, r, m->from);
        break;
    case AGENT_PROGRESS:
        registry_on_step(t, r, rt_body(m));
        break;
    case GROUP_NEWS:
        registry_on_news(t, r, RT_OBJ(m, struct agent_view));
        break;
    case ORDER_ANSWER:
        registry_on_answer(t, r, RT_OBJ(m, struct answer));
        break;
    case GROUP_PLAN:
        registry_on_plan(t, r, rt_body(m));
        break;
    case MAGENTIC_LEDGER:
        registry_on_ledger(t, r, RT_OBJ(m, struct ledger));
        break;
    case HEALTH_ROSTER:
        on_roster(t, r, RT_OBJ(m, struct roster));
        break;
    case CONFIG_WRITER_READY:
        r->config_writer = m->from;
        break;
    case CONFIG_WRITER_CHANGED:
        registry_on_change(r, RT_OBJ(m, struct config_writer_change));
        break;
    case REGISTRY_URL:
        slice_keep(r->url, sizeof(r->url), slice_cstr(rt_body(m)));
        break;
    case SLOTS_PLACES:
        r->places = *(struct slots_places *)rt_body(m);
        break;
    case REGISTRY_GATE:
        on_gate(t, r, ((struct rt_alarm *)rt_body(m))->id);
        break;
    case FEED_SUBSCRIBE:
    case FEED_UNSUBSCRIBE:
    case FEED_LISTEN:
    case REGISTRY_TICK:
        subscribers_on_message(t, r, m);
        break;
    default:
        on_leavings(t, r, m);
        break;
    }
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    if (!hold(t, state, m))
        on_message(t, state, m);
    registry_flush(t, state);
    return RT_OK;
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct registry *r = state;
    const struct config_agent *c = &registry_config(r)->agent;

    r->places.limits = (struct slots_limits){
        .max = {(uint32_t)c->max_concurrent, (uint32_t)c->max_orchestrators},
        .queued = (uint32_t)c->max_queued};
    r->slots = slots_spawn(t, &r->places.limits);
    r->pages = transcript_pages_spawn(t, r->context);
    r->condition.is_good = true;
    r->started_at = rt_wall_ms(t);
    r->started = rt_now(t);
    if (!r->is_blank)
        begin_feed(t, r);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct registry *r = state;

    while (r->newest_group != NULL)
        group_entry_destroy(t, r, r->newest_group);
    while (r->parked != NULL) {
        struct parked *next = r->parked->next;
        free_parked(r->parked);
        r->parked = next;
    }
    registry_cancel_drop(r);
    registry_drop_withheld(r);
    if (r->write != NULL)
        rt_obj_drop(&r->write->obj);
    while (r->held_first != NULL) {
        struct rt_msg *next = r->held_first->next;
        rt_free(t, r->held_first);
        r->held_first = next;
    }
    registry_watch_drop(r);
    index_finish(&r->groups_by_id);
    index_finish(&r->groups);
    index_finish(&r->agents_by_id);
    index_finish(&r->agents);
    registry_drop_changes(r);
    if (r->said != NULL)
        rt_obj_drop(&r->said->obj);
    rt_obj_drop(&r->roster->obj);
    rt_obj_drop(&r->context->obj);
}

static const struct rt_behaviour behaviour = {.name = "registry",
                                              .size = sizeof(struct registry),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref registry_spawn(struct rt_turn *t, const struct registry_setup *s)
{
    struct registry r = {.context = s->context,
                         .roster = s->roster,
                         .processes = s->processes,
                         .cleaner = s->cleaner,
                         .is_blank = s->has_store};
    struct rt_ref ref;

    rt_obj_keep(&s->context->obj);
    rt_obj_keep(&s->roster->obj);
    ref = rt_spawn_at(t, HUB_LOOP_FRONT, &behaviour, &r);
    if (ref.id == 0) {
        rt_obj_drop(&s->context->obj);
        rt_obj_drop(&s->roster->obj);
    }
    return ref;
}

struct rt_ref registry_place(struct rt_turn *t, struct rt_ref registry,
                             struct order *order)
{
    struct rt_ref wait = RT_NOBODY;

    if (order->kind == ORDER_WAIT_AGENT)
        wait = wait_spawn(t, registry, order);
    else
        rt_pass_take(t, registry, ORDER_PLACED, &order->obj);
    return wait;
}
