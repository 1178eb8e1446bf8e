/* SPDX-License-Identifier: MIT */
/* The host's answers, each in its post. */
#include <errno.h>

#include "transport/http/mcp/post.h"

/* Of a stream: beyond it news are left out, the next one says more. */
#define BEHIND ((size_t)256 << 10)

static int end(struct post *p, int result)
{
    post_end(p);
    return result;
}

int post_answer(struct post *p, uint64_t handle, struct slice json,
                bool is_error)
{
    post_begin(p);
    return end(p, mcp_answer(p->mcp, handle, json, is_error));
}

int post_answer_compact(struct post *p, uint64_t handle, struct slice json,
                        bool is_error)
{
    post_begin(p);
    return end(p, mcp_answer_compact(p->mcp, handle, json, is_error));
}

int post_result(struct post *p, uint64_t handle, struct slice json)
{
    post_begin(p);
    return end(p, mcp_result(p->mcp, handle, json));
}

int post_fail(struct post *p, uint64_t handle, int code, struct slice message,
              struct slice data)
{
    post_begin(p);
    return end(p, mcp_fail(p->mcp, handle, code, message, data));
}

/* There must be a stream for the question, and a session for the reply. */
int post_ask(struct post *p, uint64_t handle, struct slice method,
             struct slice params, uint64_t *ask)
{
    if (!p->may_stream || !p->session || !p->exchange)
        return -ENOTSUP;
    post_begin(p);
    return end(p, mcp_ask(p->mcp, handle, method, params, ask));
}

static bool is_behind(const struct post *p)
{
    return p->exchange && p->state == POST_STREAM &&
           exchange_unsent(p->exchange) > BEHIND;
}

int post_progress(struct post *p, uint64_t handle, double progress,
                  double total, struct slice message)
{
    if (is_behind(p))
        return 0;
    post_begin(p);
    return end(p, mcp_progress(p->mcp, handle, progress, total, message));
}

int post_count(struct post *p, uint64_t handle, unsigned done, unsigned total)
{
    if (is_behind(p))
        return 0;
    post_begin(p);
    return end(p, mcp_count(p->mcp, handle, done, total));
}

int post_log(struct post *p, uint64_t handle, enum mcp_level level,
             struct slice data)
{
    if (is_behind(p))
        return 0;
    post_begin(p);
    return end(p, mcp_log(p->mcp, handle, level, data));
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
