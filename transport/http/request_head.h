/*
 * A head is the first part of a request as it came. h2o forgives in it what
 * lets two programs read one request in two ways, hides the evidence, and
 * shows it only when the body has come too. So it is read here before h2o has
 * seen it; what is not plain is refused.
 */
#ifndef TRANSPORT_HTTP_REQUEST_HEAD_H
#define TRANSPORT_HTTP_REQUEST_HEAD_H

#include <stdbool.h>

#include "runtime/text/slice.h"

/* Fields that are looked at, or may stand only once: h2o would take the first
 * of some, the last of others. */
enum request_field {
    REQUEST_HOST,
    REQUEST_ORIGIN,
    REQUEST_CONTENT_LENGTH,
    REQUEST_TRANSFER_ENCODING,
    REQUEST_AUTHORIZATION,
    REQUEST_CONTENT_TYPE,
    REQUEST_COOKIE,
    REQUEST_EXPECT,
    REQUEST_UPGRADE,
    REQUEST_WEBSOCKET_KEY,
    REQUEST_WEBSOCKET_VERSION,
    REQUEST_FETCH_SITE,
    REQUEST_FETCH_MODE,
    REQUEST_FIELDS
};

/* All of it points into the input, or into memory that request_head_finish
 * frees. */
struct request_head {
    size_t len; /* with the empty line that ends it */
    struct slice method, path, query;
    struct slice fields[REQUEST_FIELDS]; /* ptr is NULL: it is not there */
    void *own;
};

/* The length of the head that input begins with; 0: it is not whole yet. */
size_t request_head_length(struct slice input);
/* Reads a whole head. What is wrong with it, in words, or NULL. To be finished
 * in either case. */
const char *request_head_read(struct slice input, struct request_head *head);
void request_head_finish(struct request_head *head);

bool request_head_is_method(const struct request_head *head, const char *name);
/* Whether a body is to follow. */
bool request_head_has_body(const struct request_head *head);
/* Makes the fields that announce a body unknown ones: a request that is
 * refused is one without, whatever its client goes on to send. */
void request_head_drop_body(char *head, size_t len);
/* Whether a path is top, or below it as below a directory. */
bool request_head_is_below(struct slice path, const char *top);

#endif
