/*
 * A hearer is somebody who hears the feed and finds fault with it: numbers
 * must follow one another, from the picture on; progress comes at most so
 * often, and nothing is heard of an agent behind its end; and whenever he asks,
 * what he has heard must come to what the registry draws (album.h).
 *
 * Made on a story's thread, which may ask it anything; its actor is a child of
 * the world's root.
 */
#ifndef TESTS_STORIES_HEARER_H
#define TESTS_STORIES_HEARER_H

#include "tests/stories/world.h"

enum {
    /* Each to its actor, with the id of an agent or "". */
    HEARER_SUBSCRIBE = 0xc40, /* and asks for the picture */
    HEARER_UNSUBSCRIBE,       /* likewise: then it must hear no more */
    HEARER_LISTEN,
    HEARER_UNLISTEN,
    HEARER_LOOK, /* its own: why it asks for a picture in between */
    HEARER_END
};

struct hearer;

struct hearer_order {
    struct hearer *hearer;
    uint16_t kind;
    char agent[ORDER_ID];
};

/* What it has heard so far. */
struct hearer_tally {
    unsigned pictures, numbered, progress;
    unsigned streamed, tool_starts; /* of those listened to */
    unsigned started, results;      /* likewise */
    unsigned ended;                 /* agents */
    unsigned conflicts;             /* pairs, each by its file */
    unsigned raised, told;          /* notifications; failures in them */
    uint64_t tool_calls;            /* of the one that ended last */
    bool is_over;                   /* its actor has ended */
};

struct hearer *hearer_create(struct world *w);
void hearer_destroy(struct hearer *h);
/* From the story's thread. */
void hearer_tell(struct hearer *h, uint16_t kind, const char *agent);
struct hearer_tally hearer_tally(struct hearer *h);
/* Until it has this many pictures: by then all before was heard, too. */
void hearer_until_pictures(struct client *c, struct hearer *h, unsigned count);
void hearer_until_over(struct client *c, struct hearer *h);

/* In the root's turns. */
void hearer_open(struct rt_turn *t, unsigned home, struct hearer *h);
void hearer_pass(struct rt_turn *t, const struct hearer_order *o);

#endif
