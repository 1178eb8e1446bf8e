/*
 * A token cookie is what a request shows to get in: the token itself in
 * Authorization, or, in a browser, a cookie that is made of it.
 */
#ifndef TRANSPORT_HTTP_TOKEN_COOKIE_H
#define TRANSPORT_HTTP_TOKEN_COOKIE_H

#include <stdint.h>

#include "runtime/text/slice.h"

struct token_cookie {
    const char *token; /* borrowed; "": there is no token */
    char name[32];     /* of the cookie */
    char value[65];
    char grant[192]; /* what Set-Cookie says */
};

/* The port tells hubs of one machine apart: to browsers they are one host. */
void token_cookie_make(struct token_cookie *p, const char *token,
                       uint16_t port);
bool token_cookie_is_token(const struct token_cookie *p, struct slice token);
/* The values of the headers Authorization and Cookie; ptr may be NULL. */
bool token_cookie_is_bearer(const struct token_cookie *p,
                            struct slice authorization);
bool token_cookie_is_cookie(const struct token_cookie *p, struct slice cookies);

#endif
