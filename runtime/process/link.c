/* SPDX-License-Identifier: MIT */
/*
 * The hub's socket. Wardens connect to it and say who they are in their first
 * line; a connection that says something else is handed on to the actor that
 * is there for others. Other users' are closed. A warden of an agent that is
 * not known here is left waiting: it may be adopted yet, and otherwise its
 * lease runs out.
 */
#include "runtime/process/processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/os.h"
#include "runtime/process/env_tree.h"
#include "runtime/text/path.h"

/* Its mode is the descriptor's when it is bound: it is never open to others,
 * not for a moment. A mask would do that too, but for all threads at once. */
static int bind_private(int fd, const struct sockaddr_un *address)
{
    if (fchmod(fd, 0600) != 0 ||
        bind(fd, (const struct sockaddr *)address, sizeof(*address)) != 0)
        return -errno;
    return 0;
}

int link_listen(struct rt_turn *t, struct processes *ps)
{
    struct sockaddr_un address;
    struct stat made = {0};
    int dir, fd = -1, error = path_address(ps->config.socket, &address, &dir);

    if (error == 0) {
        unlink(ps->config.socket);
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        error = fd < 0 ? -errno : bind_private(fd, &address);
    }
    if (dir >= 0)
        close(dir);
    if (error == 0 && lstat(ps->config.socket, &made) != 0)
        error = -errno;
    if (error == 0 && listen(fd, SOMAXCONN) != 0)
        error = -errno;
    if (error == 0)
        error = processes_watch(t, ps, fd, FD_LISTEN, NULL);
    if (error != 0 && fd >= 0)
        close(fd);
    ps->listener = error == 0 ? fd : -1;
    ps->socket_dev = made.st_dev;
    ps->socket_ino = made.st_ino;
    return error;
}

/* Only our own: a hub that has lost the lock must not remove the next one's. */
void link_shut(struct rt_turn *t, struct processes *ps)
{
    struct stat there;

    if (ps->listener < 0)
        return;
    if (!ps->is_paused)
        processes_unwatch(t, ps, ps->listener);
    close(ps->listener);
    if (lstat(ps->config.socket, &there) == 0 &&
        there.st_dev == ps->socket_dev && there.st_ino == ps->socket_ino)
        unlink(ps->config.socket);
}

/* Whether a peer is ours, and its pid. */
static bool is_own_user(int fd, pid_t *pid)
{
    struct ucred peer;
    socklen_t size = sizeof(peer);

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return false;
    *pid = peer.pid;
    return peer.uid == getuid();
}

static uint64_t boot_time(void)
{
    struct timespec now;

    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void add_peer(struct rt_turn *t, struct processes *ps, int fd)
{
    pid_t pid;
    struct peer *p;

    if (!is_own_user(fd, &pid)) {
        close(fd);
        return;
    }
    p = os_alloc(sizeof(*p), 16);
    p->fd = fd;
    p->pid = pid;
    p->since = rt_now(t);
    p->accepted = boot_time();
    p->is_silent = true;
    ps->silent++;
    p->child = NULL;
    p->len = 0;
    LIST_PREPEND(&ps->unclaimed, p, link);
    processes_look_soon(t, ps);
    if (processes_watch(t, ps, fd, FD_PEER, p) != 0)
        link_close(t, ps, p);
}

static void listen_again(struct rt_turn *t, struct processes *ps)
{
    if (!ps->is_paused)
        return;
    ps->is_paused = processes_watch(t, ps, ps->listener, FD_LISTEN, NULL) != 0;
    if (ps->is_paused)
        processes_look_soon(t, ps);
}

/* It has sent a line, or is closed: another may be accepted in its place. */
static void end_silence(struct rt_turn *t, struct processes *ps, struct peer *p)
{
    if (!p->is_silent)
        return;
    p->is_silent = false;
    ps->silent--;
    listen_again(t, ps);
}

/*
 * Out of descriptors, or with as many silent peers as may be: the listener
 * would be ready for ever, so it is not watched for a while. Wardens wait in
 * its backlog, or try again.
 */
void link_on_listener(struct rt_turn *t, struct processes *ps)
{
    int fd;

    while (ps->silent < PROCESSES_SILENT &&
           (fd = accept4(ps->listener, NULL, NULL,
                         SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
        add_peer(t, ps, fd);
    if (ps->silent < PROCESSES_SILENT && errno != EMFILE && errno != ENFILE &&
        errno != ENOMEM && errno != ENOBUFS)
        return;
    processes_unwatch(t, ps, ps->listener);
    ps->is_paused = true;
    processes_look_soon(t, ps);
}

void link_look(struct rt_turn *t, struct processes *ps)
{
    uint64_t now = rt_now(t);

    listen_again(t, ps);
    LIST_EACH (p, &ps->unclaimed, link)
        if (p->is_silent && now - p->since >= PROCESSES_SILENCE_MS * 1000000ull)
            link_close(t, ps, p);
    if (ps->silent > 0)
        processes_look_soon(t, ps);
}

void link_close(struct rt_turn *t, struct processes *ps, struct peer *p)
{
    struct child *c = p->child;

    processes_unwatch(t, ps, p->fd);
    close(p->fd);
    end_silence(t, ps, p);
    if (c == NULL)
        LIST_REMOVE(&ps->unclaimed, p, link);
    free(p);
    if (c != NULL)
        child_on_unlinked(t, ps, c);
}

/* Orders are short and few: one that does not fit finds a broken warden. */
void link_send(struct rt_turn *t, struct processes *ps, struct peer *p,
               const char *format, unsigned long long number)
{
    char line[64];
    /* The formats are this folder's own literals. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int len = snprintf(line, sizeof(line), format, number);
#pragma GCC diagnostic pop

    if (send(p->fd, line, (size_t)len, MSG_NOSIGNAL) != len)
        link_close(t, ps, p);
}

/* ---- reading --------------------------------------------------------- */

/*
 * A peer that passed for the warden would keep the warden itself away, whose
 * lease then ends a healthy tree. So our own child has to be that very process,
 * and one of an earlier hub must carry its agent's id as only its tree does.
 */
static bool is_warden_of(const struct child *c, const struct peer *p,
                         const struct warden_record *n)
{
    if (p->pid != n->warden)
        return false;
    return c->pidfd >= 0 ? p->pid == c->warden
                         : env_tree_has(p->pid, c->spec->id);
}

/* Those are wardens, and no agent's process is one of them. */
static bool is_own_child(pid_t pid)
{
    siginfo_t info;

    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* False when the peer is not to be kept. */
static bool attach(struct processes *ps, struct peer *p, struct child *c,
                   const struct warden_record *n)
{
    if (c->peer != NULL || !is_warden_of(c, p, n))
        return false;
    LIST_REMOVE(&ps->unclaimed, p, link);
    p->child = c;
    c->peer = p;
    return true;
}

static bool on_first_line(struct rt_turn *t, struct processes *ps,
                          struct peer *p, const struct warden_record *n)
{
    struct child *c;

    if (n->kind != WARDEN_RECORD_HELLO)
        return false;
    c = processes_by_id(ps, n->agent);
    if (c != NULL && c->phase == CHILD_STARTING && n->cli > 0 &&
        is_own_child(p->pid))
        child_on_runs(t, c, n->cli, n->started_at);
    if (c == NULL || c->phase == CHILD_STARTING)
        return true; /* its line stays, for link_claim */
    if (!attach(ps, p, c, n))
        return false;
    child_on_record(t, ps, c, n);
    return true;
}

/* The bytes of the first whole line, newline included; 0 when there is none. */
static size_t line_length(const struct peer *p)
{
    const char *end = memchr(p->line, '\n', p->len);

    return end == NULL ? 0 : (size_t)(end - p->line) + 1;
}

static void drop_line(struct peer *p, size_t len)
{
    memmove(p->line, p->line + len, p->len - len);
    p->len -= len;
}

static void free_connection(struct rt_obj *o)
{
    struct process_connection *v = (struct process_connection *)o;

    if (v->fd >= 0)
        close(v->fd);
    free(v);
}

/* The descriptor is the message's: refused, it is closed with it. */
static void hand_over(struct rt_turn *t, struct processes *ps, struct peer *p)
{
    struct process_connection *v = os_alloc(sizeof(*v) + p->len, 16);

    rt_obj_init(&v->obj, free_connection);
    v->fd = p->fd;
    v->pid = p->pid;
    v->accepted = p->accepted;
    v->len = p->len;
    memcpy(v->bytes, p->line, p->len);
    processes_unwatch(t, ps, p->fd);
    end_silence(t, ps, p);
    LIST_REMOVE(&ps->unclaimed, p, link);
    free(p);
    rt_pass_take(t, ps->config.others, PROCESS_OTHER, &v->obj);
}

/*
 * Handles the lines a linked peer has sent. A record may end the child and
 * close the peer with it, so the line is parsed first, and after each the use
 * of the descriptor tells whether the peer is still there.
 */
static void handle_lines(struct rt_turn *t, struct processes *ps, int fd)
{
    while (ps->fds[fd].what == FD_PEER) {
        struct peer *p = ps->fds[fd].of;
        size_t len = line_length(p);
        struct warden_record n;

        if (len == 0)
            return;
        n = warden_record_parse(p->line, len - 1);
        if (p->child == NULL && n.kind == WARDEN_RECORD_UNKNOWN &&
            ps->config.others.id != 0) {
            hand_over(t, ps, p);
            return;
        }
        end_silence(t, ps, p);
        if (p->child != NULL) {
            drop_line(p, len);
            child_on_record(t, ps, p->child, &n);
            continue;
        }
        if (!on_first_line(t, ps, p, &n)) {
            link_close(t, ps, p);
            return;
        }
        if (ps->fds[fd].what != FD_PEER || ps->fds[fd].of != p)
            return;
        if (p->child == NULL)
            return;
        drop_line(p, len);
    }
}

void link_claim(struct rt_turn *t, struct processes *ps, struct child *c)
{
    struct peer *warden = NULL;

    LIST_EACH (p, &ps->unclaimed, link) {
        size_t len = line_length(p);
        struct warden_record n;

        if (len == 0)
            continue;
        n = warden_record_parse(p->line, len - 1);
        if (strcmp(n.agent, c->spec->id) != 0)
            continue;
        if (warden == NULL && is_warden_of(c, p, &n))
            warden = p; /* the newest, should it have come twice */
        else
            link_close(t, ps, p);
    }
    /* After the others were closed: c may end by what it says. */
    if (warden != NULL)
        handle_lines(t, ps, warden->fd);
}

void link_on_ready(struct rt_turn *t, struct processes *ps, struct peer *p)
{
    int fd = p->fd;
    ssize_t n;

    do
        n = recv(fd, p->line + p->len, sizeof(p->line) - p->len, 0);
    while (n < 0 && errno == EINTR);
    if (n < 0 && errno == EAGAIN)
        return;
    if (n <= 0) {
        link_close(t, ps, p);
        return;
    }
    p->len += (size_t)n;
    handle_lines(t, ps, fd);
    /* A line that fills the buffer is no warden's. */
    if (ps->fds[fd].what == FD_PEER && ps->fds[fd].of == p &&
        p->len == sizeof(p->line))
        link_close(t, ps, p);
}
