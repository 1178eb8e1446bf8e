/* SPDX-License-Identifier: MIT */
#include "transport/hub/peer.h"

#include <errno.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "runtime/text/bytes.h"

bool peer_fail(struct peer *p, const char *what, const char *why)
{
    snprintf(p->why, sizeof(p->why), "%s: %s", what, why);
    return false;
}

/* ---- the connection ---------------------------------------------------- */

static int connect_to(const struct peer *p, const struct addrinfo *a)
{
    const struct timeval wait = {.tv_sec = p->connect_s};
    int fd =
        socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);

    if (fd >= 0 && wait.tv_sec > 0)
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
    if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) != 0) {
        int error = errno == EINPROGRESS ? ETIMEDOUT : errno;

        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

static bool open_connection(struct peer *p, const struct url *url)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *all = NULL;
    char *host = bytes_text("%.*s", (int)url->host.len, url->host.ptr);
    char *port = bytes_text("%.*s", (int)url->port.len, url->port.ptr);
    int code = getaddrinfo(host, port, &hints, &all);

    free(host);
    free(port);
    if (code != 0)
        return peer_fail(p, "resolve", gai_strerror(code));
    p->fd = -1;
    for (struct addrinfo *a = all; a != NULL && p->fd < 0; a = a->ai_next)
        p->fd = connect_to(p, a);
    code = errno;
    freeaddrinfo(all);
    return p->fd >= 0 || peer_fail(p, "connect", strerror(code));
}

static const char *tls_error(const struct peer *p)
{
    long verdict = SSL_get_verify_result(p->tls);
    const char *reason = ERR_reason_error_string(ERR_peek_error());

    if (verdict != X509_V_OK)
        return X509_verify_cert_error_string(verdict);
    return reason != NULL ? reason : "the handshake failed";
}

/* A name is asked for and checked; a number is checked alone. */
static bool name_peer(struct peer *p, const struct url *url)
{
    char *host = bytes_text("%.*s", (int)url->host.len, url->host.ptr);
    X509_VERIFY_PARAM *param = SSL_get0_param(p->tls);
    bool is_ok = X509_VERIFY_PARAM_set1_ip_asc(param, host) == 1 ||
                 (SSL_set1_host(p->tls, host) == 1 &&
                  SSL_set_tlsext_host_name(p->tls, host) == 1);

    free(host);
    return is_ok;
}

/* Who is not whom the address names learns nothing. */
static bool begin_tls(struct peer *p, const struct url *url)
{
    p->context = SSL_CTX_new(TLS_client_method());
    if (p->context == NULL || SSL_CTX_set_default_verify_paths(p->context) != 1)
        return peer_fail(p, "TLS", "no certificates");
    SSL_CTX_set_verify(p->context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_min_proto_version(p->context, TLS1_2_VERSION);
    p->tls = SSL_new(p->context);
    if (p->tls == NULL || !name_peer(p, url) || SSL_set_fd(p->tls, p->fd) != 1)
        return peer_fail(p, "TLS", "out of memory");
    ERR_clear_error();
    return SSL_connect(p->tls) == 1 || peer_fail(p, "TLS", tls_error(p));
}

bool peer_open(struct peer *p, const struct url *url)
{
    return open_connection(p, url) && (!url->is_tls || begin_tls(p, url));
}

void peer_close(struct peer *p)
{
    SSL_free(p->tls);
    SSL_CTX_free(p->context);
    if (p->fd >= 0)
        close(p->fd);
    *p = (struct peer){.fd = -1};
}

/* ---- bytes ------------------------------------------------------------- */

bool peer_put(struct peer *p, struct slice bytes)
{
    while (bytes.len > 0) {
        ssize_t n = p->tls != NULL
                        ? SSL_write(p->tls, bytes.ptr, (int)bytes.len)
                        : send(p->fd, bytes.ptr, bytes.len, MSG_NOSIGNAL);

        if (n <= 0)
            return peer_fail(p, "send", "the connection has ended");
        bytes = slice_of(bytes.ptr + n, bytes.len - (size_t)n);
    }
    return true;
}

ssize_t peer_read(struct peer *p, char *to, size_t size)
{
    return p->tls != NULL ? SSL_read(p->tls, to, (int)size)
                          : recv(p->fd, to, size, 0);
}
