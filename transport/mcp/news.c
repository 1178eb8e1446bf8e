/* SPDX-License-Identifier: MIT */
/* What is said while a call lasts: progress and logs. */
#include "config/messages.h"
#include "transport/mcp/inside.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

static void put_progress(struct bytes *out, const struct mcp_pending *f,
                         double progress, double total, struct slice message)
{
    rpc_begin_note(out, SLICE("notifications/progress"));
    JSON_RAW(out, "{\"progressToken\":");
    json_raw(out, bytes_slice(&f->token));
    JSON_RAW(out, ",\"progress\":");
    json_number(out, progress);
    if (total > 0) {
        JSON_RAW(out, ",\"total\":");
        json_number(out, total);
    }
    if (message.len > 0 && f->version >= MCP_2025_03_26) {
        JSON_RAW(out, ",\"message\":");
        json_string(out, message);
    }
    JSON_RAW(out, "}");
    rpc_end(out);
}

/* A client that does not read its answers is not sent news on top: the next
 * one says more anyway. */
int mcp_progress(struct mcp_session *s, uint64_t handle, double progress,
                 double total, struct slice message)
{
    struct mcp_pending *f = mcp_call_find(s, handle);
    struct bytes out = {0};

    if (!f)
        return -ENOENT;
    if (f->token.len == 0 || !mcp_may_read(s) || isnan(progress) ||
        (f->has_progress && progress <= f->progress))
        return 0;
    f->has_progress = true;
    f->progress = progress;
    put_progress(&out, f, progress, total, message);
    mcp_send(s, &out, (struct mcp_line){.handle = handle});
    return 0;
}

/* Each part is a thousandth of what is left to the next step, so there is
 * always another: for days, at one every ten seconds. */
int mcp_count(struct mcp_session *s, uint64_t handle, unsigned done,
              unsigned total)
{
    const struct mcp_pending *f = mcp_call_find(s, handle);
    bool is_english = tools_language(s->options.tools) == TOOLS_ENGLISH;
    double progress = done;
    char text[80];

    if (!f)
        return -ENOENT;
    if (f->has_progress && f->progress >= done)
        progress = f->progress + (done + 1.0 - f->progress) / 1024;
    int n = snprintf(text, sizeof(text), MESSAGE(is_english, PROGRESS_DONE),
                     done, total);
    return mcp_progress(s, handle, progress, total, slice_of(text, (size_t)n));
}

/* The older era's level is the session's, the new one's the request's. */
static bool wants_log(const struct mcp_session *s, const struct mcp_pending *f,
                      enum mcp_level level)
{
    if (f && f->version == MCP_2026_07_28)
        return (int)level >= f->level && f->level < MCP_LEVELS;
    return (s->options.offers & MCP_OFFER_LOGGING) &&
           s->client->has_handshake &&
           (s->client->level == MCP_LEVELS || (int)level >= s->client->level);
}

int mcp_log(struct mcp_session *s, uint64_t handle, enum mcp_level level,
            struct slice data)
{
    struct mcp_pending *f = handle ? mcp_call_find(s, handle) : NULL;
    struct bytes out = {0};

    if (handle && !f)
        return -ENOENT;
    if (!wants_log(s, f, level) || !mcp_may_read(s))
        return 0;
    rpc_begin_note(&out, SLICE("notifications/message"));
    JSON_RAW(&out, "{\"level\":");
    json_string(&out, mcp_level_name(level));
    JSON_TEXT(&out, "logger",
              slice_cstr(s->options.name ? s->options.name : "kuromajutsu"));
    JSON_RAW(&out, ",\"data\":");
    if (!json_compact(&out, data))
        json_string(&out, data);
    JSON_RAW(&out, "}");
    rpc_end(&out);
    mcp_send(s, &out, (struct mcp_line){.handle = handle});
    return 0;
}
