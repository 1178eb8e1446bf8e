/*
 * What the hall's files share; nobody else includes it.
 *
 *   hall.c      who is in it, and events for them
 *   hall_ear.c  live text
 *   hall_line.c progress that is owed to slow readers
 *   hall_join.c the picture, and what a client has missed
 *   hall_hear.c what clients say
 */
#ifndef TRANSPORT_FEED_HALL_INSIDE_H
#define TRANSPORT_FEED_HALL_INSIDE_H

#include "actors/agent/stream.h"
#include "transport/feed/hall.h"

enum client_state {
    CLIENT_WAITS,   /* for the picture */
    CLIENT_PAGES,   /* reads events of the store, up to the recent */
    CLIENT_FOLLOWS, /* reads the recent, up to now */
    CLIENT_LIVE
};

struct client {
    struct hall *hall;
    struct websocket *socket;
    struct client *before, *after;
    enum client_state state;
    uint64_t seq;    /* of the last event it has, or needs not have */
    uint64_t call;   /* for a page, in flight, or 0 */
    bool is_proving; /* that page must begin with seq: it was the client's */
    bool is_behind;  /* is owed lines after this stamp */
    uint64_t owed;
    uint64_t group;  /* the only one of interest: hash of its id, or 0 */
    struct ear *ear; /* whose text it wants, or NULL */
    struct client *ear_before, *ear_after;
    uint64_t missed; /* pieces of live text */
    struct command *commands;
    unsigned command_count;
};

static inline uint64_t hall_hash(struct slice id)
{
    return id.len == 0 ? 0 : slice_hash(SLICE_HASH, id);
}

/* ---- hall.c ---- */
/* Counts what is sent; the frame is kept as long as it takes. */
void client_send(struct client *c, struct framing_frame *f);
/* The same of a text. */
void client_say(struct client *c, struct slice text);
/* Whether the client wants events of this group (0: of none). */
bool client_minds(const struct client *c, uint64_t group);
bool client_is_slow(const struct client *c);
/* Lets h2o write when enough has come together that a fast reader would look
 * slow otherwise. Anybody may be gone afterwards. */
void hall_pump(struct hall *h, size_t bytes);

/* ---- hall_ear.c ---- */
/* Listens to this agent, or with "" to none. */
void client_listen(struct client *c, struct slice agent);
struct slice client_listens_to(const struct client *c);
void ear_stream(struct hall *h, const struct agent_stream *s);
/* An agent of this id is there now: one may have listened before it was. */
void ear_renew(struct hall *h, const char *agent);
/* Tells the client how much it missed, if it did. */
void client_tell_missed(struct client *c);

/* ---- hall_line.c ---- */
/* The newest progress of an agent; kept while somebody is behind. */
void line_set(struct hall *h, const struct feed_event *e,
              struct framing_frame *f);
/* Something numbered was said of the agent: its progress is old. */
void line_forget(struct hall *h, const char *agent);
/* Progress is withheld from the client from here on, ... */
void client_owe(struct client *c);
/* ... and what it is owed is sent, as far as it reads. */
void client_pay(struct client *c);
/* It is owed nothing any more. */
void client_acquit(struct client *c);

/* ---- hall_join.c ---- */
/* The beginning: the picture, or what came after a number. */
void client_join(struct client *c, bool has_since, uint64_t since);
/* It has read all that was sent. */
void client_go_on(struct client *c);

/* ---- hall_hear.c ---- */
void client_hear(struct client *c, struct slice text);
/* Its calls are nobody's any more. */
void client_drop_commands(struct client *c);

#endif
