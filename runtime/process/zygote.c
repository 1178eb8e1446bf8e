/* SPDX-License-Identifier: MIT */
#include "runtime/process/zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/text/bytes.h"

/* One that is stopped does not read; the spawner's thread is not for ever. */
#define SEND_SECONDS 10
/* Variables that are the hub's own begin so. */
#define OURS "KUROMAJUTSU_"

/* ---- starting ------------------------------------------------------------ */

/* Of its sockets. */
struct ends {
    int orders, news;
};

static void close_ends(const struct ends *e)
{
    if (e->orders >= 0)
        close(e->orders);
    if (e->news >= 0)
        close(e->news);
}

/* A pair, of which `theirs` is none of the numbers that a zygote is to find
 * something at. 0 or a negative errno. */
static int make_pair(int *ours, int *theirs)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -errno;
    *ours = ends[0];
    *theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, ORDER_NEWS_SOCKET + 1);

    int error = *theirs < 0 ? -errno : 0;

    close(ends[1]);
    return error;
}

/* A word of that length, which the zygote blanks. */
static void pad(char *to, const char *name, size_t size)
{
    size_t len = strlen(name);

    memcpy(to, name, len);
    memset(to + len, '-', size - len - 1);
    to[size - 1] = 0;
}

/* What libraries and sanitizers are told by, and nothing that is the hub's. */
static const char **environment(char *reserve)
{
    const char **list;
    size_t count = 0, kept = 1;

    while (environ[count] != NULL)
        count++;
    list = bytes_alloc((count + 2) * sizeof(*list));
    list[0] = reserve;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], OURS, strlen(OURS)) != 0)
            list[kept++] = environ[i];
    list[kept] = NULL;
    return list;
}

/* It begins with no signal blocked, none ignored, nothing open but its sockets,
 * and in a session, and so in a process group, of its own. */
static int spawn(const char *const *argv, const char *const *envp,
                 const struct ends *theirs, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    int error;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETSID);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, theirs->orders, ORDER_SOCKET);
    posix_spawn_file_actions_adddup2(&files, theirs->news, ORDER_NEWS_SOCKET);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&files, ORDER_NEWS_SOCKET + 1);
    error = posix_spawn(pid, argv[0], &files, &attributes,
                        (char *const *)(uintptr_t)argv,
                        (char *const *)(uintptr_t)envp);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return -error;
}

int zygote_start(struct zygote *z, const struct process_config *config,
                 int *news)
{
    char padding[ORDER_PADDING], reserve[ORDER_RESERVE];
    const char *argv[] = {config->warden, ORDER_OPTION, ORDER_FORMAT, padding,
                          NULL};
    const struct timeval patience = {.tv_sec = SEND_SECONDS};
    struct ends ours = {-1, -1}, theirs = {-1, -1};
    int error = make_pair(&ours.orders, &theirs.orders);

    if (error == 0)
        error = make_pair(&ours.news, &theirs.news);
    if (error == 0) {
        const char **envp = environment(reserve);

        pad(padding, "", sizeof(padding));
        pad(reserve, ORDER_VARIABLE, sizeof(reserve));
        setsockopt(ours.orders, SOL_SOCKET, SO_SNDTIMEO, &patience,
                   sizeof(patience));
        error = spawn(argv, envp, &theirs, &z->pid);
        free(envp);
    }
    close_ends(&theirs);
    if (error != 0) {
        close_ends(&ours);
        z->pid = 0;
        return error;
    }
    z->fd = ours.orders;
    *news = ours.news;
    return 0;
}

/* ---- orders -------------------------------------------------------------- */

static void attach(struct msghdr *m, int fd)
{
    struct cmsghdr *c = CMSG_FIRSTHDR(m);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(fd));
    memcpy(CMSG_DATA(c), &fd, sizeof(fd));
}

/* The descriptor goes with the first byte; the rest may take more calls. */
static int send_all(int fd, struct msghdr *m, size_t size)
{
    while (size > 0) {
        ssize_t n = sendmsg(fd, m, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        size -= (size_t)n;
        m->msg_control = NULL;
        m->msg_controllen = 0;
        for (; m->msg_iovlen > 0 && (size_t)n >= m->msg_iov->iov_len;
             m->msg_iov++, m->msg_iovlen--)
            n -= (ssize_t)m->msg_iov->iov_len;
        if (m->msg_iovlen > 0) {
            m->msg_iov->iov_base = (char *)m->msg_iov->iov_base + n;
            m->msg_iov->iov_len -= (size_t)n;
        }
    }
    return 0;
}

int zygote_order(const struct zygote *z, uint64_t ticket, int dir,
                 const struct bytes *words, uint32_t count,
                 const struct process_spec *spec)
{
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    struct process_strings theirs = process_spec_strings(spec);
    uint64_t size = words->len + theirs.size;
    uint64_t pointers = (uint64_t)count + theirs.words + theirs.variables + 3;
    struct order order = {.ticket = ticket,
                          .size = (uint32_t)size,
                          .words = count + theirs.words,
                          .variables = theirs.variables};
    struct iovec parts[] = {
        {.iov_base = &order, .iov_len = sizeof(order)},
        {.iov_base = words->ptr, .iov_len = words->len},
        {.iov_base = (void *)(uintptr_t)theirs.at, .iov_len = theirs.size}};
    struct msghdr m = {.msg_iov = parts,
                       .msg_iovlen = sizeof(parts) / sizeof(*parts),
                       .msg_control = control,
                       .msg_controllen = sizeof(control)};

    if (size + pointers * sizeof(char *) > ORDER_MAX)
        return -E2BIG;
    attach(&m, dir);
    return send_all(z->fd, &m, sizeof(order) + size);
}

/* Answers are written whole, and so are read whole. */
int zygote_answers(const struct zygote *z, struct order_answer *to, size_t max)
{
    ssize_t n;

    do
        n = recv(z->fd, to, max * sizeof(*to), MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    if (n < 0 && errno == EAGAIN)
        return 0;
    return n <= 0 ? -EPIPE : (int)((size_t)n / sizeof(*to));
}

/* Of its group are, beside itself, forks that have not answered. All are ours
 * to wait for, and were not waited for: the number is still theirs. */
void zygote_kill(const struct zygote *z)
{
    siginfo_t info;

    kill(-z->pid, SIGKILL);
    while (waitid(P_PGID, (id_t)z->pid, &info, WEXITED) == 0 || errno == EINTR)
        continue;
}

void zygote_close(struct zygote *z)
{
    close(z->fd);
    z->pid = 0;
}
