/* SPDX-License-Identifier: MIT */
/*
 * One process in the processes actor:
 *
 *   STARTING -> AWAITED <-> LINKED -> ENDED -> gone
 *                  |           |        ^
 *                  +-----------+-> KILLING
 *
 * What happened is read from the disk, not believed from a message: the
 * warden's exit record is there before the hub is told. What a warden that died
 * without a record left of its tree is killed before the process is given up.
 */
#include "runtime/process/processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/os.h"

/* What a warden exits with when it has started nothing (its main.c). */
#define WARDEN_TAKEN 75

void child_open_tail(struct processes *ps, struct child *c, int out)
{
    tail_open(ps->tails, &c->tail, out, c->spec->stdout_limit);
}

struct child *child_create(struct processes *ps, struct rt_ref owner,
                           struct process_spec *spec)
{
    struct child *c = os_alloc(sizeof(*c), 64);

    memset(c, 0, sizeof(*c));
    c->tail.fd = c->tail.watch = -1;
    c->owner = owner;
    c->spec = RT_KEEP(spec);
    c->ticket = ++ps->tickets;
    c->pidfd = -1;
    return c;
}

/* A warden of ours that still has to be waited for keeps its pidfd. */
static void leave_to_reaper(struct processes *ps, struct child *c)
{
    if (c->pidfd >= 0)
        ps->fds[c->pidfd] = (struct fd_use){.what = FD_REAP};
    c->pidfd = -1;
}

void child_reap(struct rt_turn *t, struct processes *ps, int pidfd)
{
    siginfo_t info;

    waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED | WNOHANG);
    processes_unwatch(t, ps, pidfd);
    close(pidfd);
}

void child_destroy(struct rt_turn *t, struct processes *ps, struct child *c)
{
    tail_close(ps->tails, &c->tail);
    if (c->overdue != 0)
        rt_cancel(t, c->overdue);
    leave_to_reaper(ps, c);
    if (c->peer != NULL)
        link_close(t, ps, c->peer);
    if (c->exit != NULL)
        rt_obj_drop(&c->exit->obj);
    rt_obj_drop(&c->spec->obj);
    free(c);
}

/* ---- beginning -------------------------------------------------------------
 */

void child_on_spawned(struct rt_turn *t, struct processes *ps, struct child *c,
                      struct spawner_started *s)
{
    if (s->error != 0) {
        child_set_exit(t, ps, c,
                       warden_record_make_exit(PROCESS_NEVER_RAN, s->error,
                                               s->stage, c->spec));
        return;
    }
    if (c->owner.id != 0) {
        child_open_tail(ps, c, s->out);
        s->out = -1;
        processes_rest(t, ps, TAIL_PAUSE_MS);
    }
    c->warden = s->pid;
    c->phase = CHILD_AWAITED;
    c->pidfd = (int)syscall(SYS_pidfd_open, s->pid, 0);
    if (c->pidfd < 0 || processes_watch(t, ps, c->pidfd, FD_WARDEN, c) != 0) {
        /* Without it the regular look finds the end by the lock. */
        if (c->pidfd >= 0)
            close(c->pidfd);
        c->pidfd = -1;
        processes_look_soon(t, ps);
    }
    link_claim(t, ps, c);
}

/* ---- the warden's words ---------------------------------------------- */

static void tell_started(struct rt_turn *t, struct child *c)
{
    struct process_started started = {.pid = c->cli,
                                      .started_at = c->started_at};

    if (c->was_told_started)
        return;
    if (started.started_at == 0)
        started.started_at = adopt_when_started(c);
    if (started.started_at == 0)
        started.started_at = rt_wall_ms(t);
    c->was_told_started = true;
    rt_tell(t, c->owner, PROCESS_STARTED, &started, sizeof(started));
}

void child_on_runs(struct rt_turn *t, struct child *c, pid_t cli,
                   uint64_t started_at)
{
    if (c->owner.id == 0)
        return;
    c->cli = cli;
    c->started_at = started_at;
    tell_started(t, c);
}

static void on_hello(struct rt_turn *t, struct processes *ps, struct child *c,
                     const struct warden_record *n)
{
    c->warden = n->warden;
    c->cli = n->cli;
    c->started_at = n->started_at;
    if (c->phase == CHILD_STARTING || c->phase == CHILD_AWAITED)
        c->phase = CHILD_LINKED;
    link_send(t, ps, c->peer, "welcome %llu\n",
              process_lease(&ps->config, c->spec));
    if (c->is_end_wanted && c->peer != NULL)
        link_send(t, ps, c->peer, "end %llu\n", c->end_grace_ms);
    if (n->cli > 0)
        tell_started(t, c);
}

void child_on_record(struct rt_turn *t, struct processes *ps, struct child *c,
                     const struct warden_record *n)
{
    if (n->kind == WARDEN_RECORD_HELLO)
        on_hello(t, ps, c, n);
    if (n->kind == WARDEN_RECORD_STARTED) {
        c->cli = n->cli;
        tell_started(t, c);
    }
    if ((n->kind == WARDEN_RECORD_ENDED || n->has_ended) && c->exit == NULL) {
        struct process_exit *exit = warden_record_read_exit(c->spec);
        /* A full disk keeps the record from us, but not the news. */
        if (exit == NULL)
            exit = warden_record_make_exit(PROCESS_INTERRUPTED, EIO, "record",
                                           c->spec);
        child_set_exit(t, ps, c, exit);
    }
}

void child_on_unlinked(struct rt_turn *t, struct processes *ps, struct child *c)
{
    c->peer = NULL;
    if (c->phase == CHILD_LINKED)
        c->phase = CHILD_AWAITED;
    if (c->pidfd < 0)
        processes_look_soon(t, ps);
}

void child_look(struct rt_turn *t, struct processes *ps, struct child *c)
{
    if (c->tail.fd >= 0 && c->tail.watch < 0) {
        tail_wake(ps->tails, &c->tail);
        processes_pump_soon(t, ps);
    }
    if (c->phase != CHILD_AWAITED || c->pidfd >= 0)
        return;
    if (!adopt_has_warden(c)) {
        adopt_close_without_warden(t, ps, c);
        return;
    }
    processes_look_soon(t, ps); /* it will connect, or its lease ends */
    link_claim(t, ps, c); /* or has: it may tell the end, and c is no more */
}

void child_on_warden_dead(struct rt_turn *t, struct processes *ps,
                          struct child *c)
{
    struct process_exit *exit;
    siginfo_t info = {0};

    waitid(P_PIDFD, (id_t)c->pidfd, &info, WEXITED | WNOHANG);
    processes_unwatch(t, ps, c->pidfd);
    close(c->pidfd);
    c->pidfd = -1;
    if (c->exit != NULL || c->phase == CHILD_KILLING)
        return;
    /* It left by itself, which it does when nothing is left of its tree. */
    if (info.si_code == CLD_EXITED && info.si_status == 0 &&
        (exit = warden_record_read_exit(c->spec)) != NULL) {
        child_set_exit(t, ps, c, exit);
        return;
    }
    /* Another warden has this agent: it will tell us, or its lock will. */
    if (info.si_code == CLD_EXITED && info.si_status == WARDEN_TAKEN &&
        adopt_has_warden(c))
        processes_look_soon(t, ps);
    else
        adopt_close_without_warden(t, ps, c);
}

void child_order_end(struct rt_turn *t, struct processes *ps, struct child *c,
                     uint64_t grace_ms)
{
    c->is_end_wanted = true;
    c->end_grace_ms = grace_ms;
    if (c->overdue == 0)
        c->overdue = rt_after(t, grace_ms + 2 * ps->config.give_up_ms,
                              PROCESSES_OVERDUE);
    if (c->peer != NULL)
        link_send(t, ps, c->peer, "end %llu\n", grace_ms);
}

/* A warden that lives has given up by now what it cannot kill, and said so. One
 * that is stopped, or is none and only holds the lock, has not. */
void child_on_overdue(struct rt_turn *t, struct processes *ps,
                      const struct rt_alarm *alarm)
{
    LIST_EACH (c, &ps->children, link) {
        if (c->overdue != alarm->id)
            continue;
        c->overdue = 0;
        if (c->phase == CHILD_AWAITED || c->phase == CHILD_LINKED)
            adopt_kill_rest(t, ps, c);
    }
}

/* ---- ending ---------------------------------------------------------- */

static struct process_exit *without_record(const struct child *c)
{
    uint64_t started_at = adopt_when_started(c);
    bool has_run = started_at != 0 || c->has_run || c->was_told_started;
    struct process_exit *exit = warden_record_make_exit(
        has_run ? PROCESS_INTERRUPTED : PROCESS_NEVER_RAN, has_run ? 0 : EIO,
        "warden", c->spec);

    exit->started_at = started_at;
    return exit;
}

void child_on_killed(struct rt_turn *t, struct processes *ps, struct child *c,
                     uint32_t left)
{
    struct process_exit *exit;

    if (c->phase != CHILD_KILLING)
        return;
    c->phase = CHILD_AWAITED;
    exit = warden_record_read_exit(c->spec);
    if (exit == NULL)
        exit = without_record(c);
    exit->left = left;
    child_set_exit(t, ps, c, exit);
}

static void tell_left(struct rt_turn *t, const struct processes *ps,
                      const struct child *c)
{
    struct process_left left = {.count = c->exit->left};

    snprintf(left.id, sizeof(left.id), "%s", c->spec->id);
    if (left.count > 0)
        rt_tell(t, ps->config.told, PROCESS_LEFT, &left, sizeof(left));
}

void child_set_exit(struct rt_turn *t, struct processes *ps, struct child *c,
                    struct process_exit *exit)
{
    c->exit = exit;
    c->phase = CHILD_ENDED;
    c->tail.is_final = true;
    tell_left(t, ps, c);
    if (c->tail.fd < 0 || c->owner.id == 0) {
        child_finish(t, ps, c);
        return;
    }
    tail_wake(ps->tails, &c->tail);
    processes_pump_soon(t, ps);
}

void child_finish(struct rt_turn *t, struct processes *ps, struct child *c)
{
    if (c->spec->copy_count > 0)
        rt_pass(t, ps->spawner, SPAWNER_CLEAR, &c->spec->obj);
    if (c->owner.id != 0) {
        rt_pass_take(t, c->owner, PROCESS_GONE, &c->exit->obj);
        c->exit = NULL;
    }
    if (c->peer != NULL)
        link_send(t, ps, c->peer, "bye\n", 0);
    processes_forget(t, ps, c);
}
