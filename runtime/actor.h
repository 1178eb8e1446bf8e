/*
 * An actor: two cache lines. Senders touch the first, its owner the second.
 *
 * The header begins with a message, because an actor's last act is to become
 * its own death notice: `exit` is addressed from the actor to its parent all
 * its life, and when it has ended the actor itself is what arrives in the
 * parent's inbox. So no death needs memory, and a slot is reused only after
 * the parent has taken note. While the actor lives, `exit.next` links it into
 * a run queue.
 */
#ifndef RUNTIME_ACTOR_H
#define RUNTIME_ACTOR_H

#include <stddef.h>

#include "runtime/seat.h"

enum actor_phase {
    ACTOR_NEW,     /* its start has not run yet */
    ACTOR_RUNNING, /* handles mail */
    ACTOR_STOPPING /* waits for its children's ends */
};

struct actor_list {
    struct rt_msg *first, *last;
};

struct rt_actor {
    struct rt_msg exit; /* to: the parent; from: this actor */
    int32_t error;      /* exit's body begins here, as struct rt_end */
    uint8_t why;
    uint8_t phase;
    uint8_t home; /* RT_POOL or RT_LOOP(n) */
    bool has_timers;
    struct rt_msg *inbox;
    const struct rt_behaviour *behaviour;
    struct rt_msg *letters; /* monitors: posted when this actor ends */

    struct actor_list urgent, todo; /* mail taken from the inbox */
    void *state;
    struct rt_actor *children; /* the newest of its own */
    /* Its place among its siblings, touched in the parent's turns alone. */
    struct rt_actor *older, *newer;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct rt_actor) == 128, "two cache lines");
_Static_assert(offsetof(struct rt_actor, urgent) == 64, "owner's line");
_Static_assert(offsetof(struct rt_actor, error) ==
                   sizeof(struct rt_msg) + offsetof(struct rt_end, error),
               "exit's body is a struct rt_end");
_Static_assert(offsetof(struct rt_actor, why) ==
                   sizeof(struct rt_msg) + offsetof(struct rt_end, why),
               "exit's body is a struct rt_end");

struct rt_turn {
    struct rt_seat *seat;
    struct rt_actor *actor;
    struct rt_msg *taken; /* the message the handler took, if it did */
    int error;            /* what rt_fail was given */
};

/* System kinds that handlers never see. */
enum {
    SYS_STOP = RT_SYSTEM + 256,
    SYS_MONITOR,
    SYS_DEMONITOR,
    SYS_ARM,    /* to the clock: body struct clock_timer */
    SYS_CANCEL, /* to the clock: body struct rt_alarm */
    SYS_FORGET, /* to the clock: the sender has died */
    SYS_TICK    /* to the clock: its alarm is due */
};

/* A flag of the runtime's own: this message is a timer that has fired. */
#define MSG_TIMER 128

/* exit.pool of an actor: freeing the notice frees the slot. */
#define ACTOR_SLOT 254

/* Makes an actor; its parent, if any, is linked by the caller's turn. */
struct rt_ref actor_create(struct rt_seat *seat, struct rt_actor *parent,
                           unsigned home, const struct rt_behaviour *b,
                           const void *init);
/* Runs one turn. True when the actor must be queued again. */
bool actor_turn(struct rt_seat *seat, struct rt_actor *actor);

#endif
