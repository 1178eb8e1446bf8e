/* SPDX-License-Identifier: MIT */
#include "transport/hub/fetch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "runtime/text/bytes.h"
#include "transport/hub/peer.h"

#define BUDGET_S 10
#define CONNECT_S 3
#define TRIES 4 /* the first, and three again */
#define INPUT_MAX 8192
#define BODY_MAX ((size_t)200 << 10)
#define WHOLE_MAX (2 * BODY_MAX) /* head, body, marks between chunks */

struct fetch {
    char input[INPUT_MAX];
    const char *key; /* a part of it */
    struct url url;
    struct peer peer;
    struct bytes whole; /* the answer as it came */
    int status;
    struct bytes body;
};

/* ---- what is wanted ---------------------------------------------------- */

static bool refuse(struct fetch *f, const char *why)
{
    return peer_fail(&f->peer, "refused", why);
}

/* The key would end the line that it is in. */
static bool is_key(const char *key)
{
    for (; *key != 0; key++)
        if ((unsigned char)*key < ' ' || (unsigned char)*key > '~')
            return false;
    return true;
}

static bool read_input(struct fetch *f)
{
    size_t len = fread(f->input, 1, sizeof(f->input) - 1, stdin);
    char *line_end = memchr(f->input, '\n', len), *key_end;

    if (line_end == NULL)
        return refuse(f, "no address");
    *line_end = 0;
    f->key = line_end + 1;
    key_end = strchr(line_end + 1, '\n');
    if (key_end != NULL)
        *key_end = 0;
    if (!url_read(&f->url, f->input))
        return refuse(f, "no address");
    if (!f->url.is_tls && !url_is_loopback(&f->url))
        return refuse(f, "phases.apiUrl must begin with https:// unless it is "
                         "this machine's");
    return is_key(f->key) || refuse(f, "the key is no line of plain text");
}

/* ---- the question ------------------------------------------------------ */

static bool ask(struct fetch *f)
{
    const struct url *u = &f->url;
    struct bytes head = {0};
    bool is_ok;

    bytes_format(&head,
                 "GET %s%.*s HTTP/1.1\r\nHost: %.*s\r\n"
                 "User-Agent: kuromajutsu\r\nAccept: application/json\r\n",
                 u->target.len > 0 && u->target.ptr[0] == '/' ? "" : "/",
                 (int)u->target.len, u->target.ptr, (int)u->authority.len,
                 u->authority.ptr);
    if (*f->key != 0)
        bytes_format(&head, "X-API-Key: %s\r\n", f->key);
    bytes_format(&head, "Connection: close\r\n\r\n");
    is_ok = peer_put(&f->peer, bytes_slice(&head));
    bytes_finish(&head);
    return is_ok;
}

static bool read_whole(struct fetch *f)
{
    ssize_t n;

    do {
        bytes_reserve(&f->whole, 65536);
        n = peer_read(&f->peer, f->whole.ptr + f->whole.len, 65536);
        if (n > 0)
            f->whole.len += (size_t)n;
    } while (n > 0 && f->whole.len <= WHOLE_MAX);
    return f->whole.len > 0 ||
           peer_fail(&f->peer, "answer", "the connection has ended");
}

/* ---- the answer -------------------------------------------------------- */

static bool read_status(struct fetch *f)
{
    const char *at = f->whole.ptr;

    if (f->whole.len < 12 || strncmp(at, "HTTP/1.", 7) != 0 || at[8] != ' ' ||
        strspn(at + 9, "0123456789") < 3)
        return peer_fail(&f->peer, "answer", "not HTTP");
    f->status = atoi(at + 9);
    return true;
}

/* The value of a header, up to the end of its line; or NULL. */
static const char *header(const struct bytes *head, const char *name)
{
    const char *end = head->ptr + head->len, *line = head->ptr;

    while ((line = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        line++;
        if ((size_t)(end - line) > strlen(name) &&
            strncasecmp(line, name, strlen(name)) == 0 &&
            line[strlen(name)] == ':')
            return line + strlen(name) + 1 +
                   strspn(line + strlen(name) + 1, " \t");
    }
    return NULL;
}

/* False: it is not whole. */
static bool join_chunks(struct fetch *f, struct slice rest)
{
    for (;;) {
        const char *line_end =
            rest.len > 0 ? memchr(rest.ptr, '\n', rest.len) : NULL;
        size_t size, head;

        if (line_end == NULL)
            return false;
        size = strtoul(rest.ptr, NULL, 16);
        head = (size_t)(line_end + 1 - rest.ptr);
        if (size == 0)
            return true;
        if (size > rest.len - head || rest.len - head - size < 2)
            return false;
        bytes_append(&f->body, rest.ptr + head, size);
        rest = slice_of(rest.ptr + head + size + 2, rest.len - head - size - 2);
    }
}

static bool take_body(struct fetch *f, struct bytes *head, struct slice rest)
{
    const char *length = header(head, "Content-Length");
    const char *coding = header(head, "Transfer-Encoding");
    size_t wanted = length != NULL ? strtoul(length, NULL, 10) : rest.len;
    bool is_whole;

    if (wanted > BODY_MAX || rest.len > WHOLE_MAX - head->len)
        return refuse(f, "the answer is too large");
    if (coding != NULL && strncasecmp(coding, "chunked", 7) == 0) {
        is_whole = join_chunks(f, rest);
    } else {
        is_whole = rest.len >= wanted;
        bytes_append(&f->body, rest.ptr, is_whole ? wanted : 0);
    }
    if (f->body.len > BODY_MAX)
        return refuse(f, "the answer is too large");
    return is_whole || peer_fail(&f->peer, "answer", "it is cut short");
}

static bool read_answer(struct fetch *f)
{
    const char *end = NULL;
    struct bytes head = {0};
    size_t len;
    bool is_ok;

    bytes_append(&f->whole, "", 1); /* numbers in it end there */
    f->whole.len--;
    if (!read_status(f))
        return false;
    if (f->status != 200)
        return true;
    end = memmem(f->whole.ptr, f->whole.len, "\r\n\r\n", 4);
    if (end == NULL)
        return peer_fail(&f->peer, "answer", "not HTTP");
    len = (size_t)(end + 2 - f->whole.ptr);
    bytes_append(&head, f->whole.ptr, len);
    is_ok = take_body(f, &head, slice_of(end + 4, f->whole.len - len - 2));
    bytes_finish(&head);
    return is_ok;
}

/* ---- trying ------------------------------------------------------------ */

static bool try_once(struct fetch *f)
{
    f->status = 0;
    f->whole.len = f->body.len = 0;
    f->peer.connect_s = CONNECT_S;
    return peer_open(&f->peer, &f->url) && ask(f) && read_whole(f) &&
           read_answer(f);
}

static bool may_help(const struct fetch *f, bool is_ok, const char *why)
{
    if (is_ok)
        return f->status == 429 || f->status >= 500;
    return strncmp(why, "refused", 7) != 0;
}

static void say(const struct fetch *f, bool is_ok, const char *why)
{
    if (!is_ok) {
        printf("%s\n", why);
        return;
    }
    printf("HTTP %d\n", f->status);
    if (f->status == 200)
        fwrite(f->body.ptr, 1, f->body.len, stdout);
}

static void on_budget(int signal)
{
    static const char line[] = "timed out\n";

    (void)signal;
    _exit(write(STDOUT_FILENO, line, sizeof(line) - 1) < 0);
}

int fetch_main(void)
{
    struct fetch *f = bytes_zalloc(sizeof(*f));
    char why[sizeof(f->peer.why)];
    bool is_ok;

    signal(SIGPIPE, SIG_IGN); /* TLS writes by itself */
    signal(SIGALRM, on_budget);
    alarm(BUDGET_S);
    f->peer.fd = -1;
    is_ok = read_input(f);
    memcpy(why, f->peer.why, sizeof(why));
    for (unsigned i = 0, wait = 1; is_ok || i > 0; wait *= 2) {
        is_ok = try_once(f);
        memcpy(why, f->peer.why, sizeof(why));
        peer_close(&f->peer);
        if (++i == TRIES || !may_help(f, is_ok, why))
            break;
        sleep(wait);
    }
    alarm(0);
    say(f, is_ok, why);
    bytes_finish(&f->whole);
    bytes_finish(&f->body);
    free(f);
    return 0;
}
