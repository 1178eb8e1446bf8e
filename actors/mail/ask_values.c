/* SPDX-License-Identifier: MIT */
/*
 * What is shared, by its keys, and who may read it. What nobody has written to
 * since the moment is as its row says; the rest is as it was last told of
 * before that, if it was.
 */
#include "actors/mail/inside.h"
#include "runtime/text/json.h"

#define LIMIT 50

/* The keys that were written to since, as a list in JSON. */
static void find_touched(struct work *w, const struct work_moment *m,
                         struct bytes *keys)
{
    struct sql q = sql_open(
        w, "SELECT json_group_array(DISTINCT json_extract(data, '$.key')) FROM"
           " (SELECT data FROM events WHERE type = 'context:shared'"
           " AND seq > ?1 UNION ALL SELECT data FROM untold"
           " WHERE type = 'context:shared')");

    sql_int(&q, 1, m->seq);
    if (m->is_past && sql_next(&q))
        json_raw(keys, sql_column(&q, 0));
    else
        JSON_RAW(keys, "[]");
    sql_close(&q);
}

/* As it was told last. */
static void put_told(struct work *w, struct bytes *out, struct slice key,
                     int64_t seq)
{
    struct sql q =
        sql_open(w, "SELECT data FROM events WHERE type = 'context:shared'"
                    " AND seq <= ?1 AND json_extract(data, '$.key') = ?2"
                    " ORDER BY seq DESC LIMIT 1");

    sql_int(&q, 1, seq);
    sql_text(&q, 2, key);
    if (sql_next(&q))
        json_raw(out, sql_column(&q, 0));
    sql_close(&q);
}

/* The next one, unless there was none of that key then. */
static bool put_value(struct work *w, struct bytes *out, const struct sql *q,
                      const struct work_moment *m)
{
    size_t before;

    if (out->ptr[out->len - 1] == '}')
        JSON_RAW(out, ",");
    before = out->len;
    if (sql_number(q, 1))
        put_told(w, out, sql_column(q, 0), m->seq);
    else
        context_put(w, out, sql_column(q, 0));
    if (out->len == before && out->ptr[before - 1] == ',')
        out->len--;
    return out->len > before;
}

static void put_values(struct work *w, struct bytes *out,
                       const struct work_moment *m, struct slice touched)
{
    yyjson_val *asked = FIELD(w->order->args, "limit");
    int64_t limit = yyjson_is_int(asked) ? (int64_t)field_count(asked) : LIMIT;
    struct sql q =
        sql_open(w, "SELECT key, key IN (SELECT value FROM json_each(?1))"
                    " FROM mail_contexts WHERE key > ?2 ORDER BY key");
    struct bytes last = {0};
    int64_t count = 0;
    bool is_more;

    sql_text(&q, 1, touched);
    sql_text(&q, 2, FIELD_TEXT(w->order->args, "after"));
    while ((is_more = sql_next(&q)) && count < limit) {
        count += put_value(w, out, &q, m);
        bytes_clear(&last, SIZE_MAX);
        bytes_append(&last, sql_column(&q, 0).ptr, sql_column(&q, 0).len);
    }
    JSON_RAW(out, "]");
    if (is_more)
        JSON_TEXT(out, "next", bytes_slice(&last));
    sql_close(&q);
    bytes_finish(&last);
}

void ask_values(struct work *w)
{
    struct work_moment m;
    struct bytes touched = {0}, *out;

    if (!work_moment_read(w, &m))
        return;
    find_touched(w, &m, &touched);
    out = work_answer(w);
    JSON_RAW(out, "{\"values\":[");
    put_values(w, out, &m, bytes_slice(&touched));
    JSON_RAW(out, "}");
    bytes_finish(&touched);
}
