/* SPDX-License-Identifier: MIT */
#include "actors/registry/registry.h"

#include "actors/health/config_writer.h"
#include "actors/registry/events.h"
#include "actors/registry/hold.h"
#include "actors/registry/inside.h"
#include "actors/registry/judge.h"
#include "actors/registry/news.h"
#include "actors/registry/retry.h"
#include "actors/registry/views.h"
#include "actors/store/cleaner.h"
#include "actors/store/transcript_pages.h"
#include "actors/store/work.h"

/* ---- orders ------------------------------------------------------------ */

/* ORDER_WAIT_AGENT is none of them: it comes as WATCH_BEGIN. */
static void (*const carry_out[ORDER_KINDS])(struct rt_turn *t,
                                            struct registry *r,
                                            struct order *o) = {
    [ORDER_CREATE_GROUP] = judge_create_group,
    [ORDER_DELETE_GROUP] = judge_delete_group,
    [ORDER_REPORT_RESULT] = judge_report,
    [ORDER_UPDATE_LEDGER] = judge_update_ledger,
    [ORDER_CANCEL_AGENT] = cancel_order,
    [ORDER_RETRY] = retry_order,
    [ORDER_LIST_AGENTS] = view_answer_agents,
    [ORDER_GET_AGENT_STATUS] = view_answer_agent,
    [ORDER_SHOW_AGENT] = view_answer_agent,
    [ORDER_LIST_ROLES] = view_answer_roles,
    [ORDER_LIST_GROUPS] = view_answer_groups,
    [ORDER_HUB_STATUS] = view_answer_hub,
    [ORDER_HUB_COUNTS] = view_answer_counts,
    [ORDER_HEALTH] = view_answer_health,
    [ORDER_SNAPSHOT] = view_answer_snapshot,
    [ORDER_TRANSCRIPT] = view_answer_transcript,
    [ORDER_STORY] = view_answer_transcript,
    [ORDER_STDERR] = view_answer_transcript,
    [ORDER_PROMPT] = view_answer_transcript,
    [ORDER_PROCESS] = view_answer_transcript,
    [ORDER_HISTORY] = durable_ask,
    [ORDER_EVENTS] = durable_ask,
    [ORDER_EVENT_PAGE] = durable_ask,
    [ORDER_USAGE] = durable_ask,
    [ORDER_NOTIFICATIONS] = durable_ask,
    [ORDER_RECORD] = durable_ask,
    [ORDER_GC] = durable_ask,
    [ORDER_FIND] = durable_ask,
    [ORDER_OVERVIEW] = view_answer_overview,
    [ORDER_ROLE] = view_answer_role,
    [ORDER_MODELS] = view_answer_models,
    [ORDER_CONFIG] = view_answer_config,
    [ORDER_UPDATE_ROLE] = edit_order,
    [ORDER_CREATE_ROLE] = edit_order,
    [ORDER_DELETE_ROLE] = edit_order,
    [ORDER_REVALIDATE] = edit_order};

void registry_carry_out(struct rt_turn *t, struct registry *r, struct order *o,
                        bool is_due)
{
    if (o->roster != NULL)
        rt_obj_drop(&o->roster->obj);
    o->roster = RT_KEEP(r->roster);
    if (systems_take(t, r, o))
        return;
    /* What has happened in systems came before what this one makes happen. */
    if (order_is_change(o->kind))
        systems_tell(t, r);
    if (o->kind == ORDER_RUN_AGENTS || o->kind == ORDER_RUN_SEQUENTIAL ||
        o->kind == ORDER_RUN_MAGENTIC)
        judge_run(t, r, o, is_due);
    else if (carry_out[o->kind] != NULL)
        carry_out[o->kind](t, r, o);
}

static void on_roster(struct rt_turn *t, struct registry *r,
                      struct roster *roster)
{
    rt_obj_keep(&roster->obj);
    rt_obj_drop(&r->roster->obj);
    r->roster = roster;
    edit_complete(t, r);
    health_events_tell(t, r);
    parked_try(t, r);
}

/* ---- the store --------------------------------------------------------- */

/* What cannot be made durable is not begun; but an order to end agents is
 * carried out, and its answer waits. */
static bool refuse_change(struct rt_turn *t, struct registry *r,
                          struct order *o)
{
    if (r->durable.store.id == 0 || r->durable.condition.is_good ||
        !order_is_change(o->kind))
        return false;
    o->roster = RT_KEEP(r->roster);
    ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, STORE_CANNOT_KEEP,
                 store_why_in(&r->durable.condition.why, order_is_english(o)));
    return true;
}

/* A call that a relay repeats may have been answered by an earlier hub. */
static void on_placed(struct rt_turn *t, struct registry *r, struct order *o)
{
    if (refuse_change(t, r, o))
        return;
    if (o->is_repeated && r->durable.store.id != 0 && o->key[0] != 0 &&
        (order_is_change(o->kind) || o->kind == ORDER_CANCEL_AGENT)) {
        o->roster = RT_KEEP(r->roster);
        rt_pass(t, r->durable.store, STORE_RECALL, &o->obj);
    } else {
        registry_carry_out(t, r, o, false);
    }
}

static void begin_feed(struct rt_turn *t, struct registry *r)
{
    events_startup(t, r);
    checkpoints_begin(t, r);
    health_events_tell(t, r);
    durable_flush(t, r); /* orders that were held find it */
}

static void on_past(struct rt_turn *t, struct registry *r, struct rt_ref store,
                    struct past *p)
{
    if (!r->restore.is_blank)
        return;
    durable_begin(r, store, p);
    if (p->is_known) {
        restore_past(t, r, p);
        begin_feed(t, r);
    }
    restore_release(t, r);
}

/* ---- messages ---------------------------------------------------------- */

/* What the store says, and what becomes of what it wants cleared away. */
static void on_store(struct rt_turn *t, struct registry *r, struct rt_msg *m)
{
    struct store_transcripts_done done;

    switch (m->kind) {
    case STORE_PAST:
        on_past(t, r, m->from, RT_OBJ(m, struct past));
        break;
    case STORE_RECALLED:
        registry_carry_out(t, r, RT_OBJ(m, struct order), false);
        break;
    case STORE_CONDITION:
        durable_on_condition(t, r, rt_body(m));
        break;
    case STORE_WORKED:
        systems_on_worked(t, r, RT_OBJ(m, struct work));
        break;
    case STORE_SAFE:
        durable_on_safe(t, r, rt_body(m));
        break;
    case STORE_LOOKED_UP:
        watch_looked_up(t, r, RT_OBJ(m, struct store_lookup));
        break;
    case STORE_REMOVED:
        rt_pass(t, r->cleaner, CLEANER_REMOVE, RT_OBJ(m, struct rt_obj));
        break;
    case STORE_TRANSCRIPTS:
        rt_pass(t, r->cleaner, CLEANER_TRANSCRIPTS, RT_OBJ(m, struct rt_obj));
        break;
    case CLEANER_DONE:
        durable_cleaned(r, rt_body(m));
        break;
    case CLEANER_LIST_DONE:
        done.has_helped = ((struct cleaner_list_done *)rt_body(m))->done > 0;
        rt_tell(t, r->durable.store, STORE_TRANSCRIPTS_DONE, &done,
                sizeof(done));
        break;
    default:
        break;
    }
}

/* What groups say, and agents. */
static void on_group(struct rt_turn *t, struct registry *r, struct rt_msg *m)
{
    switch (m->kind) {
    case AGENT_PROGRESS:
        news_on_step(t, r, rt_body(m));
        break;
    case AGENT_TOUCHED:
        conflicts_touched(t, r, RT_OBJ(m, struct agent_touched));
        break;
    case GROUP_NEWS:
        news_on_view(t, r, RT_OBJ(m, struct agent_view));
        break;
    case ORDER_ANSWER:
        news_on_answer(t, r, RT_OBJ(m, struct answer));
        break;
    case GROUP_PLAN:
        news_on_plan(t, r, rt_body(m));
        break;
    case MAGENTIC_LEDGER:
        news_on_ledger(t, r, RT_OBJ(m, struct ledger));
        break;
    default:
        on_store(t, r, m);
        break;
    }
}

void registry_on_message(struct rt_turn *t, struct registry *r,
                         struct rt_msg *m)
{
    switch (m->kind) {
    case ORDER_PLACED:
        on_placed(t, r, RT_OBJ(m, struct order));
        break;
    case WATCH_BEGIN:
        watch_begin(t, r, m->from, RT_OBJ(m, struct order));
        break;
    case FEED_SUBSCRIBE:
    case FEED_UNSUBSCRIBE:
    case FEED_LISTEN:
        subscribers_on_message(t, r, m);
        break;
    case NOTE_SUBSCRIBE:
        r->notes.to = m->from;
        break;
    case NOTICE_SUBSCRIBE:
    case NOTICE_RAISE:
        notices_on_message(t, r, m);
        break;
    case RT_DOWN:
        watch_end(r, m->from);
        subscribers_forget(t, r, m->from);
        break;
    case HEALTH_ROSTER:
        on_roster(t, r, RT_OBJ(m, struct roster));
        break;
    case CONFIG_WRITER_READY:
        edit_on_ready(r, *(struct rt_ref *)rt_body(m));
        break;
    case CONFIG_WRITER_CHANGED:
        edit_on_changed(r, RT_OBJ(m, struct config_writer_change));
        break;
    case CONFIG_WRITER_TROUBLE:
        edit_on_trouble(t, r, RT_OBJ(m, struct config_writer_trouble));
        break;
    case REGISTRY_URL:
        slice_keep(r->url, sizeof(r->url), slice_cstr(rt_body(m)));
        break;
    case REGISTRY_JOIN:
        systems_join(r, rt_body(m));
        break;
    case REGISTRY_RETURN:
        RT_OBJ(m, struct order)->is_returned = true;
        registry_carry_out(t, r, RT_OBJ(m, struct order), false);
        break;
    case REGISTRY_WORK:
        systems_on_work(t, r, RT_OBJ(m, struct work));
        break;
    case REGISTRY_CANCEL_ALL:
        r->notices.is_closed = true;
        cancel_all(t, r);
        break;
    case SLOTS_PLACES:
        r->places = *(struct slots_places *)rt_body(m);
        break;
    case REGISTRY_GATE:
        parked_on_gate(t, r, ((struct rt_alarm *)rt_body(m))->id);
        break;
    case REGISTRY_TELL:
        systems_tell(t, r);
        break;
    case REGISTRY_TICK:
        progress_on_tick(t, r, ((struct rt_alarm *)rt_body(m))->id);
        break;
    default:
        on_group(t, r, m);
        break;
    }
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    if (!restore_hold(t, state, m))
        registry_on_message(t, state, m);
    durable_flush(t, state);
    return RT_OK;
}

struct slots_limits registry_limits(const struct registry *r)
{
    const struct config_agent *c = &registry_config(r)->agent;

    return (struct slots_limits){
        .max = {(uint32_t)c->max_concurrent, (uint32_t)c->max_orchestrators},
        .queued = (uint32_t)c->max_queued};
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct registry *r = state;

    r->edits.begun = RT_KEEP(r->roster->settings);
    r->places.limits = registry_limits(r);
    r->slots = slots_spawn(t, &r->places.limits);
    r->pages = transcript_pages_spawn(t, HUB_LOOP_SPAWN, r->context->state_dir);
    r->started_at = rt_wall_ms(t);
    r->started = rt_now(t);
    if (!r->restore.is_blank)
        begin_feed(t, r);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct registry *r = state;

    cancel_drop(r);
    while (r->groups.newest != NULL)
        group_entry_destroy(t, r, r->groups.newest);
    parked_drop(r);
    durable_drop(r);
    restore_drop(t, r);
    watch_drop(r);
    index_finish(&r->groups.by_id);
    index_finish(&r->groups.by_serial);
    index_finish(&r->agents.by_id);
    index_finish(&r->agents.by_serial);
    index_finish(&r->conflicts.by_path);
    edit_drop(r);
    health_events_drop(r);
    notices_drop(r);
    systems_drop(r);
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
                         .restore.is_blank = s->has_store,
                         .durable.condition.is_good = true};
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
    else if (order_is_wait(order->kind, order->args))
        wait = hold_spawn(t, registry, order);
    else
        rt_pass_take(t, registry, ORDER_PLACED, &order->obj);
    return wait;
}
