/*
 * A transcript is what the stream of one agent has said so far.
 *
 * Bytes go in as the CLI wrote them, in any portions; events come out, and
 * the state below is at any time what an agent needs to know. It depends on
 * the bytes alone: read again from byte 0, it is the same to the last bit.
 * Whatever comes in, memory stays under the bounds named here.
 */
#ifndef ACTORS_STREAM_TRANSCRIPT_H
#define ACTORS_STREAM_TRANSCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "actors/stream/backend.h"
#include "actors/stream/event.h"
#include "actors/stream/files.h"
#include "runtime/text/ndjson.h"

#define TRANSCRIPT_NAME_CAP 128  /* ids, models, reasons */
#define TRANSCRIPT_TITLE_CAP 256 /* what a call is about */
#define TRANSCRIPT_ERROR_CAP 1024
#define TRANSCRIPT_TEXT_CAP ((size_t)1 << 20) /* message, result text */
#define TRANSCRIPT_UNKNOWN_CAP 32             /* kinds of unknown types */
#define TRANSCRIPT_RUNNING_CAP 32             /* calls under way, by name */
#define TRANSCRIPT_TASKS_CAP 64               /* tasks under way, by id */
#define TRANSCRIPT_PLAIN_CAP 4096             /* lines that are no JSON */

struct transcript_limits {
    size_t line_bytes; /* 0 = NDJSON_LINE_LIMIT */
};

struct transcript_unknown {
    char type[PARSER_TYPE_CAP + 1];
    uint64_t count;
};

struct transcript_call {
    char id[TRANSCRIPT_NAME_CAP];
    char name[TRANSCRIPT_NAME_CAP];
    char title[TRANSCRIPT_TITLE_CAP];
    bool is_child; /* made by an agent inside the agent */
};

struct transcript_usage {
    uint64_t input, output, cache_read, cache_write, reasoning;
    bool has_cost;
    double cost_usd;
};

struct transcript_state {
    /* who */
    char session_id[TRANSCRIPT_NAME_CAP];
    char model[TRANSCRIPT_NAME_CAP];
    char version[TRANSCRIPT_NAME_CAP];

    /* how much */
    uint64_t bytes, lines, empty_lines;
    uint64_t events[EVENT_KINDS];
    uint64_t notes[EVENT_NOTE_KINDS];
    uint64_t skipped_bytes;     /* in lines over the limit */
    uint64_t last_event_offset; /* the line the last event came from */

    /* what was not understood */
    struct transcript_unknown unknown[TRANSCRIPT_UNKNOWN_CAP];
    size_t unknown_types;
    uint64_t unknown_unlisted; /* lines of types beyond the table */

    /* calls: counted when they start, once per id while it runs */
    uint64_t tool_calls, child_tool_calls;
    uint64_t tool_ends[EVENT_TOOL_STATUSES];
    uint64_t stray_ends; /* of calls not known to run */
    struct transcript_call running[TRANSCRIPT_RUNNING_CAP]; /* by start */
    size_t running_count;
    uint64_t running_unlisted; /* under way beyond the table */

    /* what it said: whole messages only, of the agent itself */
    uint64_t messages;
    struct slice message; /* the last one; owned, not a fragment */
    bool is_message_cut;

    /* how it ended: the last result wins */
    uint64_t results;
    bool has_terminal; /* a result has come and no new start after it */
    bool is_ok;
    struct slice result; /* owned */
    bool is_result_cut;
    char reason[TRANSCRIPT_NAME_CAP];
    char error[TRANSCRIPT_ERROR_CAP]; /* the last complaint of the CLI */
    bool has_duration;
    uint64_t duration_ms, turns, api_status;

    /* what it costs and what holds it up */
    struct transcript_usage usage;
    uint64_t rate_limits;
    char rate_status[TRANSCRIPT_NAME_CAP];
    char rate_scope[TRANSCRIPT_NAME_CAP];
    uint64_t rate_resets_at;
    uint64_t retry_attempt, retry_delay_ms, retry_status; /* the last one */
    uint64_t asks; /* that need us; the stream does not show our answers */
    uint64_t tasks_started, tasks_ended;
    uint64_t tasks[TRANSCRIPT_TASKS_CAP]; /* under way: their ids' hashes */
    size_t task_count;
    uint64_t tasks_unlisted; /* under way beyond the table */

    /* prose of the CLI instead of events: its last lines; owned */
    struct slice plain;
};

struct transcript;

/* The caller owns the transcript and belongs to one thread at a time; limits
 * may be NULL. destroy accepts NULL. */
struct transcript *transcript_create(const struct backend *backend,
                                     const struct transcript_limits *limits);
void transcript_destroy(struct transcript *tr);
/* Takes the next bytes. fn (may be NULL) is called per event, when the state
 * holds it already; it may read the transcript but not feed it. */
void transcript_feed(struct transcript *tr, const char *bytes, size_t len,
                     event_fn fn, void *ctx);
/* No more bytes will come: the last line needs no newline. Once only. */
void transcript_end(struct transcript *tr, event_fn fn, void *ctx);

/* Both stay the transcript's, and change with the next feed. */
const struct transcript_state *transcript_state(const struct transcript *tr);
const struct files *transcript_files(const struct transcript *tr);
/* Whether its last word has been said: a result, and no task in the background
 * whose end the CLI waits for to go on. */
bool transcript_is_over(const struct transcript *tr);
/* Whether a call of the agent is under way. */
bool transcript_has_open_call(const struct transcript *tr);
/* The call started last of those still running; NULL if none. */
const struct transcript_call *transcript_running(const struct transcript *tr);

#endif
