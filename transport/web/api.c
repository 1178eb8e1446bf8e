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
 * other arguments of the order may be given in the query, but for one that
 * would stand in its place. */
static const struct route {
    const char *path;
    enum order_kind order;
    const char *id, *instead;
} routes[] = {
    {"snapshot", ORDER_SNAPSHOT, NULL, NULL},
    {"status", ORDER_HUB_STATUS, NULL, NULL},
    {"roles", ORDER_LIST_ROLES, NULL, NULL},
    {"roles/*", ORDER_ROLE, "roleId", NULL},
    {"models", ORDER_MODELS, NULL, NULL},
    {"config", ORDER_CONFIG, NULL, NULL},
    {"health", ORDER_HEALTH, NULL, NULL},
    {"groups", ORDER_LIST_GROUPS, NULL, NULL},
    {"groups/*", ORDER_RECORD, "groupId", "agentId"},
    {"agents", ORDER_LIST_AGENTS, NULL, NULL},
    {"agents/*", ORDER_SHOW_AGENT, "agentId", NULL},
    {"agents/*/transcript", ORDER_TRANSCRIPT, "agentId", NULL},
    {"agents/*/story", ORDER_STORY, "agentId", NULL},
    {"agents/*/stderr", ORDER_STDERR, "agentId", NULL},
    {"agents/*/prompt", ORDER_PROMPT, "agentId", NULL},
    {"agents/*/process", ORDER_PROCESS, "agentId", NULL},
    {"history", ORDER_HISTORY, NULL, NULL},
    {"events", ORDER_EVENTS, NULL, NULL},
    {"usage", ORDER_USAGE, NULL, NULL},
    {"notifications", ORDER_NOTIFICATIONS, NULL, NULL},
    {"mail", ORDER_MAIL_TALKS, NULL, NULL},
    {"mail/boxes", ORDER_MAIL_BOXES, NULL, NULL},
    {"mail/messages", ORDER_MAIL_MESSAGES, NULL, NULL},
    {"mail/values", ORDER_MAIL_VALUES, NULL, NULL},
    {"phases", ORDER_PHASES, NULL, NULL},
    {"projects", ORDER_PROJECTS, NULL, NULL},
    {"projects/tasks/*", ORDER_PROJECT_TASK, "task_id", NULL},
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
    case CODE_PROJECT_NOT_FOUND:
    case CODE_TASK_NOT_FOUND:
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

/* Takes the message over. */
static void refuse(const struct asker *a, int status, enum code code,
                   struct bytes *message)
{
    struct bytes body = {0};

    code_put_error(&body, code, bytes_slice(message), SLICE_EMPTY);
    reply(a->exchange, status, bytes_slice(&body));
    bytes_finish(message);
    bytes_finish(&body);
}

#define REFUSE(a, status, code, name, ...)                                     \
    do {                                                                       \
        struct bytes said_ = {0};                                              \
        bytes_format(&said_, MESSAGE((a)->is_english, name), __VA_ARGS__);     \
        refuse(a, status, code, &said_);                                       \
    } while (0)
#define TEXT(s) (int)(s).len, (s).ptr

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

static yyjson_val *properties_of(const struct calls *calls,
                                 const struct route *r)
{
    return FIELD(tools_get(calls->tools, r->order)->input, "properties");
}

static bool is_in_query(const struct route *r, struct slice name)
{
    return (r->id == NULL || !slice_eq(slice_cstr(r->id), name)) &&
           (r->instead == NULL || !slice_eq(slice_cstr(r->instead), name));
}

static void refuse_unknown(const struct asker *a, const struct route *r,
                           struct slice name)
{
    yyjson_obj_iter it = yyjson_obj_iter_with(properties_of(a->calls, r));
    const char *before = MESSAGE(a->is_english, API_PARAMETERS_ARE);
    struct bytes said = {0};
    yyjson_val *key;

    bytes_format(&said, MESSAGE(a->is_english, API_UNKNOWN_PARAMETER),
                 TEXT(name));
    while ((key = yyjson_obj_iter_next(&it)) != NULL) {
        if (!is_in_query(r, field_text(key)))
            continue;
        bytes_format(&said, "%s%s", before, yyjson_get_str(key));
        before = ", ";
    }
    refuse(a, 400, CODE_VALIDATION_ERROR, &said);
}

static bool is_count(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
    return text.len > 0 && text.len < 19 &&
           (text.len == 1 || text.ptr[0] != '0');
}

static struct slice first_type(yyjson_val *parameter)
{
    yyjson_val *type = FIELD(parameter, "type");

    return field_text(yyjson_is_arr(type) ? yyjson_arr_get_first(type) : type);
}

/* Whether its first type is a number's: what may be a text, is one here, but
 * a time that is no date. */
static bool is_number(yyjson_val *parameter, struct slice value)
{
    int64_t ms;

    return slice_eq(first_type(parameter), SLICE("integer")) ||
           (FIELD(parameter, "format") != NULL && is_count(value) &&
            !moment_read(value, &ms));
}

static bool is_truth(struct slice value)
{
    return slice_eq(value, SLICE("true")) || slice_eq(value, SLICE("false"));
}

/* As the schema wants it, which then judges it. False: it cannot be, and has
 * been refused. */
static bool put_value(const struct asker *a, struct bytes *args,
                      struct slice name, yyjson_val *parameter,
                      struct slice value)
{
    bool is_bool = slice_eq(first_type(parameter), SLICE("boolean"));
    bool is_a_number = is_number(parameter, value);

    if (is_bool && !is_truth(value)) {
        REFUSE(a, 400, CODE_VALIDATION_ERROR, API_PARAMETER_NO_BOOLEAN,
               TEXT(name));
        return false;
    }
    if (is_a_number && !is_count(value)) {
        REFUSE(a, 400, CODE_VALIDATION_ERROR, API_PARAMETER_NO_NUMBER,
               TEXT(name));
        return false;
    }
    json_key(args, name);
    if (is_bool || is_a_number)
        json_raw(args, value);
    else
        json_string(args, value);
    return true;
}

/* One of the query's pairs. False: it has been refused. */
static bool read_pair(const struct asker *a, const struct route *r,
                      struct slice name, struct bytes *args)
{
    yyjson_val *parameter = field_get(properties_of(a->calls, r), name);
    struct bytes value = {0};
    bool is_good;
    char key[64];

    if (parameter == NULL || !is_in_query(r, name)) {
        refuse_unknown(a, r, name);
        return false;
    }
    slice_keep(key, sizeof(key), name);
    exchange_parameter(a->exchange, key, &value);
    is_good = put_value(a, args, name, parameter, bytes_slice(&value));
    bytes_finish(&value);
    return is_good;
}

/* The next pair's name; *rest is what comes behind it. */
static struct slice next_name(struct slice *rest)
{
    const char *end = memchr(rest->ptr, '&', rest->len);
    size_t len = end ? (size_t)(end - rest->ptr) : rest->len;
    const char *sign = memchr(rest->ptr, '=', len);
    struct slice name =
        slice_of(rest->ptr, sign ? (size_t)(sign - rest->ptr) : len);

    *rest = end ? slice_of(end + 1, rest->len - len - 1) : SLICE_EMPTY;
    return name;
}

static bool has_name(struct slice rest, struct slice name)
{
    while (rest.len > 0)
        if (slice_eq(next_name(&rest), name))
            return true;
    return false;
}

/* Which of two would hold nobody can know. */
static bool read_query(const struct asker *a, const struct route *r,
                       struct bytes *args)
{
    struct slice rest = exchange_query(a->exchange);

    while (rest.len > 0) {
        struct slice name = next_name(&rest);

        if (name.len == 0)
            continue;
        if (has_name(rest, name)) {
            REFUSE(a, 400, CODE_VALIDATION_ERROR, API_PARAMETER_TWICE,
                   TEXT(name));
            return false;
        }
        if (!read_pair(a, r, name, args))
            return false;
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
    struct slice method = exchange_method(x);
    size_t prefix = sizeof(API_PATH) - 1;
    const struct route *r =
        find_route(slice_of(path.ptr + prefix, path.len - prefix), &id);
    struct bytes args = {0};

    if (r == NULL) {
        REFUSE(&a, 404, CODE_NOT_FOUND, API_NO_SUCH_PATH, TEXT(path));
        return;
    }
    if (!slice_eq(method, SLICE("GET")) && !slice_eq(method, SLICE("HEAD"))) {
        exchange_add_header(x, "allow", SLICE("GET, HEAD"));
        REFUSE(&a, 405, CODE_METHOD_NOT_ALLOWED, API_GET_ONLY, TEXT(method));
        return;
    }
    JSON_RAW(&args, "{");
    if (r->id != NULL)
        json_key(&args, slice_cstr(r->id)), json_string(&args, id);
    if (read_query(&a, r, &args)) {
        JSON_RAW(&args, "}");
        ask(&a, r, bytes_slice(&args));
    }
    bytes_finish(&args);
}
