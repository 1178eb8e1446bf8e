/*
 * rpc reads and writes JSON-RPC 2.0 messages.
 *
 * An id is kept as the JSON text it came in: clients count from 0, use strings,
 * and some draw numbers beyond 2^53; what goes back is what came, to the byte
 * (a string may come back with other escapes; it is the same string).
 */
#ifndef TRANSPORT_MCP_RPC_H
#define TRANSPORT_MCP_RPC_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "runtime/text/bytes.h"

enum rpc_code {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL_ERROR = -32603,
};

enum rpc_kind {
    RPC_REQUEST,
    RPC_NOTIFICATION,
    RPC_RESPONSE,
    RPC_INVALID, /* fault says why */
};

/* What is wrong with a message; code 0 is nothing. */
struct rpc_fault {
    int code;
    const char *message; /* a literal */
};

/* One text as it was parsed: a message, or a batch of them. */
struct rpc_text {
    yyjson_doc *doc;   /* NULL: no JSON */
    yyjson_doc *exact; /* the same with numbers as text, made when needed */
    struct slice text;
};

struct rpc_message {
    enum rpc_kind kind;
    struct slice method;
    struct bytes id;     /* JSON text; empty if there is none */
    yyjson_val *params;  /* an object, or NULL */
    yyjson_val *message; /* the whole of it */
    struct rpc_fault fault;
    struct rpc_text *from;
    size_t index; /* its place in a batch */
};

/* text is borrowed until rpc_text_finish, and everything read points into it
 * or into the document. False: not JSON, or of too many values for its size.
 */
bool rpc_text_parse(struct rpc_text *t, struct slice text);
void rpc_text_finish(struct rpc_text *t);
bool rpc_text_is_batch(const struct rpc_text *t);
size_t rpc_text_count(const struct rpc_text *t);

/* Reads the message at index (0 if it is no batch). A value of a wrong shape
 * gives RPC_INVALID, with the id where one could be read. */
void rpc_message_read(struct rpc_message *m, struct rpc_text *t, size_t index);
void rpc_message_finish(struct rpc_message *m);

/* Appends an id or token as it stands in the message, where the keys of path
 * (ended by an empty one) lead. False, and nothing appended, unless it is a
 * string or a number. */
bool rpc_message_token(const struct rpc_message *m, const struct slice *path,
                       struct bytes *out);

/* {"jsonrpc":"2.0","id":ID,"result": - the caller appends the result, and
 * rpc_end. Ids are JSON text. */
void rpc_begin_result(struct bytes *out, struct slice id);
/* The same up to "params":. */
void rpc_begin_note(struct bytes *out, struct slice method);
void rpc_end(struct bytes *out);
/* A whole error message. Without an id (empty) the member is left out: null is
 * not accepted by clients. data is JSON text or empty. */
void rpc_error(struct bytes *out, struct slice id, int code,
               struct slice message, struct slice data);

#endif
