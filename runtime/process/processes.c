/* SPDX-License-Identifier: MIT */
/* The processes actor. See process.h for what it is asked. */
#include "runtime/process/processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "runtime/os.h"
#include "runtime/process/env_tree.h"
#include "runtime/text/array.h"
#include "runtime/text/bytes.h"
#include "runtime/text/slice.h"

/* ---- tables ---------------------------------------------------------- */

static uint64_t hash_id(const char *id)
{
    return slice_hash(SLICE_HASH, slice_cstr(id));
}

static struct child *by_owner(struct processes *ps, struct rt_ref owner)
{
    return INDEX_ITEM(struct child, by_owner,
                      index_find(&ps->by_owner, owner.id));
}

struct child *processes_by_id(struct processes *ps, const char *id)
{
    struct index_link *l = index_find(&ps->by_id, hash_id(id));

    while (l != NULL &&
           strcmp(INDEX_ITEM(struct child, by_id, l)->spec->id, id) != 0)
        l = index_next(l);
    return INDEX_ITEM(struct child, by_id, l);
}

struct child *processes_by_ticket(struct processes *ps, uint64_t ticket)
{
    return INDEX_ITEM(struct child, by_ticket,
                      index_find(&ps->by_ticket, ticket));
}

static void enter(struct processes *ps, struct child *c)
{
    LIST_PREPEND(&ps->children, c, link);
    index_add(&ps->by_owner, &c->by_owner, c->owner.id);
    index_add(&ps->by_id, &c->by_id, hash_id(c->spec->id));
    index_add(&ps->by_ticket, &c->by_ticket, c->ticket);
}

static void tell_no_orphans(struct rt_turn *t, struct processes *ps)
{
    if (ps->orphans > 0 || ps->orphans_asker.id == 0)
        return;
    rt_tell(t, ps->orphans_asker, PROCESS_NO_ORPHANS, NULL, 0);
    ps->orphans_asker = RT_NOBODY;
}

void processes_forget(struct rt_turn *t, struct processes *ps, struct child *c)
{
    if (c->owner.id != 0) {
        index_remove(&ps->by_owner, &c->by_owner);
        rt_demonitor(t, c->owner);
    } else {
        ps->orphans--;
    }
    index_remove(&ps->by_id, &c->by_id);
    index_remove(&ps->by_ticket, &c->by_ticket);
    LIST_REMOVE(&ps->children, c, link);
    child_destroy(t, ps, c);
    tell_no_orphans(t, ps);
}

/* ---- descriptors ----------------------------------------------------- */

int processes_watch(struct rt_turn *t, struct processes *ps, int fd, int what,
                    void *of)
{
    int error = rt_watch(t, fd, EPOLLIN);

    ARRAY_REACH(ps->fds, &ps->fd_count, (size_t)fd);
    if (error == 0)
        ps->fds[fd] = (struct fd_use){.what = what, .of = of};
    return error;
}

void processes_unwatch(struct rt_turn *t, struct processes *ps, int fd)
{
    if ((size_t)fd < ps->fd_count)
        ps->fds[fd] = (struct fd_use){0};
    rt_unwatch(t, fd);
}

static void on_ready(struct rt_turn *t, struct processes *ps,
                     const struct rt_ready *ready)
{
    struct fd_use use = {0};

    if ((size_t)ready->fd < ps->fd_count)
        use = ps->fds[ready->fd];
    switch (use.what) {
    case FD_LISTEN:
        link_on_listener(t, ps);
        break;
    case FD_TAILS:
        if (tails_look(ps->tails))
            processes_rest(t, ps, tails_pause(ps->tails, rt_now(t) / 1000000));
        break;
    case FD_PEER:
        link_on_ready(t, ps, use.of);
        break;
    case FD_WARDEN:
        child_on_warden_dead(t, ps, use.of);
        break;
    case FD_REAP:
        child_reap(t, ps, ready->fd);
        break;
    case FD_NEWS:
        news_on_ready(t, ps, ready->fd);
        break;
    case FD_NONE: /* what is closed is not told of any more */
        break;
    }
}

/* ---- messages -------------------------------------------------------- */

static void refuse(struct rt_turn *t, struct rt_ref owner,
                   const struct process_spec *spec, int error)
{
    struct process_exit *exit =
        warden_record_make_exit(PROCESS_NEVER_RAN, error, "start", spec);

    rt_pass_take(t, owner, PROCESS_GONE, &exit->obj);
}

static void order_start(struct rt_turn *t, struct processes *ps,
                        struct child *c)
{
    struct rt_msg *m = rt_msg(t, SPAWNER_START, sizeof(struct spawner_start));
    struct spawner_start *order = rt_body(m);

    m->flags = RT_CARRIES;
    order->spec = RT_KEEP(c->spec);
    order->ticket = c->ticket;
    rt_send(t, ps->spawner, m);
}

static void on_new(struct rt_turn *t, struct processes *ps, struct rt_msg *m)
{
    struct process_spec *spec = RT_OBJ(m, struct process_spec);
    struct child *c;

    /* An owner has one process, and an id one owner. */
    if (processes_by_id(ps, spec->id) != NULL ||
        by_owner(ps, m->from) != NULL) {
        refuse(t, m->from, spec, EEXIST);
        return;
    }
    /* Started without descriptors to hear of it, its lease would end it. */
    if (m->kind == PROCESS_START && ps->by_id.count >= process_capacity()) {
        refuse(t, m->from, spec, EMFILE);
        return;
    }
    c = child_create(ps, m->from, spec);
    enter(ps, c);
    rt_monitor(t, c->owner);
    c->has_run = m->kind == PROCESS_ADOPT_STARTED;
    if (m->kind == PROCESS_START)
        order_start(t, ps, c);
    else
        child_adopt(t, ps, c);
}

static void on_spawned(struct rt_turn *t, struct processes *ps,
                       struct spawner_started *s)
{
    struct child *c = processes_by_ticket(ps, s->ticket);

    if (c != NULL)
        child_on_spawned(t, ps, c, s);
}

static void on_killed(struct rt_turn *t, struct processes *ps,
                      const struct spawner_killed *s)
{
    struct child *c = processes_by_ticket(ps, s->ticket);

    if (c != NULL)
        child_on_killed(t, ps, c, s->left);
}

static void on_cpu(struct rt_turn *t, struct child *c)
{
    struct process_cpu used = {0};

    if (c->warden > 0)
        used.ms = env_tree_cpu_ms(c->warden);
    rt_tell(t, c->owner, PROCESS_CPU_USED, &used, sizeof(used));
}

/* Its output is wanted no more: it is ended, and not read. */
static void on_owner_dead(struct rt_turn *t, struct processes *ps,
                          struct child *c)
{
    index_remove(&ps->by_owner, &c->by_owner);
    c->owner = RT_NOBODY;
    ps->orphans++;
    tail_close(ps->tails, &c->tail);
    if (c->phase == CHILD_ENDED)
        child_finish(t, ps, c);
    else
        child_order_end(t, ps, c, c->spec->grace_ms);
    processes_pump(
        t, ps); /* its chunks under way no longer count against the others */
}

static void on_owners(struct rt_turn *t, struct processes *ps, struct rt_msg *m)
{
    struct child *c = by_owner(ps, m->from);

    if (c == NULL)
        return; /* it has gone already */
    if (m->kind == PROCESS_CREDIT) {
        tail_credit(ps->tails, &c->tail);
        processes_pump(t, ps);
    } else if (m->kind == PROCESS_CPU)
        on_cpu(t, c);
    else if (m->kind == RT_DOWN)
        on_owner_dead(t, ps, c);
    else if (m->kind == PROCESS_END)
        child_order_end(t, ps, c,
                        ((const struct process_end *)rt_body(m))->grace_ms);
}

static void on_time(struct rt_turn *t, struct processes *ps, struct rt_msg *m)
{
    if (m->kind == PROCESSES_PUMP) {
        ps->is_pumping = false;
        processes_pump(t, ps);
    } else if (m->kind == PROCESSES_RESTED) {
        processes_on_rested(t, ps);
    } else if (m->kind == PROCESSES_LOOK) {
        processes_look(t, ps);
    } else {
        child_on_overdue(t, ps, rt_body(m));
    }
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct processes *ps = *(struct processes **)state;

    switch (m->kind) {
    case PROCESS_START:
    case PROCESS_ADOPT:
    case PROCESS_ADOPT_STARTED:
        on_new(t, ps, m);
        break;
    case RT_READY:
        on_ready(t, ps, rt_body(m));
        break;
    case SPAWNER_STARTED:
        on_spawned(t, ps, RT_OBJ(m, struct spawner_started));
        break;
    case SPAWNER_NEWS:
        news_open(t, ps, RT_OBJ(m, struct spawner_news));
        break;
    case SPAWNER_KILLED:
        on_killed(t, ps, rt_body(m));
        break;
    case PROCESSES_PUMP:
    case PROCESSES_RESTED:
    case PROCESSES_LOOK:
    case PROCESSES_OVERDUE:
        on_time(t, ps, m);
        break;
    /* By way of our own inbox: the death of an owner who had ended before we
     * knew of it waits there. */
    case PROCESS_ORPHANS:
        rt_tell(t, rt_self(t), PROCESSES_TELL_ORPHANS, &m->from,
                sizeof(m->from));
        break;
    case PROCESSES_TELL_ORPHANS:
        ps->orphans_asker = *(const struct rt_ref *)rt_body(m);
        tell_no_orphans(t, ps);
        break;
    case RT_EXIT: /* the spawner: we cannot go on without it */
        return rt_fail(t, -EPIPE);
    default:
        on_owners(t, ps, m);
        break;
    }
    return RT_OK;
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct processes *ps = *(struct processes **)state;
    int error = tails_create(&ps->tails);

    if (error == 0)
        error = processes_watch(t, ps, tails_fd(ps->tails), FD_TAILS, NULL);
    if (error == 0)
        error = link_listen(t, ps);
    if (error != 0)
        return rt_fail(t, error);
    ps->spawner = spawner_start(t, ps->config.spawn_home, &ps->config);
    return RT_OK;
}

/* Wardens are left alone: they wait for the next hub, as long as their lease
 * lasts. */
static void stop(struct rt_turn *t, void *state)
{
    struct processes *ps = *(struct processes **)state;

    LIST_EACH (c, &ps->children, link)
        processes_forget(t, ps, c);
    LIST_EACH (p, &ps->unclaimed, link)
        link_close(t, ps, p);
    for (int fd = 0; (size_t)fd < ps->fd_count; fd++) {
        if (ps->fds[fd].what == FD_REAP)
            child_reap(t, ps, fd);
        else if (ps->fds[fd].what == FD_NEWS)
            news_close(t, ps, fd);
    }
    if (ps->tails != NULL && !ps->is_resting)
        processes_unwatch(t, ps, tails_fd(ps->tails));
    tails_destroy(ps->tails);
    link_shut(t, ps);
    free((void *)(uintptr_t)ps->config.socket);
    free((void *)(uintptr_t)ps->config.warden);
    free((void *)(uintptr_t)ps->config.build);
    index_finish(&ps->by_owner);
    index_finish(&ps->by_id);
    index_finish(&ps->by_ticket);
    free(ps->fds);
    free(ps);
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
    struct processes *ps = os_alloc(sizeof(*ps), 64);

    *ps = (struct processes){.config = *config, .listener = -1};
    ps->config.socket = bytes_text("%s", config->socket);
    ps->config.warden = bytes_text("%s", config->warden);
    ps->config.build = bytes_text("%s", config->build);
    if (ps->config.give_up_ms == 0)
        ps->config.give_up_ms = PROCESS_GIVE_UP_MS;
    return rt_spawn_at(t, home, &behaviour, &ps);
}
