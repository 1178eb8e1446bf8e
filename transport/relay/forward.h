/*
 * Forward is the traffic between a session and the hub: calls one way, answers
 * and progress the other, whatever happens to the hub in between.
 */
#ifndef TRANSPORT_RELAY_FORWARD_H
#define TRANSPORT_RELAY_FORWARD_H

#include <stdbool.h>
#include <stdint.h>

#include "transport/mcp/mcp.h"
#include "transport/relay/pending_calls.h"
#include "transport/relay/seeker.h"

#define FORWARD_CALLS 256 /* in flight, as the hub takes them */

struct forward {
    struct mcp_session *session; /* set by the owner, and the owner's */
    bool has_client;             /* set by the owner: more calls may come */
    struct seeker seeker;
    struct pending_calls calls;
    int64_t now;      /* monotonic ms, of this round */
    int64_t up_since; /* the connection, or the last one */
    unsigned deaths;  /* of hubs, each soon after the one before */
    char id[17];      /* random; with the counter the key of a call */
    uint64_t counter;
};

/* file is the configuration's as on the command line, or NULL. */
void forward_init(struct forward *f, const char *file);
void forward_finish(struct forward *f);

/* The session's upcalls: a call's number, by which it is cancelled. */
uint64_t forward_call(struct forward *f, const struct mcp_call *call);
void forward_cancel(struct forward *f, uint64_t wire);

/* The client stays: there shall be a hub. */
void forward_want(struct forward *f);
/* Whether the client's next message can be taken: the hub, or the wait for
 * one, bounds what is taken from a client. */
bool forward_may_take(const struct forward *f);
/* Calls in flight that will be answered soon, as waits will not. */
size_t forward_pending(const struct forward *f);

/* What the hub has sent; to be called when its socket can be read. */
void forward_read(struct forward *f);
/* What is due, and what is queued for the hub; once a round. */
void forward_turn(struct forward *f);
/* Milliseconds until forward_turn has something to do, or -1. */
int forward_due(const struct forward *f);

#endif
