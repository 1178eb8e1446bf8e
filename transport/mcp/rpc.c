/* SPDX-License-Identifier: MIT */
#include "transport/mcp/rpc.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"

/*
 * A value takes 16 bytes of memory and may be one byte of text ("[[[["), so a
 * line of the largest size could ask for a gigabyte. What our tools take has
 * many bytes to a value: memory of four times the text is plenty.
 */
static void *alloc(void *ctx, size_t size)
{
    return size <= *(size_t *)ctx ? malloc(size) : NULL;
}

static void *resize(void *ctx, void *ptr, size_t old, size_t size)
{
    (void)old;
    return size <= *(size_t *)ctx ? realloc(ptr, size) : NULL;
}

static void release(void *ctx, void *ptr)
{
    (void)ctx;
    free(ptr);
}

static yyjson_doc *parse(struct slice text, yyjson_read_flag flags)
{
    size_t limit = 4 * text.len + ((size_t)1 << 20);
    yyjson_alc alc = {
        .malloc = alloc, .realloc = resize, .free = release, .ctx = &limit};
    /* Not insitu: the text stays as it is. */
    yyjson_doc *doc =
        yyjson_read_opts((char *)text.ptr, text.len, flags, &alc, NULL);

    /* It keeps the allocator for its end, when limit is no more. */
    if (doc)
        doc->alc.ctx = NULL;
    return doc;
}

bool rpc_text_parse(struct rpc_text *t, struct slice text)
{
    *t = (struct rpc_text){.text = text};
    t->doc = parse(text, YYJSON_READ_BIGNUM_AS_RAW);
    return t->doc != NULL;
}

void rpc_text_finish(struct rpc_text *t)
{
    yyjson_doc_free(t->doc);
    yyjson_doc_free(t->exact);
    *t = (struct rpc_text){0};
}

bool rpc_text_is_batch(const struct rpc_text *t)
{
    return yyjson_is_arr(yyjson_doc_get_root(t->doc));
}

size_t rpc_text_count(const struct rpc_text *t)
{
    return rpc_text_is_batch(t) ? yyjson_arr_size(yyjson_doc_get_root(t->doc))
                                : 1;
}

static yyjson_val *member(yyjson_doc *doc, size_t index)
{
    yyjson_val *root = yyjson_doc_get_root(doc);

    return yyjson_is_arr(root) ? yyjson_arr_get(root, index) : root;
}

static yyjson_val *follow(yyjson_val *val, const struct slice *path)
{
    for (; path->len > 0; path++)
        val = field_get(val, *path);
    return val;
}

/*
 * A number that was read as a double, a negative zero or anything else that
 * would be written otherwise than it came. 0 is among them for "-0": it costs
 * a client's first message a second parse.
 */
static bool is_inexact(yyjson_val *val)
{
    return yyjson_is_num(val) &&
           (!yyjson_is_uint(val) || yyjson_get_uint(val) == 0);
}

bool rpc_message_token(const struct rpc_message *m, const struct slice *path,
                       struct bytes *out)
{
    yyjson_val *val = follow(m->message, path);
    struct rpc_text *t = m->from;

    if (!yyjson_is_str(val) && !yyjson_is_num(val) && !yyjson_is_raw(val))
        return false;
    if (is_inexact(val)) {
        if (!t->exact)
            t->exact = parse(t->text, YYJSON_READ_NUMBER_AS_RAW);
        val = follow(member(t->exact, m->index), path);
    }
    if (!val)
        return false;
    if (yyjson_is_uint(val))
        json_uint(out, yyjson_get_uint(val));
    else if (yyjson_is_str(val))
        json_quoted(out, field_text(val));
    else
        json_val(out, val);
    return true;
}

static struct rpc_fault invalid(const char *message)
{
    return (struct rpc_fault){RPC_INVALID_REQUEST, message};
}

static struct rpc_fault check_shape(const struct rpc_message *m, bool has_id)
{
    yyjson_val *method = FIELD(m->message, "method");
    yyjson_val *params = FIELD(m->message, "params");
    bool has_result = FIELD(m->message, "result") || FIELD(m->message, "error");

    if (!slice_eq(FIELD_TEXT(m->message, "jsonrpc"), SLICE("2.0")))
        return invalid("Invalid Request: jsonrpc must be \"2.0\"");
    if (has_id && m->id.len == 0 && (method || !has_result))
        return invalid("Invalid Request: id must be a string or a number");
    if (!method && has_result)
        return (struct rpc_fault){0};
    if (!yyjson_is_str(method))
        return invalid("Invalid Request: method must be a string");
    if (has_result)
        return invalid("Invalid Request: method and result in one message");
    if (params && !yyjson_is_obj(params) && !yyjson_is_null(params))
        return (struct rpc_fault){RPC_INVALID_PARAMS,
                                  "Invalid params: params must be an object"};
    return (struct rpc_fault){0};
}

static enum rpc_kind kind_of(const struct rpc_message *m, bool has_id)
{
    if (m->fault.code)
        return RPC_INVALID;
    if (!FIELD(m->message, "method"))
        return RPC_RESPONSE;
    return has_id ? RPC_REQUEST : RPC_NOTIFICATION;
}

void rpc_message_read(struct rpc_message *m, struct rpc_text *t, size_t index)
{
    static const struct slice id_path[] = {SLICE_INIT("id"), SLICE_INIT("")};
    yyjson_val *root = member(t->doc, index);

    *m = (struct rpc_message){.from = t, .index = index, .message = root};
    if (!yyjson_is_obj(root)) {
        m->kind = RPC_INVALID;
        m->fault = invalid("Invalid Request: a message is an object");
        return;
    }
    bool has_id = FIELD(root, "id") != NULL;
    rpc_message_token(m, id_path, &m->id);
    m->fault = check_shape(m, has_id);
    m->kind = kind_of(m, has_id);
    m->method = FIELD_TEXT(root, "method");
    if (yyjson_is_obj(FIELD(root, "params")))
        m->params = FIELD(root, "params");
}

void rpc_message_finish(struct rpc_message *m)
{
    bytes_finish(&m->id);
}

static void begin(struct bytes *out, struct slice id)
{
    JSON_RAW(out, "{\"jsonrpc\":\"2.0\"");
    if (id.len > 0) {
        JSON_RAW(out, ",\"id\":");
        json_raw(out, id);
    }
}

void rpc_begin_result(struct bytes *out, struct slice id)
{
    begin(out, id);
    JSON_RAW(out, ",\"result\":");
}

void rpc_begin_note(struct bytes *out, struct slice method)
{
    begin(out, SLICE_EMPTY);
    JSON_RAW(out, ",\"method\":");
    json_string(out, method);
    JSON_RAW(out, ",\"params\":");
}

void rpc_end(struct bytes *out)
{
    JSON_RAW(out, "}");
}

void rpc_error(struct bytes *out, struct slice id, int code,
               struct slice message, struct slice data)
{
    char number[16];
    int n = snprintf(number, sizeof(number), "%d", code);

    begin(out, id);
    JSON_RAW(out, ",\"error\":{\"code\":");
    bytes_append(out, number, (size_t)n);
    JSON_RAW(out, ",\"message\":");
    json_string(out, message);
    if (data.len > 0) {
        JSON_RAW(out, ",\"data\":");
        json_raw(out, data);
    }
    JSON_RAW(out, "}}");
}
