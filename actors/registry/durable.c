/* SPDX-License-Identifier: MIT */
/*
 * What the registry writes to the store. All rows that one message makes
 * travel together, with the answer that may only go out once they are safe:
 * so a change, its key and its answer are durable as one.
 */
#include "actors/registry/inside.h"

#include <stdlib.h>

#include "actors/store/agent_dirs.h"
#include "runtime/text/json.h"

/* Where rows go, or NULL: this hub keeps nothing. */
static struct store_write *rows(struct registry *r)
{
    if (r->store.id == 0)
        return NULL;
    if (r->write == NULL)
        r->write = store_write_create();
    return r->write;
}

void registry_flush(struct rt_turn *t, struct registry *r)
{
    if (r->write == NULL)
        return;
    if (r->write->rows.len > 0)
        r->write->number = ++r->written;
    rt_pass_take(t, r->store, STORE_WRITE, &r->write->obj);
    r->write = NULL;
}

/* A refusal has changed nothing: it need not wait. */
void registry_deliver(struct rt_turn *t, struct registry *r, struct answer *a)
{
    struct order *o = a->order;
    struct store_write *w;

    if (r->store.id == 0 || (a->is_error && r->write == NULL)) {
        rt_pass(t, o->asker, ORDER_ANSWER, &a->obj);
        return;
    }
    w = rows(r);
    if (w->answer != NULL) {
        registry_flush(t, r);
        w = rows(r);
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

void registry_answer(struct rt_turn *t, struct registry *r, struct order *o,
                     struct answer *a)
{
    a->order = RT_KEEP(o);
    registry_deliver(t, r, a);
    rt_obj_drop(&a->obj);
}

/* ---- answers to questions ---------------------------------------------- */

/*
 * Whoever was told that an agent has ended finds it so, also in the next hub.
 * A disk that refuses may do so for long, and asking must go on: then, and
 * only then, an answer tells of what may be lost.
 */
static bool is_safe(const struct registry *r, uint64_t number)
{
    return r->store.id == 0 || r->safe >= number || !r->condition.is_good;
}

/* Later answers wait behind earlier ones: nobody is told what was after he was
 * told what is. */
void registry_tell(struct rt_turn *t, struct registry *r, struct order *o,
                   struct answer *a)
{
    bool has_rows = r->write != NULL && r->write->rows.len > 0;
    uint64_t number = r->written + has_rows;
    struct withheld *w;

    if (is_safe(r, number)) {
        answer_send(t, o, a);
        return;
    }
    w = bytes_alloc(sizeof(*w));
    *w = (struct withheld){.number = number, .answer = a};
    a->order = RT_KEEP(o);
    *(r->withheld != NULL ? &r->withheld_last->next : &r->withheld) = w;
    r->withheld_last = w;
}

static void forget_withheld(struct registry *r)
{
    struct withheld *w = r->withheld;

    r->withheld = w->next;
    rt_obj_drop(&w->answer->obj);
    free(w);
}

void registry_tell_withheld(struct rt_turn *t, struct registry *r)
{
    while (r->withheld != NULL && is_safe(r, r->withheld->number)) {
        struct answer *a = r->withheld->answer;

        rt_pass(t, a->order->asker, ORDER_ANSWER, &a->obj);
        forget_withheld(r);
    }
}

void registry_drop_withheld(struct registry *r)
{
    while (r->withheld != NULL)
        forget_withheld(r);
}

void registry_say(struct rt_turn *t, struct registry *r, struct rt_ref to,
                  uint16_t kind, struct rt_obj *obj)
{
    struct store_write *w = rows(r);

    if (w != NULL)
        store_say(w, to, kind, obj);
    else
        rt_pass(t, to, kind, obj);
}

void registry_ask_store(struct rt_turn *t, struct registry *r, struct order *o)
{
    if (r->store.id != 0)
        rt_pass(t, r->store, STORE_ASK, &o->obj);
    else
        ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE,
                     "%s: このハブは履歴を持ちません",
                     "%s: this hub keeps no history", order_name(o->kind).ptr);
}

/* ---- groups ------------------------------------------------------------ */

static void put_serial(struct store_write *w, uint64_t serial)
{
    if (serial != 0)
        store_int(w, (int64_t)serial);
    else
        store_null(w);
}

void durable_group(struct registry *r, const struct group_entry *group)
{
    struct store_write *w = rows(r);

    if (w == NULL)
        return;
    store_row(w, STORE_ADD_GROUP);
    store_int(w, (int64_t)group->serial);
    store_text(w, slice_cstr(group->id));
    store_text(w, bytes_slice(&group->description));
    store_text(w, group_mode_name(group->mode));
    put_serial(w, group->parent != NULL ? group->parent->serial : 0);
    store_int(w, (int64_t)group->created_at);
}

void durable_deleted(struct rt_turn *t, struct registry *r,
                     const struct group_entry *group)
{
    struct store_write *w = rows(r);

    if (w == NULL)
        return;
    store_row(w, STORE_DELETE_GROUP);
    store_int(w, (int64_t)group->serial);
    store_int(w, (int64_t)rt_wall_ms(t));
}

void durable_plan(struct registry *r, const struct group_entry *group)
{
    struct store_write *w = rows(r);

    if (w == NULL)
        return;
    store_row(w, STORE_SET_PLAN);
    store_int(w, (int64_t)group->serial);
    store_int(w, group->stage);
    store_int(w, group->stages);
    store_int(w, group->has_plan);
}

void durable_ledger(struct rt_turn *t, struct registry *r,
                    const struct group_entry *group)
{
    struct store_write *w = rows(r);

    if (w == NULL)
        return;
    store_row(w, STORE_ADD_LEDGER);
    store_int(w, (int64_t)group->serial);
    store_int(w, (int64_t)rt_wall_ms(t));
    store_text(w, bytes_slice(&group->ledger->json));
    store_int(w, (int64_t)group->ledger->iteration);
    store_int(w, group->ledger->is_stalled);
    store_int(w, group->ledger->is_exhausted);
}

/* ---- orders and agents ------------------------------------------------- */

static void keep_agent(struct store_write *w, const struct order *o, unsigned i)
{
    const struct order_task *task = &o->tasks[i];

    store_row(w, STORE_ADD_AGENT);
    store_int(w, (int64_t)(o->first + i));
    store_text(w, slice_cstr(task->id));
    store_int(w, (int64_t)o->first);
    store_int(w, (int64_t)o->group);
    store_int(w, task->stage);
    store_text(w, slice_cstr(task->role->role->id));
    store_text(w, slice_cstr(task->role->role->model));
    store_text(w, slice_cstr(task->role->backend->name));
    store_text(w, o->kind == ORDER_RUN_MAGENTIC ? FIELD_TEXT(o->args, "task")
                                                : task->prompt);
    store_text(w, slice_cstr(task->directory));
    store_int(w, (int64_t)task->timeout_ms);
    store_int(w, (int64_t)o->created_at);
}

void durable_order(struct registry *r, const struct order *o)
{
    struct store_write *w = rows(r);
    struct bytes args = {0};

    if (w == NULL)
        return;
    json_val(&args, o->args);
    store_row(w, STORE_ADD_ORDER);
    store_int(w, (int64_t)o->first);
    store_int(w, (int64_t)o->group);
    store_text(w, order_name(o->kind));
    store_text(w, bytes_slice(&args));
    store_text(w, slice_cstr(o->caller->agent_id));
    store_text(w, slice_cstr(o->caller->cwd));
    store_int(w, o->count);
    store_int(w, (int64_t)o->created_at);
    for (unsigned i = 0; i < o->count; i++)
        keep_agent(w, o, i);
    bytes_finish(&args);
}

static void keep_counts(struct registry *r, struct store_write *w,
                        const struct agent_entry *c)
{
    const struct agent_view *v = c->view;
    uint64_t cost;

    store_row(w, STORE_SET_COUNTS);
    store_int(w, (int64_t)c->serial);
    store_int(w, (int64_t)v->started_at);
    store_int(w, (int64_t)v->elapsed_ms);
    store_int(w, (int64_t)c->tool_calls);
    store_text(w, slice_cstr(v->session_id));
    store_text(w, slice_cstr(v->model));
    store_int(w, (int64_t)v->usage.input);
    store_int(w, (int64_t)v->usage.output);
    store_int(w, (int64_t)v->usage.cache_read);
    store_int(w, (int64_t)v->usage.cache_write);
    if (agent_entry_cost(r, c, &cost) && cost <= INT64_MAX)
        store_int(w, (int64_t)cost);
    else
        store_null(w);
    store_int(w, (int64_t)v->progress.messages);
    store_int(w, (int64_t)v->progress.lines);
}

static void put_list(struct store_write *w, const struct agent_paths *paths)
{
    struct bytes json = {0};

    agent_paths_put(&json, paths);
    store_text(w, bytes_slice(&json));
    bytes_finish(&json);
}

static void keep_result(struct store_write *w, const struct agent_entry *c)
{
    const struct agent_result *result = c->view->result;

    store_row(w, STORE_SET_RESULT);
    store_int(w, (int64_t)c->serial);
    store_int(w, (int64_t)result->finished_at);
    store_text(w, agent_outcome_name(result->outcome));
    store_text(w, result->summary);
    store_text(w, result->response);
    store_text(w, result->error);
    put_list(w, &result->edited);
    put_list(w, &result->created);
    store_int(w, (int64_t)result->duration_ms);
    store_int(w, result->is_reported);
}

/* What its transcript takes when it is gone, as far as the stream says. */
static void keep_transcript(struct store_write *w, const char *id, int form,
                            uint64_t bytes)
{
    store_row(w, STORE_SET_TRANSCRIPT);
    store_text(w, slice_cstr(id));
    store_int(w, form);
    store_int(w, (int64_t)bytes);
}

void durable_tidied(struct registry *r, const struct cleaner_done *done)
{
    struct store_write *w = rows(r);

    if (w == NULL)
        return;
    if (done->is_removed) {
        store_row(w, STORE_DROP_LEAVING);
        store_text(w, slice_cstr(done->id));
    } else {
        keep_transcript(w, done->id, done->form, done->bytes);
    }
}

void durable_news(struct rt_turn *t, struct registry *r,
                  const struct agent_entry *c, const struct agent_view *before)
{
    struct store_write *w = rows(r);
    const struct agent_view *v = c->view;
    enum agent_state was = before != NULL ? before->state : AGENT_QUEUED;

    if (w == NULL)
        return;
    if (v->state != was) {
        store_row(w, STORE_SET_STATE);
        store_int(w, (int64_t)c->serial);
        store_int(w, (int64_t)rt_wall_ms(t));
        store_text(w, slice_cstr(agent_state_name(v->state)));
    }
    if (v->state != was || (v->news & (AGENT_NEWS_DONE | AGENT_NEWS_GONE)))
        keep_counts(r, w, c);
    if (v->result != NULL && (before == NULL || before->result != v->result))
        keep_result(w, c);
    if (v->news & AGENT_NEWS_GONE) {
        store_row(w, STORE_SET_GONE);
        store_int(w, (int64_t)c->serial);
        store_int(w, (int64_t)rt_wall_ms(t));
        keep_transcript(w, c->task->id, AGENT_DIRS_WHOLE, v->progress.bytes);
    }
}

/* ---- events ------------------------------------------------------------ */

void registry_event(struct rt_turn *t, struct registry *r, const char *type,
                    const struct group_entry *group,
                    const struct agent_entry *c, struct bytes *data)
{
    struct store_write *w = rows(r);
    struct feed_event told = {
        .seq = ++r->seq, .at = rt_wall_ms(t), .type = type};

    if (w != NULL) {
        store_row(w, STORE_ADD_EVENT);
        store_int(w, (int64_t)told.seq);
        store_int(w, (int64_t)told.at);
        store_text(w, slice_cstr(type));
        put_serial(w, group != NULL ? group->serial : 0);
        put_serial(w, c != NULL ? c->serial : 0);
        store_text(w, bytes_slice(data));
    }
    subscribers_tell(t, r, &told, group, c, bytes_slice(data));
    bytes_finish(data);
}
