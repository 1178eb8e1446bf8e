/* SPDX-License-Identifier: MIT */
#include "actors/agent/end.h"

#include <stdio.h>
#include <string.h>

#include "runtime/text/utf8.h"

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

    if (was_ended(exit) && s->has_terminal)
        return s->is_ok ? AGENT_COMPLETED : AGENT_FAILED;
    if (exit->reason == PROCESS_ORDERED && timeout_ms != 0 &&
        exit->ended_at - exit->started_at >= timeout_ms)
        return AGENT_TIMED_OUT;
    /* Whoever ordered it had no time to write down why. */
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

/* stderr says most where there is any, then an error the stream ended with;
 * without them the exit has to do. */
static void explain_exit(struct bytes *out, const struct process_exit *exit,
                         const struct transcript *tr)
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
    if (exit->has_signal)
        snprintf(text, sizeof(text), "killed by signal %d", exit->signal);
    else
        snprintf(text, sizeof(text), "exit code %d", exit->code);
    say(out, text);
}

static void explain_failure(struct bytes *out, const struct process_exit *exit,
                            const struct transcript *tr)
{
    const struct transcript_state *s = transcript_state(tr);
    struct slice said;

    if (exit->reason == PROCESS_NEVER_RAN) {
        utf8_repair(exit->detail, strlen(exit->detail), out);
    } else if (exit->reason == PROCESS_INTERRUPTED ||
               (was_ended(exit) && !s->has_terminal)) {
        say(out, "interrupted");
    } else if (exit->reason == PROCESS_OUTPUT_LIMIT) {
        say(out, "output limit");
    } else if (!exit->has_code || exit->code != 0) {
        explain_exit(out, exit, tr);
    } else if (s->has_terminal) {
        said = agent_end_stream_error(tr);
        bytes_append(out, said.ptr, said.len);
    } else {
        say(out, "stream ended without a result");
    }
}

void agent_end_explain(struct bytes *out, enum agent_state state,
                       const struct process_exit *exit,
                       const struct transcript *tr)
{
    if (state == AGENT_FAILED)
        explain_failure(out, exit, tr);
    else if (state == AGENT_TIMED_OUT)
        say(out, "timed out");
    else if (state == AGENT_CANCELLED)
        say(out, "cancelled");
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
        parts->response = s->result.len > 0 ? s->result : s->message;
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
    if (end->report != NULL)
        take_reported(&parts, end);
    parts.duration_ms = end->duration_ms;
    parts.finished_at = end->finished_at;
    result = agent_result_create(&parts);
    agent_paths_free(&parts.edited);
    agent_paths_free(&parts.created);
    return result;
}
