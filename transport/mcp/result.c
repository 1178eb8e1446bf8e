/* SPDX-License-Identifier: MIT */
/* Whole results of the host's, made fit for the version they are for. */
#include "transport/mcp/inside.h"

#include <errno.h>

/* Members that the library answers for. */
static bool is_ours(struct slice name)
{
    return slice_eq(name, SLICE("resultType")) ||
           slice_eq(name, SLICE("ttlMs")) ||
           slice_eq(name, SLICE("cacheScope")) ||
           slice_eq(name, SLICE("_meta"));
}

static void put_members(struct bytes *out, yyjson_val *result)
{
    yyjson_obj_iter it;
    yyjson_val *key;

    yyjson_obj_iter_init(result, &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        if (is_ours(field_text(key)))
            continue;
        json_key(out, field_text(key));
        json_val(out, yyjson_obj_iter_get_val(key));
    }
}

/* Whatever has changed since is told, so a list may be kept for a while; what
 * is read is as it was at that moment. */
static void put_cache(struct bytes *out, yyjson_val *result, enum mcp_kind kind)
{
    yyjson_val *ttl = FIELD(result, "ttlMs");
    yyjson_val *scope = FIELD(result, "cacheScope");

    JSON_KEY(out, "ttlMs");
    if (ttl)
        json_val(out, ttl);
    else
        json_uint(out, kind == MCP_KIND_LIST ? 300000 : 0);
    JSON_TEXT(out, "cacheScope", scope ? field_text(scope) : SLICE("private"));
}

static void put_meta(struct bytes *out, const struct mcp_session *s,
                     yyjson_val *given)
{
    yyjson_obj_iter it;
    yyjson_val *key;

    JSON_KEY(out, "_meta");
    JSON_RAW(out, "{\"" META "serverInfo\":");
    mcp_put_server(out, s, MCP_2026_07_28);
    yyjson_obj_iter_init(given, &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        json_key(out, field_text(key));
        json_val(out, yyjson_obj_iter_get_val(key));
    }
    JSON_RAW(out, "}");
}

static void put_modern(struct bytes *out, const struct mcp_session *s,
                       enum mcp_kind kind, yyjson_val *result)
{
    struct slice type = FIELD_TEXT(result, "resultType");
    bool is_complete = type.len == 0 || slice_eq(type, SLICE("complete"));

    JSON_RAW(out, "{");
    JSON_TEXT(out, "resultType", type.len ? type : SLICE("complete"));
    put_members(out, result);
    if (is_complete && kind >= MCP_KIND_LIST)
        put_cache(out, result, kind);
    put_meta(out, s, FIELD(result, "_meta"));
    JSON_RAW(out, "}");
}

static void put_legacy(struct bytes *out, yyjson_val *result)
{
    yyjson_val *meta = FIELD(result, "_meta");

    JSON_RAW(out, "{");
    put_members(out, result);
    if (meta) {
        JSON_KEY(out, "_meta");
        json_val(out, meta);
    }
    JSON_RAW(out, "}");
}

/* Older clients have no way to answer a result that asks for input. */
static bool is_fit(const struct mcp_pending *f, yyjson_val *result)
{
    return yyjson_is_obj(result) && (f->version == MCP_2026_07_28 ||
                                     !slice_eq(FIELD_TEXT(result, "resultType"),
                                               SLICE("input_required")));
}

static void respond(struct mcp_session *s, struct mcp_pending *f,
                    yyjson_val *result)
{
    struct mcp_line line = {.handle = f->handle};
    struct bytes out = {0};

    rpc_begin_result(&out, bytes_slice(&f->id));
    size_t start = out.len;
    if (f->version == MCP_2026_07_28)
        put_modern(&out, s, f->kind, result);
    else
        put_legacy(&out, result);
    rpc_end(&out);
    if (out.len <= s->options.max_answer) {
        mcp_respond(s, f->batch, &out, line);
    } else if (f->kind == MCP_KIND_TOOL) {
        size_t bytes = out.len;
        out.len = start;
        mcp_put_too_large(&out, s, f, bytes);
        rpc_end(&out);
        mcp_respond(s, f->batch, &out, line);
    } else {
        bytes_finish(&out);
        mcp_fail(s, f->handle, RPC_INTERNAL_ERROR,
                 SLICE("Internal error: the answer is too large"), SLICE_EMPTY);
        return;
    }
    mcp_call_finish(s, f);
}

int mcp_result(struct mcp_session *s, uint64_t handle, struct slice json)
{
    struct mcp_pending *f = mcp_call_find(s, handle);
    yyjson_doc *doc;

    if (!f)
        return -ENOENT;
    doc = yyjson_read(json.ptr, json.len, YYJSON_READ_NUMBER_AS_RAW);
    if (is_fit(f, yyjson_doc_get_root(doc)))
        respond(s, f, yyjson_doc_get_root(doc));
    else
        mcp_fail(s, handle, RPC_INTERNAL_ERROR,
                 SLICE("Internal error: this is no answer for the client"),
                 SLICE_EMPTY);
    yyjson_doc_free(doc);
    return 0;
}

int mcp_fail(struct mcp_session *s, uint64_t handle, int code,
             struct slice message, struct slice data)
{
    struct mcp_pending *f = mcp_call_find(s, handle);
    struct bytes out = {0};
    bool is_form =
        f && f->version == MCP_2026_07_28 && (code == MCP_MISSING_CAPABILITY);

    if (!f)
        return -ENOENT;
    rpc_error(&out, bytes_slice(&f->id), code, message, data);
    mcp_respond(s, f->batch, &out,
                (struct mcp_line){.handle = handle,
                                  .code = code,
                                  .status = is_form ? 400 : 200});
    mcp_call_finish(s, f);
    return 0;
}
