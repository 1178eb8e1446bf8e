/* SPDX-License-Identifier: MIT */
/*
 * A page of what two have written to each other, or of what was written to
 * all: from the newest backwards, or from a number on either way; always by
 * number.
 */
#include "actors/mail/inside.h"
#include "runtime/text/json.h"

#define LIMIT 50
#define CONTENT ((size_t)64 << 10) /* bytes of one */
#define PAGE ((size_t)1 << 20)     /* bytes; then the rest is for later */

struct page {
    struct slice one, other; /* both empty: to all */
    int64_t low, high;       /* numbers between these, neither included */
    int64_t limit;
    bool is_forward;
};

#define BETWEEN " AND seq > ?5 AND seq < ?6 AND seq <= ?7"
#define TWO                                                                    \
    "SELECT " ASK_COLUMNS ", " ASK_CUT(                                        \
        "receiver") " FROM mail_messages WHERE"                                \
                    " sender = ?3 AND receiver = ?4" BETWEEN                   \
                    " UNION SELECT " ASK_COLUMNS ", " ASK_CUT(                 \
                        "receiver") " FROM mail_messages WHERE sender = ?4"    \
                                    " AND receiver = ?3" BETWEEN
#define ALL                                                                    \
    "SELECT " ASK_COLUMNS ", (SELECT count(*) FROM mail_receipts r WHERE"      \
    " r.message = seq AND r.read_at < " ASK_CUT(                               \
        "r.agent") ") FROM"                                                    \
                   " mail_messages WHERE receiver IS NULL AND ?3 = ?4" BETWEEN

static const char *statement_of(const struct page *p)
{
    if (p->one.len > 0)
        return p->is_forward ? TWO " ORDER BY 1 LIMIT ?8"
                             : TWO " ORDER BY 1 DESC LIMIT ?8";
    return p->is_forward ? ALL " ORDER BY seq LIMIT ?8"
                         : ALL " ORDER BY seq DESC LIMIT ?8";
}

static void put_state(struct bytes *out, const struct sql *q)
{
    int64_t read_at = sql_number(q, 9);
    bool is_read = sql_number(q, 8) != 0 && read_at < sql_number(q, 10);

    if (sql_is_null(q, 3)) {
        JSON_UINT(out, "read_by", (uint64_t)sql_number(q, 10));
        return;
    }
    JSON_TEXT(out, "status", is_read ? SLICE("read") : SLICE("pending"));
    if (is_read) {
        JSON_KEY(out, "read_at");
        json_time(out, (uint64_t)read_at);
    }
}

/* One page as lines, in the order they were read; true: there are more. */
static bool read_rows(struct sql *q, const struct page *p, struct bytes *lines,
                      size_t *ends, int64_t *count)
{
    while (sql_next(q)) {
        if (*count == p->limit || lines->len > PAGE)
            return true;
        JSON_RAW(lines, "{");
        ask_put_message(lines, q, CONTENT);
        put_state(lines, q);
        JSON_RAW(lines, "}");
        ends[(*count)++] = lines->len;
    }
    return false;
}

static void put_lines(struct bytes *out, const struct bytes *lines,
                      const size_t *ends, int64_t count, bool is_forward)
{
    for (int64_t n = 0; n < count; n++) {
        int64_t i = is_forward ? n : count - 1 - n;
        size_t begin = i > 0 ? ends[i - 1] : 0;

        if (n > 0)
            JSON_RAW(out, ",");
        json_raw(out, slice_of(lines->ptr + begin, ends[i] - begin));
    }
}

static void put_page(struct work *w, const struct page *p,
                     const struct ask_moment *m)
{
    struct bytes *out = work_answer(w), lines = {0};
    struct sql q = sql_open(w, statement_of(p));
    size_t ends[200];
    int64_t count = 0;
    bool has_more;

    ask_moment_bind(&q, m);
    sql_text(&q, 3, p->one);
    sql_text(&q, 4, p->other);
    sql_int(&q, 5, p->low);
    sql_int(&q, 6, p->high);
    sql_int(&q, 7, m->last);
    sql_int(&q, 8, p->limit + 1);
    has_more = read_rows(&q, p, &lines, ends, &count);
    sql_close(&q);
    JSON_RAW(out, "{\"messages\":[");
    put_lines(out, &lines, ends, count, p->is_forward);
    JSON_RAW(out, "]");
    JSON_BOOL(out, "has_more", has_more);
    JSON_RAW(out, "}");
    bytes_finish(&lines);
}

static struct page read_page(const struct order *o)
{
    yyjson_val *after = FIELD(o->args, "after");
    yyjson_val *before = FIELD(o->args, "before");
    yyjson_val *limit = FIELD(o->args, "limit");

    return (struct page){
        .one = FIELD_TEXT(o->args, "agent"),
        .other = FIELD_TEXT(o->args, "with"),
        .low = yyjson_is_int(after) ? (int64_t)field_count(after) : 0,
        .high =
            yyjson_is_int(before) ? (int64_t)field_count(before) : INT64_MAX,
        .limit = yyjson_is_int(limit) ? (int64_t)field_count(limit) : LIMIT,
        .is_forward = yyjson_is_int(after) && !yyjson_is_int(before)};
}

void ask_messages(struct work *w)
{
    struct page p = read_page(w->order);
    struct ask_moment m = {0};

    if ((p.one.len > 0) != (p.other.len > 0))
        WORK_REFUSE_PLAIN(w, CODE_VALIDATION_ERROR, MAIL_TALK_NEEDS_TWO);
    else if (ask_moment_read(w, &m))
        put_page(w, &p, &m);
    bytes_finish(&m.late);
}
