/*
 * A seat: what one thread of the runtime has to itself (memory, counters,
 * randomness, trace), and `struct rt`, what all of them share. Everything in
 * a seat is written by its own thread alone; counters may be read by others.
 */
#ifndef RUNTIME_SEAT_H
#define RUNTIME_SEAT_H

#include "runtime/atomic.h"
#include "runtime/lock.h"
#include "runtime/pool.h"
#include "runtime/rt.h"

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#define RT_WORKERS_MAX 64
#define RT_LOOPS_MAX 16
#define RT_SEATS_MAX 128 /* workers, loops and one for the rest */
#define RT_DEAD_KEPT 256

struct rt_actor;
struct worker;
struct loop;
struct trace;

enum seat_count {
    SEAT_BORN, /* actors */
    SEAT_DIED,
    SEAT_SENT, /* messages */
    SEAT_READ, /* of those: out of their mailbox again, or refused */
    SEAT_TURNS,
    SEAT_STEALS,
    SEAT_PARKS,
    SEAT_WAKES,
    SEAT_DEAD, /* one for each enum rt_dead */
    SEAT_COUNTS = SEAT_DEAD + RT_DEAD_REASONS
};

struct rt_seat {
    struct rt *rt;
    struct worker *worker; /* set when the thread is a worker */
    struct loop *loop;     /* set when it is a loop */
    struct pool_cache pool;
    struct rt_actor *fresh, *fresh_end; /* slots never used yet */
    uint64_t fresh_index;
    struct rt_actor *free; /* slots of dead actors */
    unsigned free_count;
    uint64_t random;
    uint64_t timers; /* last id of rt_after: unlike those of other seats */
    uint64_t count[SEAT_COUNTS];
    struct trace *trace;
} __attribute__((aligned(64)));

struct rt {
    struct rt_actor **slabs; /* this and the next three: slot.c */
    unsigned slab_count;
    struct lock slot_lock;
    struct rt_actor *free_slots;

    struct worker *workers;
    struct loop *loops;
    unsigned worker_count, loop_count;
    struct pool *pool;

    ck_stack_t inject __attribute__((aligned(64))); /* actors for any worker */
    uint64_t parked __attribute__((aligned(64)));   /* a bit per worker */
    uint32_t searching;
    unsigned spin;     /* looks for work before a worker parks */
    uint32_t stopping; /* threads are to leave */
    uint32_t started;  /* the root exists */
    uint32_t over;     /* the last actor has gone */

    struct rt_ref guardian, root, clock;

    struct lock outside_lock; /* guards the seat of foreign threads */
    struct rt_seat outside;
    struct rt_seat *seats; /* workers, then loops */

    struct lock dead_lock;
    uint64_t dead_total;
    struct rt_dead_letter dead[RT_DEAD_KEPT];

    struct rt_config config;
};

/* Counters are read by other threads: a whole store. Plain on x86. */
static inline void seat_add_many(struct rt_seat *seat, enum seat_count what,
                                 uint64_t n)
{
    atomic_store_relaxed(&seat->count[what], seat->count[what] + n);
}

static inline void seat_add(struct rt_seat *seat, enum seat_count what)
{
    seat_add_many(seat, what, 1);
}

/*
 * For the ends of things: who sees an actor's death counted sees its birth
 * counted too, and of a message that was read that it was sent.
 */
static inline void seat_add_end(struct rt_seat *seat, enum seat_count what)
{
    atomic_store_release(&seat->count[what], seat->count[what] + 1);
}

/* xorshift64*: good enough to choose by, and one line. */
static inline uint64_t seat_random(struct rt_seat *seat)
{
    uint64_t x = seat->random;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    seat->random = x;
    return x * 2685821657736338717ull;
}

#endif
