/*
 * A parser turns the lines of one CLI into events: the part every back-end
 * shares. It reads the JSON, mends what can be mended, joins deltas, and
 * keeps which files were touched; the back-end only says what a line means.
 */
#ifndef ACTORS_STREAM_PARSER_H
#define ACTORS_STREAM_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "actors/stream/event.h"
#include "actors/stream/files.h"
#include "actors/stream/shapes.h"
#include "runtime/text/bytes.h"
#include "runtime/text/ndjson.h"

/* A message under way is joined up to here; the rest is not kept. */
#define PARSER_MESSAGE_CAP ((size_t)1 << 20)
/* What a note quotes of a line, and the name of an unknown type. */
#define PARSER_QUOTE_CAP 512
#define PARSER_TYPE_CAP 64
/* Lines up to here are parsed in one buffer that is used again and again. */
#define PARSER_POOL_LINE ((size_t)32 << 10)
/* What scratch buffers may keep from one line to the next. */
#define PARSER_KEEP ((size_t)64 << 10)

struct backend;

struct parser {
    const struct backend *backend;
    event_fn fn; /* set by parser_line for its duration */
    void *ctx;
    uint64_t offset, line; /* of the line being parsed */
    bool wants_time;       /* of lines; set by who asks for it */
    uint64_t at;           /* then: the time that the line says, or 0 */
    struct slice parent;   /* put into every event made */
    struct files files;
    struct bytes message; /* deltas joined so far */
    bool has_deltas;      /* message is open */
    bool is_message_cut;  /* and longer than the cap */
    bool is_continued;    /* put into the next whole text, then false */
    bool has_thought;     /* thinking deltas came, their end has not */
    uint64_t last_hash;   /* of the last whole message, trimmed */
    size_t last_len;
    struct bytes scratch; /* texts of several blocks, joined */
    struct bytes mended;  /* a line with its UTF-8 repaired */
    struct shapes shapes; /* lines that need no reading */
    void *pool;           /* memory of the document */
    size_t pool_size;
    uint64_t started_hash;      /* of the last start told, 0 before the first */
    bool has_result;            /* and a result has come after it */
    char type[PARSER_TYPE_CAP]; /* name of an unknown type, for a note */
};

/* For the transcript. create returns a heap object owned by the caller;
 * destroy accepts NULL. Not thread-safe: one parser, one actor. */
struct parser *parser_create(const struct backend *backend);
void parser_destroy(struct parser *p);
/* Calls fn for each event of the line, 0 or more, before it returns. */
void parser_line(struct parser *p, const struct ndjson_line *line, event_fn fn,
                 void *ctx);
/* The stream has ended; a back-end without a result line makes it here. */
void parser_end(struct parser *p, event_fn fn, void *ctx);

/* The rest is for back-ends, from within their line and end functions. */

/* Fills in where the event comes from and hands it on. */
void parser_emit(struct parser *p, struct event *ev);
/* The CLI introduces itself; sets the folder of relative paths. Said again
 * word for word without a result in between, it is told once. */
void parser_started(struct parser *p, struct event_started started);
void parser_result(struct parser *p, struct event_result result);
/* type/subtype is not known. Counted by the transcript, never guessed at. */
void parser_unknown(struct parser *p, struct slice type, struct slice subtype);
void parser_note(struct parser *p, enum event_note_kind kind, struct slice type,
                 struct slice text);
void parser_prompt(struct parser *p, struct slice text);

/* Appends to the open message. An empty delta is nothing. */
void parser_delta(struct parser *p, struct slice text, struct slice id);
/* The open message is complete; does nothing if none is open. If the CLI has
 * repeated it, whole is the copy (which wins if they differ), else empty. */
void parser_close(struct parser *p, struct slice whole, struct slice id);
/* Takes the open message back; does nothing if none is open. */
void parser_void(struct parser *p);
/* A message that had no deltas. */
void parser_full(struct parser *p, struct slice text, struct slice id);
/* Whether text ends with the last complete message, blanks aside. */
bool parser_is_repeat(const struct parser *p, struct slice text);

void parser_thought(struct parser *p, enum event_form form, struct slice text);

/* A file operation that has succeeded: recorded, and told unless a read. What
 * was changed may be NULL. */
void parser_file(struct parser *p, struct slice path, enum files_op op,
                 const struct event_diff *diff);

/* The text blocks of a message's content (array, or a plain string). Valid
 * until the next call. */
struct slice parser_content(struct parser *p, yyjson_val *content);
/* What a call is about, out of its arguments: command, path, query ... */
struct slice parser_title(yyjson_val *args);

#endif
