/* SPDX-License-Identifier: MIT */
#include "transport/hub/post.h"

#include <errno.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "config/url.h"
#include "runtime/text/bytes.h"

#define INPUT_MAX ((size_t)1 << 20)

struct post {
    struct bytes input; /* the address, ended by 0, and the body */
    struct url url;
    struct slice body;
    int fd;
    SSL_CTX *context;
    SSL *tls; /* NULL: in the clear */
};

static bool fail(const char *what, const char *why)
{
    printf("%s: %s\n", what, why);
    return false;
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
        return fail("stdin", "no address");
    *line_end = 0;
    p->body = slice_of(line_end + 1,
                       p->input.len - (size_t)(line_end + 1 - p->input.ptr));
    return url_read(&p->url, p->input.ptr) || fail("stdin", "no address");
}

/* ---- the connection ---------------------------------------------------- */

static int connect_to(const struct addrinfo *a)
{
    int fd =
        socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);

    if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) != 0) {
        int error = errno;

        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

static bool open_connection(struct post *p)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *all = NULL;
    char *host = bytes_text("%.*s", (int)p->url.host.len, p->url.host.ptr);
    char *port = bytes_text("%.*s", (int)p->url.port.len, p->url.port.ptr);
    int code = getaddrinfo(host, port, &hints, &all);

    free(host);
    free(port);
    if (code != 0)
        return fail("resolve", gai_strerror(code));
    p->fd = -1;
    for (struct addrinfo *a = all; a != NULL && p->fd < 0; a = a->ai_next)
        p->fd = connect_to(a);
    code = errno;
    freeaddrinfo(all);
    return p->fd >= 0 || fail("connect", strerror(code));
}

static const char *tls_error(const struct post *p)
{
    long verdict = SSL_get_verify_result(p->tls);
    const char *reason = ERR_reason_error_string(ERR_peek_error());

    if (verdict != X509_V_OK)
        return X509_verify_cert_error_string(verdict);
    return reason != NULL ? reason : "the handshake failed";
}

/* A name is asked for and checked; a number is checked alone. */
static bool name_peer(struct post *p)
{
    char *host = bytes_text("%.*s", (int)p->url.host.len, p->url.host.ptr);
    X509_VERIFY_PARAM *param = SSL_get0_param(p->tls);
    bool is_ok = X509_VERIFY_PARAM_set1_ip_asc(param, host) == 1 ||
                 (SSL_set1_host(p->tls, host) == 1 &&
                  SSL_set_tlsext_host_name(p->tls, host) == 1);

    free(host);
    return is_ok;
}

/* Who is not whom the address names learns nothing. */
static bool begin_tls(struct post *p)
{
    p->context = SSL_CTX_new(TLS_client_method());
    if (p->context == NULL || SSL_CTX_set_default_verify_paths(p->context) != 1)
        return fail("TLS", "no certificates");
    SSL_CTX_set_verify(p->context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_min_proto_version(p->context, TLS1_2_VERSION);
    p->tls = SSL_new(p->context);
    if (p->tls == NULL || !name_peer(p) || SSL_set_fd(p->tls, p->fd) != 1)
        return fail("TLS", "out of memory");
    ERR_clear_error();
    return SSL_connect(p->tls) == 1 || fail("TLS", tls_error(p));
}

/* ---- the request ------------------------------------------------------- */

static bool put(struct post *p, struct slice bytes)
{
    while (bytes.len > 0) {
        ssize_t n = p->tls != NULL
                        ? SSL_write(p->tls, bytes.ptr, (int)bytes.len)
                        : send(p->fd, bytes.ptr, bytes.len, MSG_NOSIGNAL);

        if (n <= 0)
            return fail("send", "the connection has ended");
        bytes = slice_of(bytes.ptr + n, bytes.len - (size_t)n);
    }
    return true;
}

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
    is_ok = put(p, bytes_slice(&head)) && put(p, p->body);
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
        ssize_t n = p->tls != NULL
                        ? SSL_read(p->tls, line + len, (int)(12 - len))
                        : recv(p->fd, line + len, 12 - len, 0);

        if (n <= 0)
            return fail("answer", "the connection has ended");
        len += (size_t)n;
    }
    if (strncmp(line, "HTTP/1.", 7) != 0 || line[8] != ' ' ||
        strspn(line + 9, "0123456789") != 3)
        return fail("answer", "not HTTP");
    return line[9] == '2' || fail("HTTP", line + 9);
}

int post_main(void)
{
    struct post p = {.fd = -1};
    bool is_ok;

    signal(SIGPIPE, SIG_IGN); /* TLS writes by itself */
    is_ok = read_input(&p) && open_connection(&p) &&
            (!p.url.is_tls || begin_tls(&p)) && request(&p) && read_answer(&p);

    SSL_free(p.tls);
    SSL_CTX_free(p.context);
    if (p.fd >= 0)
        close(p.fd);
    bytes_finish(&p.input);
    return is_ok ? 0 : 1;
}
