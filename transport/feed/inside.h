/*
 * What the feed's files share; for no other room.
 *
 *   feed.c              subscribers, and events for them
 *   catch_up.c          the picture, and what a subscriber has missed
 *   live.c              live text
 *   slow_subscribers.c  bounds, and progress that is owed
 *   commands.c          what subscribers say
 */
#ifndef TRANSPORT_FEED_INSIDE_H
#define TRANSPORT_FEED_INSIDE_H

#include "actors/agent/stream.h"
#include "transport/feed/feed.h"

enum subscriber_state {
    SUBSCRIBER_WAITS,   /* for the picture */
    SUBSCRIBER_PAGES,   /* reads events of the store, up to the recent */
    SUBSCRIBER_FOLLOWS, /* reads the recent, up to now */
    SUBSCRIBER_LIVE
};

struct subscriber {
    struct feed *feed;
    struct websocket *socket;
    struct subscriber *before, *after;
    enum subscriber_state state;
    uint64_t seq;    /* of the last event it has, or needs not have */
    uint64_t call;   /* for a page, in flight, or 0 */
    bool is_proving; /* that page must begin with seq, its own number */
    bool is_behind;  /* is owed lines after this stamp */
    uint64_t owed;
    uint64_t group;    /* the only one of interest: hash of its id, or 0 */
    uint64_t agent;    /* likewise */
    struct live *live; /* whose text it wants, or NULL */
    struct subscriber *live_before, *live_after;
    uint64_t missed;               /* pieces of live text */
    enum config_language language; /* that its last message named */
    struct command *commands;
    unsigned command_count;
};

static inline uint64_t feed_hash(struct slice id)
{
    return id.len == 0 ? 0 : slice_hash(SLICE_HASH, id);
}

/* ---- feed.c ---- */
/* Counts what is sent; the frame is kept as long as it takes. */
void subscriber_send(struct subscriber *c, struct framing_frame *f);
/* The same of a text. */
void subscriber_say(struct subscriber *c, struct slice text);
/* Whether the subscriber wants events of this group and this agent (0: of
 * none). */
bool subscriber_minds(const struct subscriber *c, uint64_t group,
                      uint64_t agent);
/* Lets h2o write when enough has come together that a fast reader would look
 * slow otherwise. Any subscriber may be gone afterwards. */
void feed_pump(struct feed *feed, size_t bytes);

/* ---- live.c ---- */
/* Listens to this agent, or with "" to none. */
void subscriber_listen(struct subscriber *c, struct slice agent);
struct slice subscriber_listens_to(const struct subscriber *c);
void live_stream(struct feed *feed, const struct agent_stream *s);
/* An agent of this id is there now: one may have listened before it was. */
void live_renew(struct feed *feed, const char *agent);
/* Tells the subscriber how much it missed, if it did. */
void subscriber_tell_missed(struct subscriber *c);

/* ---- slow_subscribers.c ---- */
extern const struct websocket_rules subscriber_rules;
bool subscriber_is_slow(const struct subscriber *c);
/* The newest progress of an agent; kept while one is behind. */
void progress_set(struct feed *feed, const struct feed_event *e,
                  struct framing_frame *f);
/* Something numbered was said of the agent: its progress is old. */
void progress_forget(struct feed *feed, const char *agent);
/* Progress is withheld from the subscriber from here on, ... */
void subscriber_owe(struct subscriber *c);
/* ... and what it is owed is sent, as far as it reads. */
void subscriber_pay(struct subscriber *c);
/* It is owed nothing any more. */
void subscriber_acquit(struct subscriber *c);

/* ---- catch_up.c ---- */
/* The beginning: the picture, or what came after a number. */
void subscriber_join(struct subscriber *c, bool has_since, uint64_t since);
/* It has read all that was sent. */
void subscriber_go_on(struct subscriber *c);

/* ---- commands.c ---- */
void subscriber_hear(struct subscriber *c, struct slice text);
/* Its calls are taken back. */
void subscriber_drop_commands(struct subscriber *c);

#endif
