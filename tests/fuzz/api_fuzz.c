/* SPDX-License-Identifier: MIT */
/*
 * The API's paths and query strings. An input is the target of a GET, as it
 * would stand in a request: it is answered once, with JSON, and what becomes
 * an order has arguments that are an object and meet the order's schema.
 */
#include <stdlib.h>

#include "actors/registry/registry.h"
#include "runtime/text/utf8.h"
#include "tests/fuzz/outside.h"
#include "transport/http/query.h"
#include "transport/http/request_head.h"
#include "transport/http/site.h"
#include "transport/web/api.h"

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
static struct order *order; /* that was placed, or NULL */

/* ---- an exchange without a connection ----------------------------------- */

struct exchange {
    struct site site;
    struct request_head head;
    unsigned answers;
    int status;
    void *owner;
    void (*on_gone)(void *);
};

struct site *exchange_site(const struct exchange *x)
{
    return (struct site *)&x->site;
}

struct slice exchange_method(const struct exchange *x)
{
    return x->head.method;
}

struct slice exchange_path(const struct exchange *x)
{
    return x->head.path;
}

struct slice exchange_header(const struct exchange *x, const char *name)
{
    (void)x, (void)name;
    return SLICE_EMPTY;
}

struct slice exchange_query(const struct exchange *x)
{
    return x->head.query;
}

bool exchange_parameter(const struct exchange *x, const char *name,
                        struct bytes *out)
{
    return query_get(x->head.query, name, out);
}

void exchange_own(struct exchange *x, void *owner, void (*on_gone)(void *))
{
    x->owner = owner;
    x->on_gone = on_gone;
}

void exchange_add_header(struct exchange *x, const char *name,
                         struct slice value)
{
    (void)x, (void)name, (void)value;
}

void exchange_reply(struct exchange *x, int status, const char *type,
                    struct bytes *body)
{
    yyjson_doc *doc = yyjson_read(body->ptr, body->len, 0);

    CHECK(type != NULL && yyjson_is_obj(yyjson_doc_get_root(doc)));
    yyjson_doc_free(doc);
    bytes_finish(body);
    CHECK(++x->answers == 1);
    x->status = status;
    if (x->on_gone != NULL)
        x->on_gone(x->owner);
}

/* ---- the registry ------------------------------------------------------- */

struct rt_ref registry_place(struct rt_turn *t, struct rt_ref registry,
                             struct order *placed)
{
    struct tools_problem problem;

    (void)t, (void)registry;
    CHECK(order == NULL && yyjson_is_obj(placed->args));
    CHECK(tools_check_args(tools_get(tools, placed->kind), placed->args,
                           TOOLS_ENGLISH, &problem));
    order = placed;
    return RT_NOBODY;
}

static void answer(struct calls *calls, struct exchange *x)
{
    struct answer *a = answer_create(order->ticket);
    struct rt_msg *m = rt_msg_raw(NULL, ORDER_ANSWER, sizeof(void *));

    CHECK(x->answers == 0);
    bytes_append(&a->json, "{}", 2);
    RT_OBJ(m, struct answer) = a;
    CHECK(calls_handle(NULL, calls, m));
    CHECK(x->answers == 1 && x->status == 200);
    rt_obj_drop(&a->obj);
    rt_obj_drop(&order->obj);
    order = NULL;
    free(m);
}

/* ---- an input ----------------------------------------------------------- */

static void ask(struct exchange *x)
{
    struct calls calls;

    calls_init(&calls, RT_NOBODY, tools, caller);
    api_serve(&calls, &speakers, x);
    if (order != NULL)
        answer(&calls, x);
    CHECK(x->answers == 1 && calls.count == 0);
    calls_finish(&calls);
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
    struct exchange x = {0};
    struct bytes head = {0};
    const char *why;

    bytes_append(&head, "GET ", 4);
    bytes_append(&head, (const char *)data, size);
    bytes_format(&head, " HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n");
    why = request_head_read(bytes_slice(&head), &x.head);
    CHECK(why != NULL || utf8_is_valid(x.head.path.ptr, x.head.path.len));
    if (why == NULL && slice_starts(x.head.path, SLICE(API_PATH)))
        ask(&x);
    request_head_finish(&x.head);
    bytes_finish(&head);
    return 0;
}
