/* SPDX-License-Identifier: MIT */
/*
 * What has become of a process that has no connection, by what is on disk: a
 * lock that is held is a warden that will connect again; `started` without a
 * lock is one that died. So a hub takes over what an earlier one has started.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/process/processes.h"
#include "runtime/text/path.h"

/* Whether a warden holds the lock of its agent's directory. */
bool adopt_has_warden(const struct child *c)
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
uint64_t adopt_when_started(const struct child *c)
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
struct process_exit *adopt_read_exit(const struct child *c)
{
    struct process_exit *exit = warden_record_read_exit(c->spec);

    if (exit != NULL)
        exit->started_at =
            exit->reason == PROCESS_NEVER_RAN ? 0 : adopt_when_started(c);
    return exit;
}

void adopt_kill_rest(struct rt_turn *t, struct processes *ps, struct child *c)
{
    struct spawner_kill order = {.ticket = c->ticket};

    snprintf(order.id, sizeof(order.id), "%s", c->spec->id);
    c->phase = CHILD_KILLING;
    rt_tell(t, ps->spawner, SPAWNER_KILL, &order, sizeof(order));
}

/* No warden is there (any more): closes by the record, or kills what is
 * left. */
void adopt_close_without_warden(struct rt_turn *t, struct processes *ps,
                                struct child *c)
{
    struct process_exit *exit = adopt_read_exit(c);

    if (exit != NULL)
        child_set_exit(t, ps, c, exit);
    else
        adopt_kill_rest(t, ps, c);
}

void child_adopt(struct rt_turn *t, struct processes *ps, struct child *c)
{
    struct stat info;
    int out;

    if (!was_started(c) && !adopt_has_warden(c)) {
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
