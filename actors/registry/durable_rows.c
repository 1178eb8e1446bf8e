/* SPDX-License-Identifier: MIT */
#include "actors/registry/durable.h"

#include "actors/registry/inside.h"
#include "actors/store/agent_dirs.h"
#include "actors/store/cleaner.h"
#include "runtime/text/json.h"

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
    struct store_write *w = durable_write(r);

    if (w == NULL)
        return;
    store_row(w, STORE_ADD_GROUP);
    store_int(w, (int64_t)group->serial);
    store_text(w, slice_cstr(group->id));
    store_text(w, bytes_slice(&group->description));
    store_text(w, group_mode_name(group->mode));
    put_serial(w, group->parent != NULL ? group->parent->serial : 0);
    store_int(w, (int64_t)group->created_at);
    store_text(w, slice_cstr(language_word(group->language)));
}

void durable_deleted(struct rt_turn *t, struct registry *r,
                     const struct group_entry *group)
{
    struct store_write *w = durable_write(r);

    if (w == NULL)
        return;
    store_row(w, STORE_DELETE_GROUP);
    store_int(w, (int64_t)group->serial);
    store_int(w, (int64_t)rt_wall_ms(t));
}

void durable_plan(struct registry *r, const struct group_entry *group)
{
    struct store_write *w = durable_write(r);

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
    struct store_write *w = durable_write(r);

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

static void add_agent(struct store_write *w, const struct order *o, unsigned i)
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
    store_text(w, task->retry.of);
}

void durable_order(struct registry *r, const struct order *o)
{
    struct store_write *w = durable_write(r);
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
        add_agent(w, o, i);
    bytes_finish(&args);
}

static void set_counts(struct registry *r, struct store_write *w,
                       const struct agent_entry *agent)
{
    const struct agent_view *v = agent->view;
    uint64_t cost;

    store_row(w, STORE_SET_COUNTS);
    store_int(w, (int64_t)agent->serial);
    store_int(w, (int64_t)v->started_at);
    store_int(w, (int64_t)v->elapsed_ms);
    store_int(w, (int64_t)agent->tool_calls);
    store_text(w, slice_cstr(v->session_id));
    store_text(w, slice_cstr(v->model));
    store_int(w, (int64_t)v->usage.input);
    store_int(w, (int64_t)v->usage.output);
    store_int(w, (int64_t)v->usage.cache_read);
    store_int(w, (int64_t)v->usage.cache_write);
    if (spend_cost(r, agent, &cost) && cost <= INT64_MAX)
        store_int(w, (int64_t)cost);
    else
        store_null(w);
    store_int(w, (int64_t)v->progress.messages);
    store_int(w, (int64_t)v->progress.lines);
    store_text(w, slice_cstr(agent_state_name(v->state)));
}

static void put_list(struct store_write *w, const struct agent_paths *paths)
{
    struct bytes json = {0};

    agent_paths_put(&json, paths);
    store_text(w, bytes_slice(&json));
    bytes_finish(&json);
}

static void set_result(struct store_write *w, const struct agent_entry *agent)
{
    const struct agent_result *result = agent->view->result;

    store_row(w, STORE_SET_RESULT);
    store_int(w, (int64_t)agent->serial);
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

void durable_cleaned(struct registry *r, const struct cleaner_done *done)
{
    struct store_write *w = durable_write(r);

    if (w == NULL)
        return;
    if (done->is_removed) {
        store_row(w, STORE_DROP_LEAVING);
        store_text(w, slice_cstr(done->id));
    } else {
        store_row(w, STORE_SET_TRANSCRIPT);
        store_text(w, slice_cstr(done->id));
        store_int(w, done->form);
        store_int(w, (int64_t)done->bytes);
    }
}

static void add_state(struct rt_turn *t, struct store_write *w,
                      const struct agent_entry *agent)
{
    store_row(w, STORE_ADD_STATE);
    store_int(w, (int64_t)agent->serial);
    store_int(w, (int64_t)rt_wall_ms(t));
    store_text(w, slice_cstr(agent_state_name(agent->view->state)));
}

/* What its transcript takes is as far as the stream says. */
static void set_gone(struct rt_turn *t, struct registry *r,
                     struct store_write *w, struct agent_entry *agent)
{
    uint64_t bytes = agent->view->progress.bytes;

    if (agent->times.up_to > 0) /* the last line may have had no end */
        line_times_take(t, r, agent, bytes, 0);
    line_times_end(r, agent, w);
    samples_end(r, agent, w);
    store_row(w, STORE_SET_GONE);
    store_int(w, (int64_t)agent->serial);
    store_int(w, (int64_t)rt_wall_ms(t));
    store_int(w, (int64_t)bytes);
}

/* Whether the counts are others than those that were written with its end. */
static bool has_grown(const struct agent_view *was, const struct agent_view *is)
{
    return was == NULL || !was->is_done || was->started_at != is->started_at ||
           was->elapsed_ms != is->elapsed_ms ||
           memcmp(&was->progress, &is->progress, sizeof(was->progress)) != 0 ||
           !spend_is_same(&was->usage, &is->usage) ||
           strcmp(was->session_id, is->session_id) != 0 ||
           strcmp(was->model, is->model) != 0;
}

void durable_news(struct rt_turn *t, struct registry *r,
                  struct agent_entry *agent, const struct agent_view *before)
{
    struct store_write *w = durable_write(r);
    const struct agent_view *v = agent->view;
    enum agent_state was = before != NULL ? before->state : AGENT_QUEUED;
    bool is_end = (v->news & (AGENT_NEWS_DONE | AGENT_NEWS_GONE)) != 0;

    if (w == NULL)
        return;
    if (v->state != was)
        add_state(t, w, agent);
    if (v->state != was || (is_end && has_grown(before, v)))
        set_counts(r, w, agent);
    if (v->result != NULL && (before == NULL || before->result != v->result))
        set_result(w, agent);
    if (v->news & AGENT_NEWS_GONE)
        set_gone(t, r, w, agent);
}

/* ---- events ------------------------------------------------------------ */

void durable_event(struct registry *r, const struct feed_event *what,
                   const struct group_entry *group,
                   const struct agent_entry *agent, struct slice data)
{
    struct store_write *w = durable_write(r);

    if (w == NULL)
        return;
    checkpoints_note(r, data.len);
    store_row(w, STORE_ADD_EVENT);
    store_int(w, (int64_t)what->seq);
    store_int(w, (int64_t)what->at);
    store_text(w, slice_cstr(what->type));
    put_serial(w, group != NULL ? group->serial : 0);
    put_serial(w, agent != NULL ? agent->serial : 0);
    store_text(w, data);
}
