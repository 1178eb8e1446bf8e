/* SPDX-License-Identifier: MIT */
/*
 * Toolsets come from different specifications, and each has its own manner of
 * saying that something went wrong. Inside the hub, on the wire and over the
 * API there is one (actors/order/code.h); clients are told in the toolset's.
 */
#include "transport/mcp/inside.h"

#include <time.h>

static void put_text(struct bytes *out, struct slice text)
{
    JSON_RAW(out, "\"content\":[{\"type\":\"text\",\"text\":");
    json_quoted(out, text);
    JSON_RAW(out, "}]");
}

/* ---- errors ------------------------------------------------------------- */

static struct slice mail_type(struct slice code)
{
    if (slice_ends(code, SLICE("_NOT_FOUND")))
        return SLICE("NotFoundError");
    return slice_eq(code, SLICE("VALIDATION_ERROR")) ||
                   slice_eq(code, SLICE("NOT_PERMITTED"))
               ? SLICE("ValidationError")
               : SLICE("InternalError");
}

static void put_now(struct bytes *out)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    json_time(out,
              (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000);
}

static void put_mail_error(struct bytes *out, yyjson_val *error)
{
    struct bytes body = {0};

    JSON_RAW(&body, "{\"error\":true");
    JSON_TEXT(&body, "error_type", mail_type(FIELD_TEXT(error, "code")));
    JSON_TEXT(&body, "message", FIELD_TEXT(error, "message"));
    if (FIELD(error, "details")) {
        JSON_KEY(&body, "details");
        json_val(&body, FIELD(error, "details"));
    }
    JSON_KEY(&body, "timestamp");
    put_now(&body);
    JSON_RAW(&body, "}");
    put_text(out, bytes_slice(&body));
    bytes_finish(&body);
}

/* An error has no structuredContent: clients would check it against the
 * outputSchema, which it does not meet. */
static void put_error(struct bytes *out, const struct mcp_pending *f,
                      struct slice json)
{
    enum toolset toolset = f->tool ? f->tool->toolset : TOOLSET_KURO;
    yyjson_doc *doc = NULL;

    if (toolset != TOOLSET_KURO)
        doc = yyjson_read(json.ptr, json.len, 0);
    if (toolset == TOOLSET_MAIL)
        put_mail_error(out, yyjson_doc_get_root(doc));
    else
        put_text(out, json);
    yyjson_doc_free(doc);
    JSON_RAW(out, ",\"isError\":true");
}

/* ---- answers ------------------------------------------------------------ */

void mcp_put_content(struct bytes *out, const struct mcp_pending *f,
                     struct slice json, bool is_error)
{
    if (is_error) {
        put_error(out, f, json);
        return;
    }
    put_text(out, json);
    if (f->version >= MCP_2025_06_18) {
        JSON_RAW(out, ",\"structuredContent\":");
        json_raw(out, json);
    }
}
