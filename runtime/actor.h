/*
 * An actor: two cache lines. Senders keep swapping the first, so its owner
 * works from the second and looks at the first only to take mail.
 *
 * The header begins with a message, because an actor's last act is to become
 * its own death notice: when it has ended, the actor itself is what arrives
 * in its parent's inbox. So no death needs memory, and a slot is reused only
 * after the parent has taken note. While the actor lives, `exit.next` links it
 * into a run queue.
 */
#ifndef RUNTIME_ACTOR_H
#define RUNTIME_ACTOR_H

#include <stddef.h>

#include "runtime/seat.h"

enum actor_phase {
    ACTOR_RUNNING,  /* handles mail */
    ACTOR_NEW,      /* its start has not run yet */
    ACTOR_LEFTOVER, /* runs, and its last turn left sorted mail behind */
    ACTOR_STOPPING  /* waits for its children's ends */
};

struct actor_list {
    struct rt_msg *first, *last;
};

struct rt_actor {
    struct rt_msg exit; /* from: this actor */
    int32_t error;      /* exit's body begins here, as struct rt_end */
    uint8_t why;
    uint8_t home; /* RT_POOL or RT_LOOP(n) */
    struct rt_msg *inbox;
    struct rt_ref parent;
    /* Its place among its siblings, touched in the parent's turns alone. */
    struct rt_actor *older, *newer;

    uint32_t generation; /* of exit.from, for a look without line one */
    uint8_t phase;
    bool has_timers;
    const struct rt_behaviour *behaviour;
    void *state;
    struct actor_list todo;    /* mail taken from the inbox */
    struct rt_msg *urgent;     /* likewise, served first */
    struct rt_msg *letters;    /* monitors: posted when this actor ends */
    struct rt_actor *children; /* the newest of its own */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct rt_msg) == 24, "a word of body makes 32");
_Static_assert(sizeof(struct rt_actor) == 128, "two cache lines");
_Static_assert(offsetof(struct rt_actor, generation) == 64, "the owner's line");
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
    SYS_STOP = RT_SYSTEM + 128,
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
/* One step of ending: a child's stop, or its own. True when it has gone, and
 * belongs to its parent. */
bool actor_end(struct rt_turn *t);
/* Takes a child off its parent's list. */
void actor_unlink(struct rt_actor *parent, struct rt_actor *child);
/* Takes one monitor of this asker back. */
void actor_remove_letter(struct rt_seat *seat, struct rt_actor *a,
                         struct rt_ref from);

/* turn.c: runs one turn. True when the actor must be queued again. */
bool actor_turn(struct rt_seat *seat, struct rt_actor *actor);

#endif
