/*
 * An event is what happened in an agent, the same for every CLI.
 *
 * Slices point into the line being parsed or into the parser: they are valid
 * during the callback only. All text is valid UTF-8. A field the CLI did not
 * give is an empty slice, or false in the has_ flag next to it.
 */
#ifndef ACTORS_STREAM_EVENT_H
#define ACTORS_STREAM_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/text/slice.h"

struct yyjson_val;

enum event_kind {
    EVENT_STARTED,
    EVENT_PROMPT,
    EVENT_TEXT,
    EVENT_THINKING,
    EVENT_TOOL_START,
    EVENT_TOOL_END,
    EVENT_FILE_CHANGE,
    EVENT_USAGE,
    EVENT_RATE_LIMIT,
    EVENT_RETRY,
    EVENT_ASK,
    EVENT_CHILD_TASK,
    EVENT_NOTE,
    EVENT_RESULT,
    EVENT_KINDS /* how many */
};

struct event_started {
    struct slice session_id, model, cwd, version;
    const struct yyjson_val *mcp; /* the CLI's own list of servers, or NULL */
    bool is_after_result; /* the CLI goes on: stop waiting for its exit */
};

/* A message comes either as one FULL, or as DELTAs and one END or VOID; deltas
 * before a failed result or the stream's end stay a fragment without either. */
enum event_form {
    EVENT_DELTA, /* new text, to be appended */
    EVENT_FULL,  /* a whole message, not seen before */
    EVENT_END, /* the deltas are complete; text is the whole, for the record */
    EVENT_VOID /* the deltas so far are taken back, the CLI begins again */
};

struct event_text { /* of EVENT_TEXT, EVENT_THINKING and EVENT_PROMPT */
    enum event_form form;
    struct slice text;
    struct slice message_id;
    bool is_cut;       /* END: over the parser's cap, only its beginning */
    bool is_continued; /* FULL, END: the next piece of the message before */
};

struct event_tool_start {
    struct slice call_id;
    struct slice name;             /* verbatim: "editToolCall", "Bash" */
    struct slice title;            /* command, path or query; may be empty */
    struct slice path;             /* the file it is about; may be empty */
    const struct yyjson_val *args; /* the CLI's own object, or NULL */
};

enum event_tool_status {
    EVENT_TOOL_OK,
    EVENT_TOOL_ERROR,
    EVENT_TOOL_REJECTED,
    EVENT_TOOL_DENIED,
    EVENT_TOOL_UNSAID, /* completed, and the line holds no result */
    EVENT_TOOL_STATUSES
};

struct event_tool_end {
    struct slice call_id;
    struct slice name; /* empty if the CLI does not repeat it */
    enum event_tool_status status;
    struct slice message; /* why it failed */
    struct slice diff;
    uint64_t bytes; /* of text in the outcome */
    /* The CLI's own, or NULL: what came of it; the arguments, said again. */
    const struct yyjson_val *outcome, *args;
    bool has_exit;
    int64_t exit_code;
};

/* What was changed in a file, as the CLI says it; all of it may be missing. */
struct event_diff {
    struct slice unified;
    const struct yyjson_val *patch; /* Claude Code's list of hunks, or NULL */
    struct slice content;           /* of a file that is new */
    bool has_counts;
    uint64_t added, removed; /* lines */
};

enum event_file_op { EVENT_FILE_ADD, EVENT_FILE_EDIT, EVENT_FILE_DELETE };

struct event_file_change {
    struct slice path; /* as this line gives it */
    enum event_file_op op;
    bool is_first; /* the path was not listed before */
    struct event_diff diff;
};

enum event_usage_scope {
    EVENT_USAGE_MESSAGE, /* of one message: to be added */
    EVENT_USAGE_MODEL,   /* of one model, part of the total that follows */
    EVENT_USAGE_TOTAL    /* of the run so far: replaces what was added */
};

struct event_usage {
    enum event_usage_scope scope;
    uint64_t input, output, cache_read, cache_write, reasoning;
    bool has_cost;
    double cost_usd;
    struct slice model;
};

struct event_rate_limit {
    struct slice status; /* allowed, allowed_warning, rejected */
    struct slice scope;  /* five_hour ... */
    uint64_t resets_at;  /* Unix seconds, 0 = not said */
};

struct event_retry {
    uint64_t attempt, max_attempts, delay_ms, status;
    struct slice reason;
};

enum event_ask_state {
    EVENT_ASK_OPEN,
    EVENT_ASK_ANSWERED,
    EVENT_ASK_WITHDRAWN
};

struct event_ask {
    enum event_ask_state state;
    bool needs_us; /* false: the CLI answers by itself, only to be shown */
    struct slice request_id, what, tool, call_id;
};

enum event_task_phase {
    EVENT_TASK_STARTED,
    EVENT_TASK_PROGRESS,
    EVENT_TASK_UPDATED,
    EVENT_TASK_ENDED
};

struct event_child_task {
    enum event_task_phase phase;
    struct slice task_id, call_id, role, status, summary, output_file;
    uint64_t tokens, tool_uses, duration_ms;
    bool is_over; /* ended, or updated to a status that is an end */
};

enum event_note_kind {
    EVENT_NOTE_UNKNOWN,  /* an unknown type or subtype: the CLI has changed */
    EVENT_NOTE_NOT_JSON, /* a line that is no JSON object */
    EVENT_NOTE_TOO_LONG, /* a line over the limit, skipped; bytes says */
    EVENT_NOTE_BAD_UTF8, /* a line was mended and its events follow */
    EVENT_NOTE_STATUS,   /* known and of no consequence but a sign of life */
    EVENT_NOTE_ERROR,    /* the CLI complains; not an end by itself */
    EVENT_NOTE_KINDS
};

struct event_note {
    enum event_note_kind note;
    struct slice type; /* "type" or "type/subtype" */
    struct slice text; /* what was said, cut */
    uint64_t bytes;
};

struct event_result {
    bool ok;
    struct slice text;   /* the CLI's own result text */
    struct slice reason; /* empty if ok: error_max_turns, api_error ... */
    struct slice session_id;
    bool has_duration;
    uint64_t duration_ms, turns, api_status;
};

struct event {
    enum event_kind kind;
    uint64_t offset;     /* of its line in the stream */
    uint64_t line;       /* number of that line, from 1 */
    uint64_t at;         /* the line's own time, Unix ms; 0: none, or unasked */
    struct slice parent; /* the call of the child agent it comes from */
    union {
        struct event_started started;
        struct event_text text;
        struct event_tool_start tool_start;
        struct event_tool_end tool_end;
        struct event_file_change file_change;
        struct event_usage usage;
        struct event_rate_limit rate_limit;
        struct event_retry retry;
        struct event_ask ask;
        struct event_child_task child_task;
        struct event_note note;
        struct event_result result;
    };
};

typedef void (*event_fn)(void *ctx, const struct event *ev);

/* "tool_start" and so on: constant strings, for logs and JSON. */
const char *event_kind_name(enum event_kind kind);

#endif
