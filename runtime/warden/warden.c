/* SPDX-License-Identifier: MIT */
/*
 *   RUNNING --main process ended, order, lease, output limit--> ENDING
 *   ENDING  --TERM, grace, KILL ... until wait says ECHILD,
 *             or what is left cannot be killed----------------> ENDED
 *   ENDED   --the record is saved, bye, or the lease is over--> left
 *
 * One thread, one poll. Every timer is a moment compared with the clock, and
 * poll sleeps until the earliest: an idle warden wakes for the size of stdout
 * once a second and for nothing else.
 */
#include "runtime/warden/warden.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/warden/cli_setup.h"
#include "runtime/warden/clock.h"
#include "runtime/warden/ending.h"
#include "runtime/warden/lease.h"
#include "runtime/warden/link.h"
#include "runtime/warden/message.h"
#include "runtime/warden/priority.h"
#include "runtime/warden/record.h"
#include "runtime/warden/zygote.h"

#define SAVE_AGAIN_MS 1000
/* A brief CLI has ended by then, and its record tells all of it. */
#define CONNECT_LATER_MS 50

enum state { RUNNING, ENDING, ENDED };

struct warden {
    const struct options *opt;
    const struct claim *claim;
    int signal_fd;
    enum state state;
    pid_t cli; /* 0: never ran */
    bool has_left;
    bool is_saved;
    int64_t started; /* monotonic, as all moments here */
    int64_t save_at; /* ENDED, not saved: when to try again */
    struct lease lease;
    struct priority priority;
    struct memory memory;
    struct output output;
    struct record record;
    struct link link;
    struct stderrlog log;
    struct ending ending;
};

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static const char *state_name(enum state s)
{
    switch (s) {
    case RUNNING:
        return "running";
    case ENDING:
        return "ending";
    case ENDED:
        return "ended";
    }
    return NULL;
}

/*
 * A tree that is ending already can only be hurried. The first reason stays:
 * it is the one that explains the exit status.
 */
static void end_tree(struct warden *w, const char *reason, int64_t grace,
                     int64_t now)
{
    if (w->state == ENDED)
        return;
    if (w->state == ENDING) {
        ending_hurry(&w->ending, grace, now);
        return;
    }
    w->state = ENDING;
    w->record.reason = reason;
    if (ending_begin(&w->ending, grace, now) > 0 && w->record.has_status)
        w->record.lingered = true;
}

/* From then on the record can be read by any hub, this one or the next: there
 * is nothing left to stay for. */
static void save(struct warden *w, int64_t now)
{
    w->is_saved = record_save(&w->record, w->claim) == 0;
    w->save_at = now + SAVE_AGAIN_MS;
    w->has_left |= w->is_saved;
}

/* Nobody else kills a CLI that was not told to end, and leaves a count. */
static void note_memory(struct warden *w)
{
    const struct record *r = &w->record;

    if (strcmp(r->reason, "exit") == 0 && r->has_status &&
        WIFSIGNALED(r->status) && WTERMSIG(r->status) == SIGKILL &&
        memory_was_reached(&w->memory))
        w->record.reason = "memory limit";
    memory_close(&w->memory);
}

/* Nothing of the tree is left: from here on the record speaks for it. */
static void close_record(struct warden *w, int64_t now)
{
    note_memory(w);
    w->state = ENDED;
    stderrlog_close(&w->log);
    w->record.ended_at = clock_wall();
    w->record.elapsed_ms = now - w->started;
    w->record.stdout_bytes = output_size(&w->output);
    w->record.stderr_bytes = w->log.total;
    record_measure(&w->record);
    save(w, now);
    /* The hub has only to note it now, and could read it from the disk. */
    lease_release(&w->lease, now);
}

static void sweep(struct warden *w, int64_t now)
{
    size_t fresh = ending_kill(&w->ending, w->opt->give_up_ms, now);

    if (fresh > 0 && w->record.has_status)
        w->record.lingered = true;
    if (fresh > 0 || !ending_is_vain(&w->ending, now))
        return;
    w->record.left = (int64_t)w->ending.tree.alive;
    close_record(w, now);
    message_ended(&w->link, &w->record);
}

static void on_child(struct warden *w, int64_t now)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid == w->cli) {
            w->record.has_status = true;
            w->record.status = status;
        }
    }
    if (w->state == ENDED)
        return;
    if (pid < 0 && errno == ECHILD) {
        close_record(w, now);
        message_ended(&w->link, &w->record);
    } else if (w->record.has_status && w->state == RUNNING) {
        end_tree(w, "exit", w->opt->grace_ms, now);
    }
}

static void on_signal(struct warden *w, int64_t now)
{
    struct signalfd_siginfo info;

    while (read(w->signal_fd, &info, sizeof(info)) == sizeof(info)) {
        if (info.ssi_signo == SIGCHLD)
            on_child(w, now);
        else if (w->state == ENDED)
            w->has_left = true;
        else
            end_tree(w, "order", w->opt->grace_ms, now);
    }
}

static void on_welcome(struct warden *w, int64_t lease, int64_t now)
{
    lease_hold(&w->lease, lease);
    /* Nor does one who comes after the end keep us for longer than that. */
    if (w->state == ENDED)
        lease_release(&w->lease, now);
    if (w->state == ENDING)
        message_ending(&w->link, w->record.reason);
}

static void on_order(struct warden *w, enum link_order order, int64_t number,
                     int64_t now)
{
    switch (order) {
    case LINK_WELCOME:
        on_welcome(w, number, now);
        break;
    case LINK_END:
        end_tree(w, "order", number >= 0 ? number : w->opt->grace_ms, now);
        break;
    case LINK_BYE:
        w->has_left |= w->state == ENDED;
        break;
    case LINK_UNKNOWN:
    case LINK_NOTHING:
        break;
    }
}

static void on_link(struct warden *w, short events, int64_t now)
{
    enum link_order order;
    int64_t number;
    bool is_there = true;

    if (events & POLLOUT)
        link_flush(&w->link);
    if (events & (POLLIN | POLLHUP | POLLERR))
        is_there = link_receive(&w->link);
    while ((order = link_take(&w->link, &number)) != LINK_NOTHING)
        on_order(w, order, number, now);
    if (is_there)
        return;
    link_close(&w->link, now);
    lease_release(&w->lease, now);
}

static void greet(struct warden *w)
{
    message_hello(&w->link, w->opt, w->cli, state_name(w->state),
                  w->record.started_at);
    if (w->state == ENDED)
        message_ended(&w->link, &w->record);
}

static void on_lease_over(struct warden *w, int64_t now)
{
    if (w->state == ENDED)
        w->has_left = true;
    else
        end_tree(w, "lease", w->opt->grace_ms, now);
}

/* A tree that is ending has nothing more to fear from it. */
static int64_t lease_at(const struct warden *w)
{
    return w->state == ENDING ? CLOCK_NEVER : lease_end(&w->lease);
}

static void on_time(struct warden *w, int64_t now)
{
    if (w->link.fd < 0 && now >= w->link.retry_at &&
        link_connect(&w->link, now))
        greet(w);
    if (w->state != ENDED && now >= w->output.at &&
        output_look(&w->output, now))
        end_tree(w, "output limit", w->state == ENDING ? 0 : w->opt->grace_ms,
                 now);
    if (w->state == RUNNING && now >= w->priority.at)
        priority_look(&w->priority, &w->ending.tree, now);
    if (now >= lease_at(w))
        on_lease_over(w, now);
    if (w->state == ENDING && now >= ending_at(&w->ending))
        sweep(w, now);
    if (w->state == ENDED && !w->is_saved && now >= w->save_at)
        save(w, now);
}

static int64_t next_time(const struct warden *w)
{
    int64_t at = lease_at(w);

    if (w->link.fd < 0)
        at = earlier(at, w->link.retry_at);
    if (w->state != ENDED)
        at = earlier(at, w->output.at);
    if (w->state == RUNNING)
        at = earlier(at, w->priority.at);
    if (w->state == ENDING)
        at = earlier(at, ending_at(&w->ending));
    if (w->state == ENDED && !w->is_saved)
        at = earlier(at, w->save_at);
    return at;
}

static int poll_time(const struct warden *w)
{
    int64_t at = next_time(w);

    if (at == CLOCK_NEVER)
        return -1;

    int64_t left = at - clock_now();

    return left < 0 ? 0 : (int)earlier(left, INT_MAX);
}

static void turn(struct warden *w)
{
    link_flush(&w->link);

    struct pollfd p[] = {
        {.fd = w->signal_fd, .events = POLLIN},
        {.fd = w->link.fd, .events = POLLIN},
        {.fd = w->log.pipe, .events = POLLIN},
    };

    if (w->link.out_len > 0)
        p[1].events |= POLLOUT;
    if (poll(p, 3, poll_time(w)) < 0)
        return;

    int64_t now = clock_now();

    /* The log first, for signals may close it; then they, before orders: a
     * program that has left by itself was not ended by what came after. */
    if (p[2].revents != 0)
        stderrlog_read(&w->log);
    if (p[0].revents != 0)
        on_signal(w, now);
    if (p[1].revents != 0)
        on_link(w, p[1].revents, now);
    on_time(w, now);
}

/* Whether who ordered it has been told that the CLI runs. */
static bool has_told_start(struct warden *w, const uint64_t *ticket)
{
    if (ticket == NULL || !zygote_tell_start(*ticket, w->cli, w->claim->marked))
        return false;
    w->link.retry_at = w->started + CONNECT_LATER_MS;
    return true;
}

static void start(struct warden *w, const uint64_t *ticket)
{
    struct cli_failure f = {0};

    w->started = clock_now();
    w->record.started_at = (int64_t)w->claim->marked;
    lease_init(&w->lease, w->opt->lease_ms, w->started);
    priority_init(&w->priority, w->opt->nice, w->started);
    output_init(&w->output, w->opt->stdout_limit, w->started);
    /* Takes microseconds, so the CLI's start falls into a connection. */
    if (ticket == NULL)
        link_connect(&w->link, w->started);

    pid_t pid =
        cli_setup(w->opt, w->claim->dir, &w->log, &w->output, &w->memory, &f);

    if (pid < 0) {
        w->record.error = f.error;
        w->record.stage = f.stage;
        close_record(w, clock_now());
        greet(w);
        return;
    }
    w->cli = pid;
    if (has_told_start(w, ticket))
        return;
    greet(w);
    message_started(&w->link, w->cli);
}

void warden_run(const struct options *o, const struct claim *claim,
                int signal_fd, const uint64_t *ticket)
{
    struct warden w;

    /* Field by field: the large buffers stay untouched until used. */
    w.opt = o;
    w.claim = claim;
    w.signal_fd = signal_fd;
    w.state = RUNNING;
    w.cli = 0;
    w.has_left = w.is_saved = false;
    memory_open(&w.memory, NULL, 0);
    w.record = (struct record){.agent = o->id, .reason = "exit"};
    link_init(&w.link, o->socket);
    ending_init(&w.ending);
    start(&w, ticket);
    while (!w.has_left)
        turn(&w);
    link_flush(&w.link);
}
