/* SPDX-License-Identifier: MIT */
/*
 * An agent as a record, which the store's writer puts into words. A list of a
 * thousand is asked for often, so what never changes of an agent is kept as
 * text.
 */
#include "actors/registry/views.h"

#include <stdlib.h>

#include "actors/registry/inside.h"
#include "actors/store/agent_record.h"
#include "runtime/text/json.h"

#define ANSWER_MAX 2048 /* bytes of an answer that is kept */

/* Never before it was asked for, though the clock may have been set. */
static uint64_t started_at(const struct agent_entry *agent)
{
    uint64_t at = agent->view != NULL ? agent->view->started_at : 0;

    return at > 0 && at < agent->order->created_at ? agent->order->created_at
                                                   : at;
}

/* Of one that is done nothing changes any more, until it reports again. */
void view_put_line(struct rt_turn *t, struct bytes *out,
                   struct agent_entry *agent)
{
    size_t from = out->len;
    struct agent_record_line l;

    if (agent->line.len > 0) {
        json_raw(out, bytes_slice(&agent->line));
        return;
    }
    l = (struct agent_record_line){
        .head = bytes_slice(&agent->head),
        .state = slice_cstr(agent_state_name(agent_entry_state(agent))),
        .started_at = started_at(agent),
        .outcome = agent_entry_outcome(agent),
        .elapsed_ms = agent_entry_elapsed_ms(t, agent),
        .tool_calls = agent->tool_calls};
    agent_record_put_line(out, &l);
    if (agent_entry_is_done(agent))
        bytes_append(&agent->line, out->ptr + from, out->len - from);
}

static void fill_result(struct agent_record_result *to,
                        const struct agent_entry *agent)
{
    const struct agent_result *result = agent->view->result;

    *to = (struct agent_record_result){
        .status = agent_outcome_name(result->outcome),
        .summary = result->summary,
        .response = result->response,
        .error = result->error,
        .edited = {result->edited.items, result->edited.count, SLICE_EMPTY},
        .created = {result->created.items, result->created.count, SLICE_EMPTY},
        .duration_ms = result->duration_ms,
        .tool_calls = agent->tool_calls,
        .finished_at = result->finished_at,
        .is_reported = result->is_reported,
        .is_final = agent->view->is_gone};
    if (agent->group->orchestrator == agent && agent->group->ledger != NULL)
        to->ledger = bytes_slice(&agent->group->ledger->json);
}

static struct agent_record_line ids_of(const struct agent_entry *agent)
{
    const struct role *role = agent->task->role->role;

    return (struct agent_record_line){.id = slice_cstr(agent->task->id),
                                      .group = slice_cstr(agent->group->id),
                                      .outcome = agent_entry_outcome(agent),
                                      .role = slice_cstr(role->id),
                                      .model = slice_cstr(role->model)};
}

void view_put_head(struct agent_entry *agent)
{
    struct agent_record_line l = ids_of(agent);

    agent_record_put_head(&agent->head, &l);
}

/* Without the line, in which time passes. */
static void fill_status(struct agent_record *a, const struct agent_entry *agent)
{
    *a = (struct agent_record){.line = ids_of(agent),
                               .created_at = agent->order->created_at,
                               .retry_of = agent->task->retry.of,
                               .is_stalled = agent->view != NULL &&
                                             agent->view->is_stalled};
    if (agent->view != NULL && agent->view->result != NULL)
        fill_result(&a->result, agent);
}

void view_put_result(struct bytes *out, const struct agent_entry *agent)
{
    struct agent_record a;

    fill_status(&a, agent);
    agent_record_put_result(out, &a);
}

/* Clients ask again and again. What is long is not kept twice (what is not is
 * the same in brief), and what an orchestrator ends with is also its group's
 * ledger. */
static void put_status(struct rt_turn *t, struct bytes *out,
                       struct agent_entry *agent, bool is_brief)
{
    struct agent_record a;
    size_t from;

    view_put_line(t, out, agent);
    if (agent->answer.len > 0) {
        json_raw(out, bytes_slice(&agent->answer));
        return;
    }
    from = out->len;
    fill_status(&a, agent);
    a.is_brief = is_brief;
    agent_record_put_status(out, &a);
    if (!agent->is_gone)
        conflicts_put(out, agent);
    if (agent_entry_is_done(agent) && agent->group->orchestrator != agent &&
        out->len - from <= ANSWER_MAX)
        bytes_append(&agent->answer, out->ptr + from, out->len - from);
}

static struct agent_record_usage usage_of(const struct registry *r,
                                          const struct agent_entry *agent,
                                          const struct transcript_usage *u)
{
    struct agent_record_usage usage = {.input = u->input,
                                       .output = u->output,
                                       .cache_read = u->cache_read,
                                       .cache_write = u->cache_write};

    usage.has_cost = spend_price(r, agent, u, &usage.cost);
    return usage;
}

void view_put_usage(struct bytes *out, const struct registry *r,
                    const struct agent_entry *agent,
                    const struct transcript_usage *u)
{
    struct agent_record_usage usage = usage_of(r, agent, u);

    agent_record_put_usage(out, &usage);
}

struct agent_live view_look(const struct agent_entry *agent)
{
    static const struct agent_view nothing;
    const struct agent_view *v = agent->view != NULL ? agent->view : &nothing;
    struct agent_live now = {.progress = v->progress,
                             .usage = v->usage,
                             .tool_at = v->tool_at,
                             .unknown = (uint32_t)v->unknown_lines,
                             .skipped = (uint32_t)v->skipped_lines};

    if (agent->live != NULL && agent->live->progress.lines >= v->progress.lines)
        return *agent->live;
    slice_keep(now.tool, sizeof(now.tool), slice_cstr(v->tool));
    memcpy(now.title, v->title, sizeof(now.title));
    return now;
}

struct agent_record_usage view_usage_of(const struct registry *r,
                                        const struct agent_entry *agent)
{
    const struct agent_live now = view_look(agent);

    return usage_of(r, agent, &now.usage);
}

/* An orchestrator's own prompt is written when it starts. */
struct slice view_asked_of(const struct agent_entry *agent)
{
    return agent->order->kind == ORDER_RUN_MAGENTIC
               ? FIELD_TEXT(agent->order->args, "task")
               : agent->task->prompt;
}

/* For people: all that is known. */
static void put_rest(struct bytes *out, const struct registry *r,
                     const struct agent_entry *agent)
{
    static const struct agent_view nothing;
    const struct agent_view *v = agent->view != NULL ? agent->view : &nothing;
    const struct agent_live now = view_look(agent);
    const struct agent_record_live live = {
        .pid = (uint64_t)v->pid,
        .bytes = now.progress.bytes,
        .unknown_lines = now.unknown,
        .skipped_lines = now.skipped,
        .tool = slice_cstr(now.tool),
        .title = slice_cstr(now.title),
        .tool_at = now.tool_at,
        .state_dir = slice_cstr(r->context->state_dir)};
    const struct agent_record a = {
        .line.id = slice_cstr(agent->task->id),
        .usage = usage_of(r, agent, &now.usage),
        .live = &live,
        .is_gone = v->is_gone,
        .has_stage = agent->order->kind == ORDER_RUN_SEQUENTIAL,
        .stage = agent->task->stage,
        .backend = slice_cstr(agent->task->role->backend->name),
        .prompt = agent->task->prompt,
        .directory = slice_cstr(agent->task->directory),
        .session_id = slice_cstr(v->session_id),
        .cli_model = slice_cstr(v->model),
        .messages = now.progress.messages,
        .lines = now.progress.lines};

    agent_record_put_rest(out, &a);
}

void view_put_agent(struct rt_turn *t, struct registry *r, struct bytes *out,
                    struct agent_entry *agent)
{
    put_status(t, out, agent, false);
    put_rest(out, r, agent);
    view_put_more(out, agent);
    if (agent->view == NULL || !agent->view->is_stalled)
        JSON_RAW(out, ",\"stalled\":false");
    JSON_RAW(out, "}");
}

/* ---- answers ----------------------------------------------------------- */

static struct agent_entry *next_older(const struct agent_entry *agent,
                                      const struct group_entry *group)
{
    return group != NULL ? agent->before : agent->older;
}

/* What a list has: the newest there is space for, newest first. */
struct listed {
    const struct group_entry *group; /* or NULL: of all */
    struct slice status;
    struct agent_entry **found;
    size_t count, limit, total;
};

static void find_listed(struct registry *r, struct listed *l, bool is_done)
{
    for (struct agent_entry *agent = l->group != NULL ? l->group->last
                                                      : r->agents.newest;
         agent != NULL; agent = next_older(agent, l->group)) {
        if (agent->is_hidden || agent_entry_is_done(agent) != is_done ||
            !agent_entry_has_status(agent, l->status))
            continue;
        if (l->count < l->limit)
            l->found[l->count++] = agent;
        l->total++;
    }
}

/* In the order they were made. */
static void put_lines(struct rt_turn *t, struct bytes *out,
                      struct agent_entry *const *found, size_t count)
{
    while (count-- > 0) {
        json_raw(out, out->ptr[out->len - 1] == '[' ? SLICE("") : SLICE(","));
        view_put_line(t, out, found[count]);
        JSON_RAW(out, "}");
    }
}

void view_answer_agents(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct slice id = FIELD_TEXT(o->args, "groupId");
    struct group_entry *group = id.len > 0 ? group_entry_find(r, id) : NULL;
    yyjson_val *limit = FIELD(o->args, "limit");
    struct listed l = {.group = group,
                       .status = FIELD_TEXT(o->args, "status"),
                       .limit =
                           limit != NULL ? field_count(limit) : VIEW_AGENTS};
    struct answer *a;
    size_t busy;

    if (id.len > 0 && group == NULL) {
        order_refuse_group(t, o, id);
        return;
    }
    l.found = bytes_alloc(l.limit * sizeof(*l.found));
    find_listed(r, &l, false);
    busy = l.count;
    find_listed(r, &l, true);
    a = answer_create(o->ticket);
    bytes_reserve(&a->json, 64 + 256 * l.count);
    JSON_RAW(&a->json, "{\"agents\":[");
    put_lines(t, &a->json, l.found, busy);
    put_lines(t, &a->json, l.found + busy, l.count - busy);
    JSON_RAW(&a->json, "]");
    JSON_UINT(&a->json, "total", l.total);
    JSON_RAW(&a->json, "}");
    durable_tell(t, r, o, a);
    free(l.found);
}

void view_answer_agent(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct slice id = FIELD_TEXT(o->args, "agentId");
    struct agent_entry *agent = agent_entry_find(r, id);
    struct answer *a;

    if (agent == NULL && r->durable.store.id != 0) {
        durable_ask(t, r, o); /* it may be one of long ago */
        return;
    }
    if (agent == NULL) {
        order_refuse_agent(t, o, id);
        return;
    }
    a = answer_create(o->ticket);
    put_status(t, &a->json, agent,
               o->kind == ORDER_GET_AGENT_STATUS &&
                   !yyjson_is_true(FIELD(o->args, "full")));
    if (o->kind == ORDER_SHOW_AGENT)
        put_rest(&a->json, r, agent);
    JSON_RAW(&a->json, "}");
    durable_tell(t, r, o, a);
}
