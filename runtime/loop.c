/* SPDX-License-Identifier: MIT */
/*
 * A loop takes turns: actors that wait, then descriptors and time.
 *
 * Others push onto `inject` and ring the bell only when `asleep` is set, so a
 * busy loop costs no sender a system call. The loop sets `asleep` before it
 * sleeps and looks at `inject` again behind a full fence; the submitter pushes,
 * fences and looks at `asleep`: one of the two sees the other. The bell itself
 * is the system's, and who hears it sees what was done before it rang.
 */
#include "runtime/loop.h"

#include <errno.h>
#include <stdlib.h>

#include "runtime/msg.h"
#include "runtime/os.h"
#include "runtime/poller.h"

/* Turns between two looks at the descriptors. */
#define LOOP_TURNS 64

/* Of a descriptor's number, which the kernel gives away again as soon as it is
 * closed: the serial tells the one that is watched from those before it. */
struct watch {
    struct rt_ref owner;
    uint32_t serial;
    bool is_on;
};

struct loop {
    ck_stack_t inject;
    uint32_t asleep;
    struct poller *poller;
    struct rt_seat *seat __attribute__((aligned(64)));
    struct rt_actor *first, *last; /* actors to run, private */
    uint64_t alarm;
    struct rt_ref alarm_owner;
    struct watch *watches; /* by descriptor */
    int watch_count;
    struct os_thread *thread;
} __attribute__((aligned(64)));

static void append(struct loop *loop, struct rt_actor *a)
{
    a->exit.next = NULL;
    if (loop->first == NULL)
        loop->first = a;
    else
        loop->last->exit.next = (struct rt_msg *)a;
    loop->last = a;
}

void loop_submit(struct rt_seat *seat, struct rt_actor *a)
{
    struct loop *loop = &seat->rt->loops[a->home - RT_LOOP(0)];
    uint32_t asleep = 1;

    if (seat->loop == loop) {
        append(loop, a);
        return;
    }
    ck_stack_push_upmc(&loop->inject, (ck_stack_entry_t *)&a->exit.next);
    atomic_fence();
    if (atomic_load_relaxed(&loop->asleep) &&
        atomic_cas_relaxed(&loop->asleep, &asleep, 0))
        poller_ring(loop->poller);
}

static void drain_inject(struct loop *loop)
{
    struct rt_actor *a, *oldest = NULL;

    if (atomic_load_relaxed(&loop->inject.head) == NULL)
        return;
    a = (struct rt_actor *)ck_stack_batch_pop_upmc(&loop->inject);
    while (a != NULL) {
        struct rt_actor *next = (struct rt_actor *)a->exit.next;
        a->exit.next = (struct rt_msg *)oldest;
        oldest = a;
        a = next;
    }
    while (oldest != NULL) {
        struct rt_actor *next = (struct rt_actor *)oldest->exit.next;
        append(loop, oldest);
        oldest = next;
    }
}

static void run_turns(struct loop *loop)
{
    for (unsigned i = 0; i < LOOP_TURNS; i++) {
        struct rt_actor *a;

        drain_inject(loop);
        if ((a = loop->first) == NULL)
            return;
        loop->first = (struct rt_actor *)a->exit.next;
        if (actor_turn(loop->seat, a))
            append(loop, a);
    }
}

static void on_ready(void *arg, int fd, uint32_t events)
{
    struct loop *loop = arg;
    struct rt_msg *m =
        msg_create(loop->seat, RT_READY, sizeof(struct rt_ready));

    *(struct rt_ready *)rt_body(m) = (struct rt_ready){
        .fd = fd, .events = events, .serial = loop->watches[fd].serial};
    /* An owner that died without unwatching must not spin the loop. */
    if (!msg_deliver(loop->seat, loop->watches[fd].owner, m)) {
        poller_unwatch(loop->poller, fd);
        loop->watches[fd].is_on = false;
    }
}

static void sound_alarm(struct loop *loop)
{
    struct rt_msg *m;

    if (loop->alarm == OS_NEVER || os_now() < loop->alarm)
        return;
    loop->alarm = OS_NEVER;
    m = msg_create(loop->seat, SYS_TICK, 0);
    msg_deliver(loop->seat, loop->alarm_owner, m);
}

static bool has_work(struct loop *loop)
{
    return loop->first != NULL ||
           atomic_load_relaxed(&loop->inject.head) != NULL ||
           atomic_load_relaxed(&loop->seat->rt->stopping);
}

static void loop_main(void *arg)
{
    struct loop *loop = arg;

    for (;;) {
        uint64_t deadline;

        run_turns(loop);
        if (atomic_load_relaxed(&loop->seat->rt->stopping))
            return;
        deadline = loop->alarm;
        atomic_store_relaxed(&loop->asleep, 1);
        atomic_fence();
        if (has_work(loop))
            deadline = 0;
        poller_wait(loop->poller, deadline, on_ready, loop);
        atomic_store_relaxed(&loop->asleep, 0);
        sound_alarm(loop);
    }
}

void loop_alarm(struct rt_turn *t, uint64_t deadline)
{
    t->seat->loop->alarm = deadline;
    t->seat->loop->alarm_owner = rt_self(t);
}

static void grow_watches(struct loop *loop, int fd)
{
    int was = loop->watch_count, count = was;

    while (count <= fd)
        count = count == 0 ? 64 : count * 2;
    loop->watches =
        realloc(loop->watches, (size_t)count * sizeof(*loop->watches));
    if (loop->watches == NULL)
        os_panic("out of memory for %d descriptors", count);
    memset(loop->watches + was, 0,
           (size_t)(count - was) * sizeof(*loop->watches));
    loop->watch_count = count;
}

int rt_watch(struct rt_turn *t, int fd, uint32_t events)
{
    struct loop *loop = t->seat->loop;
    int error;

    if (loop == NULL || fd < 0)
        return -EINVAL;
    /* Only what the kernel takes for a descriptor gets a place in the table. */
    if ((error = poller_watch(loop->poller, fd, events)) != 0)
        return error;
    if (fd >= loop->watch_count)
        grow_watches(loop, fd);
    loop->watches[fd] = (struct watch){.owner = rt_self(t),
                                       .serial = loop->watches[fd].serial +
                                                 !loop->watches[fd].is_on,
                                       .is_on = true};
    return 0;
}

void rt_unwatch(struct rt_turn *t, int fd)
{
    struct loop *loop = t->seat->loop;

    if (loop == NULL)
        return;
    poller_unwatch(loop->poller, fd);
    if (fd >= 0 && fd < loop->watch_count)
        loop->watches[fd].is_on = false;
}

bool loop_watches(struct rt_turn *t, const struct rt_ready *ready)
{
    const struct watch *w = &t->seat->loop->watches[ready->fd];

    return w->is_on && w->serial == ready->serial;
}

void loop_start(struct rt *rt)
{
    size_t bytes = rt->loop_count * sizeof(*rt->loops);

    rt->loops = os_alloc(bytes, 64);
    memset(rt->loops, 0, bytes);
    for (unsigned i = 0; i < rt->loop_count; i++) {
        struct loop *loop = &rt->loops[i];
        loop->poller = poller_create();
        loop->alarm = OS_NEVER;
        loop->seat = &rt->seats[rt->worker_count + i];
        loop->seat->loop = loop;
    }
    for (unsigned i = 0; i < rt->loop_count; i++)
        rt->loops[i].thread =
            os_thread_start("rt-loop", loop_main, &rt->loops[i]);
}

void loop_finish(struct rt *rt)
{
    for (unsigned i = 0; i < rt->loop_count; i++)
        poller_ring(rt->loops[i].poller);
    /* All of them first: one may yet be ringing another. */
    for (unsigned i = 0; i < rt->loop_count; i++)
        os_thread_join(rt->loops[i].thread);
    for (unsigned i = 0; i < rt->loop_count; i++) {
        poller_destroy(rt->loops[i].poller);
        free(rt->loops[i].watches);
    }
    free(rt->loops);
}
