/* SPDX-License-Identifier: MIT */
#include "transport/web/api.h"

#include <stdlib.h>
#include <string.h>

#include "config/messages.h"
#include "runtime/text/json.h"
#include "runtime/text/moment.h"
#include "transport/http/site.h"

#define JSON_TYPE "application/json; charset=utf-8"

/* A path with * in it takes what stands there as the argument named by id; all
 * other arguments of the order may be given in the query. */
static const struct route {
    const char *path;
    enum order_kind order;
    const char *id;
} routes[] = {
    {"snapshot", ORDER_SNAPSHOT, NULL},
    {"status", ORDER_HUB_STATUS, NULL},
    {"roles", ORDER_LIST_ROLES, NULL},
    {"roles/*", ORDER_ROLE, "roleId"},
    {"models", ORDER_MODELS, NULL},
    {"config", ORDER_CONFIG, NULL},
    {"health", ORDER_HEALTH, NULL},
    {"groups", ORDER_LIST_GROUPS, NULL},
    {"groups/*", ORDER_RECORD, "groupId"},
    {"agents", ORDER_LIST_AGENTS, NULL},
    {"agents/*", ORDER_SHOW_AGENT, "agentId"},
    {"agents/*/transcript", ORDER_TRANSCRIPT, "agentId"},
    {"agents/*/story", ORDER_STORY, "agentId"},
    {"agents/*/stderr", ORDER_STDERR, "agentId"},
    {"agents/*/prompt", ORDER_PROMPT, "agentId"},
    {"agents/*/process", ORDER_PROCESS, "agentId"},
    {"history", ORDER_HISTORY, NULL},
    {"events", ORDER_EVENTS, NULL},
    {"usage", ORDER_USAGE, NULL},
    {"notifications", ORDER_NOTIFICATIONS, NULL},
};

/* ---- answers ------------------------------------------------------------ */

struct question {
    struct calls *calls;
    struct site *site;
    struct exchange *exchange;
    uint64_t call;
};

static int status_of(enum code code)
{
    switch ((int)code) {
    case CODE_GROUP_NOT_FOUND:
    case CODE_ROLE_NOT_FOUND:
    case CODE_ORCHESTRATOR_ROLE_NOT_FOUND:
    case CODE_AGENT_NOT_FOUND:
    case CODE_TRANSCRIPT_NOT_FOUND:
        return 404;
    case CODE_ROLE_UNAVAILABLE:
    case CODE_ORCHESTRATOR_UNAVAILABLE:
    case CODE_STORE_UNAVAILABLE:
    case CODE_HUB_UNAVAILABLE:
        return 503;
    case CODE_INTERNAL_ERROR:
        return 500;
    default:
        return 400;
    }
}

static void reply(struct exchange *x, int status, struct slice json)
{
    struct bytes body = {0};

    bytes_append(&body, json.ptr, json.len);
    exchange_add_header(x, "cache-control", SLICE("no-store"));
    exchange_reply(x, status, JSON_TYPE, &body);
}

static void on_answer(struct rt_turn *t, void *ctx, uint64_t handle,
                      const struct answer *a)
{
    struct question *q = ctx;
    struct slice json = bytes_slice(&a->json);

    (void)t, (void)handle;
    q->call = 0;
    if (a->is_error)
        reply(q->exchange, status_of(a->code), json);
    else
        reply(q->exchange, 200, json);
}

static const struct calls_client client = {.on_answer = on_answer};

static void on_gone(void *ctx)
{
    struct question *q = ctx;

    calls_cancel(q->site->turn, q->calls, q->call);
    free(q);
}

/* Who asks; the call is placed for this one. */
struct asker {
    struct calls *calls;
    struct exchange *exchange;
    struct caller *caller;
    bool is_english;
};

static void refuse(const struct asker *a, int status, const char *text)
{
    struct bytes body = {0};

    code_put_error(&body, CODE_VALIDATION_ERROR, slice_cstr(text), SLICE_EMPTY);
    reply(a->exchange, status, bytes_slice(&body));
    bytes_finish(&body);
}

/* The one %.*s of the text is what it is about. */
#define REFUSE(a, status, name, about)                                         \
    do {                                                                       \
        char *text_ = bytes_text(MESSAGE((a)->is_english, name),               \
                                 (int)(about).len, (about).ptr);               \
        refuse(a, status, text_);                                              \
        free(text_);                                                           \
    } while (0)

/* ---- questions ---------------------------------------------------------- */

/* Whether the path is of this form; *id is what stands for the star. */
static bool fits(const char *form, struct slice path, struct slice *id)
{
    const char *star = strchr(form, '*');
    size_t before = star ? (size_t)(star - form) : 0;
    size_t after = star ? strlen(star + 1) : 0;

    if (star == NULL)
        return slice_eq(slice_cstr(form), path);
    if (path.len <= before + after || memcmp(path.ptr, form, before) != 0 ||
        memcmp(path.ptr + path.len - after, star + 1, after) != 0)
        return false;
    *id = slice_of(path.ptr + before, path.len - before - after);
    return memchr(id->ptr, '/', id->len) == NULL;
}

static const struct route *find_route(struct slice path, struct slice *id)
{
    for (size_t i = 0; i < sizeof(routes) / sizeof(*routes); i++)
        if (fits(routes[i].path, path, id))
            return &routes[i];
    return NULL;
}

/* What the order's schema says of an argument; NULL: it has none of that name,
 * or the path says it. */
static yyjson_val *find_parameter(const struct calls *calls,
                                  const struct route *r, struct slice name)
{
    const struct tool *order = tools_get(calls->tools, r->order);

    return r->id != NULL && slice_eq(slice_cstr(r->id), name)
               ? NULL
               : field_get(FIELD(order->input, "properties"), name);
}

static bool is_count(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
    return text.len > 0 && text.len < 19 &&
           (text.len == 1 || text.ptr[0] != '0');
}

/* Whether its first type is a number's: what may be a text, is one here, but
 * a time that is no date. */
static bool is_number(yyjson_val *parameter, struct slice value)
{
    int64_t ms;

    yyjson_val *type = FIELD(parameter, "type");

    type = yyjson_is_arr(type) ? yyjson_arr_get_first(type) : type;
    return slice_eq(field_text(type), SLICE("integer")) ||
           (FIELD(parameter, "format") != NULL && is_count(value) &&
            !moment_read(value, &ms));
}

static void put_pair(struct bytes *args, struct slice name, bool is_a_number,
                     struct slice value)
{
    json_key(args, name);
    if (is_a_number)
        json_raw(args, value);
    else
        json_string(args, value);
}

/* One of the query's pairs. False: it has been refused. */
static bool read_pair(const struct asker *a, const struct route *r,
                      struct slice name, struct bytes *args)
{
    yyjson_val *parameter = find_parameter(a->calls, r, name);
    char key[64];
    struct bytes value = {0};
    bool is_a_number, is_good;

    if (parameter == NULL) {
        REFUSE(a, 400, API_UNKNOWN_PARAMETER, name);
        return false;
    }
    slice_keep(key, sizeof(key), name);
    exchange_parameter(a->exchange, key, &value);
    is_a_number = is_number(parameter, bytes_slice(&value));
    is_good = !is_a_number || is_count(bytes_slice(&value));
    if (is_good)
        put_pair(args, name, is_a_number, bytes_slice(&value));
    else
        REFUSE(a, 400, API_PARAMETER_NO_NUMBER, name);
    bytes_finish(&value);
    return is_good;
}

static bool read_query(const struct asker *a, const struct route *r,
                       struct bytes *args)
{
    struct slice rest = exchange_query(a->exchange);

    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '&', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        const char *sign = memchr(rest.ptr, '=', len);
        struct slice name =
            slice_of(rest.ptr, sign ? (size_t)(sign - rest.ptr) : len);

        if (!read_pair(a, r, name, args))
            return false;
        rest = end ? slice_of(end + 1, rest.len - len - 1) : SLICE_EMPTY;
    }
    return true;
}

static void ask(const struct asker *a, const struct route *r, struct slice args)
{
    yyjson_doc *doc = yyjson_read(args.ptr, args.len, 0);
    struct question *q = bytes_zalloc(sizeof(*q));

    *q = (struct question){.calls = a->calls,
                           .site = exchange_site(a->exchange),
                           .exchange = a->exchange};
    exchange_own(a->exchange, q, on_gone);
    /* One that is refused at once is gone when this returns. */
    uint64_t call =
        calls_place(q->site->turn, a->calls,
                    &(struct call){.client = &client,
                                   .ctx = q,
                                   .caller = a->caller,
                                   .kind = r->order,
                                   .doc = doc,
                                   .args = yyjson_doc_get_root(doc)});
    if (call != 0)
        q->call = call;
}

static struct asker who_asks(struct calls *calls,
                             const struct speakers *speakers,
                             struct exchange *x)
{
    struct caller *caller =
        speakers->in[language_accepted(exchange_header(x, "accept-language"))];

    return (struct asker){.calls = calls,
                          .exchange = x,
                          .caller = caller,
                          .is_english =
                              calls_language(calls, caller) == TOOLS_ENGLISH};
}

void api_serve(struct calls *calls, const struct speakers *speakers,
               struct exchange *x)
{
    const struct asker a = who_asks(calls, speakers, x);
    struct slice path = exchange_path(x), id = SLICE_EMPTY;
    size_t prefix = sizeof(API_PATH) - 1;
    const struct route *r =
        find_route(slice_of(path.ptr + prefix, path.len - prefix), &id);
    struct bytes args = {0};

    if (r == NULL) {
        REFUSE(&a, 404, API_NO_SUCH_PATH, path);
        return;
    }
    if (!slice_eq(exchange_method(x), SLICE("GET"))) {
        exchange_add_header(x, "allow", SLICE("GET"));
        REFUSE(&a, 405, API_GET_ONLY, exchange_method(x));
        return;
    }
    JSON_RAW(&args, "{");
    if (r->id != NULL)
        put_pair(&args, slice_cstr(r->id), false, id);
    if (read_query(&a, r, &args)) {
        JSON_RAW(&args, "}");
        ask(&a, r, bytes_slice(&args));
    }
    bytes_finish(&args);
}
