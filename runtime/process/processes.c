/* SPDX-License-Identifier: MIT */
/* The processes actor: keeper of all processes. See process.h for what it is
 * asked. */
#include "runtime/process/processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/os.h"
#include "runtime/process/env_tree.h"
#include "runtime/text/array.h"
#include "runtime/text/bytes.h"
#include "runtime/text/slice.h"

/* Chunks read in one turn: the loop has others to serve. */
#define PUMP_CHUNKS 64

/* ---- tables ---------------------------------------------------------- */

static uint64_t hash_id(const char *id)
{
    return slice_hash(SLICE_HASH, slice_cstr(id));
}

static struct child *by_owner(struct processes *w, struct rt_ref owner)
{
    return INDEX_ITEM(struct child, by_owner,
                      index_find(&w->by_owner, owner.id));
}

struct child *processes_by_id(struct processes *w, const char *id)
{
    struct index_link *l = index_find(&w->by_id, hash_id(id));

    while (l != NULL &&
           strcmp(INDEX_ITEM(struct child, by_id, l)->spec->id, id) != 0)
        l = index_next(l);
    return INDEX_ITEM(struct child, by_id, l);
}

/* Tickets outlive their children: an answer may come when nobody asks. */
static struct child *by_ticket(struct processes *w, uint64_t ticket)
{
    return INDEX_ITEM(struct child, by_ticket,
                      index_find(&w->by_ticket, ticket));
}

static void enter(struct processes *w, struct child *c)
{
    LIST_PREPEND(&w->children, c, link);
    index_add(&w->by_owner, &c->by_owner, c->owner.id);
    index_add(&w->by_id, &c->by_id, hash_id(c->spec->id));
    index_add(&w->by_ticket, &c->by_ticket, c->ticket);
}

static void tell_mourner(struct rt_turn *t, struct processes *w)
{
    if (w->orphans > 0 || w->mourner.id == 0)
        return;
    rt_tell(t, w->mourner, PROCESS_NO_ORPHANS, NULL, 0);
    w->mourner = RT_NOBODY;
}

void processes_forget(struct rt_turn *t, struct processes *w, struct child *c)
{
    if (c->owner.id != 0) {
        index_remove(&w->by_owner, &c->by_owner);
        rt_demonitor(t, c->owner);
    } else {
        w->orphans--;
    }
    index_remove(&w->by_id, &c->by_id);
    index_remove(&w->by_ticket, &c->by_ticket);
    LIST_REMOVE(&w->children, c, link);
    child_destroy(t, w, c);
    tell_mourner(t, w);
}

/* ---- descriptors ----------------------------------------------------- */

int processes_watch(struct rt_turn *t, struct processes *w, int fd, int what,
                    void *of)
{
    int error = rt_watch(t, fd, EPOLLIN);

    ARRAY_REACH(w->fds, &w->fd_count, (size_t)fd);
    if (error == 0)
        w->fds[fd] = (struct seat_of){.what = what, .of = of};
    return error;
}

void processes_unwatch(struct rt_turn *t, struct processes *w, int fd)
{
    if ((size_t)fd < w->fd_count)
        w->fds[fd] = (struct seat_of){0};
    rt_unwatch(t, fd);
}

/* A warden whose agent is done with: only to be waited for. */
static void reap(struct rt_turn *t, struct processes *w, int fd)
{
    siginfo_t info;

    waitid(P_PIDFD, (id_t)fd, &info, WEXITED | WNOHANG);
    processes_unwatch(t, w, fd);
    close(fd);
}

static void on_ready(struct rt_turn *t, struct processes *w,
                     const struct rt_ready *ready)
{
    struct seat_of seat = {0};
    uint64_t pause;

    if ((size_t)ready->fd < w->fd_count)
        seat = w->fds[ready->fd];
    switch (seat.what) {
    case FD_LISTEN:
        link_on_listener(t, w);
        break;
    case FD_TAILS:
        if ((pause = tails_look(w->tails)) > 0)
            processes_pump_soon(t, w, pause);
        break;
    case FD_PEER:
        link_on_ready(t, w, seat.of);
        break;
    case FD_WARDEN:
        child_on_warden_dead(t, w, seat.of);
        break;
    case FD_REAP:
        reap(t, w, ready->fd);
        break;
    case FD_NONE: /* closed between its event and this turn */
        break;
    }
}

/* ---- reading --------------------------------------------------------- */

void processes_pump_soon(struct rt_turn *t, struct processes *w, uint64_t ms)
{
    if (w->is_pumping)
        return;
    w->is_pumping = true;
    if (ms > 0)
        rt_after(t, ms - 1, PROCESSES_PUMP); /* the clock rounds up */
    else
        rt_tell(t, rt_self(t), PROCESSES_PUMP, NULL, 0);
}

static void send_chunk(struct rt_turn *t, struct child *c,
                       struct process_chunk *chunk)
{
    rt_pass_take(t, c->owner, PROCESS_CHUNK, &chunk->obj);
}

static void pump(struct rt_turn *t, struct processes *w)
{
    for (unsigned i = 0; i < PUMP_CHUNKS; i++) {
        struct tail *from;
        struct process_chunk *chunk =
            tails_read(w->tails, &from, child_transcript);

        if (from == NULL) {
            if (tails_are_blind(w->tails))
                processes_look_soon(t, w);
            return;
        }
        if (chunk != NULL)
            send_chunk(t, (struct child *)from, chunk);
        if (from->is_drained)
            child_finish(t, w, (struct child *)from);
    }
    processes_pump_soon(t, w, 0);
}

/* ---- the regular look ------------------------------------------------ */

void processes_look_soon(struct rt_turn *t, struct processes *w)
{
    if (w->is_looking)
        return;
    w->is_looking = true;
    rt_after(t, PROCESSES_LOOK_MS, PROCESSES_LOOK);
}

static void look(struct rt_turn *t, struct processes *w)
{
    w->is_looking = false;
    link_look(t, w);
    LIST_EACH (c, &w->children, link)
        child_look(t, w, c);
}

/* ---- messages -------------------------------------------------------- */

static void refuse(struct rt_turn *t, struct rt_ref owner,
                   const struct process_spec *spec, int error)
{
    struct rt_msg *m = rt_msg(t, PROCESS_GONE, sizeof(struct process_exit *));

    m->flags = RT_CARRIES;
    RT_OBJ(m, struct process_exit) =
        warden_record_make_exit(PROCESS_NEVER_RAN, error, "start", spec);
    rt_send(t, owner, m);
}

static void order_start(struct rt_turn *t, struct processes *w, struct child *c)
{
    struct rt_msg *m = rt_msg(t, SPAWNER_START, sizeof(struct spawner_start));
    struct spawner_start *order = rt_body(m);

    m->flags = RT_CARRIES;
    order->spec = RT_KEEP(c->spec);
    order->ticket = c->ticket;
    rt_send(t, w->spawner, m);
}

static void on_new(struct rt_turn *t, struct processes *w, struct rt_msg *m)
{
    struct process_spec *spec = RT_OBJ(m, struct process_spec);
    struct child *c;

    /* An owner has one process, and an id one owner. */
    if (processes_by_id(w, spec->id) != NULL || by_owner(w, m->from) != NULL) {
        refuse(t, m->from, spec, EEXIST);
        return;
    }
    /* Started without descriptors to hear of it, its lease would end it. */
    if (m->kind == PROCESS_START && w->by_id.count >= process_capacity()) {
        refuse(t, m->from, spec, EMFILE);
        return;
    }
    c = child_create(w, m->from, spec);
    enter(w, c);
    rt_monitor(t, c->owner);
    if (m->kind == PROCESS_ADOPT)
        child_adopt(t, w, c);
    else
        order_start(t, w, c);
}

static void on_spawned(struct rt_turn *t, struct processes *w,
                       struct spawner_started *s)
{
    struct child *c = by_ticket(w, s->ticket);

    if (c != NULL)
        child_on_spawned(t, w, c, s);
}

static void on_swept(struct rt_turn *t, struct processes *w,
                     const struct spawner_swept *s)
{
    struct child *c = by_ticket(w, s->ticket);

    if (c != NULL)
        child_on_killed(t, w, c);
}

static void on_credit(struct rt_turn *t, struct processes *w, struct child *c)
{
    tail_credit(w->tails, &c->tail);
    pump(t, w);
}

static void on_cpu(struct rt_turn *t, struct child *c)
{
    struct process_cpu used = {0};

    if (c->warden > 0)
        used.ms = env_tree_cpu_ms(c->warden);
    rt_tell(t, c->owner, PROCESS_CPU_USED, &used, sizeof(used));
}

/* Nobody wants the process any more: it is ended, and not read. */
static void on_owner_dead(struct rt_turn *t, struct processes *w,
                          struct child *c)
{
    index_remove(&w->by_owner, &c->by_owner);
    c->owner = RT_NOBODY;
    w->orphans++;
    tail_close(w->tails, &c->tail);
    if (c->phase == CHILD_ENDED)
        child_finish(t, w, c);
    else
        child_order_end(t, w, c, c->spec->grace_ms);
    pump(t, w); /* its chunks under way no longer count against the others */
}

static void on_owners(struct rt_turn *t, struct processes *w, struct rt_msg *m)
{
    struct child *c = by_owner(w, m->from);

    if (c == NULL)
        return; /* it has gone already */
    if (m->kind == PROCESS_CREDIT)
        on_credit(t, w, c);
    else if (m->kind == PROCESS_CPU)
        on_cpu(t, c);
    else if (m->kind == RT_DOWN)
        on_owner_dead(t, w, c);
    else if (m->kind == PROCESS_END)
        child_order_end(t, w, c,
                        ((const struct process_end *)rt_body(m))->grace_ms);
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct processes *w = *(struct processes **)state;

    switch (m->kind) {
    case PROCESS_START:
    case PROCESS_ADOPT:
        on_new(t, w, m);
        break;
    case RT_READY:
        on_ready(t, w, rt_body(m));
        break;
    case SPAWNER_STARTED:
        on_spawned(t, w, RT_OBJ(m, struct spawner_started));
        break;
    case SPAWNER_KILLED:
        on_swept(t, w, rt_body(m));
        break;
    case PROCESSES_PUMP:
        w->is_pumping = false;
        pump(t, w);
        break;
    case PROCESSES_LOOK:
        look(t, w);
        break;
    /* By way of our own inbox: the death of an owner who had ended before we
     * knew of it waits there. */
    case PROCESS_ORPHANS:
        rt_tell(t, rt_self(t), PROCESSES_MOURN, &m->from, sizeof(m->from));
        break;
    case PROCESSES_MOURN:
        w->mourner = *(const struct rt_ref *)rt_body(m);
        tell_mourner(t, w);
        break;
    case RT_EXIT: /* the spawner: we cannot go on without it */
        return rt_fail(t, -EPIPE);
    default:
        on_owners(t, w, m);
        break;
    }
    return RT_OK;
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct processes *w = *(struct processes **)state;
    int error = tails_create(&w->tails);

    if (error == 0)
        error = processes_watch(t, w, tails_fd(w->tails), FD_TAILS, NULL);
    if (error == 0)
        error = link_listen(t, w);
    if (error != 0)
        return rt_fail(t, error);
    w->spawner = spawner_start(t, w->config.spawn_home, &w->config);
    return RT_OK;
}

/* Wardens are left alone: they wait for the next hub, as long as their lease
 * lasts. */
static void stop(struct rt_turn *t, void *state)
{
    struct processes *w = *(struct processes **)state;

    LIST_EACH (c, &w->children, link)
        processes_forget(t, w, c);
    LIST_EACH (p, &w->strangers, link)
        link_close(t, w, p);
    for (int fd = 0; (size_t)fd < w->fd_count; fd++)
        if (w->fds[fd].what == FD_REAP)
            reap(t, w, fd);
    if (w->tails != NULL)
        processes_unwatch(t, w, tails_fd(w->tails));
    tails_destroy(w->tails);
    link_shut(t, w);
    free((void *)(uintptr_t)w->config.socket);
    free((void *)(uintptr_t)w->config.warden);
    free((void *)(uintptr_t)w->config.build);
    index_finish(&w->by_owner);
    index_finish(&w->by_id);
    index_finish(&w->by_ticket);
    free(w->fds);
    free(w);
}

static const struct rt_behaviour behaviour = {.name = "processes",
                                              .size =
                                                  sizeof(struct processes *),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref processes_spawn(struct rt_turn *t, unsigned home,
                              const struct process_config *config)
{
    struct processes *w = os_alloc(sizeof(*w), 64);

    memset(w, 0, sizeof(*w));
    w->config = *config;
    w->config.socket = bytes_text("%s", config->socket);
    w->config.warden = bytes_text("%s", config->warden);
    w->config.build = bytes_text("%s", config->build);
    w->listener = -1;
    return rt_spawn_at(t, home, &behaviour, &w);
}
