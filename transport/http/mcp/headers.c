/* SPDX-License-Identifier: MIT */
#include "transport/http/mcp/headers.h"

#include <strings.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"

#define META "io.modelcontextprotocol/"

/* ---- values ------------------------------------------------------------- */

static int sextet(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* Four characters to three bytes; pad of them are '='. The bits that those
 * leave over are to be zero: a value has one form only. */
static bool decode_four(const char *in, int pad, struct bytes *out)
{
    unsigned bits = 0;

    for (int i = 0; i < 4; i++) {
        int six = i < 4 - pad ? sextet(in[i]) : 0;

        if (six < 0 || (i >= 4 - pad && in[i] != '='))
            return false;
        bits = bits << 6 | (unsigned)six;
    }
    if (bits & ((1u << (8 * pad)) - 1))
        return false;
    char bytes[3] = {(char)(bits >> 16), (char)(bits >> 8), (char)bits};
    bytes_append(out, bytes, (size_t)(3 - pad));
    return true;
}

static bool decode(struct slice in, struct bytes *out)
{
    if (in.len % 4 != 0)
        return false;
    for (size_t i = 0; i < in.len; i += 4) {
        const char *four = in.ptr + i;
        bool is_last = i + 4 == in.len;
        int pad = !is_last || four[3] != '=' ? 0 : four[2] == '=' ? 2 : 1;

        if (!decode_four(four, pad, out))
            return false;
    }
    return true;
}

bool headers_decode(struct slice value, struct bytes *out)
{
    struct slice prefix = SLICE("=?base64?"), suffix = SLICE("?=");

    if (value.len < prefix.len + suffix.len || !slice_starts(value, prefix) ||
        !slice_ends(value, suffix)) {
        bytes_append(out, value.ptr, value.len);
        return true;
    }
    return decode(
        slice_of(value.ptr + prefix.len, value.len - prefix.len - suffix.len),
        out);
}

/* ---- lists -------------------------------------------------------------- */

/* The part before a separator, trimmed; *rest is what follows it. */
static struct slice cut(struct slice *rest, char separator)
{
    const char *end = memchr(rest->ptr, separator, rest->len);
    size_t len = end ? (size_t)(end - rest->ptr) : rest->len;
    struct slice part = slice_of(rest->ptr, len);

    *rest = end ? slice_of(end + 1, rest->len - len - 1) : SLICE_EMPTY;
    return slice_trim(part);
}

static bool is_type(struct slice type, const char *name)
{
    return type.len == strlen(name) &&
           strncasecmp(type.ptr, name, type.len) == 0;
}

unsigned headers_accept(struct slice accept)
{
    unsigned types = 0;

    if (!accept.ptr || accept.len == 0)
        return HEADERS_JSON | HEADERS_ANY;
    while (accept.len > 0) {
        struct slice one = cut(&accept, ',');
        struct slice type = cut(&one, ';');

        if (is_type(type, "*/*"))
            types |= HEADERS_JSON | HEADERS_ANY;
        if (is_type(type, "application/json") || is_type(type, "application/*"))
            types |= HEADERS_JSON;
        if (is_type(type, "text/event-stream") || is_type(type, "text/*"))
            types |= HEADERS_STREAM;
    }
    return types;
}

bool headers_is_json(struct slice content_type)
{
    return content_type.ptr &&
           is_type(cut(&content_type, ';'), "application/json");
}

/* ---- agreement ---------------------------------------------------------- */

struct judge {
    const struct headers *headers;
    struct rpc_fault *fault;
};

static enum headers_verdict bad(struct rpc_fault *fault, int code,
                                const char *message)
{
    *fault = (struct rpc_fault){code, message};
    return HEADERS_BAD;
}

static struct slice get(const struct headers *h, const char *name)
{
    return h->get(h->ctx, name);
}

/* Numbers as numbers: 42.0 is 42. */
static bool is_number(struct slice text, yyjson_val *value)
{
    yyjson_doc *doc = yyjson_read(text.ptr, text.len, 0);
    int64_t a, b;
    bool is_same = schema_int(yyjson_doc_get_root(doc), &a) &&
                   schema_int(value, &b) && a == b;

    yyjson_doc_free(doc);
    return is_same;
}

static bool is_value(struct slice text, yyjson_val *value)
{
    if (yyjson_is_str(value))
        return slice_eq(text, field_text(value));
    if (yyjson_is_bool(value))
        return slice_eq(text,
                        yyjson_is_true(value) ? SLICE("true") : SLICE("false"));
    return is_number(text, value);
}

/* Whether the header says what the body does; of nothing in the body it must
 * say nothing. */
static bool agrees(struct slice header, yyjson_val *value)
{
    struct bytes text = {0};
    bool is_nothing = !value || yyjson_is_null(value);
    bool is_good = !header.ptr ? is_nothing
                               : !is_nothing && headers_decode(header, &text) &&
                                     is_value(bytes_slice(&text), value);

    bytes_finish(&text);
    return is_good;
}

static bool on_parameter(void *ctx, struct slice name, yyjson_val *value)
{
    const struct judge *j = ctx;
    char header[128] = "mcp-param-";
    size_t at = strlen(header);

    if (name.len >= sizeof(header) - at)
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        header[at++] = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    }
    return agrees(get(j->headers, header), value);
}

/* What Mcp-Name mirrors, and whether the method has that at all. */
static bool name_of(const struct rpc_message *m, yyjson_val **value)
{
    if (slice_eq(m->method, SLICE("tools/call")) ||
        slice_eq(m->method, SLICE("prompts/get")))
        *value = FIELD(m->params, "name");
    else if (slice_eq(m->method, SLICE("resources/read")))
        *value = FIELD(m->params, "uri");
    else if (slice_starts(m->method, SLICE("tasks/")))
        *value = FIELD(m->params, "taskId");
    else
        return false;
    return true;
}

static enum headers_verdict judge_mirrors(const struct headers *h,
                                          const struct rpc_message *m,
                                          const struct tools *tools,
                                          struct rpc_fault *fault)
{
    yyjson_val *name = NULL;
    const struct tool *tool;

    if (!slice_eq(get(h, "mcp-method"), m->method))
        return bad(fault, MCP_HEADER_MISMATCH,
                   "Header mismatch: Mcp-Method must be the body's method");
    if (name_of(m, &name) && !agrees(get(h, "mcp-name"), name))
        return bad(fault, MCP_HEADER_MISMATCH,
                   "Header mismatch: Mcp-Name must be the body's name or uri");
    if (!slice_eq(m->method, SLICE("tools/call")) ||
        !(tool = tools_find(tools, field_text(name))))
        return HEADERS_MODERN;
    if (!tools_check_headers(tool, FIELD(m->params, "arguments"), on_parameter,
                             &(struct judge){h, fault}))
        return bad(
            fault, MCP_HEADER_MISMATCH,
            "Header mismatch: Mcp-Param-... must be the body's argument");
    return HEADERS_MODERN;
}

static enum headers_verdict judge_modern(const struct headers *h,
                                         const struct rpc_message *m,
                                         const struct tools *tools,
                                         struct rpc_fault *fault)
{
    yyjson_val *meta = FIELD(m->params, "_meta");
    struct slice version = FIELD_TEXT(meta, META "protocolVersion");

    /* An envelope that is none is mcp's to refuse, before all else. */
    if (version.len == 0 ||
        !yyjson_is_obj(FIELD(meta, META "clientCapabilities")))
        return HEADERS_MODERN;
    if (!slice_eq(get(h, "mcp-protocol-version"), version))
        return bad(fault, MCP_HEADER_MISMATCH,
                   "Header mismatch: MCP-Protocol-Version must be the body's "
                   "version");
    /* And so is a version that we do not have. */
    if (mcp_version_find(version) != MCP_2026_07_28)
        return HEADERS_MODERN;
    return judge_mirrors(h, m, tools, fault);
}

static enum headers_verdict judge_legacy(const struct headers *h,
                                         const struct rpc_message *m,
                                         struct rpc_fault *fault)
{
    struct slice version = get(h, "mcp-protocol-version");

    bool is_modern = mcp_version_is_modern(version);

    if (!version.ptr)
        return HEADERS_LEGACY;
    if (is_modern && m->kind != RPC_REQUEST)
        return HEADERS_MODERN;
    if (is_modern && slice_eq(m->method, SLICE("initialize")))
        return bad(fault, MCP_HEADER_MISMATCH,
                   "Header mismatch: initialize has no place in the version "
                   "of MCP-Protocol-Version");
    if (is_modern)
        return bad(fault, RPC_INVALID_PARAMS,
                   "Invalid params: _meta needs " META
                   "protocolVersion and " META "clientCapabilities");
    if (mcp_version_find(version) == MCP_VERSIONS)
        return bad(fault, RPC_INVALID_REQUEST,
                   "Invalid Request: unsupported MCP-Protocol-Version");
    return HEADERS_LEGACY;
}

enum headers_verdict headers_judge(const struct headers *h,
                                   const struct rpc_message *m,
                                   const struct tools *tools,
                                   struct rpc_fault *fault)
{
    if (m->kind == RPC_REQUEST && mcp_is_modern(m))
        return judge_modern(h, m, tools, fault);
    return judge_legacy(h, m, fault);
}

enum mcp_version headers_version(const struct headers *h)
{
    return mcp_version_find(get(h, "mcp-protocol-version"));
}
