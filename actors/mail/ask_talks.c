/* SPDX-License-Identifier: MIT */
/*
 * Who writes to whom: of the newest messages, which two they are between, and
 * those to all together. However many there are, so many are looked at; who
 * wants to know of older ones asks on.
 */
#include "actors/mail/inside.h"
#include "runtime/text/json.h"

#define WINDOW 5000 /* messages */
#define CONTENT 300 /* bytes of the last one */

struct window {
    int64_t upto;  /* the newest number in it */
    int64_t first; /* the oldest; 0: there is nothing before it */
};

static void find_window(struct work *w, const struct ask_moment *m,
                        struct window *window)
{
    yyjson_val *before = FIELD(w->order->args, "before");
    struct sql q = sql_open(w, "SELECT seq FROM mail_messages WHERE seq <= ?1"
                               " ORDER BY seq DESC LIMIT 1 OFFSET ?2");

    *window = (struct window){.upto = m->last};
    if (yyjson_is_int(before) && (int64_t)field_count(before) <= m->last)
        window->upto = (int64_t)field_count(before) - 1;
    sql_int(&q, 1, window->upto);
    sql_int(&q, 2, WINDOW - 1);
    if (sql_next(&q))
        window->first = sql_number(&q, 0);
    sql_close(&q);
}

static void put_last(struct work *w, struct bytes *out, int64_t number)
{
    struct sql q = sql_open(w, "SELECT " ASK_COLUMNS " FROM mail_messages"
                               " WHERE seq = ?1");

    JSON_KEY(out, "last");
    JSON_RAW(out, "{");
    sql_int(&q, 1, number);
    if (sql_next(&q))
        ask_put_message(out, &q, CONTENT);
    sql_close(&q);
    JSON_RAW(out, "}");
}

static void put_talk(struct work *w, struct bytes *out, const struct sql *q)
{
    bool is_to_all = sql_is_null(q, 0);

    if (out->ptr[out->len - 1] == '}')
        JSON_RAW(out, ",");
    JSON_RAW(out, "{");
    JSON_KEY(out, "agents");
    JSON_RAW(out, "[");
    if (!is_to_all) {
        json_string(out, sql_column(q, 0));
        JSON_RAW(out, ",");
        json_string(out, sql_column(q, 1));
    }
    JSON_RAW(out, "]");
    JSON_UINT(out, "count", (uint64_t)sql_number(q, 2));
    JSON_UINT(out, "unread", (uint64_t)sql_number(q, 3));
    put_last(w, out, sql_number(q, 4));
    JSON_RAW(out, "}");
}

/* Of messages to all nobody's reading is counted here: see mailboxes. */
static void put_talks(struct work *w, struct bytes *out,
                      const struct ask_moment *m, const struct window *window)
{
    struct sql q = sql_open(
        w, "SELECT min(sender, receiver), max(sender, receiver), count(*),"
           " sum(receiver IS NOT NULL AND (status = 0 OR (status = 1 AND"
           " read_at >= " ASK_CUT(
               "receiver") "))), max(seq)"
                           " FROM mail_messages WHERE seq >= ?3 AND seq <= ?4"
                           " GROUP BY 1, 2 ORDER BY 5 DESC");

    ask_moment_bind(&q, m);
    sql_int(&q, 3, window->first);
    sql_int(&q, 4, window->upto);
    JSON_KEY(out, "talks");
    JSON_RAW(out, "[");
    while (sql_next(&q))
        put_talk(w, out, &q);
    sql_close(&q);
    JSON_RAW(out, "]");
}

static bool has_before(struct work *w, int64_t number)
{
    struct sql q =
        sql_open(w, "SELECT 1 FROM mail_messages WHERE seq < ?1 LIMIT 1");
    bool is_so;

    sql_int(&q, 1, number);
    is_so = sql_next(&q);
    sql_close(&q);
    return is_so;
}

void ask_talks(struct work *w)
{
    struct ask_moment m;
    struct window window;

    if (ask_moment_read(w, &m)) {
        struct bytes *out = work_answer(w);

        find_window(w, &m, &window);
        JSON_RAW(out, "{");
        put_talks(w, out, &m, &window);
        if (window.first > 0 && has_before(w, window.first))
            JSON_UINT(out, "previous", (uint64_t)window.first);
        JSON_RAW(out, "}");
    }
    bytes_finish(&m.late);
}
