/* SPDX-License-Identifier: MIT */
#include "actors/agent/stream.h"

#include <stdlib.h>

#include "actors/agent/inside.h"
#include "actors/stream/tool_name.h"
#include "runtime/text/array.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

/* ---- events as JSON ---------------------------------------------------- */

static void put(struct bytes *out, struct slice name, struct slice text)
{
    size_t len = utf8_cut(text.ptr, text.len, AGENT_STREAM_TEXT);

    if (text.len == 0)
        return;
    json_key(out, name);
    json_quoted(out, slice_of(text.ptr, len));
    if (len < text.len)
        JSON_RAW(out, ",\"cut\":true");
}
#define PUT(out, literal, text) put(out, SLICE(literal), text)

/* The whole that comes at the end has been told already, piece by piece. */
static void put_text(struct bytes *out, const struct event_text *m)
{
    static const struct slice forms[] = {SLICE_INIT("delta"),
                                         SLICE_INIT("full"), SLICE_INIT("end"),
                                         SLICE_INIT("void")};

    PUT(out, "form", forms[m->form]);
    if (m->form == EVENT_DELTA || m->form == EVENT_FULL)
        PUT(out, "text", m->text);
    PUT(out, "messageId", m->message_id);
}

/* By its plain name, as stories have it. */
static void put_tool(struct bytes *out, struct slice name,
                     const struct yyjson_val *args)
{
    char plain[TOOL_NAME_CAP];

    tool_name(plain, name, args);
    PUT(out, "tool", slice_cstr(plain));
}

static void put_tool_start(struct bytes *out, const struct event_tool_start *m)
{
    PUT(out, "callId", m->call_id);
    put_tool(out, m->name, m->args);
    PUT(out, "title", m->title);
    PUT(out, "path", m->path);
}

static void put_tool_end(struct bytes *out, const struct event_tool_end *m)
{
    static const struct slice states[EVENT_TOOL_STATUSES] = {
        SLICE_INIT("ok"), SLICE_INIT("error"), SLICE_INIT("rejected"),
        SLICE_INIT("denied"), SLICE_INIT("unsaid")};

    PUT(out, "callId", m->call_id);
    put_tool(out, m->name, m->args);
    PUT(out, "outcome", states[m->status]);
    PUT(out, "message", m->message);
    if (m->has_exit) {
        JSON_KEY(out, "exitCode");
        json_number(out, (double)m->exit_code);
    }
}

static void put_file(struct bytes *out, const struct event_file_change *m)
{
    static const struct slice ops[] = {
        SLICE_INIT("created"), SLICE_INIT("edited"), SLICE_INIT("deleted")};

    PUT(out, "path", m->path);
    PUT(out, "op", ops[m->op]);
}

static void put_usage(struct bytes *out, const struct event_usage *m)
{
    PUT(out, "scope",
        m->scope == EVENT_USAGE_TOTAL ? SLICE("total") : SLICE("message"));
    JSON_UINT(out, "inputTokens", m->input);
    JSON_UINT(out, "outputTokens", m->output);
    JSON_UINT(out, "cacheReadTokens", m->cache_read);
    JSON_UINT(out, "cacheWriteTokens", m->cache_write);
    if (m->has_cost) {
        JSON_KEY(out, "costUsd");
        json_number(out, m->cost_usd);
    }
}

static void put_retry(struct bytes *out, const struct event_retry *m)
{
    JSON_UINT(out, "attempt", m->attempt);
    JSON_UINT(out, "maxAttempts", m->max_attempts);
    JSON_UINT(out, "delay_ms", m->delay_ms);
    PUT(out, "reason", m->reason);
}

static void put_ask(struct bytes *out, const struct event_ask *m)
{
    static const struct slice states[] = {
        SLICE_INIT("open"), SLICE_INIT("answered"), SLICE_INIT("withdrawn")};

    PUT(out, "state", states[m->state]);
    PUT(out, "what", m->what);
    PUT(out, "tool", m->tool);
    PUT(out, "callId", m->call_id);
}

static void put_child(struct bytes *out, const struct event_child_task *m)
{
    static const struct slice phases[] = {
        SLICE_INIT("started"), SLICE_INIT("progress"), SLICE_INIT("updated"),
        SLICE_INIT("ended")};

    PUT(out, "phase", phases[m->phase]);
    PUT(out, "taskId", m->task_id);
    PUT(out, "callId", m->call_id);
    PUT(out, "role", m->role);
    PUT(out, "outcome", m->status);
    PUT(out, "summary", m->summary);
}

static void put_result(struct bytes *out, const struct event_result *m)
{
    JSON_BOOL(out, "ok", m->ok);
    PUT(out, "reason", m->reason);
    PUT(out, "text", m->text);
}

static void put_event(struct bytes *out, const struct event *ev)
{
    switch (ev->kind) {
    case EVENT_STARTED:
        PUT(out, "model", ev->started.model);
        PUT(out, "sessionId", ev->started.session_id);
        break;
    case EVENT_PROMPT:
    case EVENT_TEXT:
    case EVENT_THINKING:
        put_text(out, &ev->text);
        break;
    case EVENT_TOOL_START:
        put_tool_start(out, &ev->tool_start);
        break;
    case EVENT_TOOL_END:
        put_tool_end(out, &ev->tool_end);
        break;
    case EVENT_FILE_CHANGE:
        put_file(out, &ev->file_change);
        break;
    case EVENT_USAGE:
        put_usage(out, &ev->usage);
        break;
    case EVENT_RATE_LIMIT:
        PUT(out, "state", ev->rate_limit.status);
        PUT(out, "scope", ev->rate_limit.scope);
        break;
    case EVENT_RETRY:
        put_retry(out, &ev->retry);
        break;
    case EVENT_ASK:
        put_ask(out, &ev->ask);
        break;
    case EVENT_CHILD_TASK:
        put_child(out, &ev->child_task);
        break;
    case EVENT_NOTE:
        PUT(out, "type", ev->note.type);
        PUT(out, "text", ev->note.text);
        break;
    case EVENT_RESULT:
        put_result(out, &ev->result);
        break;
    case EVENT_KINDS:
        break;
    }
}

/* ---- a portion --------------------------------------------------------- */

static void free_stream(struct rt_obj *o)
{
    struct agent_stream *s = (struct agent_stream *)o;

    bytes_finish(&s->lines);
    free(s->events);
    rt_obj_drop(&s->def->obj);
    free(s);
}

/* What its user knows, or only the program: clients do not watch for that. */
static bool is_dull(const struct event *ev)
{
    return ev->kind == EVENT_PROMPT ||
           (ev->kind == EVENT_NOTE && ev->note.note == EVENT_NOTE_STATUS) ||
           (ev->kind == EVENT_USAGE && ev->usage.scope == EVENT_USAGE_MODEL);
}

static void put_head(struct bytes *out, const struct agent_portion *p)
{
    const struct agent *a = p->agent;

    JSON_RAW(out, "{\"type\":\"agent:status_update\",\"at\":");
    json_time(out, p->at);
    JSON_RAW(out, ",\"data\":{\"agentId\":");
    json_string(out, slice_cstr(a->def->id));
    JSON_TEXT(out, "status", slice_cstr(agent_state_name(a->state)));
    JSON_RAW(out, ",\"event\":{");
}

static struct agent_stream *stream_of(struct agent_portion *p)
{
    if (p->stream == NULL) {
        p->stream = bytes_zalloc(sizeof(*p->stream));
        rt_obj_init(&p->stream->obj, free_stream);
        p->stream->def = RT_KEEP(p->agent->def);
    }
    ARRAY_GROW(p->stream->events, p->stream->count);
    return p->stream;
}

/* What stood there before this hub came has been heard, or missed. */
static void add(void *ctx, const struct event *ev)
{
    struct agent_portion *p = ctx;
    struct agent_stream *s;
    size_t at;

    if (ev->offset < p->past || is_dull(ev))
        return;
    s = stream_of(p);
    at = s->lines.len;
    put_head(&s->lines, p);
    JSON_TEXT(&s->lines, "kind", slice_cstr(event_kind_name(ev->kind)));
    JSON_UINT(&s->lines, "offset", ev->offset);
    put_event(&s->lines, ev);
    PUT(&s->lines, "parent", ev->parent);
    JSON_RAW(&s->lines, "}}}");
    s->events[s->count++] = (struct agent_stream_event){
        .kind = ev->kind, .at = at, .len = s->lines.len - at};
}

event_fn agent_portion_begin(struct rt_turn *t, struct agent *a, uint64_t past,
                             struct agent_portion *p)
{
    if (past > a->past)
        a->past = past;
    *p = (struct agent_portion){
        .agent = a, .at = rt_wall_ms(t), .past = a->past};
    return a->listener_count > 0 ? add : NULL;
}

void agent_portion_end(struct rt_turn *t, struct agent_portion *p)
{
    const struct agent *a = p->agent;

    if (p->stream == NULL)
        return;
    for (unsigned i = 0; i < a->listener_count; i++)
        rt_pass(t, a->listeners[i], AGENT_STREAM, &p->stream->obj);
    rt_obj_drop(&p->stream->obj);
}

/* ---- listeners --------------------------------------------------------- */

static unsigned find(const struct agent *a, struct rt_ref who)
{
    unsigned i = 0;

    while (i < a->listener_count && !rt_same(a->listeners[i], who))
        i++;
    return i;
}

void agent_forget_listener(struct agent *a, struct rt_ref who)
{
    unsigned i = find(a, who);

    if (i < a->listener_count)
        a->listeners[i] = a->listeners[--a->listener_count];
}

void agent_on_listen(struct rt_turn *t, struct agent *a,
                     const struct agent_listen *m)
{
    bool is_known = find(a, m->listener) < a->listener_count;

    if (m->is_on == is_known || a->is_gone ||
        (m->is_on && a->listener_count == AGENT_LISTENERS))
        return;
    if (m->is_on) {
        a->listeners[a->listener_count++] = m->listener;
        rt_monitor(t, m->listener);
    } else {
        rt_demonitor(t, m->listener);
        agent_forget_listener(a, m->listener);
    }
}

void agent_leave_listeners(struct rt_turn *t, struct agent *a)
{
    while (a->listener_count > 0)
        rt_demonitor(t, a->listeners[--a->listener_count]);
}
