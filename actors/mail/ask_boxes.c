/* SPDX-License-Identifier: MIT */
/*
 * Mailboxes, by their ids, and how much is unread in each. One of a launched
 * agent that has not acted yet has no row, and is there once it was written to.
 */
#include "actors/mail/inside.h"
#include "runtime/text/json.h"

#define LIMIT 100
#define COUNTED "1000" /* what is unread is counted so far */

static const struct slice states[] = {
    SLICE_INIT("expected"), SLICE_INIT("acting"), SLICE_INIT("registered")};

struct box {
    struct slice id;
    int64_t since, done;
};

/* ---- what is unread ---------------------------------------------------- */

static int64_t count_direct(struct work *w, const struct ask_moment *m,
                            const struct box *b)
{
    struct sql q = sql_open(
        w, "SELECT count(*) FROM (SELECT 1 FROM mail_messages WHERE"
           " receiver = ?3 AND status = 0 AND seq <= ?4 UNION ALL SELECT 1 FROM"
           " mail_messages WHERE ?5 AND receiver = ?3 AND status = 1 AND"
           " seq <= ?4 AND read_at >= " ASK_CUT("?3") " LIMIT " COUNTED ")");
    int64_t count;

    ask_moment_bind(&q, m);
    sql_text(&q, 3, b->id);
    sql_int(&q, 4, m->last);
    sql_int(&q, 5, m->when.is_past);
    count = sql_next(&q) ? sql_number(&q, 0) : 0;
    sql_close(&q);
    return count;
}

static int64_t count_to_all(struct work *w, const struct ask_moment *m,
                            const struct box *b)
{
    struct sql q = sql_open(
        w,
        "SELECT count(*) FROM (SELECT 1 FROM mail_messages WHERE"
        " receiver IS NULL AND sender <> ?3 AND seq > ?5 AND seq <= ?4"
        " AND NOT EXISTS (SELECT 1 FROM mail_receipts r WHERE r.agent = ?3"
        " AND r.message = seq AND r.read_at < " ASK_CUT("?3") ")"
                                                              " LIMIT " COUNTED
                                                              ")");
    bool is_from_done = !m->when.is_past && b->done > b->since;
    int64_t count;

    ask_moment_bind(&q, m);
    sql_text(&q, 3, b->id);
    sql_int(&q, 4, m->last);
    sql_int(&q, 5, is_from_done ? b->done : b->since);
    count = sql_next(&q) ? sql_number(&q, 0) : 0;
    sql_close(&q);
    return count;
}

/* ---- one --------------------------------------------------------------- */

/* Who had not registered by then, had its id for a name. */
static bool is_registered_later(struct work *w, const struct ask_moment *m,
                                struct slice id)
{
    struct sql q;
    bool is_so;

    if (!m->when.is_past)
        return false;
    q = sql_open(w, "SELECT 1 FROM events WHERE type = 'mail:registered'"
                    " AND seq > ?1 AND json_extract(data, '$.id') = ?2"
                    " LIMIT 1");
    sql_int(&q, 1, m->when.seq);
    sql_text(&q, 2, id);
    is_so = sql_next(&q);
    sql_close(&q);
    return is_so;
}

static void put_time(struct bytes *out, struct slice name, int64_t at,
                     int64_t upto)
{
    json_key(out, name);
    if (at > 0 && at <= upto)
        json_time(out, (uint64_t)at);
    else
        JSON_RAW(out, "null");
}

static void put_names(struct work *w, struct bytes *out, const struct sql *q,
                      const struct ask_moment *m)
{
    struct slice id = sql_column(q, 0);
    int64_t state = sql_number(q, 3);
    bool is_later = state == 2 && is_registered_later(w, m, id);

    JSON_TEXT(out, "id", id);
    JSON_TEXT(out, "name", is_later ? id : sql_column(q, 1));
    MAIL_TEXT_OR_NULL(out, "description", !is_later && !sql_is_null(q, 2),
                      sql_column(q, 2));
    JSON_TEXT(out, "state",
              sql_number(q, 8) ? SLICE("launched")
                               : states[is_later ? 0 : state]);
}

static void put_box(struct work *w, struct bytes *out, const struct sql *q,
                    const struct ask_moment *m)
{
    struct box b = {.id = sql_column(q, 0),
                    .since = sql_number(q, 4),
                    .done = sql_number(q, 5)};
    int64_t direct = count_direct(w, m, &b), all = count_to_all(w, m, &b);

    JSON_RAW(out, "{");
    put_names(w, out, q, m);
    put_time(out, SLICE("created_at"), sql_number(q, 6), m->when.at);
    put_time(out, SLICE("last_active_at"), sql_number(q, 7), m->when.at);
    JSON_UINT(out, "unread", (uint64_t)(direct + all));
    JSON_UINT(out, "unread_direct", (uint64_t)direct);
    JSON_RAW(out, "}");
}

/* ---- the question ------------------------------------------------------ */

/* A launched agent without a row has its own times; broadcasts before its start
 * are not its. */
#define BOXES                                                                  \
    "SELECT m.id, m.name, m.description, m.state, m.since, m.done,"            \
    " m.created_at, m.active_at, EXISTS (SELECT 1 FROM agents a WHERE"         \
    " a.id = m.id) FROM mail_agents m WHERE m.created_at <= ?1 AND m.id > ?2"
#define WRITTEN_TO                                                             \
    " UNION ALL SELECT id, role, NULL, 2, " MAIL_BEFORE_RUN                    \
    ", 0, created_at, 0, 1 FROM agents WHERE created_at <= ?1 AND id > ?2 AND" \
    " id IN (SELECT receiver FROM mail_messages WHERE status = 0 AND receiver" \
    " IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM mail_agents m WHERE"          \
    " m.id = agents.id)"

static void put_boxes(struct work *w, struct bytes *out,
                      const struct ask_moment *m)
{
    yyjson_val *asked = FIELD(w->order->args, "limit");
    int64_t limit = yyjson_is_int(asked) ? (int64_t)field_count(asked) : LIMIT;
    struct sql q = sql_open(w, BOXES WRITTEN_TO " ORDER BY 1 LIMIT ?3");
    struct bytes last = {0};
    int64_t count = 0;
    bool is_more;

    sql_int(&q, 1, m->when.at);
    sql_text(&q, 2, FIELD_TEXT(w->order->args, "after"));
    sql_int(&q, 3, limit + 1);
    while ((is_more = sql_next(&q)) && count < limit) {
        if (count++ > 0)
            JSON_RAW(out, ",");
        put_box(w, out, &q, m);
        bytes_clear(&last, SIZE_MAX);
        bytes_append(&last, sql_column(&q, 0).ptr, sql_column(&q, 0).len);
    }
    JSON_RAW(out, "]");
    if (is_more)
        JSON_TEXT(out, "next", bytes_slice(&last));
    sql_close(&q);
    bytes_finish(&last);
}

void ask_boxes(struct work *w)
{
    struct ask_moment m;

    if (ask_moment_read(w, &m)) {
        struct bytes *out = work_answer(w);

        JSON_RAW(out, "{\"boxes\":[");
        put_boxes(w, out, &m);
        JSON_RAW(out, "}");
    }
    bytes_finish(&m.late);
}
