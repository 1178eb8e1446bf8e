/* SPDX-License-Identifier: MIT */
#include "tests/transport/mcp/client.h"

#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "tap.h"
#include "runtime/text/json.h"

static void on_output(void *ctx, const struct mcp_line *line)
{
    struct client *c = ctx;

    bytes_append(&c->lines, line->text.ptr, line->text.len);
    c->line_count++;
    c->last_code = line->code;
    c->last_status = line->status;
}

static void on_call(void *ctx, struct mcp_call *call)
{
    struct client *c = ctx;

    c->calls[c->call_count++ % CLIENT_CALLS] = call->handle;
    c->last = *call;
    bytes_clear(&c->last_args, 0);
    if (call->args)
        json_val(&c->last_args, call->args);
    bytes_append(&c->last_args, "", 1);
    if (c->answers_at_once)
        mcp_answer(c->session, call->handle, SLICE("{\"at\":\"once\"}"), false);
}

static void on_cancelled(void *ctx, uint64_t handle, uint64_t tag)
{
    struct client *c = ctx;

    (void)tag;
    c->cancelled[c->cancelled_count++ % CLIENT_CALLS] = handle;
}

static void on_request(void *ctx, const struct mcp_request *request)
{
    struct client *c = ctx;

    c->request = request->handle;
    bytes_clear(&c->method, 0);
    bytes_append(&c->method, request->method.ptr, request->method.len);
    bytes_append(&c->method, "", 1);
}

static void on_reply(void *ctx, const struct mcp_reply *reply)
{
    struct client *c = ctx;

    c->asked = reply->ask;
    bytes_clear(&c->reply, 0);
    json_val(&c->reply, reply->result ? reply->result : reply->error);
    bytes_append(&c->reply, "", 1);
}

static void on_ready(void *ctx)
{
    ((struct client *)ctx)->ready++;
}

static void init(struct client *c, const struct mcp_options *options)
{
    struct mcp_options o = options ? *options : (struct mcp_options){0};
    struct mcp_host host = {.ctx = c,
                            .on_output = on_output,
                            .on_call = on_call,
                            .on_cancelled = on_cancelled,
                            .on_request = on_request,
                            .on_reply = on_reply,
                            .on_ready = on_ready};

    memset(c, 0, sizeof(*c));
    c->tools = tools_create(TOOLS_ENGLISH);
    o.tools = c->tools;
    o.version = "1.2.3";
    c->session = mcp_create(&o, &host);
}

static void finish(struct client *c)
{
    mcp_destroy(c->session);
    tools_destroy(c->tools);
    bytes_finish(&c->lines);
    bytes_finish(&c->last_args);
    bytes_finish(&c->method);
    bytes_finish(&c->reply);
}

struct client *client_create(const struct mcp_options *options)
{
    struct client *c = bytes_zalloc(sizeof(*c));

    init(c, options);
    return c;
}

void client_destroy(struct client *c)
{
    finish(c);
    free(c);
}

void client_restart(struct client *c, const struct mcp_options *options)
{
    finish(c);
    init(c, options);
}

void client_say(struct client *c, const char *text)
{
    /* A copy of its exact size, so that a byte too far is seen. */
    const char *json = json_of(text);
    size_t len = strlen(json);
    char *copy = bytes_alloc(len ? len : 1);

    memcpy(copy, json, len);
    mcp_input(c->session, slice_of(copy, len));
    free(copy);
}

static void check_lines(const char *text)
{
    while (*text) {
        const char *nl = strchr(text, '\n');
        TEST_ASSERT_NOT_NULL_MESSAGE(nl, "a line without its end");
        yyjson_doc *doc = yyjson_read(text, (size_t)(nl - text), 0);
        TEST_ASSERT_NOT_NULL_MESSAGE(doc, text);
        yyjson_doc_free(doc);
        text = nl + 1;
    }
}

const char *client_take(struct client *c)
{
    mcp_written(c->session, c->lines.len);
    bytes_append(&c->lines, "", 1);
    c->lines.len = 0;
    check_lines(c->lines.ptr);
    return c->lines.ptr;
}

void client_expect(struct client *c, const char *text, const char *answer)
{
    client_say(c, text);
    ASSERT_JSON(answer, client_take(c));
}

yyjson_doc *client_ask(struct client *c, const char *text)
{
    client_say(c, text);
    const char *answer = client_take(c);
    yyjson_doc *doc = yyjson_read(answer, strlen(answer), 0);
    TEST_ASSERT_NOT_NULL_MESSAGE(doc, answer);
    return doc;
}

yyjson_val *client_at(yyjson_doc *doc, const char *pointer)
{
    return yyjson_doc_ptr_get(doc, pointer);
}

const char *client_text(yyjson_doc *doc, const char *pointer)
{
    return yyjson_get_str(client_at(doc, pointer));
}
