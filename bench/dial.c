/* SPDX-License-Identifier: MIT */
#include "bench/dial.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

void dial_fail(const char *what, const char *detail)
{
    fprintf(stderr, "%s: %.400s\n", what, detail);
    exit(1);
}

int dial(uint16_t port)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0)
        dial_fail("connect", strerror(errno));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return fd;
}

void dial_say(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = send(fd, text, len, MSG_NOSIGNAL);

        if (n < 0)
            dial_fail("send", strerror(errno));
        text += n;
        len -= (size_t)n;
    }
}

size_t dial_hear(int fd, char *to, size_t room)
{
    ssize_t n = recv(fd, to, room, 0);

    if (n <= 0)
        dial_fail("the server left", n == 0 ? "closed" : strerror(errno));
    return (size_t)n;
}

/* The value of a header of this name, or NULL. */
static const char *header(const char *head, const char *name)
{
    size_t len = strlen(name);

    for (const char *line = strstr(head, "\r\n"); line != NULL;
         line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, len) == 0 && line[len] == ':')
            return line + len + 1 + strspn(line + len + 1, " ");
        if (strncmp(line, "\r\n", 2) == 0)
            break;
    }
    return NULL;
}

/* The length of a chunked body, or 0 while it is not all there. */
static size_t chunked(const char *body, const char *end)
{
    const char *p = body;

    for (;;) {
        char *line;
        unsigned long size = strtoul(p, &line, 16);

        if (line == p || (size_t)(end - line) < size + 4)
            return 0;
        p = line + 2 + size + 2;
        if (size == 0)
            return (size_t)(p - body);
    }
}

bool dial_answered(const char *text, size_t len, struct dial_answer *answer)
{
    const char *blank = strstr(text, "\r\n\r\n"), *value;
    size_t body = 0;

    if (blank == NULL)
        return false;
    if (sscanf(text, "HTTP/1.1 %u", &answer->status) != 1)
        dial_fail("no HTTP", text);
    answer->head = (size_t)(blank + 4 - text);
    if ((value = header(text, "content-length")) != NULL)
        body = strtoul(value, NULL, 10);
    else if (header(text, "transfer-encoding") != NULL &&
             (body = chunked(blank + 4, text + len)) == 0)
        return false;
    answer->whole = answer->head + body;
    return len >= answer->whole;
}
