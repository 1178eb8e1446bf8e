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
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/os.h"
#include "runtime/text/path.h"

/* What a warden exits with when it has started nothing (its main.c). */
#define WARDEN_TAKEN 75

static void set_exit(struct rt_turn *t, struct processes *ps, struct child *c,
                     struct process_exit *exit);

/* Valid until the next call; tails ask for it one at a time. */
const char *child_transcript(struct tail *tail)
{
    static _Thread_local char path[PATH_MAX];

    path_join(path, ((struct child *)tail)->spec->dir, "stdout.ndjson");
    return path;
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
        set_exit(t, ps, c,
                 warden_record_make_exit(PROCESS_NEVER_RAN, s->error, s->stage,
                                         c->spec));
        return;
    }
    if (c->owner.id != 0) {
        tail_open(ps->tails, &c->tail, s->out, child_transcript(&c->tail));
        s->out = -1;
        processes_pump_soon(t, ps, TAIL_PAUSE_MS);
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

/* Whether a warden holds the lock of its agent's directory. */
static bool has_warden(const struct child *c)
{
    char path[PATH_MAX];
    int fd;
    bool is_locked;

    path_join(path, c->spec->dir, "lock");
    if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return false;
    is_locked = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(fd);
    return is_locked;
}

static bool was_started(const struct child *c)
{
    char path[PATH_MAX];

    path_join(path, c->spec->dir, "started");
    return access(path, F_OK) == 0;
}

/* Wall clock, ms: the warden makes this file just before it starts the CLI.
 * 0 when it is not there. */
static uint64_t when_started(const struct child *c)
{
    char path[PATH_MAX];
    struct stat info;

    path_join(path, c->spec->dir, "started");
    if (stat(path, &info) != 0)
        return 0;
    return (uint64_t)info.st_mtim.tv_sec * 1000 +
           (uint64_t)info.st_mtim.tv_nsec / 1000000;
}

/* As warden_record_read_exit, with the start that owners are told while it
 * runs: a stream read again must not have begun at another time. */
static struct process_exit *read_exit(const struct child *c)
{
    struct process_exit *exit = warden_record_read_exit(c->spec);

    if (exit != NULL)
        exit->started_at =
            exit->reason == PROCESS_NEVER_RAN ? 0 : when_started(c);
    return exit;
}

static void kill_rest(struct rt_turn *t, struct processes *ps, struct child *c)
{
    struct spawner_kill order = {.ticket = c->ticket};

    snprintf(order.id, sizeof(order.id), "%s", c->spec->id);
    c->phase = CHILD_KILLING;
    rt_tell(t, ps->spawner, SPAWNER_KILL, &order, sizeof(order));
}

/* No warden is there (any more): closes by the record, or kills what is
 * left. */
static void close_without_warden(struct rt_turn *t, struct processes *ps,
                                 struct child *c)
{
    struct process_exit *exit = read_exit(c);

    if (exit != NULL)
        set_exit(t, ps, c, exit);
    else
        kill_rest(t, ps, c);
}

void child_adopt(struct rt_turn *t, struct processes *ps, struct child *c)
{
    struct stat info;
    int out;

    if (!was_started(c) && !has_warden(c)) {
        rt_tell(t, c->owner, PROCESS_NOT_STARTED, NULL, 0);
        processes_forget(t, ps, c);
        return;
    }
    out = open(child_transcript(&c->tail), O_RDONLY | O_CLOEXEC);
    if (out >= 0) {
        tail_open(ps->tails, &c->tail, out, child_transcript(&c->tail));
        if (fstat(out, &info) == 0)
            c->tail.past = (uint64_t)info.st_size;
        processes_pump_soon(t, ps, 0);
    }
    c->phase = CHILD_AWAITED;
    child_look(t, ps, c);
}

/* ---- the warden's words ---------------------------------------------- */

static void tell_started(struct rt_turn *t, struct child *c)
{
    struct process_started started = {.pid = c->cli,
                                      .started_at = when_started(c)};

    if (c->was_told_started)
        return;
    if (started.started_at == 0)
        started.started_at = rt_wall_ms(t);
    c->was_told_started = true;
    rt_tell(t, c->owner, PROCESS_STARTED, &started, sizeof(started));
}

static void on_hello(struct rt_turn *t, struct processes *ps, struct child *c,
                     const struct warden_record *n)
{
    c->warden = n->warden;
    c->cli = n->cli;
    if (c->phase == CHILD_STARTING || c->phase == CHILD_AWAITED)
        c->phase = CHILD_LINKED;
    link_send(t, ps, c->peer, "welcome %llu\n", ps->config.lease_ms);
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
        struct process_exit *exit = read_exit(c);
        /* A full disk keeps the record from us, but not the news. */
        if (exit == NULL)
            exit = warden_record_make_exit(PROCESS_INTERRUPTED, EIO, "record",
                                           c->spec);
        set_exit(t, ps, c, exit);
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
        processes_pump_soon(t, ps, 0);
    }
    if (c->phase != CHILD_AWAITED || c->pidfd >= 0)
        return;
    if (!has_warden(c)) {
        close_without_warden(t, ps, c);
        return;
    }
    processes_look_soon(t, ps); /* it will connect, or its lease ends */
    link_claim(t, ps, c); /* or has: it may tell the end, and c is no more */
}

void child_on_warden_dead(struct rt_turn *t, struct processes *ps,
                          struct child *c)
{
    siginfo_t info = {0};

    waitid(P_PIDFD, (id_t)c->pidfd, &info, WEXITED | WNOHANG);
    processes_unwatch(t, ps, c->pidfd);
    close(c->pidfd);
    c->pidfd = -1;
    if (c->exit != NULL || c->phase == CHILD_KILLING)
        return;
    /* Another warden has this agent: it will tell us, or its lock will. */
    if (info.si_code == CLD_EXITED && info.si_status == WARDEN_TAKEN &&
        has_warden(c))
        processes_look_soon(t, ps);
    else
        close_without_warden(t, ps, c);
}

void child_order_end(struct rt_turn *t, struct processes *ps, struct child *c,
                     uint64_t grace_ms)
{
    c->is_end_wanted = true;
    c->end_grace_ms = grace_ms;
    if (c->peer != NULL)
        link_send(t, ps, c->peer, "end %llu\n", grace_ms);
}

/* ---- ending ---------------------------------------------------------- */

void child_on_killed(struct rt_turn *t, struct processes *ps, struct child *c)
{
    struct process_exit *exit;

    if (c->phase != CHILD_KILLING)
        return;
    c->phase = CHILD_AWAITED;
    if (was_started(c))
        exit =
            warden_record_make_exit(PROCESS_INTERRUPTED, 0, "warden", c->spec);
    else
        exit =
            warden_record_make_exit(PROCESS_NEVER_RAN, EIO, "warden", c->spec);
    exit->started_at = when_started(c);
    set_exit(t, ps, c, exit);
}

static void set_exit(struct rt_turn *t, struct processes *ps, struct child *c,
                     struct process_exit *exit)
{
    c->exit = exit;
    c->phase = CHILD_ENDED;
    c->tail.is_final = true;
    if (c->tail.fd < 0 || c->owner.id == 0) {
        child_finish(t, ps, c);
        return;
    }
    tail_wake(ps->tails, &c->tail);
    processes_pump_soon(t, ps, 0);
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
