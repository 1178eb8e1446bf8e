/* SPDX-License-Identifier: MIT */
/*
 * What is told of an agent. A list of a thousand is asked for often, so what
 * never changes of an agent's entry is kept as text.
 */
#include "actors/registry/inside.h"

#include "actors/store/agent_record.h"
#include "runtime/text/json.h"

#define ANSWER_MAX 2048

uint64_t agent_entry_elapsed_ms(struct rt_turn *t, const struct agent_entry *c)
{
    if (c->view == NULL || c->started == 0)
        return 0;
    return c->view->is_done ? c->view->elapsed_ms
                            : (rt_now(t) - c->started) / 1000000;
}

/* Of one that is done nothing changes any more, until it reports again. */
void agent_entry_put_line(struct rt_turn *t, struct bytes *out,
                          struct agent_entry *c)
{
    size_t from = out->len;
    struct agent_record_line l;

    if (c->line.len > 0) {
        json_raw(out, bytes_slice(&c->line));
        return;
    }
    l = (struct agent_record_line){
        .head = bytes_slice(&c->head),
        .state = slice_cstr(agent_state_name(agent_entry_state(c))),
        .started_at = c->view != NULL ? c->view->started_at : 0,
        .elapsed_ms = agent_entry_elapsed_ms(t, c),
        .tool_calls = c->tool_calls};
    agent_record_put_line(out, &l);
    if (agent_entry_is_done(c))
        bytes_append(&c->line, out->ptr + from, out->len - from);
}

/* The seeds' words are wider than the states of the same name. */
bool agent_entry_is_wanted(const struct agent_entry *c, struct slice status)
{
    enum agent_state state = agent_entry_state(c);
    bool is_reported = state == AGENT_RESULT_REPORTED;
    bool is_good = is_reported && c->view->result != NULL &&
                   c->view->result->outcome == AGENT_SUCCESS;

    if (status.len == 0 || slice_eq(status, SLICE("all")))
        return true;
    if (slice_eq(status, SLICE("completed")))
        return state == AGENT_COMPLETED || is_good;
    if (slice_eq(status, SLICE("failed")))
        return state == AGENT_FAILED || state == AGENT_TIMED_OUT ||
               state == AGENT_CANCELLED || (is_reported && !is_good);
    return slice_eq(status, slice_cstr(agent_state_name(state)));
}

/* ---- records ----------------------------------------------------------- */

static void fill_result(struct agent_record_result *to,
                        const struct agent_entry *c)
{
    const struct agent_result *result = c->view->result;

    *to = (struct agent_record_result){
        .outcome = agent_outcome_name(result->outcome),
        .summary = result->summary,
        .response = result->response,
        .error = result->error,
        .edited = {result->edited.items, result->edited.count, SLICE_EMPTY},
        .created = {result->created.items, result->created.count, SLICE_EMPTY},
        .duration_ms = result->duration_ms,
        .tool_calls = result->tool_calls,
        .finished_at = result->finished_at,
        .is_reported = result->is_reported};
    if (c->group->orchestrator == c && c->group->ledger != NULL)
        to->ledger = bytes_slice(&c->group->ledger->json);
}

static struct agent_record_line ids_of(const struct agent_entry *c)
{
    const struct role *role = c->task->role->role;

    return (struct agent_record_line){.id = slice_cstr(c->task->id),
                                      .group = slice_cstr(c->group->id),
                                      .role = slice_cstr(role->id),
                                      .model = slice_cstr(role->model)};
}

void agent_entry_put_head(struct agent_entry *c)
{
    struct agent_record_line l = ids_of(c);

    agent_record_put_head(&c->head, &l);
}

/* Without the line, in which time passes. */
static void fill_status(struct agent_record *a, const struct agent_entry *c)
{
    *a = (struct agent_record){.line = ids_of(c),
                               .created_at = c->order->created_at,
                               .is_stalled =
                                   c->view != NULL && c->view->is_stalled};
    if (c->view != NULL && c->view->result != NULL)
        fill_result(&a->result, c);
}

void agent_entry_put_result(struct bytes *out, const struct agent_entry *c)
{
    struct agent_record a;

    fill_status(&a, c);
    agent_record_put_result(out, &a);
}

/* Clients ask again and again. What is long is not kept twice, and what an
 * orchestrator ends with is also its group's ledger. */
void agent_entry_put_status(struct rt_turn *t, struct bytes *out,
                            struct agent_entry *c)
{
    struct agent_record a;
    size_t from;

    agent_entry_put_line(t, out, c);
    if (c->answer.len > 0) {
        json_raw(out, bytes_slice(&c->answer));
        return;
    }
    from = out->len;
    fill_status(&a, c);
    agent_record_put_status(out, &a);
    if (agent_entry_is_done(c) && c->group->orchestrator != c &&
        out->len - from <= ANSWER_MAX)
        bytes_append(&c->answer, out->ptr + from, out->len - from);
}

static struct agent_record_usage usage_of(const struct registry *r,
                                          const struct agent_entry *c,
                                          const struct transcript_usage *u)
{
    struct agent_record_usage usage = {.input = u->input,
                                       .output = u->output,
                                       .cache_read = u->cache_read,
                                       .cache_write = u->cache_write};

    usage.has_cost = agent_entry_price(r, c, u, &usage.cost);
    return usage;
}

void agent_entry_put_usage(struct bytes *out, const struct registry *r,
                           const struct agent_entry *c,
                           const struct transcript_usage *u)
{
    struct agent_record_usage usage = usage_of(r, c, u);

    agent_record_put_usage(out, &usage);
}

/* For people: all that is known. */
void agent_entry_put_all(struct bytes *out, const struct registry *r,
                         const struct agent_entry *c)
{
    static const struct agent_view nothing;
    const struct agent_view *v = c->view != NULL ? c->view : &nothing;
    const struct agent_record_live live = {
        .pid = (uint64_t)v->pid,
        .bytes = v->progress.bytes,
        .unknown_lines = v->unknown_lines,
        .skipped_lines = v->skipped_lines,
        .tool = slice_cstr(v->tool),
        .state_dir = slice_cstr(r->context->state_dir)};
    const struct agent_record a = {
        .line.id = slice_cstr(c->task->id),
        .usage = usage_of(r, c, &v->usage),
        .live = &live,
        .is_gone = c->is_gone,
        .has_stage = c->order->kind == ORDER_RUN_SEQUENTIAL,
        .stage = c->task->stage,
        .backend = slice_cstr(c->task->role->backend->name),
        .prompt = c->task->prompt,
        .directory = slice_cstr(c->task->directory),
        .session_id = slice_cstr(v->session_id),
        .cli_model = slice_cstr(v->model),
        .messages = v->progress.messages,
        .lines = v->progress.lines};

    agent_record_put_rest(out, &a);
}

void agent_entry_put_state(struct rt_turn *t, struct registry *r,
                           struct bytes *out, struct agent_entry *c)
{
    agent_entry_put_status(t, out, c);
    agent_entry_put_all(out, r, c);
    JSON_RAW(out, "}");
}
