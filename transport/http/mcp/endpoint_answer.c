/* SPDX-License-Identifier: MIT */
/* The host's answers, each to the post that its handle names. */
#include <errno.h>

#include "transport/http/mcp/post.h"

/* Of a stream: beyond it news are left out, the next one says more. */
#define BEHIND ((size_t)256 << 10)

/* NULL, or the post, begun. */
static struct post *begin(struct endpoint *e, uint64_t handle)
{
    struct post *p = post_find(e, handle);

    if (p)
        post_begin(p);
    return p;
}

static int end(struct post *p, int result)
{
    post_end(p);
    return result;
}

int endpoint_answer(struct endpoint *e, uint64_t handle, struct slice json,
                    bool is_error)
{
    struct post *p = begin(e, handle);

    return p ? end(p, mcp_answer(p->mcp, post_inner(handle), json, is_error))
             : -ENOENT;
}

int endpoint_answer_compact(struct endpoint *e, uint64_t handle,
                            struct slice json, bool is_error)
{
    struct post *p = begin(e, handle);

    return p ? end(p, mcp_answer_compact(p->mcp, post_inner(handle), json,
                                         is_error))
             : -ENOENT;
}

int endpoint_result(struct endpoint *e, uint64_t handle, struct slice json)
{
    struct post *p = begin(e, handle);

    return p ? end(p, mcp_result(p->mcp, post_inner(handle), json)) : -ENOENT;
}

int endpoint_fail(struct endpoint *e, uint64_t handle, int code,
                  struct slice message, struct slice data)
{
    struct post *p = begin(e, handle);

    return p ? end(p, mcp_fail(p->mcp, post_inner(handle), code, message, data))
             : -ENOENT;
}

/* There must be a stream for the question, and a session for the reply. */
int endpoint_ask(struct endpoint *e, uint64_t handle, struct slice method,
                 struct slice params, uint64_t *ask)
{
    struct post *p = begin(e, handle);

    if (!p)
        return -ENOENT;
    if (!p->may_stream || !p->http_session || !p->exchange)
        return end(p, -ENOTSUP);
    return end(p, mcp_ask(p->mcp, post_inner(handle), method, params, ask));
}

static bool is_behind(const struct post *p)
{
    return p->exchange && p->state == POST_STREAM &&
           exchange_unsent(p->exchange) > BEHIND;
}

int endpoint_progress(struct endpoint *e, uint64_t handle, double progress,
                      double total, struct slice message)
{
    struct post *p = begin(e, handle);

    if (!p)
        return -ENOENT;
    return end(p, is_behind(p) ? 0
                               : mcp_progress(p->mcp, post_inner(handle),
                                              progress, total, message));
}

int endpoint_count(struct endpoint *e, uint64_t handle, unsigned done,
                   unsigned total)
{
    struct post *p = begin(e, handle);

    if (!p)
        return -ENOENT;
    return end(p, is_behind(p)
                      ? 0
                      : mcp_count(p->mcp, post_inner(handle), done, total));
}

int endpoint_log(struct endpoint *e, uint64_t handle, enum mcp_level level,
                 struct slice data)
{
    struct post *p = begin(e, handle);

    if (!p)
        return -ENOENT;
    return end(
        p, is_behind(p) ? 0 : mcp_log(p->mcp, post_inner(handle), level, data));
}

/* ---- news --------------------------------------------------------------- */

/* Streams for news, and nothing else: what belongs to no request has no place
 * among the answers to one. */
static bool is_told(const struct post *p)
{
    return !p->is_retired && p->exchange && (p->is_news || p->is_modern);
}

void endpoint_notify_changed(struct endpoint *e, enum mcp_list list)
{
    post_enter(e);
    for (struct post *p = e->first; p; p = p->after) {
        if (!is_told(p))
            continue;
        post_begin(p);
        mcp_notify_changed(p->mcp, list);
        post_end(p);
    }
    post_leave(e);
}

void endpoint_notify_updated(struct endpoint *e, struct slice uri)
{
    post_enter(e);
    for (struct post *p = e->first; p; p = p->after) {
        if (!is_told(p))
            continue;
        post_begin(p);
        mcp_notify_updated(p->mcp, uri);
        post_end(p);
    }
    post_leave(e);
}
