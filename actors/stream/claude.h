/* The state of Claude Code's back-end, private to its files. */
#ifndef ACTORS_STREAM_CLAUDE_H
#define ACTORS_STREAM_CLAUDE_H

#include "actors/stream/parser.h"

/* Calls whose result is awaited; the oldest is forgotten for one more. */
#define CLAUDE_FILES_PENDING 64

enum claude_tool {
    CLAUDE_TOOL_OTHER,
    CLAUDE_TOOL_READ,
    CLAUDE_TOOL_WRITE,
    CLAUDE_TOOL_EDIT
};

struct claude_files {
    struct claude_pending {
        uint64_t id; /* hash; 0 = free */
        enum claude_tool tool;
        struct bytes path;
    } pending[CLAUDE_FILES_PENDING];
    size_t next;
};

/* Messages whose usage is counted already. */
#define CLAUDE_SEEN_CAP 64

struct claude {
    struct parser base;
    struct claude_files files;      /* calls whose result is awaited */
    uint64_t seen[CLAUDE_SEEN_CAP]; /* hashes of message ids */
    size_t next_seen;
    uint64_t text_id; /* message whose last block was text, 0 = none */
};

/* The lines that carry messages, whole or in pieces (claude_message.c). */
void claude_stream_event(struct parser *p, yyjson_val *root);
void claude_assistant(struct parser *p, yyjson_val *root);
void claude_user(struct parser *p, yyjson_val *root);
/* The API's usage object; the scope is left to the caller. */
struct event_usage claude_usage(yyjson_val *usage);

/* claude_files.c ties file tools to what their results say of files. */
/* Zeroed memory is empty. */
void claude_files_finish(struct claude_files *f);
/* A call has started; it is remembered if its tool is one for files. */
void claude_files_called(struct claude_files *f,
                         const struct event_tool_start *start);
/* A call has succeeded: tells p what it did to its file. details is the
 * tool_use_result of the line, or NULL. */
void claude_files_done(struct claude_files *f, struct parser *p,
                       struct slice call_id, yyjson_val *details);

#endif
