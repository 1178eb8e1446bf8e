/* SPDX-License-Identifier: MIT */
/*
 * Browsers send a host's cookies to all its ports, so on localhost also to
 * servers of other users: the cookie must not tell the token. It is an HMAC of
 * it, the same after a restart, and is not taken where tools are called.
 */
#include "transport/http/token_cookie.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <strings.h>

#include "runtime/text/hex.h"

void token_cookie_make(struct token_cookie *p, const char *token, uint16_t port)
{
    unsigned char sum[EVP_MAX_MD_SIZE];
    unsigned len = 0;

    *p = (struct token_cookie){.token = token};
    snprintf(p->name, sizeof(p->name), "kuromajutsu-%u", port);
    if (*token == 0)
        return;
    if (HMAC(EVP_sha256(), token, (int)strlen(token),
             (const unsigned char *)p->name, strlen(p->name), sum,
             &len) == NULL)
        return; /* no cookie fits then, the token still does */
    hex_write(p->value, sum, len);
    snprintf(p->grant, sizeof(p->grant),
             "%s=%s; Path=/; HttpOnly; SameSite=Strict", p->name, p->value);
}

/* Takes as long whatever the place of the first difference is. */
static bool is_same(struct slice given, const char *secret)
{
    size_t len = strlen(secret);

    return len > 0 && given.len == len &&
           CRYPTO_memcmp(given.ptr, secret, len) == 0;
}

bool token_cookie_is_token(const struct token_cookie *p, struct slice token)
{
    return is_same(token, p->token);
}

bool token_cookie_is_bearer(const struct token_cookie *p,
                            struct slice authorization)
{
    static const char scheme[] = "Bearer ";
    size_t len = sizeof(scheme) - 1;

    if (authorization.len <= len ||
        strncasecmp(authorization.ptr, scheme, len) != 0)
        return false;
    return is_same(
        slice_trim(slice_of(authorization.ptr + len, authorization.len - len)),
        p->token);
}

bool token_cookie_is_cookie(const struct token_cookie *p, struct slice cookies)
{
    size_t len = strlen(p->name);

    while (cookies.len > 0) {
        const char *end = memchr(cookies.ptr, ';', cookies.len);
        size_t taken = end ? (size_t)(end - cookies.ptr) : cookies.len;
        struct slice one = slice_trim(slice_of(cookies.ptr, taken));

        if (one.len > len && one.ptr[len] == '=' &&
            memcmp(one.ptr, p->name, len) == 0 &&
            is_same(slice_of(one.ptr + len + 1, one.len - len - 1), p->value))
            return true;
        if (end == NULL)
            break;
        cookies = slice_of(end + 1, cookies.len - taken - 1);
    }
    return false;
}
