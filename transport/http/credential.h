/*
 * A credential is what a request shows to get in: the token itself in
 * Authorization, or, in a browser, a cookie that is made of it.
 */
#ifndef TRANSPORT_HTTP_CREDENTIAL_H
#define TRANSPORT_HTTP_CREDENTIAL_H

#include <stdint.h>

#include "runtime/text/slice.h"

struct credential {
    const char *token; /* borrowed; "": there is no credential */
    char name[32];     /* of the cookie */
    char value[65];
    char grant[192]; /* what Set-Cookie says */
};

/* The port tells hubs of one machine apart: to browsers they are one host. */
void credential_make(struct credential *p, const char *token, uint16_t port);
bool credential_is_token(const struct credential *p, struct slice token);
/* The values of the headers Authorization and Cookie; ptr may be NULL. */
bool credential_is_bearer(const struct credential *p,
                          struct slice authorization);
bool credential_is_cookie(const struct credential *p, struct slice cookies);

#endif
