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

static void put_structured(struct bytes *out, const struct mcp_pending *f,
                           struct slice json)
{
    if (f->version < MCP_2025_06_18)
        return;
    JSON_RAW(out, ",\"structuredContent\":");
    json_raw(out, json);
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

/* Of its own codes there are six. */
static struct slice phases_code(struct slice code)
{
    static const enum code own[] = {
        CODE_VALIDATION_ERROR, CODE_PROMPT_NOT_FOUND,
        CODE_INVALID_PHASE_TRANSITION, CODE_CLOUD_API_ERROR};

    for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
        if (slice_eq(code, code_name(own[i])))
            return code;
    return code_name(slice_eq(code, code_name(CODE_NOT_PERMITTED))
                         ? CODE_VALIDATION_ERROR
                         : CODE_INTERNAL_ERROR);
}

/* Its outputSchema is any object, so that clients may have the error as one. */
static void put_phases_error(struct bytes *out, const struct mcp_pending *f,
                             yyjson_val *error)
{
    struct bytes body = {0};

    JSON_RAW(&body, "{\"error\":{");
    JSON_TEXT(&body, "code", phases_code(FIELD_TEXT(error, "code")));
    JSON_TEXT(&body, "message", FIELD_TEXT(error, "message"));
    if (FIELD(error, "details")) {
        JSON_KEY(&body, "details");
        json_val(&body, FIELD(error, "details"));
    }
    JSON_RAW(&body, "}}");
    put_text(out, bytes_slice(&body));
    put_structured(out, f, bytes_slice(&body));
    bytes_finish(&body);
}

static void put_pm_error(struct bytes *out, const struct mcp_pending *f,
                         yyjson_val *error)
{
    struct bytes text = {0}, body = {0};

    JSON_RAW(&text, "Error: ");
    json_raw(&text, FIELD_TEXT(error, "message"));
    JSON_RAW(&body, "{\"success\":false");
    JSON_TEXT(&body, "error", FIELD_TEXT(error, "message"));
    JSON_TEXT(&body, "error_code", FIELD_TEXT(error, "code"));
    if (FIELD(error, "details")) {
        JSON_KEY(&body, "details");
        json_val(&body, FIELD(error, "details"));
    }
    JSON_RAW(&body, "}");
    put_text(out, bytes_slice(&text));
    put_structured(out, f, bytes_slice(&body));
    bytes_finish(&text);
    bytes_finish(&body);
}

/* An error has no structuredContent as a rule: clients would check it against
 * the outputSchema, which it does not meet. */
static void put_error(struct bytes *out, const struct mcp_pending *f,
                      struct slice json)
{
    enum toolset toolset = f->tool ? f->tool->toolset : TOOLSET_KURO;
    yyjson_doc *doc = NULL;

    if (toolset != TOOLSET_KURO)
        doc = yyjson_read(json.ptr, json.len, 0);
    if (toolset == TOOLSET_MAIL)
        put_mail_error(out, yyjson_doc_get_root(doc));
    else if (toolset == TOOLSET_PHASES)
        put_phases_error(out, f, yyjson_doc_get_root(doc));
    else if (toolset == TOOLSET_PM || toolset == TOOLSET_PM_ADMIN)
        put_pm_error(out, f, yyjson_doc_get_root(doc));
    else
        put_text(out, json);
    yyjson_doc_free(doc);
    JSON_RAW(out, ",\"isError\":true");
}

/* ---- answers ------------------------------------------------------------ */

/* What is to be read is the content, or else what is told is: `text` is for the
 * one. The rest are members of the result beside it, as its specification has
 * them; clients and models that see only structuredContent find all there. */
static void put_phases_answer(struct bytes *out, const struct mcp_pending *f,
                              struct slice json)
{
    yyjson_doc *doc = yyjson_read(json.ptr, json.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc), *key;
    yyjson_obj_iter it;
    struct bytes text = {0};

    if (!FIELD(root, "text"))
        json_val(&text, FIELD(root, "context"));
    put_text(out, FIELD(root, "text") ? FIELD_TEXT(root, "text")
                                      : bytes_slice(&text));
    yyjson_obj_iter_init(root, &it);
    while ((key = yyjson_obj_iter_next(&it))) {
        if (slice_eq(field_text(key), SLICE("text")))
            continue;
        json_key(out, field_text(key));
        json_val(out, yyjson_obj_iter_get_val(key));
    }
    put_structured(out, f, json);
    bytes_finish(&text);
    yyjson_doc_free(doc);
}

void mcp_put_content(struct bytes *out, const struct mcp_pending *f,
                     struct slice json, bool is_error)
{
    if (is_error) {
        put_error(out, f, json);
        return;
    }
    if (f->tool && f->tool->toolset == TOOLSET_PHASES) {
        put_phases_answer(out, f, json);
        return;
    }
    put_text(out, json);
    put_structured(out, f, json);
}
