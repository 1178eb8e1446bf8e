/* SPDX-License-Identifier: MIT */
/*
 * It stays as small as it is started: one order at a time, in memory that is
 * given back when an order was large, for what it has is what each fork copies.
 */
#include "runtime/warden/zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sysexits.h>
#include <unistd.h>

#include "runtime/warden/badge.h"
#include "runtime/warden/life.h"
#include "runtime/warden/order.h"

#define LARGE ((size_t)256 << 10)

struct zygote {
    struct badge badge;
    char *bytes;   /* ORDER_MAX of them: those of the order, then pointers */
    bool has_news; /* the hub reads it */
};

/* ---- receiving ----------------------------------------------------------- */

/* The one descriptor that came with it, or -1. */
static int descriptor(struct msghdr *m)
{
    struct cmsghdr *c = CMSG_FIRSTHDR(m);
    int fd = -1;

    if (c != NULL && c->cmsg_level == SOL_SOCKET &&
        c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(fd)))
        memcpy(&fd, CMSG_DATA(c), sizeof(fd));
    return fd;
}

static bool receive_bytes(char *to, size_t size)
{
    while (size > 0) {
        ssize_t n = recv(ORDER_SOCKET, to, size, MSG_WAITALL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

/* False: the hub has gone, or is none of ours. */
static bool receive(const struct zygote *z, struct order *o, int *dir)
{
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    struct iovec head = {.iov_base = o, .iov_len = sizeof(*o)};
    struct msghdr m = {.msg_iov = &head,
                       .msg_iovlen = 1,
                       .msg_control = control,
                       .msg_controllen = sizeof(control)};
    ssize_t n;

    do
        n = recvmsg(ORDER_SOCKET, &m, MSG_WAITALL | MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n != sizeof(*o) || (*dir = descriptor(&m)) < 0)
        return false;

    uint64_t pointers = (uint64_t)o->words + o->variables + 3;

    return o->size + pointers * sizeof(char *) <= ORDER_MAX &&
           receive_bytes(z->bytes, o->size);
}

static void answer(uint64_t ticket, pid_t pid, int error)
{
    const struct order_answer a = {
        .ticket = ticket, .pid = pid, .error = error};

    if (send(ORDER_SOCKET, &a, sizeof(a), MSG_NOSIGNAL) != sizeof(a))
        _exit(EX_UNAVAILABLE);
}

bool zygote_tell_start(uint64_t ticket, pid_t cli, uint64_t started_at)
{
    const struct order_news news = {
        .ticket = ticket, .started_at = started_at, .cli = cli};
    ssize_t n = send(ORDER_NEWS_SOCKET, &news, sizeof(news),
                     MSG_NOSIGNAL | MSG_DONTWAIT);

    close(ORDER_NEWS_SOCKET);
    return n == sizeof(news);
}

/* ---- a warden ------------------------------------------------------------ */

/* Pointers to so many strings from *at on, which moves behind them. False: it
 * is not so many. */
static bool list(char **to, uint32_t count, char **at, const char *end)
{
    for (uint32_t i = 0; i < count; i++) {
        char *zero = memchr(*at, 0, (size_t)(end - *at));

        if (zero == NULL)
            return false;
        to[i] = *at;
        *at = zero + 1;
    }
    to[count] = NULL;
    return true;
}

/* What the order says, as a warden is told it; and shows it. */
static bool read_order(const struct zygote *z, const struct order *order,
                       struct options *o)
{
    char *at = z->bytes, *end = at + order->size;
    char **words = (char **)(z->bytes + (order->size + 7) / 8 * 8);
    char **variables = words + order->words + 1;

    if (!list(words, order->words, &at, end) ||
        !list(variables, order->variables, &at, end) ||
        options_parse(o, words) != NULL ||
        !badge_wear(&z->badge, variables, o->id))
        return false;
    environ = variables;
    return true;
}

/* Answered also when it cannot be carried out: our end says so then, as that
 * of any other warden does. */
static int live(const struct zygote *z, const struct order *order, int dir)
{
    struct options o;
    bool is_read = read_order(z, order, &o);

    setsid();
    answer(order->ticket, getpid(), 0);
    close(ORDER_SOCKET);
    if (!is_read)
        return EX_USAGE;
    return life_run(&o, dir, z->has_news ? &order->ticket : NULL);
}

/*
 * Its parent is ours. By the system call, for the library's fork has no such
 * flag; there is one thread, and nobody asked to be told of forks.
 */
static pid_t fork_sibling(void)
{
    return (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL,
                          NULL);
}

unsigned zygote_free_files(const char *format)
{
    if (strcmp(format, ORDER_FORMAT) == 0)
        return ORDER_NEWS_SOCKET + 1;
    return strcmp(format, ORDER_FORMAT_BEFORE) == 0 ? ORDER_SOCKET + 1 : 0;
}

int zygote_run(char **argv)
{
    struct zygote z = {.has_news = strcmp(argv[2], ORDER_FORMAT) == 0};
    struct order order;
    int dir;

    /* A warden has it open when it starts its CLI. */
    if (z.has_news)
        fcntl(ORDER_NEWS_SOCKET, F_SETFD, FD_CLOEXEC);
    z.bytes = mmap(NULL, ORDER_MAX, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (z.bytes == MAP_FAILED)
        return EX_OSERR;
    if (!badge_init(&z.badge, argv, environ))
        return EX_USAGE;
    while (receive(&z, &order, &dir)) {
        pid_t pid = fork_sibling();

        /* What the library does at an end is the zygote's to do, and would
         * first have to be copied. */
        if (pid == 0)
            _exit(live(&z, &order, dir));
        if (pid < 0)
            answer(order.ticket, 0, errno);
        close(dir);
        if (order.size > LARGE)
            madvise(z.bytes, ORDER_MAX, MADV_DONTNEED);
    }
    return EX_OK;
}
