/* SPDX-License-Identifier: MIT */
#include "transport/mcp_inner.h"

#include <assert.h>
#include <stdlib.h>

static const struct slice version_names[] = {
    SLICE_INIT("2024-11-05"), SLICE_INIT("2025-03-26"),
    SLICE_INIT("2025-06-18"), SLICE_INIT("2025-11-25"),
    SLICE_INIT("2026-07-28")};

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
    s->version = options->assumed ? options->assumed : MCP_2025_11_25;
    s->level = MCP_LEVELS;
    s->flights = bytes_zalloc(s->options.max_calls * sizeof(s->flights[0]));
    s->listens = bytes_zalloc(s->options.max_listens * sizeof(s->listens[0]));
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
    free(s->flights);
    free(s->listens);
    free(s);
}

enum mcp_version mcp_negotiated(const struct mcp_session *s)
{
    return s->version;
}

struct slice mcp_version_name(enum mcp_version version)
{
    return version_names[version];
}

size_t mcp_in_flight(const struct mcp_session *s)
{
    return s->flight_count;
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

void mcp_send(struct mcp_session *s, struct bytes *out, struct mcp_line line)
{
    if (!s->is_closed) {
        JSON_RAW(out, "\n");
        line.text = bytes_slice(out);
        s->queued += out->len;
        s->host.on_output(s->host.ctx, &line);
    }
    bytes_finish(out);
}

void mcp_respond(struct mcp_session *s, struct mcp_batch *batch,
                 struct bytes *out, struct mcp_line line)
{
    line.is_answer = true;
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
        mcp_send(s, &batch->out, (struct mcp_line){.is_answer = true});
    }
    bytes_finish(&batch->out);
    free(batch);
}

void mcp_refuse(struct mcp_session *s, struct slice id, int code,
                struct slice message)
{
    struct bytes out = {0};

    rpc_error(&out, id, code, message, SLICE_EMPTY);
    mcp_respond(s, s->batch, &out, (struct mcp_line){.code = code});
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

static void on_notification(struct mcp_session *s, const struct rpc_message *m)
{
    static const struct slice path[] = {
        SLICE_INIT("params"), SLICE_INIT("requestId"), SLICE_INIT("")};
    struct bytes id = {0};

    if (slice_eq(m->method, SLICE("notifications/initialized"))) {
        s->is_initialized = true;
        mcp_ready(s);
    } else if (slice_eq(m->method, SLICE("notifications/cancelled")) &&
               rpc_message_token(m, path, &id)) {
        if (!mcp_call_cancel(s, bytes_slice(&id)))
            mcp_listen_cancel(s, bytes_slice(&id));
    }
    bytes_finish(&id);
}

/*
 * A second request with the id of one in flight cannot be answered under that
 * id: the client would take it for the answer to the first.
 */
static void on_request(struct mcp_session *s, const struct rpc_message *m)
{
    struct slice id = bytes_slice(&m->id);

    if (mcp_call_is_open(s, id) || mcp_listen_is_open(s, id))
        mcp_refuse(s, SLICE_EMPTY, RPC_INVALID_REQUEST,
                   SLICE("Invalid Request: id is in flight already"));
    else if (mcp_modern_is(m))
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
    case RPC_RESPONSE: /* to nothing: this server asks its clients nothing */
        break;
    case RPC_INVALID:
        if (is_answered(&m))
            mcp_refuse(s, bytes_slice(&m.id), m.fault.code,
                       slice_cstr(m.fault.message));
        break;
    }
    rpc_message_finish(&m);
}

/* Only 2025-03-26 has batches, and there they must be taken. */
static void on_batch(struct mcp_session *s, struct rpc_text *text)
{
    size_t count = rpc_text_count(text);

    if (s->version != MCP_2025_03_26) {
        mcp_refuse(s, SLICE_EMPTY, RPC_INVALID_REQUEST,
                   SLICE("Invalid Request: no batches in this version"));
        return;
    }
    if (count == 0 || count > s->options.max_batch) {
        mcp_refuse(s, SLICE_EMPTY, RPC_INVALID_REQUEST,
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

void mcp_input(struct mcp_session *s, struct slice text)
{
    struct rpc_text parsed = {0};

    assert(!s->batch);
    if (s->is_closed)
        return;
    if (!text.ptr)
        mcp_refuse(s, SLICE_EMPTY, RPC_INVALID_REQUEST,
                   SLICE("Invalid Request: message too long"));
    else if (!rpc_text_parse(&parsed, text))
        mcp_refuse(s, SLICE_EMPTY, RPC_PARSE_ERROR, SLICE("Parse error"));
    else if (rpc_text_is_batch(&parsed))
        on_batch(s, &parsed);
    else
        on_message(s, &parsed, 0);
    rpc_text_finish(&parsed);
}
