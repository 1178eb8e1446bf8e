/*
 * A render tells people what an agent did, from its transcript: messages,
 * tools and what they were about, files, limits, the result, each with the
 * time the stream gives.
 */
#ifndef TRANSPORT_COMMAND_RENDER_H
#define TRANSPORT_COMMAND_RENDER_H

#include "actors/stream/backend.h"
#include "transport/command/console.h"

/* An entry as it is to be printed, with its line breaks, and when it was: ms
 * since 1970, 0 if the stream has not said. */
typedef void render_fn(void *ctx, struct slice text, int64_t ms);

struct render {
    struct console *console;
    struct term *out; /* the console's, or its own */
    struct term own;  /* to gather an entry in */
    char *text;
    size_t text_len;
    render_fn *on_entry; /* NULL: it is printed */
    void *ctx;
    int64_t ms;   /* of the last line that said one */
    bool is_live; /* messages are printed while they come: ... */
    bool is_open; /* ... in the middle of a line, ... */
    bool is_said; /* ... and this one has been printed so far */
    struct ndjson lines;
    struct parser *parser;
    char time[16];         /* "12:34:56" of the last line that said one */
    struct bytes fragment; /* of a message under way */
    struct bytes thought;  /* the same of thinking */
    struct bytes cwd;      /* of the agent, with a slash: paths are shorter */
    char call[128];        /* the tool call whose line was written last */
};

void render_init(struct render *r, struct console *con,
                 const struct backend *b);
void render_finish(struct render *r);
/* Gives entries to a function from now on, instead of printing them. */
void render_to(struct render *r, render_fn *on_entry, void *ctx);
/* Prints from now on, and messages as they come. */
void render_live(struct render *r);
/* The next bytes of the transcript, however they are cut. */
void render_feed(struct render *r, struct slice bytes);
/* There will be no more. */
void render_end(struct render *r);

#endif
