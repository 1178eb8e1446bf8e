/* claude is the state of Claude Code's back-end, private to its files. */
#ifndef ACTORS_STREAM_CLAUDE_H
#define ACTORS_STREAM_CLAUDE_H

#include "actors/stream/claude_files.h"
#include "actors/stream/parser.h"

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

#endif
