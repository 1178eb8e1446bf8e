/* A query is what follows the '?' of a request's target: NAME=VALUE&... */
#ifndef TRANSPORT_HTTP_QUERY_H
#define TRANSPORT_HTTP_QUERY_H

#include "runtime/text/bytes.h"

/* Appends the value of the first parameter of that name, unescaped; false if
 * there is none. */
bool query_get(struct slice query, const char *name, struct bytes *out);

#endif
