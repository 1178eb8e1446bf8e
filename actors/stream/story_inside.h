/* A story's insides: story.c goes over the lines, story_entry.c makes entries
 * of their events, story_call.c those of calls and files, story_json.c writes
 * them. */
#ifndef ACTORS_STREAM_STORY_INSIDE_H
#define ACTORS_STREAM_STORY_INSIDE_H

#include "actors/stream/story.h"
#include "actors/stream/tool_name.h"
#include "runtime/text/arena.h"

/* Calls under way whose end is awaited; the oldest is forgotten for one more.
 */
#define STORY_CALLS 256

enum story_kind {
    STORY_NOTHING, /* it was taken back */
    STORY_TEXT,
    STORY_THINKING,
    STORY_TOOL,
    STORY_FILE,
    STORY_RETRY,
    STORY_NOTICE
};

struct story_tool {
    struct slice call_id, name, title, message;
    enum tool_kind kind;
    struct slice arguments; /* JSON; empty: none */
    struct slice result;
    bool has_result, has_ended, has_start, has_exit;
    enum event_tool_status status;
    uint64_t result_bytes, ended_at; /* the line's own time, or 0 */
    int64_t exit_code;
};

struct story_file {
    struct slice path, diff, call_id;
    enum event_file_op op;
    bool has_counts;
    uint64_t added, removed;
};

struct story_notice {
    struct slice name, reason;
    bool has_outcome, is_ok;
};

struct story_entry {
    enum story_kind kind;
    uint64_t offset, first_end, end; /* first_end: of its first line */
    uint64_t at;                     /* its first line's own time, or 0 */
    bool is_open, is_continued;
    struct slice parent;
    struct bytes text;
    union {
        struct story_tool tool;
        struct story_file file;
        struct event_retry retry; /* without its reason */
        struct story_notice notice;
    };
};

enum story_phase { STORY_WARM, STORY_OWN, STORY_AHEAD };

struct story {
    struct arena arena;
    struct story_entry *entries;
    size_t count;
    size_t first; /* of the own ones */
    enum story_phase phase;
    uint64_t line_end, line_entries;
    /* By kind, text and thinking: the entry under way + 1, or 0; and whether
     * what was under way began in a block before. */
    size_t open[STORY_THINKING + 1];
    bool is_split[STORY_THINKING + 1];
    size_t calls[STORY_CALLS]; /* entries under way, by start */
    size_t call_count;
    size_t own_calls; /* of them, those that are told */
    struct slice last_call;
    uint64_t up_to;
};

/* ---- story_entry.c ---- */
/* What a parser is to call, with the story. */
void story_on_event(void *ctx, const struct event *ev);
/* The next line is of this phase. */
void story_enter(struct story *s, enum story_phase phase);
/* Whether something of the own block may still be changed by what is ahead. */
bool story_is_waiting(const struct story *s);
/* A copy; empty in the warm-up, of which nothing is told. */
struct slice story_keep(struct story *s, struct slice text);
struct slice story_keep_id(struct story *s, struct slice id);
/* NULL: nothing new is begun there, or the line has had its share. */
struct story_entry *story_begin(struct story *s, const struct event *ev,
                                enum story_kind kind);

/* ---- story_call.c ---- */
void story_on_tool_start(struct story *s, const struct event *ev);
void story_on_tool_end(struct story *s, const struct event *ev);
void story_on_file_change(struct story *s, const struct event *ev);

#endif
