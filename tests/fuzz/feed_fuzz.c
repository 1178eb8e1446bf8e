/* SPDX-License-Identifier: MIT */
/*
 * What a browser may send over its WebSocket, a message a line: none crashes
 * the hub, each is answered once, with JSON that names its type, and what
 * becomes an order is one that the registry may be given. A line beginning
 * with '!' is the hub's: its bytes say which orders are answered, or that the
 * browser leaves.
 */
#include <stdlib.h>

#include "actors/registry/registry.h"
#include "runtime/text/array.h"
#include "runtime/text/json.h"
#include "tests/fuzz/outside.h"
#include "transport/feed/inside.h"

#define CHECK(fact)                                                            \
    do                                                                         \
        if (!(fact))                                                           \
            abort();                                                           \
    while (0)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tools *tools;
static struct caller *caller;
static struct speakers speakers;

/* Of one input. */
static struct {
    struct order *orders[FEED_COMMANDS]; /* not answered yet */
    size_t order_count;
    size_t heard, said, dropped;
} now;

/* ---- what the commands know of the house -------------------------------- */

struct rt_ref registry_place(struct rt_turn *t, struct rt_ref registry,
                             struct order *order)
{
    struct tools_problem problem;

    (void)t, (void)registry;
    CHECK(now.order_count < FEED_COMMANDS);
    CHECK(
        order->kind == ORDER_UPDATE_ROLE || order->kind == ORDER_REVALIDATE ||
        order->kind == ORDER_CREATE_ROLE || order->kind == ORDER_DELETE_ROLE ||
        order->kind == ORDER_CANCEL_AGENT || order->kind == ORDER_DELETE_GROUP);
    CHECK(yyjson_is_obj(order->args));
    CHECK(tools_check_args(tools_get(tools, order->kind), order->args,
                           TOOLS_ENGLISH, &problem));
    now.orders[now.order_count++] = order;
    return RT_NOBODY;
}

void subscriber_say(struct subscriber *c, struct slice text)
{
    yyjson_doc *doc = yyjson_read(text.ptr, text.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    bool is_good = yyjson_get_bool(FIELD(root, "success"));

    (void)c;
    CHECK(yyjson_is_str(FIELD(root, "type")));
    CHECK(yyjson_is_bool(FIELD(root, "success")));
    CHECK(yyjson_is_obj(FIELD(root, "data")) == is_good);
    CHECK(yyjson_is_str(FIELD(FIELD(root, "error"), "code")) == !is_good);
    yyjson_doc_free(doc);
    now.said++;
}

void subscriber_listen(struct subscriber *c, struct slice agent)
{
    (void)c;
    CHECK(agent.len < ORDER_ID);
}

/* ---- the hub's side ----------------------------------------------------- */

static void answer(struct calls *calls, size_t which, bool is_error)
{
    struct order *o = now.orders[which];
    struct rt_msg *m = rt_msg_raw(NULL, ORDER_ANSWER, sizeof(void *));
    struct answer *a;

    if (is_error) {
        a = answer_refusal(o->ticket, CODE_INTERNAL_ERROR, "no");
    } else {
        a = answer_create(o->ticket);
        JSON_RAW(&a->json, "{}");
    }
    now.orders[which] = now.orders[--now.order_count];
    RT_OBJ(m, struct answer) = a;
    CHECK(calls_handle(NULL, calls, m));
    rt_obj_drop(&a->obj);
    rt_obj_drop(&o->obj);
    free(m);
}

static void leave(struct subscriber *c)
{
    now.dropped += c->command_count;
    subscriber_drop_commands(c);
    CHECK(c->commands == NULL && c->command_count == 0);
}

static void play_hub(struct subscriber *c, struct slice line)
{
    for (size_t i = 1; i < line.len; i++) {
        unsigned char byte = (unsigned char)line.ptr[i];

        if (byte == 'x')
            leave(c);
        else if (now.order_count > 0)
            answer(c->feed->setup.calls, byte / 2 % now.order_count, byte & 1);
    }
}

/* ---- the browser's ------------------------------------------------------ */

static void hear(struct subscriber *c, struct slice line)
{
    /* In memory of its own, so that a byte too far is seen. */
    char *copy = bytes_alloc(line.len + 1);

    memcpy(copy, line.ptr, line.len);
    copy = bytes_realloc(copy, line.len > 0 ? line.len : 1);
    now.heard++;
    subscriber_hear(c, slice_of(copy, line.len));
    CHECK(now.heard == now.said + c->command_count + now.dropped);
    free(copy);
}

static void take_lines(struct subscriber *c, struct slice rest)
{
    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        struct slice line =
            slice_of(rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len);

        if (line.len > 0 && line.ptr[0] == '!')
            play_hub(c, line);
        /* The registry answers some day: nobody floods it with more. */
        else if (now.order_count < FEED_COMMANDS)
            hear(c, line);
        rest = end ? slice_of(end + 1, rest.len - line.len - 1) : SLICE_EMPTY;
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char *const nothing[] = {NULL};

    (void)argc, (void)argv;
    tools = tools_create(TOOLS_ENGLISH);
    caller = caller_create("", "/", nothing);
    speakers_init(&speakers, caller);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct site site = {0};
    struct calls calls;
    struct feed feed = {
        .setup = {.site = &site, .calls = &calls, .speakers = &speakers}};
    struct subscriber c = {.feed = &feed};

    memset(&now, 0, sizeof(now));
    calls_init(&calls, RT_NOBODY, tools, caller);
    take_lines(&c, slice_of((const char *)data, size));
    leave(&c);
    while (now.order_count > 0)
        answer(&calls, 0, false);
    CHECK(now.heard == now.said + now.dropped && calls.count == 0);
    calls_finish(&calls);
    return 0;
}
