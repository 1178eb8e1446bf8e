/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "actors/mail/inside.h"
#include "runtime/text/array.h"
#include "runtime/text/json.h"

#define ANSWER_MAX ((size_t)256 << 10) /* bytes; then the rest is for later */
#define LIMIT 50

#define COLUMNS "seq, id, sender, receiver, type, content, metadata, created_at"
#define READ                                                                   \
    "EXISTS (SELECT 1 FROM mail_receipts WHERE agent = ?1 AND message = seq)"
#define BROADCAST " receiver IS NULL AND sender <> ?1 AND seq > ?2"

/* What is wanted, and what becomes of it. */
struct look {
    struct slice id, status;
    bool is_pending, marks;
    int64_t limit;
    int64_t since, done; /* the mailbox's */
    int64_t *direct, *broadcast;
    size_t direct_count, broadcast_count;
    int64_t last;
    uint64_t count;
    bool has_more;
};

static const char *statement_of(const struct look *l)
{
    if (l->is_pending)
        return "SELECT " COLUMNS ", 0 FROM mail_messages WHERE receiver = ?1"
               " AND status = 0 UNION ALL SELECT " COLUMNS ", 0 FROM"
               " mail_messages WHERE" BROADCAST " AND NOT " READ
               " ORDER BY 1 LIMIT ?3";
    if (slice_eq(l->status, SLICE("read")))
        return "SELECT " COLUMNS ", 1 FROM mail_messages WHERE receiver = ?1"
               " AND status = 1 UNION ALL SELECT " COLUMNS ", 1 FROM"
               " mail_messages WHERE" BROADCAST " AND " READ
               " ORDER BY 1 DESC LIMIT ?3";
    return "SELECT " COLUMNS ", 0 FROM mail_messages WHERE receiver = ?1"
           " AND status = 0 UNION ALL SELECT " COLUMNS ", 1 FROM mail_messages"
           " WHERE receiver = ?1 AND status = 1 UNION ALL SELECT " COLUMNS
           ", " READ " FROM mail_messages WHERE" BROADCAST
           " ORDER BY 1 DESC LIMIT ?3";
}

static void load_mailbox(struct work *w, struct look *l)
{
    struct sql q =
        sql_open(w, "SELECT since, done FROM mail_agents WHERE id = ?1");

    sql_text(&q, 1, l->id);
    if (sql_next(&q)) {
        l->since = sql_number(&q, 0);
        l->done = sql_number(&q, 1);
    }
    sql_close(&q);
}

/* ---- reading ----------------------------------------------------------- */

static void put_message(struct bytes *out, const struct sql *q)
{
    static const struct slice states[] = {SLICE_INIT("pending"),
                                          SLICE_INIT("read")};
    struct slice metadata = sql_column(q, 6);

    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", sql_column(q, 1));
    JSON_TEXT(out, "sender_id", sql_column(q, 2));
    MAIL_TEXT_OR_NULL(out, "receiver_id", !sql_is_null(q, 3), sql_column(q, 3));
    JSON_TEXT(out, "content", sql_column(q, 5));
    JSON_TEXT(out, "message_type", sql_column(q, 4));
    JSON_TEXT(out, "status", states[sql_number(q, 8) != 0]);
    if (metadata.len > 2) {
        JSON_KEY(out, "metadata");
        json_raw(out, metadata);
    }
    JSON_KEY(out, "created_at");
    json_time(out, (uint64_t)sql_number(q, 7));
    JSON_RAW(out, "}");
}

static void note_pending(struct look *l, const struct sql *q)
{
    int64_t seq = sql_number(q, 0);

    if (sql_number(q, 8) != 0)
        return;
    if (sql_is_null(q, 3)) {
        ARRAY_GROW(l->broadcast, l->broadcast_count);
        l->broadcast[l->broadcast_count++] = seq;
    } else {
        ARRAY_GROW(l->direct, l->direct_count);
        l->direct[l->direct_count++] = seq;
    }
}

static void put_messages(struct work *w, struct look *l, struct bytes *out)
{
    struct sql q = sql_open(w, statement_of(l));

    sql_text(&q, 1, l->id);
    sql_int(&q, 2, l->is_pending && l->done > l->since ? l->done : l->since);
    sql_int(&q, 3, l->limit + 1);
    while (sql_next(&q)) {
        if (l->count == (uint64_t)l->limit ||
            (l->count > 0 && out->len > ANSWER_MAX)) {
            l->has_more = true;
            break;
        }
        if (l->count++ > 0)
            JSON_RAW(out, ",");
        put_message(out, &q);
        note_pending(l, &q);
        l->last = sql_number(&q, 0);
    }
    sql_close(&q);
}

/* ---- marking ----------------------------------------------------------- */

static void mark(struct work *w, const struct look *l)
{
    for (size_t i = 0; i < l->direct_count; i++) {
        struct sql q = sql_open(w, "UPDATE mail_messages SET status = 1,"
                                   " read_at = ?2 WHERE seq = ?1");

        sql_int(&q, 1, l->direct[i]);
        sql_int(&q, 2, (int64_t)w->now);
        sql_run(&q);
    }
    for (size_t i = 0; i < l->broadcast_count; i++) {
        struct sql q =
            sql_open(w, "INSERT INTO mail_receipts(agent, message, read_at)"
                        " VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING");

        sql_text(&q, 1, l->id);
        sql_int(&q, 2, l->broadcast[i]);
        sql_int(&q, 3, (int64_t)w->now);
        sql_run(&q);
    }
}

/* What is pending comes oldest first: of what was given, nothing before the
 * last is left, and if that was all, nothing at all. */
static void move_on(struct work *w, const struct look *l)
{
    struct sql q;

    if (!l->is_pending || l->broadcast_count == 0)
        return;
    q = sql_open(w, "UPDATE mail_agents SET done = ?2 WHERE id = ?1");
    sql_text(&q, 1, l->id);
    sql_int(&q, 2, l->last);
    sql_run(&q);
}

static void tell_read(struct work *w, const struct look *l)
{
    struct bytes *out = work_event(w, "mail:read");

    JSON_RAW(out, "{");
    JSON_TEXT(out, "agent_id", l->id);
    JSON_UINT(out, "direct", l->direct_count);
    JSON_UINT(out, "broadcast", l->broadcast_count);
    JSON_KEY(out, "read_at");
    json_time(out, w->now);
    JSON_RAW(out, "}");
}

/* ---- the order --------------------------------------------------------- */

static void put_end(struct bytes *out, const struct look *l)
{
    JSON_RAW(out, "]");
    JSON_UINT(out, "total", l->count);
    JSON_BOOL(out, "has_more", l->has_more);
    JSON_RAW(out, "}");
}

void message_put_none(struct bytes *out)
{
    JSON_RAW(out, "{\"messages\":[],\"total\":0,\"has_more\":false,"
                  "\"again\":true}");
}

static struct look read_look(const struct order *o)
{
    yyjson_val *limit = FIELD(o->args, "limit");
    struct look l = {.id = FIELD_TEXT(o->args, "agent_id"),
                     .status = FIELD_TEXT(o->args, "status"),
                     .marks = !yyjson_is_false(FIELD(o->args, "mark_as_read")),
                     .limit = limit ? (int64_t)field_count(limit) : LIMIT};

    l.is_pending = l.status.len == 0 || slice_eq(l.status, SLICE("pending"));
    return l;
}

void message_receive(struct work *w)
{
    struct look l = read_look(w->order);
    struct bytes out = {0};

    if (!mailbox_may_act(w, l.id))
        return;
    if (l.marks)
        mailbox_touch(w, l.id);
    load_mailbox(w, &l);
    JSON_RAW(&out, "{\"messages\":[");
    put_messages(w, &l, &out);
    put_end(&out, &l);
    if (l.marks && l.direct_count + l.broadcast_count > 0) {
        mark(w, &l);
        move_on(w, &l);
        tell_read(w, &l);
    }
    if (l.count > 0 || !order_is_wait(w->order->kind, w->order->args))
        json_raw(work_answer(w), bytes_slice(&out));
    bytes_finish(&out);
    free(l.direct);
    free(l.broadcast);
}
