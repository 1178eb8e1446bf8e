/* SPDX-License-Identifier: MIT */
/*
 * Values that are shared under a key. What is denied and what is not there
 * look the same, down to the statement that finds it.
 */
#include "actors/mail/inside.h"
#include "runtime/text/json.h"

#define VALUE_MAX ((size_t)1 << 20)
#define VALUE_TOLD ((size_t)8 << 10) /* what is longer, the feed leaves out */

/* Who may read it, may write its value. */
#define MAY_READ                                                               \
    "(is_public OR owner = ?2 OR EXISTS (SELECT 1 FROM mail_context_readers r" \
    " WHERE r.key = mail_contexts.key AND r.agent = ?2))"

static void refuse_key(struct work *w, struct slice key)
{
    key = order_brief(key);
    WORK_REFUSE(w, CODE_CONTEXT_NOT_FOUND, MAIL_NO_CONTEXT, (int)key.len,
                key.ptr);
}

/* ---- reading ----------------------------------------------------------- */

static void put_context(struct work *w, const struct sql *q, struct slice key)
{
    struct bytes *out = work_answer(w);

    JSON_RAW(out, "{");
    JSON_TEXT(out, "key", key);
    JSON_KEY(out, "value");
    json_raw(out, sql_column(q, 0));
    JSON_TEXT(out, "owner_agent_id", sql_column(q, 1));
    JSON_KEY(out, "updated_at");
    json_time(out, (uint64_t)sql_number(q, 2));
    JSON_RAW(out, "}");
}

void context_read(struct work *w)
{
    struct slice key = FIELD_TEXT(w->order->args, "key");
    struct slice reader = FIELD_TEXT(w->order->args, "agent_id");
    struct sql q;

    if (!mailbox_may_act(w, reader))
        return;
    q = sql_open(w, "SELECT value, owner, updated_at FROM mail_contexts"
                    " WHERE key = ?1 AND " MAY_READ);
    sql_text(&q, 1, key);
    sql_text(&q, 2, reader);
    if (sql_next(&q))
        put_context(w, &q, key);
    else
        refuse_key(w, key);
    sql_close(&q);
}

/* ---- sharing ----------------------------------------------------------- */

struct share {
    struct slice key, by;
    struct bytes value;
    yyjson_val *level, *readers;
    bool is_new, is_owner, may_write;
};

static void look(struct work *w, struct share *s)
{
    struct sql q = sql_open(w, "SELECT owner = ?2, " MAY_READ
                               " FROM mail_contexts WHERE key = ?1");

    sql_text(&q, 1, s->key);
    sql_text(&q, 2, s->by);
    s->is_new = !sql_next(&q);
    s->is_owner = s->is_new || sql_number(&q, 0);
    s->may_write = s->is_new || sql_number(&q, 1);
    sql_close(&q);
}

static bool may_share(struct work *w, struct share *s)
{
    if (s->value.len > VALUE_MAX) {
        WORK_REFUSE(w, CODE_VALIDATION_ERROR, MAIL_VALUE_TOO_LONG,
                    s->value.len);
        return false;
    }
    look(w, s);
    if (s->may_write && (s->is_owner || (!s->level && !s->readers)))
        return true;
    refuse_key(w, s->key);
    return false;
}

static void set_value(struct work *w, const struct share *s)
{
    struct sql q = sql_open(
        w, "INSERT INTO mail_contexts(key, value, owner, is_public,"
           " updated_by, created_at, updated_at)"
           " VALUES(?1, ?3, ?2, ?4, ?2, ?5, ?5) ON CONFLICT(key) DO UPDATE"
           " SET value = ?3, updated_by = ?2, updated_at = ?5,"
           " is_public = CASE WHEN ?6 THEN ?4 ELSE is_public END");
    bool is_restricted = slice_eq(field_text(s->level), SLICE("restricted"));

    sql_text(&q, 1, s->key);
    sql_text(&q, 2, s->by);
    sql_text(&q, 3, bytes_slice(&s->value));
    sql_int(&q, 4, !is_restricted);
    sql_int(&q, 5, (int64_t)w->now);
    sql_int(&q, 6, s->level != NULL);
    sql_run(&q);
}

static void set_readers(struct work *w, const struct share *s)
{
    struct sql q;
    yyjson_arr_iter it;
    yyjson_val *one;

    if (!s->readers)
        return;
    q = sql_open(w, "DELETE FROM mail_context_readers WHERE key = ?1");
    sql_text(&q, 1, s->key);
    sql_run(&q);
    yyjson_arr_iter_init(s->readers, &it);
    while ((one = yyjson_arr_iter_next(&it))) {
        q = sql_open(w, "INSERT INTO mail_context_readers(key, agent)"
                        " VALUES(?1, ?2) ON CONFLICT DO NOTHING");
        sql_text(&q, 1, s->key);
        sql_text(&q, 2, field_text(one));
        sql_run(&q);
    }
}

static void put_readers(struct work *w, struct bytes *out, struct slice key)
{
    struct sql q = sql_open(w, "SELECT agent FROM mail_context_readers"
                               " WHERE key = ?1 ORDER BY agent");
    bool is_first = true;

    JSON_KEY(out, "allowed_agents");
    JSON_RAW(out, "[");
    sql_text(&q, 1, key);
    for (; sql_next(&q); is_first = false) {
        if (!is_first)
            JSON_RAW(out, ",");
        json_string(out, sql_column(&q, 0));
    }
    sql_close(&q);
    JSON_RAW(out, "]");
}

/* Of key, value, owner, is_public, updated_by, updated_at. */
static void put_row(struct work *w, struct bytes *out, const struct sql *q)
{
    struct slice value = sql_column(q, 1);

    JSON_RAW(out, "{");
    JSON_TEXT(out, "key", sql_column(q, 0));
    JSON_TEXT(out, "owner_agent_id", sql_column(q, 2));
    JSON_TEXT(out, "access_level",
              sql_number(q, 3) ? SLICE("public") : SLICE("restricted"));
    put_readers(w, out, sql_column(q, 0));
    JSON_TEXT(out, "updated_by", sql_column(q, 4));
    JSON_KEY(out, "updated_at");
    json_time(out, (uint64_t)sql_number(q, 5));
    JSON_UINT(out, "bytes", value.len);
    if (value.len <= VALUE_TOLD) {
        JSON_KEY(out, "value");
        json_raw(out, value);
    }
    JSON_RAW(out, "}");
}

void context_put(struct work *w, struct bytes *out, struct slice key)
{
    struct sql q =
        sql_open(w, "SELECT key, value, owner, is_public, updated_by,"
                    " updated_at FROM mail_contexts WHERE key = ?1");

    sql_text(&q, 1, key);
    if (sql_next(&q))
        put_row(w, out, &q);
    sql_close(&q);
}

static void put_shared(struct work *w, const struct share *s)
{
    struct bytes *out = work_answer(w);

    JSON_RAW(out, "{");
    JSON_TEXT(out, "key", s->key);
    JSON_BOOL(out, "stored", true);
    JSON_KEY(out, "updated_at");
    json_time(out, w->now);
    JSON_RAW(out, "}");
}

void context_share(struct work *w)
{
    yyjson_val *args = w->order->args;
    struct share s = {.key = FIELD_TEXT(args, "key"),
                      .by = FIELD_TEXT(args, "agent_id"),
                      .level = FIELD(args, "access_level"),
                      .readers = FIELD(args, "allowed_agents")};

    if (yyjson_is_null(s.readers))
        s.readers = NULL;
    json_val(&s.value, FIELD(args, "value"));
    if (mailbox_may_act(w, s.by) && may_share(w, &s)) {
        mailbox_touch(w, s.by);
        set_value(w, &s);
        set_readers(w, &s);
        context_put(w, work_event(w, "context:shared"), s.key);
        put_shared(w, &s);
    }
    bytes_finish(&s.value);
}
