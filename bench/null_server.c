/* SPDX-License-Identifier: MIT */
/*
 * null_server ANSWER [relay]: a server that does nothing, as fast as can be
 * done.
 *
 * ANSWER is a file with one line that a real server answered. Whatever is
 * asked gets these bytes with the id it was asked with; what has no id gets
 * none. One read takes what is there, one writev answers all of it: no server
 * on pipes can do with less.
 *
 * With "relay", what is asked goes first to a second process behind a socket
 * and comes back: what the way through a relay and a hub takes when neither
 * has anything to do. The second has a session of its own, as a hub has. One
 * question at a time.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define ID "\"id\":"

enum { BATCH = 300, PARTS = 3 };

struct null_server {
    char *answer;
    size_t before, after; /* bytes up to its id, and where the rest begins */
    size_t len;
    struct iovec parts[BATCH * PARTS];
    int count;
};

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* The text of the first id in it: pointer and length, or NULL. */
static char *find_id(char *text, size_t len, size_t *id_len)
{
    char *id = memmem(text, len, ID, strlen(ID));
    char *end = text + len;

    if (id == NULL)
        return NULL;
    id += strlen(ID);
    *id_len = 0;
    while (id + *id_len < end && id[*id_len] != ',' && id[*id_len] != '}')
        ++*id_len;
    return id;
}

static void read_answer(struct null_server *s, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    size_t id_len;
    char *id;

    if (fd < 0 || fstat(fd, &st) != 0)
        fail(path);
    s->len = (size_t)st.st_size;
    s->answer = malloc(s->len + 1);
    if (read(fd, s->answer, s->len) != st.st_size)
        fail(path);
    close(fd);
    id = find_id(s->answer, s->len, &id_len);
    if (id == NULL)
        fail("no id in the answer");
    s->before = (size_t)(id - s->answer);
    s->after = s->before + id_len;
}

static void flush(struct null_server *s)
{
    struct iovec *part = s->parts;

    while (s->count > 0) {
        ssize_t n = writev(STDOUT_FILENO, part, s->count);

        if (n < 0 && errno != EINTR)
            exit(0); /* the client has left */
        for (; n > 0 && s->count > 0; s->count--, part++) {
            if ((size_t)n < part->iov_len) {
                part->iov_base = (char *)part->iov_base + n;
                part->iov_len -= (size_t)n;
                break;
            }
            n -= (ssize_t)part->iov_len;
        }
    }
}

static void answer(struct null_server *s, char *line, size_t len)
{
    size_t id_len;
    char *id = find_id(line, len, &id_len);

    if (id == NULL)
        return;
    s->parts[s->count++] = (struct iovec){s->answer, s->before};
    s->parts[s->count++] = (struct iovec){id, id_len};
    s->parts[s->count++] =
        (struct iovec){s->answer + s->after, s->len - s->after};
    if (s->count == BATCH * PARTS)
        flush(s);
}

/* Returns how many bytes of a line not yet whole are left at the start. */
static size_t answer_lines(struct null_server *s, char *text, size_t len)
{
    char *p = text, *end = text + len, *newline;

    while ((newline = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        answer(s, p, (size_t)(newline - p));
        p = newline + 1;
    }
    flush(s);
    memmove(text, p, (size_t)(end - p));
    return (size_t)(end - p);
}

/* Waits as a hub does, which has more than one descriptor to wait for. */
static _Noreturn void echo(int fd)
{
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    char text[1 << 14];
    ssize_t n = 0;

    if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0)
        fail("epoll");
    do {
        if (epoll_wait(epoll, &event, 1, -1) == 1)
            n = recv(fd, text, sizeof(text), 0);
    } while (n > 0 && send(fd, text, (size_t)n, MSG_NOSIGNAL) == n);
    exit(0);
}

static int start_echo(void)
{
    int ends[2];
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 ||
        (pid = fork()) < 0)
        fail("relay");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setsid(); /* which the kernel may share the cores out by */
        close(ends[0]);
        echo(ends[1]);
    }
    close(ends[1]);
    return ends[0];
}

/* There and back; waits as a relay does, who also hears its client. */
static ssize_t by_way_of(int hub, char *text, size_t len)
{
    struct pollfd p[] = {{.fd = hub, .events = POLLIN},
                         {.fd = STDIN_FILENO, .events = 0},
                         {.fd = STDOUT_FILENO, .events = 0}};
    size_t back = 0;

    if (send(hub, text, len, MSG_NOSIGNAL) != (ssize_t)len)
        fail("relay");
    while (back < len && poll(p, 3, -1) > 0) {
        ssize_t n = recv(hub, text + back, len - back, MSG_DONTWAIT);

        if (n <= 0)
            exit(0);
        back += (size_t)n;
    }
    return (ssize_t)back;
}

int main(int argc, char **argv)
{
    static struct null_server server;
    static char chunk[1 << 17];
    size_t left = 0;
    ssize_t n;
    bool has_hub = argc == 3 && strcmp(argv[2], "relay") == 0;
    int hub = has_hub ? start_echo() : -1;

    if (argc != 2 && !has_hub) {
        fputs("null_server ANSWER [relay]\n", stderr);
        return 2;
    }
    read_answer(&server, argv[1]);
    while (left < sizeof(chunk) &&
           (n = read(STDIN_FILENO, chunk + left, sizeof(chunk) - left)) > 0) {
        if (has_hub)
            n = by_way_of(hub, chunk + left, (size_t)n);
        left = answer_lines(&server, chunk, left + (size_t)n);
    }
    free(server.answer);
    return 0;
}
