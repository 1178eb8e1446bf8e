/*
 * A seeker keeps a relay's connection to its hub: finds the hub, starts it
 * when there is none, greets it, and replaces one of another build.
 *
 *   idle --seeker_want--> seeking --> greeting --> up
 *                            ^           |  \--> leaving (another build)
 *                            +-----------+-----------+
 */
#ifndef TRANSPORT_RELAY_SEEKER_H
#define TRANSPORT_RELAY_SEEKER_H

#include <stdbool.h>
#include <stdint.h>

#include "transport/wire/home.h"
#include "transport/wire/hublink.h"
#include "transport/wire/hubstart.h"

enum seeker_state {
    SEEKER_IDLE,
    SEEKER_SEEKING,  /* connects, again and again */
    SEEKER_GREETING, /* waits for the welcome */
    SEEKER_LEAVING,  /* waits for a hub of another build to leave */
    SEEKER_UP
};

enum seeker_news {
    SEEKER_NOTHING,
    SEEKER_FOUND, /* now it is up */
    SEEKER_FAILED /* now it is idle, and reason says why */
};

struct seeker {
    enum seeker_state state;
    struct hublink link;   /* the owner's to use while up */
    struct hubstart start; /* its descriptor is to be polled */
    struct home home;
    int home_error;   /* 0, or a negative errno: there is none, see reason */
    const char *file; /* as on the command line, or NULL */
    struct bytes reason;
    int64_t since, deadline, next_try, next_start; /* monotonic ms */
    int last_error;                                /* of connecting */
    unsigned killed;   /* hubs of ours, before they could greet */
    bool has_started;  /* the hub that is sought is one of ours */
    bool has_replaced; /* once is enough: no two builds fight for ever */
    bool has_warned;
};

/* Looks where the hub is; touches nothing. file is borrowed. */
void seeker_init(struct seeker *s, const char *file);
void seeker_finish(struct seeker *s);
/* Begins to seek, if idle. May be called at any time. */
void seeker_want(struct seeker *s, int64_t now);
/* Goes on, if up; the caller says nothing more on the link. */
void seeker_lost(struct seeker *s);
/* Does what is due. To be called after each poll until it says NOTHING. */
enum seeker_news seeker_turn(struct seeker *s, int64_t now);
/* Milliseconds until something is due, or -1. */
int seeker_due(const struct seeker *s, int64_t now);

#endif
