/* SPDX-License-Identifier: MIT */
/*
 * Every field by its value and none by its bytes: structs have padding, and
 * the tails of fixed arrays hold what was there before.
 */
#include <string.h>

#include "tests/actors/stream/describe.h"

static uint64_t add_u64(uint64_t h, uint64_t v)
{
    return slice_hash(h, slice_of((const char *)&v, sizeof(v)));
}

static uint64_t add_slice(uint64_t h, struct slice s)
{
    return slice_hash(add_u64(h, s.len), s);
}

static uint64_t add_str(uint64_t h, const char *str)
{
    return add_slice(h, slice_cstr(str));
}

static uint64_t add_counts(uint64_t h, const uint64_t *counts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = add_u64(h, counts[i]);
    return h;
}

static uint64_t add_calls(uint64_t h, const struct transcript_state *s)
{
    const uint64_t counts[] = {s->tool_calls, s->child_tool_calls,
                               s->stray_ends, s->running_unlisted,
                               s->running_count};

    h = add_counts(h, counts, sizeof(counts) / sizeof(counts[0]));
    h = add_counts(h, s->tool_ends, EVENT_TOOL_STATUSES);
    for (size_t i = 0; i < s->running_count; i++) {
        h = add_str(h, s->running[i].id);
        h = add_str(h, s->running[i].name);
        h = add_str(h, s->running[i].title);
        h = add_u64(h, s->running[i].is_child);
    }
    return h;
}

static uint64_t add_notes(uint64_t h, const struct transcript_state *s)
{
    h = add_counts(h, s->notes, EVENT_NOTE_KINDS);
    h = add_u64(h, s->unknown_unlisted);
    h = add_u64(h, s->unknown_types);
    for (size_t i = 0; i < s->unknown_types; i++) {
        h = add_str(h, s->unknown[i].type);
        h = add_u64(h, s->unknown[i].count);
    }
    return h;
}

static uint64_t add_said(uint64_t h, const struct transcript_state *s)
{
    const uint64_t counts[] = {
        s->messages,    s->is_message_cut, s->results, s->has_terminal,
        s->is_ok,       s->is_result_cut,  s->turns,   s->has_duration,
        s->duration_ms, s->api_status,
    };

    h = add_counts(h, counts, sizeof(counts) / sizeof(counts[0]));
    h = add_slice(h, s->message);
    h = add_slice(h, s->result);
    h = add_str(h, s->reason);
    return add_str(h, s->error);
}

static uint64_t add_usage(uint64_t h, const struct transcript_state *s)
{
    uint64_t cost;

    memcpy(&cost, &s->usage.cost_usd, sizeof(cost));
    const uint64_t counts[] = {
        s->usage.input,
        s->usage.output,
        s->usage.cache_read,
        s->usage.cache_write,
        s->usage.reasoning,
        s->usage.has_cost,
        cost,
        s->rate_limits,
        s->rate_resets_at,
        s->retry_attempt,
        s->retry_delay_ms,
        s->retry_status,
        s->asks,
        s->tasks_started,
        s->tasks_ended,
        s->task_count,
        s->tasks_unlisted,
    };
    h = add_counts(h, counts, sizeof(counts) / sizeof(counts[0]));
    h = add_counts(h, s->tasks, s->task_count);
    h = add_slice(h, s->plain);
    h = add_str(h, s->rate_status);
    return add_str(h, s->rate_scope);
}

static uint64_t add_files(uint64_t h, const struct files *f)
{
    h = add_u64(h, f->dropped);
    h = add_u64(h, f->count);
    for (int list = 0; list < FILES_LISTS; list++) {
        h = add_u64(h, f->lengths[list]);
        for (size_t i = 0; i < f->lengths[list]; i++)
            h = add_slice(h, files_path(f, (enum files_list)list, i));
    }
    return h;
}

uint64_t transcript_digest(const struct transcript *tr)
{
    const struct transcript_state *s = transcript_state(tr);
    const uint64_t counts[] = {s->bytes, s->lines, s->empty_lines,
                               s->skipped_bytes, s->last_event_offset};
    uint64_t h = SLICE_HASH;

    h = add_str(h, s->session_id);
    h = add_str(h, s->model);
    h = add_str(h, s->version);
    h = add_counts(h, counts, sizeof(counts) / sizeof(counts[0]));
    h = add_counts(h, s->events, EVENT_KINDS);
    h = add_notes(h, s);
    h = add_calls(h, s);
    h = add_said(h, s);
    h = add_usage(h, s);
    return add_files(h, transcript_files(tr));
}
