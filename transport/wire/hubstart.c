/* SPDX-License-Identifier: MIT */
#include "transport/wire/hubstart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/messages.h"
#include "runtime/text/field.h"
#include "runtime/text/path.h"

#define PROGRAM "kuromajutsu-hub"
#define SAID_MAX 4096
#define REPORT_FD 3

/* What the watcher tells. */
struct report {
    int status; /* of waitpid */
    int error;  /* of exec, else 0 */
};

int hubstart_exec(char **argv)
{
    char path[PATH_MAX];
    int error = path_beside(path, PROGRAM);

    if (error != 0)
        return error;
    argv[0] = path;
    execv(path, argv);
    return -errno;
}

/* The descriptors of our client are neither the watcher's nor the hub's: who
 * waits for the end of a pipe would wait for theirs. Returns the report's. */
static int leave_descriptors(int log, int report)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    report = dup3(report, REPORT_FD, O_CLOEXEC) < 0 ? report : REPORT_FD;
    close_range(REPORT_FD + 1, ~0U, 0);
    return report;
}

static void reset_signals(void)
{
    sigset_t none;

    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void be_hub(const struct home *h, int report)
{
    char *argv[7] = {PROGRAM, "serve", "--background"};
    size_t n = 3;

    if (h->has_hub_stay)
        argv[n++] = "--stay";
    if (h->file) {
        argv[n++] = "--config";
        argv[n++] = h->file;
    }
    setsid();
    struct report r = {.error = -hubstart_exec(argv)};
    if (write(report, &r, sizeof(r)) < 0)
        _exit(126);
    _exit(127);
}

static void watch(pid_t hub, int report)
{
    struct pollfd p[2] = {
        {.fd = report, .events = POLLIN},
        {.fd = (int)syscall(SYS_pidfd_open, hub, 0), .events = POLLIN}};
    struct report r = {0};

    while (poll(p, 2, -1) < 0 && errno == EINTR)
        ;
    if (p[1].revents && waitpid(hub, &r.status, 0) == hub &&
        send(report, &r, sizeof(r), MSG_NOSIGNAL) < 0)
        _exit(1);
}

static _Noreturn void be_watcher(const struct home *h, int log, int report)
{
    setsid();
    reset_signals();
    report = leave_descriptors(log, report);
    pid_t hub = fork();
    if (hub == 0)
        be_hub(h, report);
    if (hub > 0)
        watch(hub, report);
    _exit(0);
}

static int fork_twice(const struct home *h, int log, int report)
{
    pid_t child = fork();
    int status;

    if (child < 0)
        return -errno;
    if (child == 0) {
        pid_t watcher = fork();
        if (watcher == 0)
            be_watcher(h, log, report);
        _exit(watcher < 0 ? errno : 0);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}

static int open_log(const struct home *h, int flags)
{
    char path[PATH_MAX];

    if (!path_join(path, h->state_dir, "hub.log")) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, flags | O_CLOEXEC | O_NOCTTY, 0600);
}

static int tell(struct bytes *message, const struct home *h, const char *what,
                int error)
{
    bytes_format(message, "%s: %s", what,
                 reason_of(error, h->language == CONFIG_EN).text);
    return error;
}

int hubstart_begin(struct hubstart *s, const struct home *h,
                   struct bytes *message)
{
    int pair[2], error = home_make(h);

    *s = HUBSTART_NONE;
    if (error != 0) {
        bytes_format(message, "%s: %s", h->state_dir, home_why(h, error).text);
        return error;
    }
    int log = open_log(h, O_WRONLY | O_APPEND | O_CREAT);
    if (log < 0)
        return tell(message, h, h->state_dir, -errno);
    s->log_from = lseek(log, 0, SEEK_END);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        error = tell(message, h, "socketpair", -errno);
    } else {
        error = fork_twice(h, log, pair[1]);
        close(pair[1]);
        s->fd = pair[0];
        if (error != 0) {
            tell(message, h, "fork", error);
            hubstart_end(s);
        }
    }
    close(log);
    return error;
}

void hubstart_end(struct hubstart *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

/* The last line said, or the message in it if it is one of the log. */
static void append_said(struct bytes *message, struct slice text)
{
    text = slice_trim(text);
    for (size_t i = text.len; i > 0; i--)
        if (text.ptr[i - 1] == '\n') {
            text = slice_of(text.ptr + i, text.len - i);
            break;
        }
    yyjson_doc *doc = yyjson_read(text.ptr, text.len, 0);
    struct slice inner = FIELD_TEXT(yyjson_doc_get_root(doc), "message");
    if (inner.len > 0)
        text = inner;
    bytes_append_capped(message, text, message->len + 1000);
    yyjson_doc_free(doc);
}

static void append_log(struct bytes *message, const struct hubstart *s,
                       const struct home *h)
{
    char said[SAID_MAX];
    int log = open_log(h, O_RDONLY);
    off_t from = s->log_from, end = log < 0 ? 0 : lseek(log, 0, SEEK_END);

    if (end - from > SAID_MAX)
        from = end - SAID_MAX;
    ssize_t n = log < 0 ? 0 : pread(log, said, sizeof(said), from);
    if (n > 0)
        append_said(message, slice_of(said, (size_t)n));
    if (log >= 0)
        close(log);
}

static void append_end(struct bytes *message, const struct report *r,
                       bool is_english)
{
    char text[200];
    int n;

    if (r->error != 0)
        n = snprintf(text, sizeof(text), PROGRAM ": %s",
                     reason_of(r->error, is_english).text);
    else if (WIFSIGNALED(r->status))
        n = snprintf(text, sizeof(text), MESSAGE(is_english, HUB_KILLED),
                     WTERMSIG(r->status));
    else
        n = snprintf(text, sizeof(text), MESSAGE(is_english, HUB_EXITED),
                     WEXITSTATUS(r->status));
    bytes_append(message, text, (size_t)n);
}

enum hubstart_news hubstart_look(struct hubstart *s, const struct home *h,
                                 struct bytes *message)
{
    struct report r;
    ssize_t n = recv(s->fd, &r, sizeof(r), MSG_DONTWAIT);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return HUBSTART_NOTHING;
    hubstart_end(s);
    /* The watcher was killed: the hub may be there or not. */
    if (n != sizeof(r))
        return HUBSTART_YIELDED;
    if (r.error == 0 && WIFEXITED(r.status) && WEXITSTATUS(r.status) == 0)
        return HUBSTART_YIELDED;
    append_end(message, &r, h->language == CONFIG_EN);
    size_t len = message->len;
    bytes_append(message, ": ", 2);
    append_log(message, s, h);
    if (message->len == len + 2)
        message->len = len;
    return r.error == 0 && WIFSIGNALED(r.status) ? HUBSTART_KILLED
                                                 : HUBSTART_FAILED;
}
