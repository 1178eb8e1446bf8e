/* SPDX-License-Identifier: MIT */
/*
 * Ten thousand broken messages, the same ones every time, with a host that
 * answers, tells progress and lists between them; then the session must still
 * speak as if nothing had happened.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "tap.h"
#include "runtime/text/json.h"
#include "tests/transport/mcp/watch.h"
#include "transport/mcp/mcp.h"

static const char *messages[] = {
#include "tests/transport/mcp/messages.inc"
};
#define MESSAGES (sizeof(messages) / sizeof(messages[0]))

static const char *const scraps[] = {"null",
                                     "\"id\":",
                                     "{",
                                     "}",
                                     "[",
                                     "]",
                                     ",",
                                     "\"2026-07-28\"",
                                     "-0",
                                     "1e999",
                                     "\\u0000",
                                     "\\ud800",
                                     "\xff",
                                     "\xe6\x97",
                                     "99999999999999999999",
                                     "\"\"",
                                     "\"params\":{}",
                                     "\"method\":\"tools/call\"",
                                     ":",
                                     "\"",
                                     "true",
                                     "\n"};
#define SCRAPS (sizeof(scraps) / sizeof(scraps[0]))

struct world {
    struct watch watch;
    struct mcp_session *session;
    struct tools *tools;
    uint64_t seed;
    uint64_t last_call;
    size_t calls, cancelled;
    struct bytes last_line;
};

static struct world *w;

void setUp(void)
{
    for (size_t i = 0; i < MESSAGES; i++)
        messages[i] = json_of(messages[i]);
}

static size_t draw(size_t below)
{
    w->seed ^= w->seed << 13;
    w->seed ^= w->seed >> 7;
    w->seed ^= w->seed << 17;
    return (size_t)(w->seed >> 11) % below;
}

static void on_output(void *ctx, const struct mcp_line *line)
{
    (void)ctx;
    watch_output(&w->watch, line->text);
    bytes_clear(&w->last_line, SIZE_MAX);
    bytes_append(&w->last_line, line->text.ptr, line->text.len);
    bytes_append(&w->last_line, "", 1);
}

static void on_call(void *ctx, struct mcp_call *call)
{
    (void)ctx;
    w->last_call = call->handle;
    w->calls++;
    if (draw(3) == 0)
        mcp_answer(w->session, call->handle, SLICE("{\"a\":1}"), draw(2) == 0);
}

static void on_request(void *ctx, const struct mcp_request *request)
{
    (void)ctx;
    w->last_call = request->handle;
    if (draw(3) == 0)
        mcp_result(w->session, request->handle,
                   SLICE("{\"a\":[1],\"_meta\":{\"b\":2}}"));
}

static void on_reply(void *ctx, const struct mcp_reply *reply)
{
    (void)ctx;
    mcp_answer(w->session, reply->handle, SLICE("{}"), reply->error != NULL);
}

static void on_cancelled(void *ctx, uint64_t handle, uint64_t tag)
{
    (void)tag;
    (void)ctx;
    (void)handle;
    w->cancelled++;
}

static void start(uint64_t seed)
{
    struct mcp_host host = {.on_output = on_output,
                            .on_call = on_call,
                            .on_cancelled = on_cancelled,
                            .on_request = on_request,
                            .on_reply = on_reply};
    w = bytes_zalloc(sizeof(*w));
    w->seed = seed;
    w->tools = tools_create(TOOLS_JAPANESE);
    w->session = mcp_create(
        &(struct mcp_options){
            .tools = w->tools, .version = "1", .offers = ~0u, .max_calls = 16},
        &host);
}

static void stop(void)
{
    mcp_destroy(w->session);
    tools_destroy(w->tools);
    bytes_finish(&w->last_line);
    free(w);
}

static void insert(struct bytes *b, size_t at, const char *text, size_t len)
{
    bytes_reserve(b, len);
    memmove(b->ptr + at + len, b->ptr + at, b->len - at);
    memcpy(b->ptr + at, text, len);
    b->len += len;
}

static void erase(struct bytes *b, size_t at, size_t len)
{
    memmove(b->ptr + at, b->ptr + at + len, b->len - at - len);
    b->len -= len;
}

static void mutate(struct bytes *b)
{
    size_t at = draw(b->len + 1), rest = b->len - at;
    const char *other = messages[draw(MESSAGES)];
    const char *scrap = scraps[draw(SCRAPS)];

    switch (draw(6)) {
    case 0:
        if (rest > 0)
            b->ptr[at] = (char)draw(256);
        break;
    case 1:
        erase(b, at, draw((rest < 20 ? rest : 20) + 1));
        break;
    case 2:
        insert(b, at, scrap, strlen(scrap));
        break;
    case 3:
        b->len = at;
        break;
    case 4:
        insert(b, at, other, draw(strlen(other)));
        break;
    default: /* as it is: a good message among the bad */
        break;
    }
}

/* What the host does between two messages. */
static void play_host(void)
{
    uint64_t handle = w->last_call - draw(32);

    uint64_t ask;

    switch (draw(8)) {
    case 0:
        mcp_answer(w->session, handle, SLICE("{\"b\":[1]}"), false);
        break;
    case 1:
        mcp_progress(w->session, handle, (double)draw(100), 100, SLICE("m"));
        break;
    case 2:
        mcp_log(w->session, handle, MCP_WARNING, SLICE("{}"));
        break;
    case 3:
        mcp_notify_changed(w->session, (enum mcp_list)draw(MCP_LISTS));
        break;
    case 4:
        mcp_notify_updated(w->session, SLICE("a://b"));
        break;
    case 5:
        mcp_ask(w->session, handle, SLICE("roots/list"), SLICE("{}"), &ask);
        break;
    case 6:
        mcp_fail(w->session, handle, MCP_MISSING_CAPABILITY, SLICE("m"),
                 SLICE("{}"));
        break;
    default:
        mcp_written(w->session, draw(100000));
        break;
    }
}

static void say(struct slice text)
{
    /* Its exact size, so that a byte read too far is seen. */
    char *copy = bytes_alloc(text.len ? text.len : 1);

    memcpy(copy, text.ptr, text.len);
    watch_input(&w->watch, slice_of(copy, text.len));
    mcp_input(w->session, slice_of(copy, text.len));
    free(copy);
}

static void check_that_it_still_speaks(void)
{
    for (uint64_t h = 1; h <= w->last_call; h++)
        mcp_answer(w->session, h, SLICE("{}"), false);
    TEST_ASSERT_EQUAL_size_t(0, mcp_in_flight(w->session));
    say(SLICE("{\"jsonrpc\":\"2.0\",\"id\":\"end-1\",\"method\":\"initialize\","
              "\"params\":{\"protocolVersion\":\"2025-06-18\"}}"));
    TEST_ASSERT_NOT_NULL(strstr(w->last_line.ptr,
                                "{\"jsonrpc\":\"2.0\",\"id\":\"end-1\","
                                "\"result\":{\"protocolVersion\":"
                                "\"2025-06-18\""));
    say(SLICE("{\"jsonrpc\":\"2.0\",\"id\":\"end-2\",\"method\":\"ping\"}"));
    TEST_ASSERT_EQUAL_STRING(
        "{\"jsonrpc\":\"2.0\",\"id\":\"end-2\",\"result\":{}}\n",
        w->last_line.ptr);
    say(SLICE("{\"jsonrpc\":\"2.0\",\"id\":\"end-3\",\"method\":\"tools/call\","
              "\"params\":{\"name\":\"list_roles\"}}"));
    mcp_answer(w->session, w->last_call, SLICE("{\"a\":1}"), true);
    TEST_ASSERT_NOT_NULL(strstr(w->last_line.ptr, "\"id\":\"end-3\","
                                                  "\"result\":{\"content\""));
}

static void run(uint64_t seed, size_t count)
{
    start(seed);
    for (size_t i = 0; i < count; i++) {
        struct bytes b = {0};
        const char *text = messages[draw(MESSAGES)];
        bytes_append(&b, text, strlen(text));
        for (size_t n = draw(3); n > 0; n--)
            mutate(&b);
        say(bytes_slice(&b));
        bytes_finish(&b);
        for (int n = 0; n < 8; n++)
            play_host();
    }
    check_that_it_still_speaks();
    printf("# %zu calls, %zu cancelled, %zu answers\n", w->calls, w->cancelled,
           w->watch.answers);
    /* Or it has tested little. */
    TEST_ASSERT_TRUE(w->watch.answers > count / 2);
    TEST_ASSERT_TRUE(w->calls > count / 50);
    TEST_ASSERT_TRUE(w->cancelled > count / 1000);
    stop();
}

static void test_ten_thousand_broken_messages(void)
{
    run(0x9e3779b97f4a7c15u, 10000);
}

static void test_other_seeds(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        run(seed * 0x2545f4914f6cdd1du, 1000);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_ten_thousand_broken_messages);
    TEST(test_other_seeds);
    return TAP_END();
}
