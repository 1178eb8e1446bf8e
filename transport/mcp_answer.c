/* SPDX-License-Identifier: MIT */
/* What goes back: results by version, progress, logs. */
#include "transport/mcp_inner.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

void mcp_put_server(struct bytes *out, const struct mcp_session *s,
                    enum mcp_version version)
{
    JSON_RAW(out, "{\"name\":\"kuromajutsu\",");
    if (version >= MCP_2025_06_18)
        JSON_RAW(out, "\"title\":\"Kuromajutsu\",");
    JSON_RAW(out, "\"version\":");
    json_string(out, slice_cstr(s->options.version));
    JSON_RAW(out, "}");
}

void mcp_put_meta(struct bytes *out, const struct mcp_session *s)
{
    JSON_RAW(out, ",\"_meta\":{\"" META "serverInfo\":");
    mcp_put_server(out, s, MCP_2026_07_28);
    JSON_RAW(out, "}");
}

static enum tools_detail detail_of(enum mcp_version version)
{
    return version >= MCP_2025_06_18   ? TOOLS_FULL
           : version >= MCP_2025_03_26 ? TOOLS_ANNOTATED
                                       : TOOLS_PLAIN;
}

/* One page: some clients read only the first. So no cursor can be ours. */
void mcp_send_tools(struct mcp_session *s, const struct rpc_message *m,
                    enum mcp_version version)
{
    bool is_modern = version == MCP_2026_07_28;
    struct bytes out = {0};

    if (FIELD(m->params, "cursor")) {
        mcp_refuse(s, bytes_slice(&m->id), RPC_INVALID_PARAMS,
                   SLICE("Invalid params: unknown cursor"));
        return;
    }
    rpc_begin_result(&out, bytes_slice(&m->id));
    json_raw(&out, is_modern ? SLICE("{\"resultType\":\"complete\",\"tools\":")
                             : SLICE("{\"tools\":"));
    json_raw(&out, tools_list(s->options.tools, detail_of(version)));
    if (is_modern) {
        JSON_RAW(&out, ",\"ttlMs\":300000,\"cacheScope\":\"private\"");
        mcp_put_meta(&out, s);
    }
    JSON_RAW(&out, "}");
    rpc_end(&out);
    mcp_respond(s, s->batch, &out, (struct mcp_line){0});
}

/* An error has no structuredContent: clients would check it against the
 * outputSchema, which it does not meet. */
static void put_result(struct bytes *out, const struct mcp_session *s,
                       enum mcp_version version, struct slice json,
                       bool is_error)
{
    json_raw(out, version == MCP_2026_07_28
                      ? SLICE("{\"resultType\":\"complete\",\"content\":")
                      : SLICE("{\"content\":"));
    JSON_RAW(out, "[{\"type\":\"text\",\"text\":");
    json_quoted(out, json);
    JSON_RAW(out, "}]");
    if (is_error) {
        JSON_RAW(out, ",\"isError\":true");
    } else if (version >= MCP_2025_06_18) {
        JSON_RAW(out, ",\"structuredContent\":");
        json_raw(out, json);
    }
    if (version == MCP_2026_07_28)
        mcp_put_meta(out, s);
    JSON_RAW(out, "}");
}

/*
 * Official clients end the connection over a message of more than 10 MB, and
 * with it every other call. So it is the call that fails.
 */
static void put_too_large(struct bytes *out, const struct mcp_session *s,
                          enum mcp_version version, size_t bytes)
{
    struct bytes body = {0};
    char details[80];
    int n = snprintf(details, sizeof(details), "{\"bytes\":%zu,\"limit\":%zu}",
                     bytes, s->options.max_answer);

    code_put_error(&body, CODE_ANSWER_TOO_LARGE,
                   tools_language(s->options.tools) == TOOLS_ENGLISH
                       ? SLICE("the answer is too large; ask for less")
                       : SLICE("回答が大きすぎます。範囲を絞ってください"),
                   slice_of(details, (size_t)n));
    put_result(out, s, version, bytes_slice(&body), true);
    bytes_finish(&body);
}

static void put_bounded(struct bytes *out, const struct mcp_session *s,
                        enum mcp_version version, struct slice json,
                        bool is_error)
{
    size_t start = out->len;

    put_result(out, s, version, json, is_error);
    if (out->len <= s->options.max_answer)
        return;
    size_t bytes = out->len;
    out->len = start;
    put_too_large(out, s, version, bytes);
}

int mcp_answer_compact(struct mcp_session *s, uint64_t handle,
                       struct slice json, bool is_error)
{
    struct mcp_flight *f = mcp_call_find(s, handle);
    struct bytes out = {0};

    if (!f)
        return -ENOENT;
    bytes_reserve(&out, 3 * json.len + 512);
    rpc_begin_result(&out, bytes_slice(&f->id));
    put_bounded(&out, s, f->version, json, is_error);
    rpc_end(&out);
    mcp_respond(s, f->batch, &out, (struct mcp_line){.handle = handle});
    mcp_call_finish(s, f);
    return 0;
}

int mcp_answer(struct mcp_session *s, uint64_t handle, struct slice json,
               bool is_error)
{
    struct bytes compact = {0};

    if (!mcp_call_find(s, handle))
        return -ENOENT;
    if (!json_compact(&compact, json) || compact.ptr[0] != '{') {
        bytes_finish(&compact);
        return mcp_fail(s, handle, RPC_INTERNAL_ERROR,
                        SLICE("Internal error: the answer is no object"));
    }
    int error = mcp_answer_compact(s, handle, bytes_slice(&compact), is_error);
    bytes_finish(&compact);
    return error;
}

int mcp_fail(struct mcp_session *s, uint64_t handle, int code,
             struct slice message)
{
    struct mcp_flight *f = mcp_call_find(s, handle);
    struct bytes out = {0};

    if (!f)
        return -ENOENT;
    rpc_error(&out, bytes_slice(&f->id), code, message, SLICE_EMPTY);
    mcp_respond(s, f->batch, &out,
                (struct mcp_line){.handle = handle, .code = code});
    mcp_call_finish(s, f);
    return 0;
}

static void put_progress(struct bytes *out, const struct mcp_flight *f,
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
    struct mcp_flight *f = mcp_call_find(s, handle);
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
    const struct mcp_flight *f = mcp_call_find(s, handle);
    bool is_english = tools_language(s->options.tools) == TOOLS_ENGLISH;
    double progress = done;
    char text[80];

    if (!f)
        return -ENOENT;
    if (f->has_progress && f->progress >= done)
        progress = f->progress + (done + 1.0 - f->progress) / 1024;
    int n = snprintf(text, sizeof(text),
                     is_english ? "%u/%u done" : "%u/%u 完了", done, total);
    return mcp_progress(s, handle, progress, total, slice_of(text, (size_t)n));
}

static const char *const level_names[] = {"debug",   "info",     "notice",
                                          "warning", "error",    "critical",
                                          "alert",   "emergency"};

/* The older era's level is the session's, the new one's the request's. */
static bool wants_log(const struct mcp_session *s, const struct mcp_flight *f,
                      enum mcp_level level)
{
    if (f && f->version == MCP_2026_07_28)
        return (int)level >= f->level && f->level < MCP_LEVELS;
    return s->options.has_logging && s->has_handshake &&
           (s->level == MCP_LEVELS || (int)level >= s->level);
}

int mcp_log(struct mcp_session *s, uint64_t handle, enum mcp_level level,
            struct slice data)
{
    struct mcp_flight *f = handle ? mcp_call_find(s, handle) : NULL;
    struct bytes out = {0};

    if (handle && !f)
        return -ENOENT;
    if (!wants_log(s, f, level) || !mcp_may_read(s))
        return 0;
    rpc_begin_note(&out, SLICE("notifications/message"));
    JSON_RAW(&out, "{\"level\":");
    json_string(&out, slice_cstr(level_names[level]));
    JSON_RAW(&out, ",\"logger\":\"kuromajutsu\",\"data\":");
    if (!json_compact(&out, data))
        json_string(&out, data);
    JSON_RAW(&out, "}");
    rpc_end(&out);
    mcp_send(s, &out, (struct mcp_line){.handle = handle});
    return 0;
}
