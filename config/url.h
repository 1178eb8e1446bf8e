/* The address that something is sent to, or asked: http:// or https://, a host,
 * and what follows. Nothing in it is decoded: it goes out as it was written. */
#ifndef CONFIG_URL_H
#define CONFIG_URL_H

#include <stdbool.h>

#include "runtime/text/slice.h"

/* Parts of the text that was read. */
struct url {
    bool is_tls;
    struct slice site;      /* "https://host:port": what may be told of it */
    struct slice authority; /* "host:port", as the Host header has it */
    struct slice host;      /* without brackets */
    struct slice port;      /* in digits; "80" or "443" unless said */
    struct slice target;    /* path and query; may be empty, then it is "/" */
};

/* False: it is none, or has a user's name in it, which would be sent to nobody.
 */
bool url_read(struct url *u, const char *text);
/* Whether its host can only be this machine. */
bool url_is_loopback(const struct url *u);

#endif
