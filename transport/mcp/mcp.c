/* SPDX-License-Identifier: MIT */
#include "transport/mcp/inside.h"

#include <assert.h>
#include <stdlib.h>

/* Handles of one session that has a serial number. */
#define HANDLE_BITS 16
#define SPARE_MAX ((size_t)16 << 10)

static size_t either(size_t given, size_t otherwise)
{
    return given ? given : otherwise;
}

struct mcp_session *mcp_create(const struct mcp_options *options,
                               const struct mcp_host *host)
{
    struct mcp_session *s = bytes_zalloc(sizeof(*s));

    s->options = *options;
    s->options.max_calls = either(options->max_calls, 256);
    s->options.max_listens = either(options->max_listens, 64);
    s->options.max_batch = either(options->max_batch, 256);
    s->options.queue_bytes = either(options->queue_bytes, (size_t)1 << 20);
    s->options.max_answer = either(options->max_answer, (size_t)8 << 20);
    s->host = *host;
    s->of_table = host->on_request ? 0 : mcp_offers_of(options->tools);
    s->options.offers |= s->of_table;
    s->last_handle = options->serial << HANDLE_BITS;
    mcp_client_init(&s->own,
                    options->assumed ? options->assumed : MCP_2025_11_25);
    s->client = options->client ? options->client : &s->own;
    return s;
}

static void end(struct mcp_session *s, bool is_graceful)
{
    mcp_listen_close_all(s, is_graceful);
    s->is_closed = true;
    mcp_call_drop_all(s);
}

void mcp_close(struct mcp_session *s)
{
    end(s, true);
}

void mcp_destroy(struct mcp_session *s)
{
    if (!s)
        return;
    end(s, false);
    free(s->pending);
    free(s->listens);
    free(s->questions);
    mcp_client_finish(&s->own);
    bytes_finish(&s->spare);
    free(s);
}

enum mcp_version mcp_negotiated(const struct mcp_session *s)
{
    return s->client->version;
}

size_t mcp_in_flight(const struct mcp_session *s)
{
    return s->pending_count;
}

uint64_t mcp_next(const struct mcp_session *s, uint64_t handle, uint64_t *tag)
{
    uint64_t next = 0;

    for (size_t i = 0; i < s->pending_count; i++) {
        const struct mcp_pending *f = s->pending[i];

        if (f->handle > handle && (next == 0 || f->handle < next)) {
            next = f->handle;
            *tag = f->tag;
        }
    }
    return next;
}

bool mcp_is_idle(const struct mcp_session *s)
{
    return s->pending_count + s->listen_count == 0;
}

void mcp_written(struct mcp_session *s, size_t bytes)
{
    s->queued -= bytes < s->queued ? bytes : s->queued;
}

bool mcp_may_read(const struct mcp_session *s)
{
    return s->queued <= s->options.queue_bytes;
}

void mcp_ready(struct mcp_session *s)
{
    if (s->is_ready)
        return;
    s->is_ready = true;
    if (s->host.on_ready)
        s->host.on_ready(s->host.ctx);
}

static void keep_spare(struct mcp_session *s, struct bytes *out)
{
    if (s->spare.ptr || out->cap > SPARE_MAX) {
        bytes_finish(out);
        return;
    }
    s->spare = *out;
    s->spare.len = 0;
    *out = (struct bytes){0};
}

void mcp_send(struct mcp_session *s, struct bytes *out, struct mcp_line line)
{
    if (!s->is_closed) {
        JSON_RAW(out, "\n");
        line.text = bytes_slice(out);
        s->queued += out->len;
        s->host.on_output(s->host.ctx, &line);
    }
    keep_spare(s, out);
}

void mcp_respond(struct mcp_session *s, struct mcp_batch *batch,
                 struct bytes *out, struct mcp_line line)
{
    line.is_answer = true;
    line.status = line.status ? line.status : 200;
    if (!batch) {
        mcp_send(s, out, line);
        return;
    }
    json_raw(&batch->out, batch->out.len == 0 ? SLICE("[") : SLICE(","));
    json_raw(&batch->out, bytes_slice(out));
    bytes_finish(out);
}

void mcp_batch_release(struct mcp_session *s, struct mcp_batch *batch)
{
    if (!batch || --batch->waiting > 0)
        return;
    if (batch->out.len > 0) {
        JSON_RAW(&batch->out, "]");
        mcp_send(s, &batch->out,
                 (struct mcp_line){.is_answer = true, .status = 200});
    }
    bytes_finish(&batch->out);
    free(batch);
}

static void refuse(struct mcp_session *s, struct slice id, int code,
                   struct slice message, int status)
{
    struct bytes out = {0};

    rpc_error(&out, id, code, message, SLICE_EMPTY);
    mcp_respond(s, s->batch, &out,
                (struct mcp_line){.code = code, .status = status});
}

void mcp_refuse(struct mcp_session *s, struct slice id, int code,
                struct slice message)
{
    refuse(s, id, code, message, 200);
}

void mcp_refuse_form(struct mcp_session *s, struct slice id, int code,
                     struct slice message)
{
    refuse(s, id, code, message, 400);
}

void mcp_refuse_named(struct mcp_session *s, struct slice id, int code,
                      const char *what, struct slice name)
{
    struct bytes text = {0};

    json_raw(&text, slice_cstr(what));
    bytes_append_capped(&text, name, text.len + 200);
    mcp_refuse(s, id, code, bytes_slice(&text));
    bytes_finish(&text);
}

void mcp_refuse_method(struct mcp_session *s, const struct rpc_message *m,
                       enum mcp_version version)
{
    struct bytes text = {0};

    JSON_RAW(&text, "Method not found: ");
    bytes_append_capped(&text, m->method, text.len + 200);
    refuse(s, bytes_slice(&m->id), RPC_METHOD_NOT_FOUND, bytes_slice(&text),
           version == MCP_2026_07_28 ? 404 : 200);
    bytes_finish(&text);
}

void mcp_answer_nothing(struct mcp_session *s, const struct rpc_message *m)
{
    struct bytes out = {0};

    rpc_begin_result(&out, bytes_slice(&m->id));
    JSON_RAW(&out, "{}");
    rpc_end(&out);
    mcp_respond(s, s->batch, &out, (struct mcp_line){0});
}

/* Whether it has ended something. */
static bool on_notification(struct mcp_session *s, const struct rpc_message *m)
{
    static const struct slice path[] = {
        SLICE_INIT("params"), SLICE_INIT("requestId"), SLICE_INIT("")};
    struct bytes id = {0};
    bool has_ended = false;

    if (slice_eq(m->method, SLICE("notifications/initialized"))) {
        s->client->is_initialized = true;
        mcp_ready(s);
    } else if (slice_eq(m->method, SLICE("notifications/cancelled")) &&
               rpc_message_token(m, path, &id)) {
        has_ended = mcp_call_cancel(s, bytes_slice(&id)) ||
                    mcp_listen_cancel(s, bytes_slice(&id));
    }
    bytes_finish(&id);
    return has_ended;
}

bool mcp_hear(struct mcp_session *s, const struct rpc_message *m)
{
    if (m->kind == RPC_NOTIFICATION)
        return on_notification(s, m);
    if (m->kind == RPC_RESPONSE)
        mcp_ask_on_response(s, m);
    return false;
}

/*
 * A second request with the id of one in flight cannot be answered under that
 * id: the client would take it for the answer to the first.
 */
static void on_request(struct mcp_session *s, const struct rpc_message *m)
{
    struct slice id = bytes_slice(&m->id);

    if (mcp_call_is_open(s, id) || mcp_listen_is_open(s, id))
        mcp_refuse_form(s, SLICE_EMPTY, RPC_INVALID_REQUEST,
                        SLICE("Invalid Request: id is in flight already"));
    else if (mcp_is_modern(m))
        mcp_modern_request(s, m);
    else
        mcp_legacy_request(s, m);
}

/* A notification is never answered, whatever is wrong with it. */
static bool is_answered(const struct rpc_message *m)
{
    return FIELD(m->message, "id") ||
           !yyjson_is_str(FIELD(m->message, "method"));
}

static void on_message(struct mcp_session *s, struct rpc_text *text,
                       size_t index)
{
    struct rpc_message m;

    rpc_message_read(&m, text, index);
    switch (m.kind) {
    case RPC_REQUEST:
        on_request(s, &m);
        break;
    case RPC_NOTIFICATION:
        on_notification(s, &m);
        break;
    case RPC_RESPONSE:
        mcp_ask_on_response(s, &m);
        break;
    case RPC_INVALID:
        if (is_answered(&m))
            mcp_refuse_form(s, bytes_slice(&m.id), m.fault.code,
                            slice_cstr(m.fault.message));
        break;
    }
    rpc_message_finish(&m);
}

/* Only 2025-03-26 has batches, and there they must be taken. */
static void on_batch(struct mcp_session *s, struct rpc_text *text)
{
    size_t count = rpc_text_count(text);

    if (s->client->version != MCP_2025_03_26) {
        mcp_refuse_form(s, SLICE_EMPTY, RPC_INVALID_REQUEST,
                        SLICE("Invalid Request: no batches in this version"));
        return;
    }
    if (count == 0 || count > s->options.max_batch) {
        mcp_refuse_form(s, SLICE_EMPTY, RPC_INVALID_REQUEST,
                        count ? SLICE("Invalid Request: too many in one batch")
                              : SLICE("Invalid Request: an empty batch"));
        return;
    }
    struct mcp_batch *batch = bytes_zalloc(sizeof(*batch));
    batch->waiting = 1;
    s->batch = batch;
    for (size_t i = 0; i < count; i++)
        on_message(s, text, i);
    s->batch = NULL;
    mcp_batch_release(s, batch);
}

void mcp_input_parsed(struct mcp_session *s, struct rpc_text *parsed)
{
    assert(!s->batch);
    if (s->is_closed)
        return;
    if (!parsed->doc)
        mcp_refuse_form(s, SLICE_EMPTY, RPC_PARSE_ERROR, SLICE("Parse error"));
    else if (rpc_text_is_batch(parsed))
        on_batch(s, parsed);
    else
        on_message(s, parsed, 0);
}

void mcp_input(struct mcp_session *s, struct slice text)
{
    struct rpc_text parsed = {0};

    if (!text.ptr) {
        mcp_refuse_form(s, SLICE_EMPTY, RPC_INVALID_REQUEST,
                        SLICE("Invalid Request: message too long"));
        return;
    }
    rpc_text_parse(&parsed, text);
    mcp_input_parsed(s, &parsed);
    rpc_text_finish(&parsed);
}
