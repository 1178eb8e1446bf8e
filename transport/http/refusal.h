/*
 * A refusal is an answer that says no in words its asker understands: an error
 * of JSON-RPC below /mcp, code.h's error body below /api, else a text.
 */
#ifndef TRANSPORT_HTTP_REFUSAL_H
#define TRANSPORT_HTTP_REFUSAL_H

#include "runtime/text/slice.h"

struct exchange;

/* The whole answer; message is copied. */
void refusal_send(struct exchange *x, int status, struct slice message);

#endif
