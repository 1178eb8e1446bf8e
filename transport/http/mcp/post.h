/*
 * A post is one request to the endpoint from its coming to the end of its
 * answer, which is one JSON text or a stream of messages; the GET that waits
 * for news is one too. The endpoint's own; for no other room.
 */
#ifndef TRANSPORT_HTTP_MCP_POST_H
#define TRANSPORT_HTTP_MCP_POST_H

#include "transport/http/mcp/endpoint.h"
#include "transport/http/mcp/sessions.h"

enum post_state {
    POST_HELD,   /* nothing has been sent, it may become either */
    POST_STREAM, /* the head of a stream has */
};

struct post {
    struct endpoint *endpoint;
    struct exchange *exchange; /* NULL: the client has left, or has it all */
    struct mcp_session *mcp;
    struct mcp_client client;     /* of a client without a session */
    struct http_session *session; /* or NULL */
    struct post *before, *after;  /* all of the endpoint's */
    struct post *next_retired;
    enum post_state state;
    struct bytes held; /* lines that wait for a head */
    unsigned lines;    /* in it */
    int status;        /* of the answer in it */
    unsigned busy;     /* mcp is at work in it */
    bool is_modern, is_news, is_long;
    bool has_calls;  /* or had some */
    bool may_stream; /* the client takes one */
    bool has_left;   /* the host has been told */
    bool is_retired;
};

struct endpoint {
    struct endpoint_setup setup;
    struct http_sessions sessions;
    struct post *first;
    unsigned count;
    uint64_t posts; /* ever */
    unsigned depth; /* of calls into the endpoint */
    struct post *retired;
    uint64_t timer; /* or 0 */
    bool is_closing;
};

struct post_setup {
    struct exchange *exchange;
    struct http_session *session; /* taken; or NULL */
    enum mcp_version version;     /* without a session */
    bool is_modern, is_news, may_stream;
    const struct tools *tools; /* what this request is offered */
};

/* Around everything: what is retired meanwhile is freed after the last. */
void post_enter(struct endpoint *e);
void post_leave(struct endpoint *e);

struct post *post_open(struct endpoint *e, const struct post_setup *setup);
/* Whatever mcp does in a post is between these two; the latter sends what can
 * be sent, and ends the post if it is over. */
void post_begin(struct post *p);
void post_end(struct post *p);
/* Ends it without an answer of its own: calls in flight are cancelled. A
 * client that waits for a head is told `status`. */
void post_cut(struct post *p, int status);
/* Takes it out of everything. */
void post_retire(struct post *p);
/* An error that is the whole answer to a request. id is JSON text or empty. */
void post_refuse(struct exchange *x, int status, struct slice id, int code,
                 struct slice message);

#endif
