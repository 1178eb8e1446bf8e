/* SPDX-License-Identifier: MIT */
/*
 * What subscribers say: {"type":T,"id":any?,"language":L?,"data":{...}}. Each
 * is answered with the same type and id, and success or an error with code.h's
 * body, in that language; whatever is wrong with it, the connection stays. But
 * for feed:interest, which is the feed's own, each becomes an order.
 */
#include <stdlib.h>

#include "config/messages.h"
#include "runtime/text/json.h"
#include "transport/feed/inside.h"

struct command {
    struct subscriber *subscriber;
    struct command *before, *after;
    uint64_t call;
    struct bytes head; /* of its answer: {"type":...,"id":... */
};

/* A member called `from` becomes `to`; both may be said. */
struct verb {
    struct slice type;
    enum order_kind order;
    struct slice needs; /* a member of data, after renaming; or empty */
    struct slice from, to;
    bool is_list; /* from is one, to are many */
};

static const struct verb verbs[] = {
    {SLICE_INIT("config:update_role"), ORDER_UPDATE_ROLE, SLICE_INIT("roleId"),
     SLICE_INIT("id"), SLICE_INIT("roleId"), false},
    {SLICE_INIT("config:create_role"), ORDER_CREATE_ROLE, SLICE_INIT("roleId"),
     SLICE_INIT("id"), SLICE_INIT("roleId"), false},
    {SLICE_INIT("config:delete_role"), ORDER_DELETE_ROLE, SLICE_INIT("roleId"),
     SLICE_INIT("id"), SLICE_INIT("roleId"), false},
    {SLICE_INIT("config:revalidate_model"), ORDER_REVALIDATE, SLICE_INIT(""),
     SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("agent:cancel"), ORDER_CANCEL_AGENT, SLICE_INIT("agentIds"),
     SLICE_INIT("agentId"), SLICE_INIT("agentIds"), true},
    {SLICE_INIT("group:cancel"), ORDER_CANCEL_AGENT, SLICE_INIT("groupId"),
     SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("group:delete"), ORDER_DELETE_GROUP, SLICE_INIT("groupId"),
     SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("phases:run"), ORDER_RUN_PHASES, SLICE_INIT("text"),
     SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("pm:create_project"), ORDER_CREATE_PROJECT, SLICE_INIT("name"),
     SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("pm:update_project"), ORDER_UPDATE_PROJECT,
     SLICE_INIT("project_id"), SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("pm:create_agent"), ORDER_CREATE_AGENT, SLICE_INIT("name"),
     SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("pm:update_agent"), ORDER_UPDATE_AGENT, SLICE_INIT("agent_id"),
     SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("pm:set_passkey"), ORDER_SET_PASSKEY, SLICE_INIT("agent_id"),
     SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("pm:assign_agent"), ORDER_ASSIGN_AGENT,
     SLICE_INIT("project_id"), SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("pm:create_task"), ORDER_CREATE_TASK, SLICE_INIT("project_id"),
     SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("pm:update_task"), ORDER_UPDATE_TASK, SLICE_INIT("task_id"),
     SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("pm:assign_task"), ORDER_ASSIGN_TASK, SLICE_INIT("task_id"),
     SLICE_INIT(""), SLICE_INIT(""), false},
    {SLICE_INIT("pm:move_task"), ORDER_UPDATE_TASK_STATUS,
     SLICE_INIT("task_id"), SLICE_INIT(""), SLICE_INIT(""), false}};

/* ---- answers ------------------------------------------------------------ */

static struct caller *speaker(const struct subscriber *c)
{
    return c->feed->setup.speakers->in[c->language];
}

static void put_head(struct bytes *out, struct slice type, yyjson_val *id)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "type", type);
    if (id != NULL) {
        JSON_KEY(out, "id");
        json_val(out, id);
    }
}

static void answer(struct subscriber *c, struct bytes *head, struct slice json,
                   bool is_error)
{
    JSON_BOOL(head, "success", !is_error);
    json_key(head, is_error ? SLICE("error") : SLICE("data"));
    json_raw(head, json);
    JSON_RAW(head, "}");
    subscriber_say(c, bytes_slice(head));
}

#define SAY(c, name)                                                           \
    MESSAGE(calls_language((c)->feed->setup.calls, speaker(c)) ==              \
                TOOLS_ENGLISH,                                                 \
            name)

static void put(struct bytes *out, const char *text)
{
    bytes_append(out, text, strlen(text));
}

/* What is wrong, and with which field. */
static void refuse(struct subscriber *c, struct bytes *head, const char *words,
                   struct slice field)
{
    struct bytes body = {0}, message = {0};

    if (field.len > 0) {
        bytes_append(&message, "'", 1);
        bytes_append(&message, field.ptr, field.len);
        put(&message, SAY(c, FEED_AFTER_FIELD));
    }
    put(&message, words);
    code_put_error(&body, CODE_VALIDATION_ERROR, bytes_slice(&message),
                   SLICE_EMPTY);
    answer(c, head, bytes_slice(&body), true);
    bytes_finish(&message);
    bytes_finish(&body);
}

/* ---- commands ----------------------------------------------------------- */

static struct command *open(struct subscriber *c, const struct bytes *head)
{
    struct command *m = bytes_zalloc(sizeof(*m));

    m->subscriber = c;
    bytes_append(&m->head, head->ptr, head->len);
    m->after = c->commands;
    if (m->after != NULL)
        m->after->before = m;
    c->commands = m;
    c->command_count++;
    return m;
}

static void close(struct command *m)
{
    struct subscriber *c = m->subscriber;

    if (m->after != NULL)
        m->after->before = m->before;
    if (m->before != NULL)
        m->before->after = m->after;
    else
        c->commands = m->after;
    c->command_count--;
    bytes_finish(&m->head);
    free(m);
}

void subscriber_drop_commands(struct subscriber *c)
{
    struct feed *feed = c->feed;

    while (c->commands != NULL) {
        calls_cancel(feed->setup.site->turn, feed->setup.calls,
                     c->commands->call);
        close(c->commands);
    }
}

static void on_answer(struct rt_turn *t, void *ctx, uint64_t handle,
                      const struct answer *a)
{
    struct command *m = ctx;

    (void)t, (void)handle;
    answer(m->subscriber, &m->head, bytes_slice(&a->json), a->is_error);
    close(m);
}

static const struct calls_client client = {.on_answer = on_answer};

static void place(struct subscriber *c, const struct verb *v,
                  const struct bytes *head, yyjson_doc *args)
{
    struct feed *feed = c->feed;
    struct command *m = open(c, head);
    uint64_t call =
        calls_place(feed->setup.site->turn, feed->setup.calls,
                    &(struct call){.client = &client,
                                   .ctx = m,
                                   .caller = speaker(c),
                                   .kind = v->order,
                                   .doc = args,
                                   .args = yyjson_doc_get_root(args)});

    if (call != 0) /* else it has been answered, and is no more */
        m->call = call;
}

/* A member's name, which may be anything. */
static void put_name(struct bytes *out, struct slice name)
{
    if (out->ptr[out->len - 1] != '{')
        JSON_RAW(out, ",");
    json_string(out, name);
    JSON_RAW(out, ":");
}

/* The members of data that are to be renamed, or all the others. */
static void put_members(struct bytes *out, const struct verb *v,
                        yyjson_val *data, bool are_renamed)
{
    yyjson_obj_iter iter = yyjson_obj_iter_with(data);
    yyjson_val *key;

    while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
        struct slice name = field_text(key);

        if ((v->from.len > 0 && slice_eq(name, v->from)) != are_renamed)
            continue;
        put_name(out, are_renamed ? v->to : name);
        if (are_renamed && v->is_list)
            JSON_RAW(out, "[");
        json_val(out, yyjson_obj_iter_get_val(key));
        if (are_renamed && v->is_list)
            JSON_RAW(out, "]");
    }
}

/* The order's arguments: the data, with the member renamed. NULL: one that is
 * needed is missing. Written and read again, for neither goes down into what is
 * nested; copying would, and nobody has looked at it yet. */
static yyjson_doc *arguments(const struct verb *v, yyjson_val *data)
{
    struct bytes text = {0};
    yyjson_doc *doc;

    JSON_RAW(&text, "{");
    put_members(&text, v, data, false);
    put_members(&text, v, data, true);
    JSON_RAW(&text, "}");
    doc = yyjson_read(text.ptr, text.len, 0);
    bytes_finish(&text);
    if (v->needs.len > 0 &&
        field_get(yyjson_doc_get_root(doc), v->needs) == NULL) {
        yyjson_doc_free(doc);
        return NULL;
    }
    return doc;
}

static void command(struct subscriber *c, const struct verb *v,
                    struct bytes *head, yyjson_val *data)
{
    yyjson_doc *args;

    if (c->command_count == FEED_COMMANDS) {
        refuse(c, head, SAY(c, FEED_TOO_MANY_REQUESTS), SLICE_EMPTY);
        return;
    }
    args = arguments(v, data);
    if (args == NULL)
        refuse(c, head, SAY(c, FEED_IS_REQUIRED), v->needs);
    else
        place(c, v, head, args);
}

/* ---- interest ----------------------------------------------------------- */

/* An id, or nothing. */
static bool is_id(yyjson_val *val)
{
    return val == NULL || yyjson_is_null(val) ||
           (yyjson_is_str(val) && yyjson_get_len(val) < ORDER_ID);
}

static void put_id(struct bytes *out, struct slice name, struct slice id)
{
    json_key(out, name);
    if (id.len > 0)
        json_string(out, id);
    else
        JSON_RAW(out, "null");
}

/* The whole of it is said each time: what is not named is of no interest. */
static void interest(struct subscriber *c, struct bytes *head, yyjson_val *data)
{
    yyjson_val *text = FIELD(data, "text");
    struct slice agent = FIELD_TEXT(data, "agentId");
    struct slice group = FIELD_TEXT(data, "groupId");
    struct bytes out = {0};

    if (!is_id(FIELD(data, "groupId")))
        refuse(c, head, SAY(c, FEED_MUST_BE_ID), SLICE("groupId"));
    else if (!is_id(FIELD(data, "agentId")))
        refuse(c, head, SAY(c, FEED_MUST_BE_ID), SLICE("agentId"));
    else if (text != NULL && !yyjson_is_bool(text))
        refuse(c, head, SAY(c, FEED_MUST_BE_BOOL), SLICE("text"));
    else if (yyjson_is_true(text) && agent.len == 0)
        refuse(c, head, SAY(c, FEED_REQUIRED_WITH_TEXT), SLICE("agentId"));
    else {
        c->group = feed_hash(group);
        c->agent = 0;
        subscriber_listen(c, yyjson_is_true(text) ? agent : SLICE_EMPTY);
        JSON_RAW(&out, "{");
        put_id(&out, SLICE("groupId"), group);
        put_id(&out, SLICE("agentId"), agent);
        JSON_BOOL(&out, "text", yyjson_is_true(text));
        JSON_RAW(&out, "}");
        answer(c, head, bytes_slice(&out), false);
        bytes_finish(&out);
    }
}

/* ---- messages ----------------------------------------------------------- */

static const struct verb *find_verb(struct slice type)
{
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
        if (slice_eq(verbs[i].type, type))
            return &verbs[i];
    return NULL;
}

static void obey(struct subscriber *c, yyjson_val *root, struct bytes *head)
{
    struct slice type = FIELD_TEXT(root, "type");
    yyjson_val *data = FIELD(root, "data");
    const struct verb *v = find_verb(type);
    bool is_interest = slice_eq(type, SLICE("feed:interest"));

    if (!yyjson_is_obj(root))
        refuse(c, head, SAY(c, FEED_MUST_BE_JSON), SLICE_EMPTY);
    else if (!yyjson_is_str(FIELD(root, "type")))
        refuse(c, head, SAY(c, FEED_STRING_REQUIRED), SLICE("type"));
    else if (v == NULL && !is_interest)
        refuse(c, head, SAY(c, FEED_NO_KNOWN_KIND), SLICE("type"));
    else if (data != NULL && !yyjson_is_obj(data))
        refuse(c, head, SAY(c, FEED_MUST_BE_OBJECT), SLICE("data"));
    else if (is_interest)
        interest(c, head, data);
    else
        command(c, v, head, data);
}

void subscriber_hear(struct subscriber *c, struct slice text)
{
    yyjson_doc *doc = yyjson_read(text.ptr, text.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    struct slice type = FIELD_TEXT(root, "type");
    struct bytes head = {0};

    c->language = language_read(yyjson_get_str(FIELD(root, "language")));
    put_head(&head, type.len > 0 ? type : SLICE("error"), FIELD(root, "id"));
    obey(c, root, &head);
    bytes_finish(&head);
    yyjson_doc_free(doc);
}
