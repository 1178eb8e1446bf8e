/*
 * A pass is what a request shows to get in: the token itself in Authorization,
 * or, in a browser, a cookie that is made of it.
 */
#ifndef TRANSPORT_HTTP_PASS_H
#define TRANSPORT_HTTP_PASS_H

#include <stdint.h>

#include "runtime/text/slice.h"

struct pass {
    const char *token; /* borrowed; "": nobody has a pass */
    char name[32];     /* of the cookie */
    char value[65];
    char grant[192]; /* what Set-Cookie says */
};

/* The port tells hubs of one machine apart: to browsers they are one host. */
void pass_make(struct pass *p, const char *token, uint16_t port);
bool pass_is_token(const struct pass *p, struct slice token);
/* The values of the headers Authorization and Cookie; ptr may be NULL. */
bool pass_is_bearer(const struct pass *p, struct slice authorization);
bool pass_is_cookie(const struct pass *p, struct slice cookies);

#endif
