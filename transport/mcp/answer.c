/* SPDX-License-Identifier: MIT */
/* What goes back: who answers, what there is, and answers of tools. */
#include "config/messages.h"
#include "transport/mcp/inside.h"

#include <errno.h>
#include <stdio.h>

void mcp_put_server(struct bytes *out, const struct mcp_session *s,
                    enum mcp_version version)
{
    const struct mcp_options *o = &s->options;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "name", slice_cstr(o->name ? o->name : "kuromajutsu"));
    if (version >= MCP_2025_06_18)
        JSON_TEXT(out, "title",
                  slice_cstr(o->title ? o->title : "Kuromajutsu"));
    JSON_TEXT(out, "version", slice_cstr(o->version));
    JSON_RAW(out, "}");
}

void mcp_put_instructions(struct bytes *out, const struct mcp_session *s)
{
    struct slice text = tools_instructions(s->options.tools);

    if (text.len > 0)
        JSON_TEXT(out, "instructions", text);
}

static void put_offer(struct bytes *out, struct slice name, bool has_changes,
                      bool has_subscribe)
{
    json_key(out, name);
    JSON_RAW(out, "{");
    if (has_subscribe)
        JSON_RAW(out, "\"subscribe\":true");
    if (has_subscribe && has_changes)
        JSON_RAW(out, ",");
    if (has_changes)
        JSON_RAW(out, "\"listChanged\":true");
    JSON_RAW(out, "}");
}

void mcp_put_offers(struct bytes *out, const struct mcp_session *s,
                    enum mcp_version version)
{
    unsigned offers = s->options.offers;

    JSON_RAW(out, "{");
    put_offer(out, SLICE("tools"), true, false);
    if (offers & MCP_OFFER_LOGGING)
        put_offer(out, SLICE("logging"), false, false);
    if ((offers & MCP_OFFER_COMPLETIONS) && version >= MCP_2025_03_26)
        put_offer(out, SLICE("completions"), false, false);
    if (offers & MCP_OFFER_PROMPTS)
        put_offer(out, SLICE("prompts"), offers & MCP_OFFER_PROMPTS_CHANGED,
                  false);
    if (offers & MCP_OFFER_RESOURCES)
        put_offer(out, SLICE("resources"), offers & MCP_OFFER_RESOURCES_CHANGED,
                  offers & MCP_OFFER_RESOURCES_SUBSCRIBE);
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

static void put_result(struct bytes *out, const struct mcp_session *s,
                       const struct mcp_pending *f, struct slice json,
                       bool is_error)
{
    json_raw(out, f->version == MCP_2026_07_28
                      ? SLICE("{\"resultType\":\"complete\",")
                      : SLICE("{"));
    mcp_put_content(out, f, json, is_error);
    if (f->version == MCP_2026_07_28)
        mcp_put_meta(out, s);
    JSON_RAW(out, "}");
}

/*
 * Official clients end the connection over a message of more than 10 MB, and
 * with it every other call. So it is the call that fails.
 */
void mcp_put_too_large(struct bytes *out, const struct mcp_session *s,
                       const struct mcp_pending *f, size_t bytes)
{
    struct bytes body = {0};
    char details[80];
    int n = snprintf(details, sizeof(details), "{\"bytes\":%zu,\"limit\":%zu}",
                     bytes, s->options.max_answer);

    code_put_error(
        &body, CODE_ANSWER_TOO_LARGE,
        slice_cstr(MESSAGE(tools_language(s->options.tools) == TOOLS_ENGLISH,
                           ANSWER_TOO_LARGE)),
        slice_of(details, (size_t)n));
    put_result(out, s, f, bytes_slice(&body), true);
    bytes_finish(&body);
}

static void put_bounded(struct bytes *out, const struct mcp_session *s,
                        const struct mcp_pending *f, struct slice json,
                        bool is_error)
{
    size_t start = out->len;

    put_result(out, s, f, json, is_error);
    if (out->len <= s->options.max_answer)
        return;
    size_t bytes = out->len;
    out->len = start;
    mcp_put_too_large(out, s, f, bytes);
}

int mcp_answer_compact(struct mcp_session *s, uint64_t handle,
                       struct slice json, bool is_error)
{
    struct mcp_pending *f = mcp_call_find(s, handle);
    struct bytes out = s->spare;

    if (!f)
        return -ENOENT;
    if (f->kind != MCP_KIND_TOOL)
        return mcp_offers_answer(s, f, json, is_error);
    s->spare = (struct bytes){0};
    bytes_reserve(&out, 3 * json.len + 512);
    rpc_begin_result(&out, bytes_slice(&f->id));
    put_bounded(&out, s, f, json, is_error);
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
                        SLICE("Internal error: the answer is no object"),
                        SLICE_EMPTY);
    }
    int error = mcp_answer_compact(s, handle, bytes_slice(&compact), is_error);
    bytes_finish(&compact);
    return error;
}
