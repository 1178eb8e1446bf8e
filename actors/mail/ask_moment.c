/* SPDX-License-Identifier: MIT */
#include "actors/mail/inside.h"
#include "runtime/text/json.h"

/* Of what was told behind the moment, how much can have happened before it. */
#define WINDOW 4096

/* The first message that was told of behind the moment, or is not told of yet,
 * is the first that was not there. One of which neither is known was. */
static int64_t find_last(struct work *w, int64_t seq)
{
    struct sql q = sql_open(
        w, "SELECT m.seq FROM (SELECT * FROM (SELECT data FROM events"
           " WHERE type = 'mail:sent' AND seq > ?1 ORDER BY seq LIMIT 1000)"
           " UNION ALL SELECT * FROM (SELECT data FROM untold"
           " WHERE type = 'mail:sent' ORDER BY number LIMIT 1000)) e"
           " JOIN mail_messages m ON m.id = json_extract(e.data, '$.id')"
           " LIMIT 1");
    int64_t last = INT64_MAX;

    sql_int(&q, 1, seq);
    if (sql_next(&q))
        last = sql_number(&q, 0) - 1;
    sql_close(&q);
    return last;
}

static void find_late(struct work *w, struct ask_moment *m)
{
    struct sql q = sql_open(
        w, "SELECT json_group_object(agent, at) FROM (SELECT"
           " json_extract(data, '$.agent_id') AS agent, min(at) AS at FROM"
           " (SELECT at, data FROM events WHERE type = 'mail:read'"
           " AND seq > ?1 AND seq <= ?2 AND at <= ?3 UNION ALL SELECT at, data"
           " FROM untold WHERE type = 'mail:read' AND at <= ?3) GROUP BY 1)");

    sql_int(&q, 1, m->when.seq);
    sql_int(&q, 2, m->when.seq + WINDOW);
    sql_int(&q, 3, m->when.at);
    if (sql_next(&q))
        json_raw(&m->late, sql_column(&q, 0));
    sql_close(&q);
}

bool ask_moment_read(struct work *w, struct ask_moment *m)
{
    *m = (struct ask_moment){.last = INT64_MAX, .cut = INT64_MAX};
    if (!work_moment_read(w, &m->when))
        return false;
    if (m->when.is_past) {
        m->last = find_last(w, m->when.seq);
        m->cut = m->when.at + 1;
        find_late(w, m);
    }
    if (m->late.len == 0)
        JSON_RAW(&m->late, "{}");
    return true;
}

void ask_moment_bind(struct sql *q, const struct ask_moment *m)
{
    sql_text(q, 1, bytes_slice(&m->late));
    sql_int(q, 2, m->cut);
}

void ask_put_message(struct bytes *out, const struct sql *q, size_t content)
{
    struct bytes text = {0};
    struct slice whole = sql_column(q, 5), metadata = sql_column(q, 6);
    bool is_whole = bytes_append_capped(&text, whole, content);

    JSON_UINT(out, "number", (uint64_t)sql_number(q, 0));
    JSON_TEXT(out, "id", sql_column(q, 1));
    JSON_TEXT(out, "sender_id", sql_column(q, 2));
    MAIL_TEXT_OR_NULL(out, "receiver_id", !sql_is_null(q, 3), sql_column(q, 3));
    JSON_TEXT(out, "message_type", sql_column(q, 4));
    JSON_TEXT(out, "content", bytes_slice(&text));
    JSON_UINT(out, "bytes", whole.len);
    if (!is_whole)
        JSON_BOOL(out, "truncated", true);
    if (metadata.len > 2 && metadata.len <= content) {
        JSON_KEY(out, "metadata");
        json_raw(out, metadata);
    }
    JSON_KEY(out, "created_at");
    json_time(out, (uint64_t)sql_number(q, 7));
    bytes_finish(&text);
}
