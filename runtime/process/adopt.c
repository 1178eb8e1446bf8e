/* SPDX-License-Identifier: MIT */
/*
 * What has become of a process that has no connection, by what is on disk: a
 * lock that is held is a warden that will connect again; a mark of the start
 * without a lock is one that died. So a hub takes over what an earlier one has
 * started.
 *
 * The directory is the agent's, who may have taken the lock away and left a
 * record of its own. So what is closed by a record is killed all the same, if
 * something of it is there; and what was once known to have run is not started
 * again for want of a file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/process/processes.h"
#include "runtime/text/folder.h"
#include "runtime/text/warden_file.h"

/* A descriptor of a file of its directory, or a negative errno. */
static int open_file(const struct child *c, const char *name)
{
    int dir = folder_open(c->spec->dir), fd;

    if (dir < 0)
        return dir;
    fd = folder_file(dir, name, O_RDONLY);
    close(dir);
    return fd;
}

/* Where we cannot look there may be one. */
bool adopt_has_warden(const struct child *c)
{
    int dir = folder_open(c->spec->dir), is;

    if (dir < 0)
        return dir == -EMFILE || dir == -ENFILE || dir == -ENOMEM;
    is = warden_file_is_held(dir);
    close(dir);
    return is != 0;
}

/* Wall clock, ms, as the warden has it. 0 when nothing was started. */
uint64_t adopt_when_started(const struct child *c)
{
    int dir = folder_open(c->spec->dir);
    uint64_t at;

    if (dir < 0)
        return 0;
    at = warden_file_started(dir);
    close(dir);
    return warden_record_moment(at);
}

static void order_kill(struct rt_turn *t, struct processes *ps,
                       const struct child *c)
{
    struct spawner_kill order = {.ticket = c->ticket};

    snprintf(order.id, sizeof(order.id), "%s", c->spec->id);
    rt_tell(t, ps->spawner, SPAWNER_KILL, &order, sizeof(order));
}

void adopt_kill_rest(struct rt_turn *t, struct processes *ps, struct child *c)
{
    c->phase = CHILD_KILLING;
    order_kill(t, ps, c);
}

/* No warden is there (any more). A record says that nothing is left, and the
 * owner is not kept waiting for the look that makes it true. */
void adopt_close_without_warden(struct rt_turn *t, struct processes *ps,
                                struct child *c)
{
    struct process_exit *exit = warden_record_read_exit(c->spec);

    if (exit == NULL) {
        adopt_kill_rest(t, ps, c);
        return;
    }
    order_kill(t, ps, c);
    child_set_exit(t, ps, c, exit);
}

void child_adopt(struct rt_turn *t, struct processes *ps, struct child *c)
{
    struct stat info;
    int out;

    if (!c->has_run && adopt_when_started(c) == 0 && !adopt_has_warden(c)) {
        rt_tell(t, c->owner, PROCESS_NOT_STARTED, NULL, 0);
        processes_forget(t, ps, c);
        return;
    }
    out = open_file(c, "stdout.ndjson");
    if (out >= 0) {
        child_open_tail(ps, c, out);
        if (fstat(out, &info) == 0)
            c->tail.past = (uint64_t)info.st_size;
        processes_pump_soon(t, ps);
    }
    c->phase = CHILD_AWAITED;
    child_look(t, ps, c);
}
