/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "transport/command/command.h"
#include "transport/command/hub_question.h"
#include "transport/command/options.h"

/* Every agent gets its grace before it is killed; then the hub has no reason
 * to stay. */
#define PATIENCE_MS 120000
#define LEAVE_MS 20000

/* The hub's end of the connection closes with the hub; an answer comes only to
 * who may not stop it. */
static int wait_gone(struct console *con, struct hublink *l)
{
    struct wire_frame frame;
    int error;

    do {
        error = hublink_wait(l, PATIENCE_MS, &frame);
        if (error == 0 && frame.head.kind == WIRE_ANSWER) {
            ask_refused(con, frame.payload);
            return -EPERM;
        }
    } while (error == 0 || error == -ESHUTDOWN);
    return error;
}

/* The connection closes before the process ends, and until then its socket
 * takes in who comes next. */
static void wait_process(int pidfd)
{
    struct pollfd p = {.fd = pidfd, .events = POLLIN};

    if (pidfd < 0)
        return;
    poll(&p, 1, LEAVE_MS);
    close(pidfd);
}

static void say_running(struct console *con, uint64_t count, bool is_keeping)
{
    term_format(
        &con->out, TERM_PLAIN,
        is_keeping
            ? SAY_COUNT(con, count, STOP_AGENTS_WAIT_ONE, STOP_AGENTS_WAIT)
            : SAY_COUNT(con, count, STOP_AGENTS_ENDED_ONE, STOP_AGENTS_ENDED),
        count);
}

static int stop(struct console *con, struct hublink *l,
                const struct hublink_welcome *w, bool is_keeping)
{
    int pidfd = (int)syscall(SYS_pidfd_open, w->pid, 0);

    hublink_put(l, WIRE_STOP, 0,
                is_keeping ? SLICE("{\"keepAgents\":true}")
                           : SLICE("{\"keepAgents\":false}"));
    int error = wait_gone(con, l);

    if (error != -EPERM)
        wait_process(pidfd);
    else if (pidfd >= 0)
        close(pidfd);
    if (error == -EPERM)
        return CONSOLE_FAILED;
    if (error == -ETIMEDOUT || error == -EPROTO) {
        COMPLAIN(con, STOP_DOES_NOT_END, (int)w->pid, con->state_dir);
        return CONSOLE_FAILED;
    }
    term_format(&con->out, TERM_PLAIN, SAY(con, STOP_DONE), (int)w->pid);
    if (w->running > 0)
        say_running(con, w->running, is_keeping);
    fputc('\n', con->out.out);
    return CONSOLE_FINE;
}

static int run(struct console *con, int argc, char **argv)
{
    bool is_keeping = false;
    const struct option options[] = {{"--keep-agents", 'k', &is_keeping, NULL},
                                     {NULL}};
    struct hublink link = HUBLINK_CLOSED;
    struct hublink_welcome welcome;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    int code = ask_open(con, &link, &welcome);
    if (code)
        return code;
    code = stop(con, &link, &welcome, is_keeping);
    hublink_close(&link);
    return code;
}

const struct command command_stop = {
    .name = "stop",
    .words = "[--keep-agents]",
    .what = BOTH(STOP_COMMAND),
    .more = BOTH(STOP_MANUAL),
    .needs_home = true,
    .run = run,
};
