/* SPDX-License-Identifier: MIT */
#include "bench/web_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/dial.h"

enum { FIN = 0x80, MASKED = 0x80, TEXT = 1, CLOSE = 8, PING = 9, PONG = 10 };
enum { ROOM = 256 * 1024, SAY_MAX = 4096, MASK = 4, LEN_16 = 126, LEN_64 };

struct frame {
    unsigned first; /* its flags and opcode */
    char *payload;
    size_t len;
    size_t whole; /* bytes, its head included */
};

void web_client_open(struct web_client *c, uint16_t port)
{
    struct dial_answer answer;
    char head[400];
    int n = snprintf(head, sizeof(head),
                     "GET /ws HTTP/1.1\r\n"
                     "Host: 127.0.0.1:%u\r\n"
                     "Connection: Upgrade\r\n"
                     "Upgrade: websocket\r\n"
                     "Sec-WebSocket-Version: 13\r\n"
                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                     port);

    *c = (struct web_client){.fd = dial(port), .room = ROOM};
    c->in = malloc(c->room + 1);
    dial_say(c->fd, head, (size_t)n);
    do {
        c->len += dial_hear(c->fd, c->in + c->len, c->room - c->len);
        c->in[c->len] = '\0';
    } while (!dial_answered(c->in, c->len, &answer));
    /* RFC 6455, 1.3: what a server makes of this key. */
    if (answer.status != 101 ||
        strstr(c->in, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") == NULL)
        dial_fail("no WebSocket", c->in);
    c->len -= answer.head;
    memmove(c->in, c->in + answer.head, c->len);
}

/* The mask is zero: it is there for proxies, and there is none. */
static void send_frame(struct web_client *c, unsigned opcode, const char *text,
                       size_t len)
{
    unsigned char frame[SAY_MAX + 8] = {(unsigned char)(FIN | opcode)};
    size_t at = 2;

    if (len > SAY_MAX)
        dial_fail("too long", text);
    if (len < LEN_16) {
        frame[1] = (unsigned char)(MASKED | len);
    } else {
        frame[1] = MASKED | LEN_16;
        frame[at++] = (unsigned char)(len >> 8);
        frame[at++] = (unsigned char)len;
    }
    memcpy(frame + at + MASK, text, len);
    dial_say(c->fd, (const char *)frame, at + MASK + len);
}

void web_client_say(struct web_client *c, const char *text)
{
    send_frame(c, TEXT, text, strlen(text));
}

/* Whether a frame's head is there; its payload need not be. */
static bool take_head(char *in, size_t have, struct frame *f)
{
    const unsigned char *p = (const unsigned char *)in;
    size_t head = 2;

    if (have < head)
        return false;
    f->first = p[0];
    f->len = p[1] & 0x7f;
    if (p[1] & MASKED)
        dial_fail("a server's frame", "is masked");
    if (f->len >= LEN_16)
        head += f->len == LEN_16 ? 2 : 8;
    if (have < head)
        return false;
    if (head > 2)
        f->len = 0;
    for (size_t i = 2; i < head; i++)
        f->len = f->len << 8 | p[i];
    f->payload = in + head;
    f->whole = head + f->len;
    return true;
}

static bool take_frame(struct web_client *c, const struct frame *f,
                       web_client_text *on_text, void *arg)
{
    switch (f->first) {
    case FIN | TEXT:
        on_text(arg, f->payload, f->len);
        return true;
    case FIN | PING:
        send_frame(c, PONG, f->payload, f->len);
        return true;
    case FIN | CLOSE:
        return false;
    default:
        dial_fail("a frame", "neither text, ping nor close, or in parts");
    }
}

static void make_room(struct web_client *c, size_t whole)
{
    if (whole <= c->room)
        return;
    c->room = whole;
    c->in = realloc(c->in, c->room + 1);
}

bool web_client_hear(struct web_client *c, web_client_text *on_text, void *arg)
{
    ssize_t n = recv(c->fd, c->in + c->len, c->room - c->len, 0);
    struct frame f = {0};
    size_t at = 0;

    if (n <= 0)
        return false;
    c->len += (size_t)n;
    while (take_head(c->in + at, c->len - at, &f) && f.whole <= c->len - at) {
        if (!take_frame(c, &f, on_text, arg))
            return false;
        at += f.whole;
        f.whole = 0;
    }
    c->len -= at;
    memmove(c->in, c->in + at, c->len);
    make_room(c, f.whole);
    return true;
}

void web_client_close(struct web_client *c)
{
    close(c->fd);
    free(c->in);
}
