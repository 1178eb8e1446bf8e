/* A client's insides, shared with its actor; all of them under its lock but
 * what is said to be one side's. */
#ifndef TESTS_STORIES_CLIENT_INSIDE_H
#define TESTS_STORIES_CLIENT_INSIDE_H

#include "runtime/lock.h"
#include "tests/stories/client.h"

enum { CLIENT_BELL = 0xc00 };

enum call_state { CALL_NEW, CALL_PLACED, CALL_ANSWERED, CALL_TAKEN_BACK };

struct call {
    struct call *next;
    uint64_t ticket;
    enum order_kind kind;
    char *args; /* JSON; heap */
    bool wants_progress, is_unwanted;
    enum call_state state;
    struct reply reply;
    /* The actor's. */
    struct order *order; /* kept while it is placed */
    struct rt_ref wait;
    bool is_stopped; /* the wait was told to */
    bool has_exited;
    uint64_t placed, placed_at, told_at;
};

struct client {
    struct client *next; /* the world's */
    struct world *world;
    struct caller *caller;
    struct lock lock;
    uint32_t bell; /* rung for its thread */
    bool is_hung_up;
    struct rt_ref actor;
    uint64_t tickets;
    struct call *calls; /* oldest first */
    uint64_t random;    /* its thread's */
    struct rt_ref seat; /* the root's: its actor, once it was told to open */
};

void client_ring(struct client *c);
struct call *client_find(struct client *c, uint64_t ticket);

#endif
