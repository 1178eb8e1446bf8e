/* SPDX-License-Identifier: MIT */
/*
 * null_server ANSWER: a server that does nothing, as fast as can be done.
 *
 * ANSWER is a file with one line that a real server answered. Whatever is
 * asked gets these bytes with the id it was asked with; what has no id gets
 * none. One read takes what is there, one writev answers all of it: no server
 * on pipes can do with less.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

int main(int argc, char **argv)
{
    static struct null_server server;
    static char chunk[1 << 17];
    size_t left = 0;
    ssize_t n;

    if (argc != 2) {
        fputs("null_server ANSWER\n", stderr);
        return 2;
    }
    read_answer(&server, argv[1]);
    while (left < sizeof(chunk) &&
           (n = read(STDIN_FILENO, chunk + left, sizeof(chunk) - left)) > 0)
        left = answer_lines(&server, chunk, left + (size_t)n);
    free(server.answer);
    return 0;
}
