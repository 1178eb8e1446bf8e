/*
 * A client is somebody who places orders with the hub and waits for answers,
 * in plain blocking code: each runs on a simulated thread, and an actor of its
 * own places the orders for it. So a story reads from top to bottom.
 *
 * Functions without a turn are for the client's own thread.
 */
#ifndef TESTS_STORIES_CLIENT_H
#define TESTS_STORIES_CLIENT_H

#include "actors/order/order.h"

struct client;
struct world;

/* Lives as long as its client. */
struct reply {
    bool is_hung_up; /* the connection is gone, and nothing below is there */
    bool is_error;
    yyjson_doc *doc;
    uint64_t elapsed_ms;
    unsigned progress; /* how often it was told */
};

/* Makes one for the sub-agent of this id, or "" for one outside; its actor
 * is yet to be opened. The world owns it. */
struct client *client_create(struct world *w, const char *agent_id);
/* Its actor, as a child of the current actor. */
struct rt_ref client_open_actor(struct rt_turn *t, unsigned home,
                                struct client *c);
/* Nothing it waits for will come any more. From anywhere. */
void client_hang_up(struct client *c);
void client_destroy(struct client *c);

/*
 * Places an order; the format makes its arguments, with ' for ". Gives its
 * ticket.
 */
uint64_t client_begin(struct client *c, enum order_kind kind,
                      const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A wait that wants to be told of its progress. */
uint64_t client_begin_wait(struct client *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Waits for its answer. */
const struct reply *client_finish(struct client *c, uint64_t ticket);
/* Both. */
const struct reply *client_call(struct client *c, enum order_kind kind,
                                const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Takes a wait back: it may be answered yet, or never. */
void client_cancel(struct client *c, uint64_t ticket);

/* Tells an actor something, unless it is hung up. */
void client_tell(struct client *c, struct rt_ref to, uint16_t kind,
                 const void *body, size_t size);
/* Virtual time; false: hung up in the meantime. */
bool client_sleep(struct client *c, uint64_t ms);
/* Some of it: in every other seed next to none, so that things meet. */
bool client_nap(struct client *c, uint64_t ms);
bool client_is_hung_up(struct client *c);
uint64_t client_random(struct client *c);
struct world *client_world(struct client *c);
const char *client_agent(struct client *c);

/* What is at a JSON pointer of the answer; NULL or "" if nothing is. */
yyjson_val *reply_at(const struct reply *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *reply_text(const struct reply *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Its error code, or "". */
const char *reply_code(const struct reply *r);

/* The answer must be one; of a refusal, this one. Hung up is neither. */
#define MUST(reply) client_must(reply, NULL, __FILE__, __LINE__)
#define MUST_BE(reply, code) client_must(reply, code, __FILE__, __LINE__)
const struct reply *client_must(const struct reply *r, const char *code,
                                const char *file, int line);

#endif
