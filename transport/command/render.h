/*
 * A render tells people what an agent did, from its transcript: messages,
 * tools and what they were about, files, limits, the result, each with the
 * time the stream gives.
 */
#ifndef TRANSPORT_COMMAND_RENDER_H
#define TRANSPORT_COMMAND_RENDER_H

#include "actors/stream/backend.h"
#include "transport/command/console.h"

struct render {
    struct console *console;
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
/* The next bytes of the transcript, however they are cut. */
void render_feed(struct render *r, struct slice bytes);
/* There will be no more. */
void render_end(struct render *r);

#endif
