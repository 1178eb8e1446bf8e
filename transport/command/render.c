/* SPDX-License-Identifier: MIT */
#include "transport/command/render.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/field.h"
#include "runtime/text/moment.h"
#include "transport/command/agent_words.h"
#include "transport/command/humanize.h"

#define INDENT "            "

void render_init(struct render *r, struct console *con, const struct backend *b)
{
    *r = (struct render){
        .console = con, .out = &con->out, .parser = parser_create(b)};
    ndjson_init(&r->lines, 0);
}

static void open_entry(struct render *r)
{
    r->own = r->console->out;
    r->own.out = open_memstream(&r->text, &r->text_len);
    if (!r->own.out)
        abort();
    r->out = &r->own;
}

static void close_entry(struct render *r)
{
    if (r->out != &r->own)
        return;
    fclose(r->own.out);
    free(r->text);
    r->text = NULL;
    r->out = &r->console->out;
}

void render_to(struct render *r, render_fn *on_entry, void *ctx)
{
    r->on_entry = on_entry;
    r->ctx = ctx;
    open_entry(r);
}

void render_live(struct render *r)
{
    close_entry(r);
    r->on_entry = NULL;
    r->is_live = true;
}

void render_finish(struct render *r)
{
    close_entry(r);
    ndjson_finish(&r->lines);
    parser_destroy(r->parser);
    bytes_finish(&r->fragment);
    bytes_finish(&r->thought);
    bytes_finish(&r->cwd);
    *r = (struct render){0};
}

static void close_line(struct render *r)
{
    if (r->is_open)
        fputc('\n', r->out->out);
    r->is_open = false;
}

/* Every line begins with its time and a mark of what it is. */
static void begin(struct render *r, enum term_style style, const char *mark)
{
    close_line(r);
    r->call[0] = '\0';
    term_format(r->out, TERM_DIM, "%8s  ", r->time);
    term_put(r->out, style, mark);
    fputc(' ', r->out->out);
}

static void end(struct render *r)
{
    fputc('\n', r->out->out);
    if (!r->on_entry)
        return;
    fflush(r->own.out);
    r->on_entry(r->ctx, slice_of(r->text, r->text_len), r->ms);
    close_entry(r);
    open_entry(r);
}

static void block(struct render *r, enum term_style mark_style,
                  const char *mark, enum term_style style, struct slice text)
{
    if (slice_trim(text).len == 0)
        return;
    begin(r, mark_style, mark);
    term_block(r->out, style, text, INDENT);
    end(r);
}

/* As the agent would say it: what lies below its directory without that. */
static struct slice near_path(const struct render *r, struct slice path)
{
    struct slice cwd = bytes_slice(&r->cwd);

    return cwd.len > 1 && slice_starts(path, cwd)
               ? slice_of(path.ptr + cwd.len, path.len - cwd.len)
               : path;
}

static void on_started(struct render *r, const struct event_started *s)
{
    bytes_clear(&r->cwd, 0);
    bytes_append(&r->cwd, s->cwd.ptr, s->cwd.len);
    bytes_append(&r->cwd, "/", 1);
    begin(r, TERM_CYAN, "▶");
    term_line(r->out, TERM_BOLD, s->model);
    fputs("  ", r->out->out);
    term_line(r->out, TERM_DIM, s->cwd);
    end(r);
}

/* A piece of a message, as it comes. */
static void say(struct render *r, struct slice piece)
{
    if (!r->is_open) {
        begin(r, TERM_GREEN, "●");
        r->is_open = r->is_said = true;
    }
    term_block(r->out, TERM_PLAIN, piece, INDENT);
}

static void on_text(struct render *r, const struct event_text *t,
                    enum event_kind kind)
{
    bool is_thought = kind == EVENT_THINKING;
    struct bytes *open = is_thought ? &r->thought : &r->fragment;
    /* The end of a thought does not repeat it. */
    struct slice whole = t->text.len > 0 ? t->text : bytes_slice(open);

    if (t->form == EVENT_DELTA) {
        bytes_append(open, t->text.ptr, t->text.len);
        if (r->is_live && !is_thought)
            say(r, t->text);
        return;
    }
    if (!is_thought && r->is_said) {
        /* It was said while it came, and is not said again, unless what came
         * was something else. */
        bool is_known = slice_ends(bytes_slice(open), whole);
        r->is_said = false;
        close_line(r);
        if (!is_known && t->form != EVENT_VOID)
            block(r, TERM_GREEN, "●", TERM_PLAIN, whole);
        bytes_clear(open, PARSER_KEEP);
        return;
    }
    if (t->form != EVENT_VOID && is_thought)
        block(r, TERM_DIM, "·", TERM_DIM, whole);
    else if (t->form != EVENT_VOID)
        block(r, TERM_GREEN, "●", TERM_PLAIN, whole);
    bytes_clear(open, PARSER_KEEP);
}

static void on_tool_start(struct render *r, const struct event_tool_start *t)
{
    struct slice about = near_path(r, t->path.len > 0 ? t->path : t->title);

    begin(r, TERM_CYAN, "→");
    term_line(r->out, TERM_BOLD, agent_words_tool(t->name));
    if (about.len > 0) {
        fputc(' ', r->out->out);
        term_line(r->out, TERM_PLAIN, about);
    }
    end(r);
    slice_keep(r->call, sizeof(r->call), t->call_id);
}

static void on_tool_end(struct render *r, const struct event_tool_end *t)
{
    static const struct message words[EVENT_TOOL_STATUSES] = {
        [EVENT_TOOL_OK] = BOTH(TOOL_OK),
        [EVENT_TOOL_ERROR] = BOTH(TOOL_ERROR),
        [EVENT_TOOL_REJECTED] = BOTH(TOOL_REJECTED),
        [EVENT_TOOL_DENIED] = BOTH(TOOL_DENIED),
        [EVENT_TOOL_UNSAID] = BOTH(TOOL_ENDED)};
    struct term *out = r->out;
    /* A CLI calls a command that has ended a success, whatever it left. */
    bool has_failed = t->has_exit && t->exit_code != 0;
    bool is_good = (t->status == EVENT_TOOL_OK && !has_failed) ||
                   (t->status == EVENT_TOOL_UNSAID && !has_failed);
    /* Below its own beginning the name need not be said again. */
    char call[sizeof(r->call)];
    slice_keep(call, sizeof(call), t->call_id);
    bool is_next = *call && !strcmp(call, r->call);

    begin(r, is_good ? TERM_GREEN : TERM_RED, is_good ? "  ✓" : "  ✗");
    if (!is_next && t->name.len > 0) {
        term_line(out, TERM_DIM, agent_words_tool(t->name));
        fputc(' ', out->out);
    }
    if (t->status != EVENT_TOOL_OK || !has_failed)
        term_put(out, is_good ? TERM_DIM : TERM_RED,
                 console_say(r->console, words[t->status]));
    else
        term_put(out, TERM_RED, SAY(r->console, TOOL_FAILED));
    if (t->has_exit)
        term_format(out, TERM_DIM, " exit %" PRId64, t->exit_code);
    if (t->bytes > 0)
        term_format(out, TERM_DIM, " %s", humanize_bytes(t->bytes).text);
    if (!is_good && t->message.len > 0) {
        fputs(": ", out->out);
        term_block(out, TERM_PLAIN, t->message, INDENT);
    }
    end(r);
}

static void on_file(struct render *r, const struct event_file_change *f)
{
    static const char *const marks[] = {"  +", "  ~", "  -"};

    begin(r, f->op == EVENT_FILE_DELETE ? TERM_RED : TERM_YELLOW, marks[f->op]);
    term_line(r->out, TERM_PLAIN, near_path(r, f->path));
    end(r);
}

static void on_usage(struct render *r, const struct event_usage *u)
{
    struct console *con = r->console;

    if (u->scope != EVENT_USAGE_TOTAL || u->input + u->output == 0)
        return;
    begin(r, TERM_DIM, "Σ");
    term_format(r->out, TERM_DIM, SAY(con, RENDER_TOKENS),
                humanize_count(u->input).text, humanize_count(u->output).text,
                humanize_count(u->cache_read).text);
    if (u->has_cost)
        term_format(r->out, TERM_DIM, "  $%.4f", u->cost_usd);
    end(r);
}

static void on_limit(struct render *r, const struct event *ev)
{
    struct console *con = r->console;

    begin(r, TERM_YELLOW, "!");
    if (ev->kind == EVENT_RETRY) {
        term_format(r->out, TERM_YELLOW, SAY(con, RENDER_RETRY),
                    ev->retry.attempt);
        term_line(r->out, TERM_PLAIN, ev->retry.reason);
    } else {
        term_put(r->out, TERM_YELLOW, SAY(con, RENDER_RATE_LIMIT));
        term_line(r->out, TERM_PLAIN, ev->rate_limit.status);
        fputc(' ', r->out->out);
        term_line(r->out, TERM_DIM, ev->rate_limit.scope);
    }
    end(r);
}

static void on_note(struct render *r, const struct event_note *n)
{
    struct console *con = r->console;

    switch (n->note) {
    case EVENT_NOTE_ERROR:
        block(r, TERM_RED, "!", TERM_PLAIN, n->text);
        break;
    case EVENT_NOTE_NOT_JSON:
        block(r, TERM_YELLOW, "?", TERM_DIM, n->text);
        break;
    case EVENT_NOTE_TOO_LONG:
        begin(r, TERM_YELLOW, "?");
        term_format(r->out, TERM_DIM, SAY(con, RENDER_LINE_SKIPPED),
                    humanize_bytes(n->bytes).text);
        end(r);
        break;
    case EVENT_NOTE_UNKNOWN:
    case EVENT_NOTE_BAD_UTF8:
    case EVENT_NOTE_STATUS:
    case EVENT_NOTE_KINDS:
        break;
    }
}

static void on_task(struct render *r, const struct event_child_task *t)
{
    if (t->phase == EVENT_TASK_PROGRESS || t->phase == EVENT_TASK_UPDATED)
        return;
    begin(r, TERM_CYAN, t->phase == EVENT_TASK_STARTED ? "⇢" : "⇠");
    term_line(r->out, TERM_PLAIN, t->summary);
    fputc(' ', r->out->out);
    term_line(r->out, TERM_DIM, t->status);
    end(r);
}

static void on_result(struct render *r, const struct event_result *e)
{
    struct console *con = r->console;

    begin(r, e->ok ? TERM_GREEN : TERM_RED, "■");
    term_put(r->out, e->ok ? TERM_GREEN : TERM_RED,
             e->ok ? SAY(con, RENDER_DONE) : SAY(con, STATE_FAILED));
    if (e->has_duration)
        term_format(r->out, TERM_DIM, "  %s",
                    humanize_duration(e->duration_ms).text);
    if (!e->ok) {
        fputs("  ", r->out->out);
        term_line(r->out, TERM_PLAIN, e->reason);
        if (e->text.len > 0) {
            fputs("\n" INDENT, r->out->out);
            term_block(r->out, TERM_PLAIN, e->text, INDENT);
        }
    }
    end(r);
}

static void on_event(void *ctx, const struct event *ev)
{
    struct render *r = ctx;

    switch (ev->kind) {
    case EVENT_STARTED:
        on_started(r, &ev->started);
        break;
    case EVENT_TEXT:
    case EVENT_THINKING:
        on_text(r, &ev->text, ev->kind);
        break;
    case EVENT_TOOL_START:
        on_tool_start(r, &ev->tool_start);
        break;
    case EVENT_TOOL_END:
        on_tool_end(r, &ev->tool_end);
        break;
    case EVENT_FILE_CHANGE:
        on_file(r, &ev->file_change);
        break;
    case EVENT_USAGE:
        on_usage(r, &ev->usage);
        break;
    case EVENT_RATE_LIMIT:
    case EVENT_RETRY:
        on_limit(r, ev);
        break;
    case EVENT_CHILD_TASK:
        on_task(r, &ev->child_task);
        break;
    case EVENT_NOTE:
        on_note(r, &ev->note);
        break;
    case EVENT_RESULT:
        on_result(r, &ev->result);
        break;
    case EVENT_PROMPT: /* it is in `show`, and long */
    case EVENT_ASK:    /* headless: no user can answer */
    case EVENT_KINDS:
        break;
    }
}

/* Events carry no time; the lines of either CLI do, here and there. */
static void read_time(struct render *r, const struct ndjson_line *line)
{
    if (!line->ptr || !memmem(line->ptr, line->len, "\"timestamp", 10))
        return;
    yyjson_doc *doc = yyjson_read(line->ptr, line->len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    int64_t ms = (int64_t)FIELD_COUNT(root, "timestamp_ms");
    if (ms > 0 || moment_read(FIELD_TEXT(root, "timestamp"), &ms)) {
        r->ms = ms;
        slice_keep(r->time, sizeof(r->time),
                   slice_cstr(humanize_moment(ms, "%H:%M:%S").text));
    }
    yyjson_doc_free(doc);
}

static void on_line(void *ctx, const struct ndjson_line *line)
{
    struct render *r = ctx;

    read_time(r, line);
    parser_line(r->parser, line, on_event, r);
}

void render_feed(struct render *r, struct slice bytes)
{
    ndjson_feed(&r->lines, bytes.ptr, bytes.len, on_line, r);
}

void render_end(struct render *r)
{
    ndjson_end(&r->lines, on_line, r);
    parser_end(r->parser, on_event, r);
    close_line(r);
    if (r->fragment.len > 0 && !r->is_said)
        block(r, TERM_YELLOW, "◌", TERM_DIM, bytes_slice(&r->fragment));
    bytes_clear(&r->fragment, 0);
}
