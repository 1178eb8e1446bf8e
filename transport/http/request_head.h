/*
 * A head is the first part of a request as it came. h2o forgives in it what
 * lets two programs read one request in two ways, and hides the evidence; so
 * it is read once more, and what is not plain is refused.
 */
#ifndef TRANSPORT_HTTP_REQUEST_HEAD_H
#define TRANSPORT_HTTP_REQUEST_HEAD_H

#include "runtime/text/slice.h"

/* What is wrong with the head at the beginning of input, in words, or NULL;
 * *len is its length. */
const char *request_head_check(struct slice input, size_t *len);
/* Whether a path, its escapes resolved, is one that a client may mean. */
bool request_head_is_fair_path(struct slice path);

#endif
