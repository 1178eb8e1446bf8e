/* SPDX-License-Identifier: MIT */
#include "actors/stream/transcript.h"

#include <stdlib.h>
#include <string.h>

struct transcript {
    struct ndjson ndjson;
    struct parser *parser;
    struct transcript_state state;
    struct bytes message, result, plain; /* behind the slices of the state */
    uint64_t plain_line; /* the number of the last that is in plain */
    event_fn fn;         /* for the duration of a feed */
    void *ctx;
};

struct transcript *transcript_create(const struct backend *backend,
                                     const struct transcript_limits *limits)
{
    struct transcript *tr = bytes_zalloc(sizeof(*tr));

    ndjson_init(&tr->ndjson, limits ? limits->line_bytes : 0);
    tr->parser = parser_create(backend);
    tr->state.message = SLICE_EMPTY;
    tr->state.result = SLICE_EMPTY;
    tr->state.plain = SLICE_EMPTY;
    return tr;
}

void transcript_destroy(struct transcript *tr)
{
    if (!tr)
        return;
    parser_destroy(tr->parser);
    ndjson_finish(&tr->ndjson);
    bytes_finish(&tr->message);
    bytes_finish(&tr->result);
    bytes_finish(&tr->plain);
    free(tr);
}

static bool is_childs(const struct event *ev)
{
    return ev->parent.len > 0;
}

static void on_started(struct transcript *tr, const struct event *ev)
{
    struct transcript_state *s = &tr->state;
    const struct event_started *m = &ev->started;

    slice_keep(s->session_id, sizeof(s->session_id), m->session_id);
    slice_keep(s->model, sizeof(s->model), m->model);
    slice_keep(s->version, sizeof(s->version), m->version);
    s->has_terminal = false;
}

static void on_text(struct transcript *tr, const struct event *ev)
{
    struct transcript_state *s = &tr->state;
    const struct event_text *m = &ev->text;

    if (is_childs(ev) || (m->form != EVENT_FULL && m->form != EVENT_END))
        return;
    if (!m->is_continued || s->messages == 0) {
        bytes_clear(&tr->message, PARSER_KEEP);
        s->is_message_cut = false;
        s->messages++;
    }
    if (!bytes_append_capped(&tr->message, m->text, TRANSCRIPT_TEXT_CAP) ||
        m->is_cut)
        s->is_message_cut = true;
    s->message = bytes_slice(&tr->message);
}

/* The position of a running call, or the count if it is not among them. */
static size_t find_call(const struct transcript_state *s, struct slice id,
                        struct slice name)
{
    char kept[TRANSCRIPT_NAME_CAP];
    size_t i;

    /* A call without an id is told apart by its name, as well as can be. */
    slice_keep(kept, sizeof(kept), id.len > 0 ? id : name);
    for (i = 0; i < s->running_count; i++) {
        const struct transcript_call *c = &s->running[i];
        if (id.len > 0 ? strcmp(c->id, kept) == 0
                       : c->id[0] == '\0' && strcmp(c->name, kept) == 0)
            break;
    }
    return i;
}

static void on_tool_start(struct transcript *tr, const struct event *ev)
{
    struct transcript_state *s = &tr->state;
    const struct event_tool_start *m = &ev->tool_start;

    if (m->call_id.len > 0 &&
        find_call(s, m->call_id, m->name) < s->running_count)
        return;
    if (is_childs(ev))
        s->child_tool_calls++;
    else
        s->tool_calls++;
    if (s->running_count == TRANSCRIPT_RUNNING_CAP) {
        s->running_unlisted++;
        return;
    }
    struct transcript_call *c = &s->running[s->running_count++];
    slice_keep(c->id, sizeof(c->id), m->call_id);
    slice_keep(c->name, sizeof(c->name), m->name);
    slice_keep(c->title, sizeof(c->title), m->title);
    c->is_child = is_childs(ev);
}

static void on_tool_end(struct transcript *tr, const struct event *ev)
{
    struct transcript_state *s = &tr->state;
    const struct event_tool_end *m = &ev->tool_end;
    size_t i = find_call(s, m->call_id, m->name);

    if (i < s->running_count) {
        s->running_count--;
        memmove(&s->running[i], &s->running[i + 1],
                (s->running_count - i) * sizeof(s->running[0]));
    } else if (s->running_unlisted > 0) {
        s->running_unlisted--;
    } else {
        s->stray_ends++;
        return;
    }
    s->tool_ends[m->status]++;
}

static void on_usage(struct transcript *tr, const struct event *ev)
{
    struct transcript_usage *u = &tr->state.usage;
    const struct event_usage *m = &ev->usage;

    if (m->scope == EVENT_USAGE_MODEL)
        return;
    if (m->scope == EVENT_USAGE_TOTAL)
        *u = (struct transcript_usage){.has_cost = u->has_cost,
                                       .cost_usd = u->cost_usd};
    u->input += m->input;
    u->output += m->output;
    u->cache_read += m->cache_read;
    u->cache_write += m->cache_write;
    u->reasoning += m->reasoning;
    if (m->has_cost) {
        u->cost_usd = m->scope == EVENT_USAGE_TOTAL ? m->cost_usd
                                                    : u->cost_usd + m->cost_usd;
        u->has_cost = true;
    }
}

static void on_rate_limit(struct transcript *tr, const struct event *ev)
{
    struct transcript_state *s = &tr->state;
    const struct event_rate_limit *m = &ev->rate_limit;

    s->rate_limits++;
    slice_keep(s->rate_status, sizeof(s->rate_status), m->status);
    slice_keep(s->rate_scope, sizeof(s->rate_scope), m->scope);
    s->rate_resets_at = m->resets_at;
}

static void on_ask(struct transcript *tr, const struct event *ev)
{
    if (ev->ask.needs_us && ev->ask.state == EVENT_ASK_OPEN)
        tr->state.asks++;
}

static void count_unknown(struct transcript_state *s, struct slice type)
{
    char name[sizeof(s->unknown[0].type)];
    size_t i;

    slice_keep(name, sizeof(name), type);
    for (i = 0; i < s->unknown_types; i++) {
        if (strcmp(s->unknown[i].type, name) == 0)
            break;
    }
    if (i == TRANSCRIPT_UNKNOWN_CAP) {
        s->unknown_unlisted++;
        return;
    }
    if (i == s->unknown_types) {
        memcpy(s->unknown[i].type, name, sizeof(name));
        s->unknown_types++;
    }
    s->unknown[i].count++;
}

/* Lines that follow one another are one text, of which the end is kept: there
 * a CLI says what was wrong. What begins like an event is a broken one. */
static void keep_plain(struct transcript *tr, const struct event *ev)
{
    struct slice text = ev->note.text;
    size_t surplus;

    if (text.len == 0 || text.ptr[0] == '{')
        return;
    if (tr->plain_line + 1 != ev->line)
        tr->plain.len = 0;
    if (tr->plain.len > 0)
        bytes_append(&tr->plain, "\n", 1);
    bytes_append(&tr->plain, text.ptr, text.len);
    tr->plain_line = ev->line;
    if (tr->plain.len > TRANSCRIPT_PLAIN_CAP) {
        surplus = tr->plain.len - TRANSCRIPT_PLAIN_CAP;
        while (surplus < tr->plain.len &&
               ((unsigned char)tr->plain.ptr[surplus] & 0xC0) == 0x80)
            surplus++;
        tr->plain.len -= surplus;
        memmove(tr->plain.ptr, tr->plain.ptr + surplus, tr->plain.len);
    }
    tr->state.plain = bytes_slice(&tr->plain);
}

static void on_note(struct transcript *tr, const struct event *ev)
{
    struct transcript_state *s = &tr->state;
    const struct event_note *m = &ev->note;

    s->notes[m->note]++;
    if (m->note == EVENT_NOTE_NOT_JSON)
        keep_plain(tr, ev);
    if (m->note == EVENT_NOTE_UNKNOWN)
        count_unknown(s, m->type);
    else if (m->note == EVENT_NOTE_TOO_LONG)
        s->skipped_bytes += m->bytes;
    else if (m->note == EVENT_NOTE_ERROR)
        slice_keep(s->error, sizeof(s->error),
                   m->text.len > 0 ? m->text : m->type);
}

static void on_result(struct transcript *tr, const struct event *ev)
{
    struct transcript_state *s = &tr->state;
    const struct event_result *m = &ev->result;

    s->results++;
    s->has_terminal = true;
    s->is_ok = m->ok;
    bytes_clear(&tr->result, PARSER_KEEP);
    s->is_result_cut =
        !bytes_append_capped(&tr->result, m->text, TRANSCRIPT_TEXT_CAP);
    s->result = bytes_slice(&tr->result);
    slice_keep(s->reason, sizeof(s->reason), m->reason);
    if (s->session_id[0] == '\0')
        slice_keep(s->session_id, sizeof(s->session_id), m->session_id);
    s->has_duration = m->has_duration;
    s->duration_ms = m->duration_ms;
    s->turns = m->turns;
    s->api_status = m->api_status;
    /* What had not ended by now is no longer waited for. */
    s->running_count = 0;
    s->running_unlisted = 0;
}

static void on_retry(struct transcript *tr, const struct event *ev)
{
    tr->state.retry_attempt = ev->retry.attempt;
    tr->state.retry_delay_ms = ev->retry.delay_ms;
    tr->state.retry_status = ev->retry.status;
}

/* The position of a task that is under way, or the count. */
static size_t find_task(const struct transcript_state *s, uint64_t id)
{
    size_t i = 0;

    while (i < s->task_count && s->tasks[i] != id)
        i++;
    return i;
}

static void open_task(struct transcript_state *s, uint64_t id)
{
    if (find_task(s, id) < s->task_count)
        return;
    if (s->task_count == TRANSCRIPT_TASKS_CAP)
        s->tasks_unlisted++;
    else
        s->tasks[s->task_count++] = id;
}

/* Its end may be told twice, so one that is not known is another's second
 * end, unless there are some beyond the table. */
static void close_task(struct transcript_state *s, uint64_t id, bool is_last)
{
    size_t i = find_task(s, id);

    if (i < s->task_count)
        s->tasks[i] = s->tasks[--s->task_count];
    else if (is_last && s->tasks_unlisted > 0)
        s->tasks_unlisted--;
}

static void on_child_task(struct transcript *tr, const struct event *ev)
{
    struct transcript_state *s = &tr->state;
    enum event_task_phase phase = ev->child_task.phase;
    uint64_t id = slice_hash(SLICE_HASH, ev->child_task.task_id);

    s->tasks_started += phase == EVENT_TASK_STARTED;
    s->tasks_ended += phase == EVENT_TASK_ENDED;
    if (phase == EVENT_TASK_STARTED)
        open_task(s, id);
    else if (ev->child_task.is_over)
        close_task(s, id, phase == EVENT_TASK_ENDED);
}

typedef void (*handler)(struct transcript *tr, const struct event *ev);

static void on_event(void *ctx, const struct event *ev)
{
    static const handler handlers[EVENT_KINDS] = {
        [EVENT_STARTED] = on_started,       [EVENT_TEXT] = on_text,
        [EVENT_TOOL_START] = on_tool_start, [EVENT_TOOL_END] = on_tool_end,
        [EVENT_USAGE] = on_usage,           [EVENT_RATE_LIMIT] = on_rate_limit,
        [EVENT_RETRY] = on_retry,           [EVENT_ASK] = on_ask,
        [EVENT_CHILD_TASK] = on_child_task, [EVENT_NOTE] = on_note,
        [EVENT_RESULT] = on_result,
    };
    struct transcript *tr = ctx;

    tr->state.events[ev->kind]++;
    tr->state.last_event_offset = ev->offset;
    if (handlers[ev->kind])
        handlers[ev->kind](tr, ev);
    if (tr->fn)
        tr->fn(tr->ctx, ev);
}

static void on_line(void *ctx, const struct ndjson_line *line)
{
    struct transcript *tr = ctx;

    tr->state.lines++;
    parser_line(tr->parser, line, on_event, tr);
}

static void begin(struct transcript *tr, event_fn fn, void *ctx)
{
    tr->fn = fn;
    tr->ctx = ctx;
}

static void settle(struct transcript *tr)
{
    tr->state.bytes = tr->ndjson.bytes;
    tr->state.empty_lines = tr->ndjson.empty;
}

void transcript_feed(struct transcript *tr, const char *bytes, size_t len,
                     event_fn fn, void *ctx)
{
    begin(tr, fn, ctx);
    ndjson_feed(&tr->ndjson, bytes, len, on_line, tr);
    settle(tr);
}

void transcript_end(struct transcript *tr, event_fn fn, void *ctx)
{
    begin(tr, fn, ctx);
    ndjson_end(&tr->ndjson, on_line, tr);
    parser_end(tr->parser, on_event, tr);
    settle(tr);
}

const struct transcript_state *transcript_state(const struct transcript *tr)
{
    return &tr->state;
}

const struct files *transcript_files(const struct transcript *tr)
{
    return &tr->parser->files;
}

const struct transcript_call *transcript_running(const struct transcript *tr)
{
    size_t n = tr->state.running_count;

    return n > 0 ? &tr->state.running[n - 1] : NULL;
}

bool transcript_is_over(const struct transcript *tr)
{
    return tr->state.has_terminal && tr->state.task_count == 0 &&
           tr->state.tasks_unlisted == 0;
}

bool transcript_has_open_call(const struct transcript *tr)
{
    return tr->state.running_count > 0 || tr->state.running_unlisted > 0;
}
