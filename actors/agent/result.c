/* SPDX-License-Identifier: MIT */
#include "actors/agent/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "actors/agent/inside.h"
#include "config/messages.h"
#include "config/reason.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

static size_t size_of(const struct agent_paths *paths)
{
    size_t size = paths->count * sizeof(struct slice);

    for (size_t i = 0; i < paths->count; i++)
        size += paths->items[i].len;
    return size;
}

static struct slice copy(char **at, struct slice s)
{
    char *to = *at;

    if (s.len > 0)
        memcpy(to, s.ptr, s.len);
    *at += s.len;
    return slice_of(to, s.len);
}

/* The array at *items, the text at *at; both move on. */
static struct agent_paths copy_paths(struct slice **items, char **at,
                                     const struct agent_paths *from)
{
    struct agent_paths to = {.items = *items, .count = from->count};

    for (size_t i = 0; i < from->count; i++)
        *(*items)++ = copy(at, from->items[i]);
    return to;
}

struct agent_result *agent_result_create(const struct agent_result *parts)
{
    size_t arrays =
        (parts->edited.count + parts->created.count) * sizeof(struct slice);
    struct agent_result *r = bytes_alloc(
        sizeof(*r) + size_of(&parts->edited) + size_of(&parts->created) +
        parts->summary.len + parts->response.len + parts->error.len);
    struct slice *items = (struct slice *)(r + 1);
    char *at = (char *)(r + 1) + arrays;

    *r = *parts;
    rt_obj_init(&r->obj, rt_obj_free);
    r->edited = copy_paths(&items, &at, &parts->edited);
    r->created = copy_paths(&items, &at, &parts->created);
    r->summary = copy(&at, parts->summary);
    r->response = copy(&at, parts->response);
    r->error = copy(&at, parts->error);
    return r;
}

struct slice agent_outcome_name(enum agent_outcome outcome)
{
    static const struct slice names[] = {
        SLICE_INIT("success"), SLICE_INIT("failure"), SLICE_INIT("timeout"),
        SLICE_INIT("cancelled")};

    return names[outcome];
}

/* ---- how an end is judged ---- */

/* Ended by us, in whatever life, or for want of a hub. */
static bool was_ended(const struct process_exit *exit)
{
    return exit->reason == PROCESS_ORDERED || exit->reason == PROCESS_LEASE;
}

/*
 * An end after the last word is the exit grace's, or as good as that: the
 * agent had said all. One before it, at its time, is a timeout's.
 */
enum agent_state agent_end_state(const struct process_exit *exit,
                                 const struct transcript *tr,
                                 uint64_t timeout_ms)
{
    const struct transcript_state *s = transcript_state(tr);

    if (was_ended(exit) && transcript_is_over(tr))
        return s->is_ok ? AGENT_COMPLETED : AGENT_FAILED;
    if (exit->reason == PROCESS_ORDERED && timeout_ms != 0 &&
        exit->ended_at - exit->started_at >= timeout_ms)
        return AGENT_TIMED_OUT;
    /* The hub that ordered it had no time to write down why. */
    if (exit->reason == PROCESS_ORDERED)
        return AGENT_CANCELLED;
    if (exit->reason != PROCESS_EXITED || !exit->has_code || exit->code != 0)
        return AGENT_FAILED;
    return s->has_terminal && s->is_ok ? AGENT_COMPLETED : AGENT_FAILED;
}

struct slice agent_end_stream_error(const struct transcript *tr)
{
    const struct transcript_state *s = transcript_state(tr);

    if (s->error[0] != 0)
        return slice_cstr(s->error);
    if (s->result.len > 0)
        return s->result;
    return s->reason[0] != 0 ? slice_cstr(s->reason)
                             : SLICE("the agent ended with an error");
}

static void say(struct bytes *out, const char *text)
{
    bytes_append(out, text, strlen(text));
}

/* stderr says most where there is any, then an error the stream ended with,
 * then what was said on stdout in plain words; without them the exit has to
 * do. */
static void explain_exit(struct bytes *out, const struct process_exit *exit,
                         const struct transcript *tr, bool is_english)
{
    const struct transcript_state *s = transcript_state(tr);
    size_t from = 0, len = exit->stderr_len;
    struct slice said;
    char text[64];

    while (len > 0 && strchr(" \t\r\n", exit->stderr_tail[len - 1]) != NULL)
        len--;
    /* A tail begins anywhere: not in the middle of a character. */
    while (from < len &&
           ((unsigned char)exit->stderr_tail[from] & 0xc0) == 0x80)
        from++;
    if (len > from) {
        utf8_repair(exit->stderr_tail + from, len - from, out);
        return;
    }
    if (s->has_terminal && !s->is_ok) {
        said = agent_end_stream_error(tr);
        bytes_append(out, said.ptr, said.len);
        return;
    }
    if (s->plain.len > 0) {
        bytes_append(out, s->plain.ptr, s->plain.len);
        return;
    }
    if (exit->has_signal)
        snprintf(text, sizeof(text), MESSAGE(is_english, END_BY_SIGNAL),
                 exit->signal);
    else
        snprintf(text, sizeof(text), MESSAGE(is_english, END_BY_CODE),
                 exit->code);
    say(out, text);
}

/* What the system says of it, in the language of the agent's group. */
static void explain_start(struct bytes *out, const struct process_exit *exit,
                          bool is_english)
{
    const struct reason why = reason_of(exit->system, is_english);
    char text[sizeof(exit->about) + sizeof(why.text) + 200];

    if (exit->system == 0)
        snprintf(text, sizeof(text), "%s", exit->detail);
    else if (strcmp(exit->stage, "exec") == 0)
        snprintf(text, sizeof(text), MESSAGE(is_english, END_CANNOT_RUN),
                 exit->about, why.text);
    else if (strcmp(exit->stage, "chdir") == 0)
        snprintf(text, sizeof(text), MESSAGE(is_english, END_CANNOT_ENTER),
                 exit->about, why.text);
    else
        snprintf(text, sizeof(text), MESSAGE(is_english, END_CANNOT_START),
                 exit->stage, exit->about[0] ? " " : "", exit->about, why.text);
    utf8_repair(text, strlen(text), out);
}

static void explain_failure(struct bytes *out, const struct process_exit *exit,
                            const struct transcript *tr, bool is_english)
{
    const struct transcript_state *s = transcript_state(tr);
    struct slice said;

    if (exit->reason == PROCESS_NEVER_RAN) {
        explain_start(out, exit, is_english);
    } else if (exit->reason == PROCESS_INTERRUPTED ||
               (was_ended(exit) && !transcript_is_over(tr))) {
        say(out, MESSAGE(is_english, END_INTERRUPTED));
    } else if (exit->reason == PROCESS_OUTPUT_LIMIT) {
        say(out, MESSAGE(is_english, END_OUTPUT_LIMIT));
    } else if (exit->reason == PROCESS_MEMORY_LIMIT) {
        say(out, MESSAGE(is_english, END_MEMORY_LIMIT));
    } else if (!exit->has_code || exit->code != 0) {
        explain_exit(out, exit, tr, is_english);
    } else if (s->has_terminal) {
        said = agent_end_stream_error(tr);
        bytes_append(out, said.ptr, said.len);
    } else if (s->plain.len > 0) {
        bytes_append(out, s->plain.ptr, s->plain.len);
    } else {
        say(out, MESSAGE(is_english, END_WITHOUT_RESULT));
    }
}

void agent_end_say_left(struct bytes *out, uint32_t left, bool is_english)
{
    char text[64];

    if (left == 0)
        return;
    if (out->len > 0)
        say(out, MESSAGE(is_english, END_AND));
    snprintf(text, sizeof(text),
             left == 1 ? MESSAGE(is_english, END_ONE_LEFT)
                       : MESSAGE(is_english, END_SOME_LEFT),
             left);
    say(out, text);
}

void agent_end_explain(struct bytes *out, enum agent_state state,
                       const struct process_exit *exit,
                       const struct transcript *tr, bool is_english)
{
    if (state == AGENT_FAILED)
        explain_failure(out, exit, tr, is_english);
    else if (state == AGENT_TIMED_OUT)
        say(out, MESSAGE(is_english, END_TIMED_OUT));
    else if (state == AGENT_CANCELLED)
        say(out, MESSAGE(is_english, END_CANCELLED));
}

static enum agent_outcome outcome_of(enum agent_state state)
{
    switch (state) {
    case AGENT_COMPLETED:
        return AGENT_SUCCESS;
    case AGENT_TIMED_OUT:
        return AGENT_TIMEOUT;
    case AGENT_CANCELLED:
        return AGENT_CANCELLED_OUTCOME;
    case AGENT_QUEUED:
    case AGENT_RUNNING:
    case AGENT_FAILED:
    case AGENT_RESULT_REPORTED:
    case AGENT_STATES:
        break;
    }
    return AGENT_FAILURE;
}

/* What was seen of it: by the stream while there is one, later by the result
 * that was made of it. */
static void take_seen(struct agent_result *parts, const struct agent_end *end)
{
    const struct transcript_state *s;
    const struct files *files;

    if (end->transcript != NULL) {
        s = transcript_state(end->transcript);
        files = transcript_files(end->transcript);
        parts->tool_calls = s->tool_calls;
        parts->summary = s->message;
        parts->response = s->message.len > 0 ? s->message : s->result;
        parts->edited = agent_paths_of(files, FILES_EDITED);
        parts->created = agent_paths_of(files, FILES_CREATED);
    } else if (end->before != NULL) {
        *parts = *end->before;
        parts->edited = agent_paths_merge(end->before->edited,
                                          (struct agent_paths){0}, end->cwd);
        parts->created = agent_paths_merge(end->before->created,
                                           (struct agent_paths){0}, end->cwd);
    }
}

/* What the agent itself says goes before what was seen of it. */
static void take_reported(struct agent_result *parts,
                          const struct agent_end *end)
{
    const struct agent_result *report = end->report;
    struct agent_paths edited = parts->edited, created = parts->created;

    parts->is_reported = true;
    parts->outcome = report->outcome;
    parts->summary = report->summary;
    parts->response = report->response;
    parts->error = report->error;
    parts->edited = agent_paths_merge(edited, report->edited, end->cwd);
    parts->created = agent_paths_merge(created, report->created, end->cwd);
    agent_paths_free(&edited);
    agent_paths_free(&created);
}

struct agent_result *agent_end_result(const struct agent_end *end)
{
    struct agent_result parts = {0}, *result;

    take_seen(&parts, end);
    parts.outcome = outcome_of(end->state);
    parts.error = end->error;
    /* One that came to its end before it could say a word. */
    if (parts.summary.len == 0)
        parts.summary = end->error;
    if (end->report != NULL)
        take_reported(&parts, end);
    parts.duration_ms = end->duration_ms;
    parts.finished_at = end->finished_at;
    result = agent_result_create(&parts);
    agent_paths_free(&parts.edited);
    agent_paths_free(&parts.created);
    return result;
}

struct agent_result *agent_end_grow(struct agent_result *was,
                                    const struct agent_end *end)
{
    struct agent_result seen = {0}, *grown;
    /* Field by field: its references are counted by others meanwhile. */
    struct agent_result parts = {.outcome = was->outcome,
                                 .is_reported = was->is_reported,
                                 .summary = was->summary,
                                 .response = was->response,
                                 .error = was->error,
                                 .duration_ms = was->duration_ms,
                                 .tool_calls = was->tool_calls,
                                 .finished_at = was->finished_at};

    take_seen(&seen, end);
    parts.edited = agent_paths_merge(was->edited, seen.edited, end->cwd);
    parts.created = agent_paths_merge(was->created, seen.created, end->cwd);
    if (seen.tool_calls > was->tool_calls)
        parts.tool_calls = seen.tool_calls;
    grown = parts.edited.count == was->edited.count &&
                    parts.created.count == was->created.count &&
                    parts.tool_calls == was->tool_calls
                ? RT_KEEP(was)
                : agent_result_create(&parts);
    agent_paths_free(&seen.edited);
    agent_paths_free(&seen.created);
    agent_paths_free(&parts.edited);
    agent_paths_free(&parts.created);
    return grown;
}
