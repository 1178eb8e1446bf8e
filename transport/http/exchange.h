/*
 * An exchange is one HTTP request and its answer. A route is given one and
 * answers it at once or in a later turn (then within site_enter), whole or as
 * a stream; it lives until on_gone, which comes once, when the answer has left
 * or the client has.
 */
#ifndef TRANSPORT_HTTP_EXCHANGE_H
#define TRANSPORT_HTTP_EXCHANGE_H

#include "runtime/text/bytes.h"

struct exchange;
struct site;

/* ---- the request: valid until on_gone ---- */
struct site *exchange_site(const struct exchange *x);
struct slice exchange_method(const struct exchange *x);
/* Without the query, dots and escapes resolved; and the query without '?'. */
struct slice exchange_path(const struct exchange *x);
struct slice exchange_query(const struct exchange *x);
/* Whether the path is top, or below it as below a directory. */
bool exchange_is_below(const struct exchange *x, const char *top);
/* The value of a parameter of the query, unescaped; false if there is none. */
bool exchange_parameter(const struct exchange *x, const char *name,
                        struct bytes *out);
/* A header by its name in lower case, blanks around it taken off; ptr is NULL
 * if there is none. */
struct slice exchange_header(const struct exchange *x, const char *name);
/* What Host named. */
struct slice exchange_host(const struct exchange *x);
struct slice exchange_body(const struct exchange *x);

/* Who wants to know of the end; before the route returns or answers. */
void exchange_own(struct exchange *x, void *owner, void (*on_gone)(void *));
/* ---- the answer ---- */
/* Name and value live as long as the exchange; before the answer begins. */
void exchange_add_header(struct exchange *x, const char *name,
                         struct slice value);
/* The whole answer. The bytes are taken; type NULL: there is no body. */
void exchange_reply(struct exchange *x, int status, const char *type,
                    struct bytes *body);
/* The same with a text that lives as long as the program. */
void exchange_reply_text(struct exchange *x, int status, const char *type,
                         struct slice body);
/* A stream: the head leaves with the first bytes that are written. */
void exchange_begin(struct exchange *x, int status, const char *type);
/* Appends to a stream. False: the reader is slower than `limit` allows; it is
 * being cut off and on_gone will come. */
bool exchange_write(struct exchange *x, struct slice bytes);
void exchange_limit(struct exchange *x, size_t limit);
size_t exchange_unsent(const struct exchange *x);
/* The last of it has been written. */
void exchange_end(struct exchange *x);
/* Cuts the connection; on_gone comes later. */
void exchange_abort(struct exchange *x);

#endif
