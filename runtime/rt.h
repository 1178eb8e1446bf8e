/*
 * The actor runtime: many small state machines that talk by messages, run by
 * a pool of threads. This header is all an embedding program needs.
 *
 * An actor's state is touched only inside its own turn: handlers run one at a
 * time, never block, and reach the world through the `struct rt_turn` they
 * are given. Functions that take a turn may be called only with the one the
 * handler received and only until it returns; functions that take a
 * `struct rt` may be called from any thread, which their names say: `_any`.
 */
#ifndef RUNTIME_RT_H
#define RUNTIME_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct rt;
struct rt_turn;

/*
 * An actor's address: a slot and its generation. It may be copied, stored and
 * compared at will; once its actor has died it is stale, and every send to it
 * is refused and counted.
 */
struct rt_ref {
    uint64_t id;
};

#define RT_NOBODY ((struct rt_ref){0})

static inline bool rt_same(struct rt_ref a, struct rt_ref b)
{
    return a.id == b.id;
}

/* ---- messages ---------------------------------------------------------- */

/*
 * A message: this header, then its body. Kinds below RT_SYSTEM are the
 * program's own. One owner at a time: the sender until it is sent, then the
 * runtime, which frees it when the handler has returned.
 */
struct rt_msg {
    struct rt_msg *next; /* the runtime's, but for rt_send_chain */
    struct rt_ref from;
    uint16_t kind;
    uint8_t flags;
    uint8_t pool;        /* the runtime's: where the memory came from */
    uint32_t generation; /* the runtime's: whom it was meant for */
};

enum {
    RT_SYSTEM = 0xff00,
    /* A child of this actor has ended; m->from is its address. All it sent
       before, it sent first. */
    RT_EXIT = RT_SYSTEM,
    /* An actor this one monitors has ended; m->from is its address. */
    RT_DOWN,
    /* A watched descriptor is ready; the body is struct rt_ready. */
    RT_READY,
};

enum {
    /* Served before everything that waits without this flag. */
    RT_URGENT = 1,
    /* The body begins with a `struct rt_obj *` that the message owns. */
    RT_CARRIES = 2,
};

static inline void *rt_body(struct rt_msg *m)
{
    return m + 1;
}

/* Makes a message whose body is not cleared; the caller owns it. */
struct rt_msg *rt_msg_raw(struct rt_turn *t, uint16_t kind, size_t size);

/* Makes a message with `size` bytes of zeroed body; the caller owns it. */
static inline struct rt_msg *rt_msg(struct rt_turn *t, uint16_t kind,
                                    size_t size)
{
    struct rt_msg *m = rt_msg_raw(t, kind, size);

    memset(rt_body(m), 0, size);
    return m;
}

/*
 * Sends `m`, which is gone afterwards whatever happens. False when the
 * receiver is known to be dead: the message was counted as a dead letter.
 */
bool rt_send(struct rt_turn *t, struct rt_ref to, struct rt_msg *m);

/* Makes and sends in one step; `body` is copied and may be NULL if empty. */
static inline bool rt_tell(struct rt_turn *t, struct rt_ref to, uint16_t kind,
                           const void *body, size_t size)
{
    struct rt_msg *m = rt_msg_raw(t, kind, size);

    if (size > 0)
        memcpy(rt_body(m), body, size);
    return rt_send(t, to, m);
}

/*
 * Sends a list of messages linked by `next`, oldest first, as one: they
 * arrive together and in order, at the price of one send.
 */
bool rt_send_chain(struct rt_turn *t, struct rt_ref to, struct rt_msg *oldest);

/*
 * In a handler: takes the message being handled. Owner: the caller. Not
 * RT_EXIT: that one is the ended actor's own memory.
 */
struct rt_msg *rt_take(struct rt_turn *t, struct rt_msg *m);

/* Frees a message the caller owns. Accepts NULL. */
void rt_free(struct rt_turn *t, struct rt_msg *m);

/* The same as rt_tell, from a thread that is in no turn. */
bool rt_tell_any(struct rt *rt, struct rt_ref to, uint16_t kind,
                 const void *body, size_t size);

/*
 * A thing shared by several owners, on any threads: embed it first in a
 * struct of your own and say how it is freed. Starts with one reference.
 */
struct rt_obj {
    uint32_t refs;
    void (*free)(struct rt_obj *);
};

void rt_obj_init(struct rt_obj *o, void (*free)(struct rt_obj *));
/* How one is freed that is a block of malloc's and keeps nothing. */
void rt_obj_free(struct rt_obj *o);
struct rt_obj *rt_obj_keep(struct rt_obj *o);
/* One reference more to a struct that embeds its object as `obj`. */
#define RT_KEEP(x)                                                             \
    ((__typeof__(x))((char *)rt_obj_keep(&(x)->obj) -                          \
                     offsetof(__typeof__(*(x)), obj)))
/* Gives one reference back; accepts NULL. */
void rt_obj_drop(struct rt_obj *o);

/* The object that a message carries; borrowed, and gone with the message. */
#define RT_OBJ(m, type) (*(type **)rt_body(m))

/* Sends a message whose body is this object; the reference is given away. */
static inline bool rt_pass_take(struct rt_turn *t, struct rt_ref to,
                                uint16_t kind, struct rt_obj *o)
{
    struct rt_msg *m = rt_msg_raw(t, kind, sizeof(o));

    m->flags = RT_CARRIES;
    RT_OBJ(m, struct rt_obj) = o;
    return rt_send(t, to, m);
}

/* The same with a reference of its own. */
static inline bool rt_pass(struct rt_turn *t, struct rt_ref to, uint16_t kind,
                           struct rt_obj *o)
{
    return rt_pass_take(t, to, kind, rt_obj_keep(o));
}

/* ---- actors ------------------------------------------------------------ */

enum rt_next {
    RT_OK,   /* go on */
    RT_STOP, /* end normally, children first */
    RT_FAIL, /* end as failed; the parent is told why (rt_fail) */
};

struct rt_behaviour {
    const char *name;
    size_t size; /* bytes of state */
    /* Optional: runs in the actor's first turn, before any message. */
    enum rt_next (*start)(struct rt_turn *t, void *state);
    enum rt_next (*handle)(struct rt_turn *t, void *state, struct rt_msg *m);
    /* Optional: the last turn; releases what the state owns. */
    void (*stop)(struct rt_turn *t, void *state);
};

enum rt_why {
    RT_WHY_NORMAL,  /* it returned RT_STOP */
    RT_WHY_STOPPED, /* it was ordered to */
    RT_WHY_FAILED,  /* it returned RT_FAIL */
    RT_WHY_NOBODY,  /* RT_DOWN only: it was dead before the monitor came */
};

/* Body of RT_EXIT and RT_DOWN. */
struct rt_end {
    int32_t error; /* what rt_fail was given */
    uint8_t why;   /* enum rt_why */
};

/* Homes: the pool of workers, or one of the loops (0 <= n < config.loops). */
#define RT_POOL 0u
#define RT_LOOP(n) ((n) + 1u)

/*
 * Starts a child of the current actor. Its state is a copy of `init`
 * (behaviour->size bytes), or zeroed when NULL. Children never outlive their
 * parent. RT_NOBODY when the current actor is itself ending.
 */
struct rt_ref rt_spawn(struct rt_turn *t, const struct rt_behaviour *b,
                       const void *init);
struct rt_ref rt_spawn_at(struct rt_turn *t, unsigned home,
                          const struct rt_behaviour *b, const void *init);

/* The actor whose turn this is, and its parent. */
struct rt_ref rt_self(const struct rt_turn *t);
struct rt_ref rt_parent(const struct rt_turn *t);

/* `return rt_fail(t, -EPROTO);` ends the actor as failed. */
enum rt_next rt_fail(struct rt_turn *t, int error);

/* Orders an actor to end now, before what waits in its inbox. */
void rt_stop(struct rt_turn *t, struct rt_ref who);
/* Orders it to end once it has handled what was sent to it so far. */
void rt_drain(struct rt_turn *t, struct rt_ref who);

/*
 * Asks for one RT_DOWN when `who` ends; it comes at once, with
 * RT_WHY_NOBODY, when that has already happened.
 */
void rt_monitor(struct rt_turn *t, struct rt_ref who);
/* Takes one rt_monitor back; an RT_DOWN under way may still arrive. */
void rt_demonitor(struct rt_turn *t, struct rt_ref who);

/* ---- time -------------------------------------------------------------- */

/* Body of the message rt_after sends. */
struct rt_alarm {
    uint64_t id;
};

/*
 * Sends the current actor a message of this kind after `ms` milliseconds.
 * The returned id is in its body, so that a handler can tell a timer it has
 * since cancelled. Timers die with their actor.
 */
uint64_t rt_after(struct rt_turn *t, uint64_t ms, uint16_t kind);
/* Takes a timer back; one already under way may still arrive. */
void rt_cancel(struct rt_turn *t, uint64_t id);

/* Monotonic nanoseconds and wall-clock milliseconds, by the runtime. */
uint64_t rt_now(const struct rt_turn *t);
uint64_t rt_wall_ms(const struct rt_turn *t);
/* Random bits from the runtime's seed; not for secrets. */
uint64_t rt_random(struct rt_turn *t);

/* ---- descriptors, for actors that live on a loop ------------------------ */

struct rt_ready {
    int32_t fd;
    uint32_t events; /* EPOLLIN and friends */
    uint32_t serial; /* the runtime's */
};

/*
 * Sends the current actor RT_READY while `fd` has these epoll events (level
 * triggered). Called again it changes them. 0, or a negative errno: -EINVAL
 * when the actor lives in the pool.
 */
int rt_watch(struct rt_turn *t, int fd, uint32_t events);
/* Must be called before the descriptor is closed. No RT_READY comes after it,
 * also none that was on its way. */
void rt_unwatch(struct rt_turn *t, int fd);

/* ---- supervision -------------------------------------------------------- */

enum rt_restart {
    RT_PERMANENT, /* always started again */
    RT_TRANSIENT, /* only after a failure */
    RT_TEMPORARY, /* never */
};

enum rt_strategy {
    RT_ONE_FOR_ONE,  /* only the child that ended */
    RT_ONE_FOR_ALL,  /* all children */
    RT_REST_FOR_ONE, /* it and those started after it */
};

struct rt_child {
    const struct rt_behaviour *behaviour;
    const void *init; /* borrowed for the supervisor's life */
    unsigned home;
    enum rt_restart restart;
};

/* Body of the message that tells which child runs where. */
struct rt_started {
    uint32_t index;
    struct rt_ref ref;
};

struct rt_supervisor {
    const struct rt_child *children; /* copied */
    unsigned count;
    enum rt_strategy strategy;
    unsigned max_restarts; /* more than this many ... */
    uint64_t window_ms;    /* ... within this time: it fails itself */
    struct rt_ref tell;    /* gets struct rt_started at every start */
    uint16_t tell_kind;
};

/* Starts a supervisor with its children, as a child of the current actor. */
struct rt_ref rt_supervise(struct rt_turn *t, const struct rt_supervisor *s);

/* ---- the runtime itself ------------------------------------------------- */

struct rt_config {
    unsigned workers;       /* 0: one per core; at most 64 */
    unsigned loops;         /* 0: one */
    unsigned home;          /* the root's: RT_POOL (0), or RT_LOOP(n) */
    unsigned trace_records; /* per thread; 0: no trace */
    uint64_t seed;          /* 0: from the system */
};

/* Starts threads and the root actor. Aborts when the system has no memory. */
struct rt *rt_start(const struct rt_config *config,
                    const struct rt_behaviour *root, const void *init);
/* The root actor's address; any thread. */
struct rt_ref rt_root_any(const struct rt *rt);
/* Orders the root to stop, and with it everything; any thread. */
void rt_stop_any(struct rt *rt);
/*
 * Waits until the root has ended, ends the threads and frees everything.
 * Returns how many messages, actors or states were never freed: 0.
 */
uint64_t rt_join(struct rt *rt);
/* As rt_join, and writes the trace (Chrome's JSON) to `out` before. */
uint64_t rt_join_traced(struct rt *rt, FILE *out);

enum rt_dead {
    RT_DEAD_STALE,    /* the address is no (longer an) actor's */
    RT_DEAD_CLOSED,   /* it ended before it could take the message */
    RT_DEAD_STOPPING, /* it was ending and waited for its children */
    RT_DEAD_REASONS
};

struct rt_stats {
    uint64_t actors; /* alive now */
    uint64_t spawned;
    uint64_t sent;    /* messages */
    uint64_t waiting; /* of those: in mailboxes now */
    uint64_t turns;
    uint64_t steals;
    uint64_t parks;
    uint64_t wakes;
    uint64_t dead[RT_DEAD_REASONS];
};

/* A picture of the counters, each true for some recent moment. */
void rt_stats_any(struct rt *rt, struct rt_stats *out);
/* The same, in a turn. */
void rt_stats(const struct rt_turn *t, struct rt_stats *out);

struct rt_dead_letter {
    struct rt_ref to, from;
    uint16_t kind;
    enum rt_dead reason;
};

/* Copies the newest dead letters, oldest first; at most 256 are kept. */
unsigned rt_dead_letters_any(struct rt *rt, struct rt_dead_letter *out,
                             unsigned max);

#endif
