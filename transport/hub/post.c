/* SPDX-License-Identifier: MIT */
#include "transport/hub/post.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/text/bytes.h"
#include "transport/hub/peer.h"

#define INPUT_MAX ((size_t)1 << 20)

struct post {
    struct bytes input; /* the address, ended by 0, and the body */
    struct url url;
    struct slice body;
    struct peer peer;
};

static bool fail(struct post *p, const char *what, const char *why)
{
    return peer_fail(&p->peer, what, why);
}

/* ---- what is wanted ---------------------------------------------------- */

static bool read_input(struct post *p)
{
    char *line_end;
    ssize_t n;

    do {
        bytes_reserve(&p->input, 65536);
        n = read(STDIN_FILENO, p->input.ptr + p->input.len, 65536);
        if (n > 0)
            p->input.len += (size_t)n;
    } while (n > 0 && p->input.len < INPUT_MAX);
    line_end =
        p->input.len > 0 ? memchr(p->input.ptr, '\n', p->input.len) : NULL;
    if (line_end == NULL)
        return fail(p, "stdin", "no address");
    *line_end = 0;
    p->body = slice_of(line_end + 1,
                       p->input.len - (size_t)(line_end + 1 - p->input.ptr));
    return url_read(&p->url, p->input.ptr) || fail(p, "stdin", "no address");
}

/* ---- the request ------------------------------------------------------- */

static bool request(struct post *p)
{
    const struct url *u = &p->url;
    struct bytes head = {0};
    bool is_ok;

    bytes_format(&head,
                 "POST %s%.*s HTTP/1.1\r\nHost: %.*s\r\n"
                 "User-Agent: kuromajutsu\r\n"
                 "Content-Type: application/json; charset=utf-8\r\n"
                 "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                 u->target.len > 0 && u->target.ptr[0] == '/' ? "" : "/",
                 (int)u->target.len, u->target.ptr, (int)u->authority.len,
                 u->authority.ptr, p->body.len);
    is_ok =
        peer_put(&p->peer, bytes_slice(&head)) && peer_put(&p->peer, p->body);
    bytes_finish(&head);
    return is_ok;
}

/* "HTTP/1.1 204": the rest is of no use. A redirection is not followed, for it
 * could lead elsewhere than its user has said. */
static bool read_answer(struct post *p)
{
    char line[16] = {0};
    size_t len = 0;

    while (len < 12) {
        ssize_t n = peer_read(&p->peer, line + len, 12 - len);

        if (n <= 0)
            return fail(p, "answer", "the connection has ended");
        len += (size_t)n;
    }
    if (strncmp(line, "HTTP/1.", 7) != 0 || line[8] != ' ' ||
        strspn(line + 9, "0123456789") != 3)
        return fail(p, "answer", "not HTTP");
    return line[9] == '2' || fail(p, "HTTP", line + 9);
}

int post_main(void)
{
    struct post p = {.peer = {.fd = -1}};
    bool is_ok;

    signal(SIGPIPE, SIG_IGN); /* TLS writes by itself */
    is_ok = read_input(&p) && peer_open(&p.peer, &p.url) && request(&p) &&
            read_answer(&p);
    if (!is_ok)
        printf("%s\n", p.peer.why);
    peer_close(&p.peer);
    bytes_finish(&p.input);
    return is_ok ? 0 : 1;
}
