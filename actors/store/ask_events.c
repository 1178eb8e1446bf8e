/* SPDX-License-Identifier: MIT */
#include "actors/store/ask.h"

#include <stdlib.h>

#include "actors/store/event_page.h"
#include "actors/store/query.h"
#include "runtime/text/array.h"
#include "runtime/text/json.h"

struct events {
    struct slice group, agent, types;
    int64_t since, before, limit;
    int64_t from, until; /* times */
    int64_t group_serial, agent_serial;
    bool is_family;    /* of the groups below it too */
    bool is_backwards; /* the last of them, not the first */
};

void ask_put_event(struct bytes *out, sqlite3_stmt *row)
{
    JSON_RAW(out, "{");
    JSON_UINT(out, "seq", query_count(row, 0));
    JSON_KEY(out, "at");
    json_time(out, query_count(row, 1));
    JSON_TEXT(out, "type", query_column(row, 2));
    ask_put_json(out, SLICE("data"), query_column(row, 3));
    JSON_RAW(out, "}");
}

/* Looks both ids up; one that is unknown is refused. */
static int find(struct question *q, struct events *e)
{
    int code = SQLITE_OK;

    if (e->group.len > 0)
        code = query_find(q->s->db, "groups", e->group, &e->group_serial);
    if (code == SQLITE_OK && e->agent.len > 0)
        code = query_find(q->s->db, "agents", e->agent, &e->agent_serial);
    if (code != SQLITE_OK)
        return code;
    if (e->group.len > 0 && e->group_serial == 0)
        ask_refuse_group(q, e->group);
    else if (e->agent.len > 0 && e->agent_serial == 0)
        ask_refuse_agent(q, e->agent);
    return SQLITE_OK;
}

/* Each as JSON, in the order they are read. */
static int read_page(const struct events *e, sqlite3_stmt *row,
                     struct bytes *lines, size_t **ends, size_t *count,
                     uint64_t *last)
{
    int code;

    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        if (*count == (size_t)e->limit || lines->len > ASK_PAGE)
            break;
        ask_put_event(lines, row);
        ARRAY_GROW(*ends, *count);
        (*ends)[(*count)++] = lines->len;
        *last = query_count(row, 0);
    }
    return code;
}

/* By number, whichever way they were read. */
static void put_lines(struct bytes *out, const struct bytes *lines,
                      const size_t *ends, size_t count, bool is_backwards)
{
    for (size_t n = 0; n < count; n++) {
        size_t i = is_backwards ? count - 1 - n : n;
        size_t begin = i > 0 ? ends[i - 1] : 0;

        if (n > 0)
            JSON_RAW(out, ",");
        json_raw(out, slice_of(lines->ptr + begin, ends[i] - begin));
    }
}

static int put_page(struct question *q, const struct events *e,
                    sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json, lines = {0};
    size_t *ends = NULL, count = 0;
    uint64_t last = 0;
    int code = read_page(e, row, &lines, &ends, &count, &last);

    JSON_RAW(out, "{\"events\":[");
    put_lines(out, &lines, ends, count, e->is_backwards);
    JSON_RAW(out, "]");
    if (code == SQLITE_ROW)
        json_key(out, e->is_backwards ? SLICE("previous") : SLICE("next"));
    if (code == SQLITE_ROW)
        json_uint(out, last);
    free(ends);
    bytes_finish(&lines);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return code;
    code = ask_put_begins(out, q->s->db);
    JSON_RAW(out, "}");
    return code;
}

/* Names with commas between them. */
static void add_types(struct query *query, struct slice types)
{
    const char *sql = " AND type IN (?%u";

    while (types.len > 0) {
        const char *comma = memchr(types.ptr, ',', types.len);
        size_t len = comma != NULL ? (size_t)(comma - types.ptr) : types.len;

        if (query->count == QUERY_PARAMS - 4)
            break; /* more kinds than there are */
        query_where(query, sql, query_text(query, slice_of(types.ptr, len)));
        sql = ", ?%u";
        len += comma != NULL;
        types = slice_of(types.ptr + len, types.len - len);
    }
    query_add(query, ")");
}

/* Times become numbers: the events have an index of these. */
static int find_times(struct question *q, struct events *e)
{
    int64_t seq = 0;
    int code = SQLITE_OK;

    if (e->from > 0) {
        code = ask_seq_at(q->s->db, e->from - 1, &seq);
        if (seq > e->since)
            e->since = seq;
    }
    if (code == SQLITE_OK && e->until > 0) {
        code = ask_seq_at(q->s->db, e->until, &seq);
        if (seq + 1 < e->before)
            e->before = seq + 1;
    }
    return code;
}

static int list(struct question *q, const struct events *e)
{
    struct query query = {0};
    sqlite3_stmt *row = NULL;
    int code;

    query_add(&query, "SELECT seq, at, type, data FROM events");
    query_where(&query, " WHERE seq > ?%u", query_int(&query, e->since));
    query_where(&query, " AND seq < ?%u", query_int(&query, e->before));
    if (e->types.len > 0)
        add_types(&query, e->types);
    if (e->group_serial > 0)
        query_where(&query,
                    e->is_family
                        ? " AND grp IN (WITH RECURSIVE below(serial) AS"
                          " (SELECT ?%u UNION SELECT g.serial FROM below b"
                          " CROSS JOIN groups g ON g.parent = b.serial)"
                          " SELECT serial FROM below)"
                        : " AND grp = ?%u",
                    query_int(&query, e->group_serial));
    if (e->agent_serial > 0)
        query_where(&query, " AND agent = ?%u",
                    query_int(&query, e->agent_serial));
    query_where(&query,
                e->is_backwards ? " ORDER BY seq DESC LIMIT ?%u"
                                : " ORDER BY seq LIMIT ?%u",
                query_int(&query, e->limit + 1));
    code = query_prepare(q->s->db, &query, &row);
    if (code == SQLITE_OK)
        code = put_page(q, e, row);
    sqlite3_finalize(row);
    query_finish(&query);
    return code;
}

int ask_events(struct question *q)
{
    struct events e = {.limit = 500, .before = INT64_MAX};
    const struct arg args[] = {
        {"since", ARG_COUNT, &e.since},  {"before", ARG_COUNT, &e.before},
        {"from", ARG_TIME, &e.from},     {"until", ARG_TIME, &e.until},
        {"type", ARG_TEXT, &e.types},    {"groupId", ARG_TEXT, &e.group},
        {"agentId", ARG_TEXT, &e.agent}, {"below", ARG_BOOL, &e.is_family},
        {"limit", ARG_COUNT, &e.limit},  {0}};
    int code;

    args_read(q->o, args);
    e.is_backwards = e.before != INT64_MAX;
    code = find(q, &e);
    if (code == SQLITE_OK && q->a != NULL)
        code = find_times(q, &e);
    return code == SQLITE_OK && q->a != NULL ? list(q, &e) : code;
}

int ask_notifications(struct question *q)
{
    struct events e = {.limit = 50};
    const struct arg args[] = {{"limit", ARG_COUNT, &e.limit}, {0}};
    struct query query = {0};
    sqlite3_stmt *row = NULL;
    int code;

    args_read(q->o, args);
    query_add(&query, "SELECT seq, at, type, data FROM events"
                      " INDEXED BY events_notified"
                      " WHERE type = 'notification:raised'");
    query_where(&query, " ORDER BY seq DESC LIMIT ?%u",
                query_int(&query, e.limit));
    code = query_prepare(q->s->db, &query, &row);
    if (code == SQLITE_OK)
        code = put_page(q, &e, row);
    sqlite3_finalize(row);
    query_finish(&query);
    return code;
}

/* ---- for the feed ------------------------------------------------------ */

static void free_page(struct rt_obj *obj)
{
    struct event_page *p = (struct event_page *)obj;

    bytes_finish(&p->lines);
    free(p->events);
    free(p);
}

static void put_line(struct bytes *out, sqlite3_stmt *row)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "type", query_column(row, 2));
    JSON_UINT(out, "seq", query_count(row, 0));
    JSON_KEY(out, "at");
    json_time(out, query_count(row, 1));
    ask_put_json(out, SLICE("data"), query_column(row, 3));
    JSON_RAW(out, "}");
}

static void add_event(struct event_page *p, sqlite3_stmt *row)
{
    struct event_page_line *e;

    ARRAY_GROW(p->events, p->count);
    e = &p->events[p->count++];
    *e = (struct event_page_line){.seq = query_count(row, 0),
                                  .at = p->lines.len};
    slice_keep(e->group, sizeof(e->group), query_column(row, 4));
    slice_keep(e->agent, sizeof(e->agent), query_column(row, 5));
    put_line(&p->lines, row);
    e->len = p->lines.len - e->at;
}

int ask_event_page(struct question *q)
{
    struct event_page *p = bytes_zalloc(sizeof(*p));
    struct query query = {0};
    sqlite3_stmt *row = NULL;
    int code;

    rt_obj_init(&p->obj, free_page);
    q->a->with = &p->obj;
    query_add(&query, "SELECT e.seq, e.at, e.type, e.data, g.id, a.id"
                      " FROM events e LEFT JOIN groups g ON g.serial = e.grp"
                      " LEFT JOIN agents a ON a.serial = e.agent");
    query_where(&query, " WHERE e.seq > ?%u",
                query_int(&query, (int64_t)q->o->page.since));
    query_where(&query, " ORDER BY e.seq LIMIT ?%u",
                query_int(&query, (int64_t)q->o->page.limit + 1));
    code = query_prepare(q->s->db, &query, &row);
    while (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        p->has_more = p->count == q->o->page.limit || p->lines.len > ASK_PAGE;
        if (p->has_more)
            break;
        add_event(p, row);
        code = SQLITE_OK;
    }
    sqlite3_finalize(row);
    query_finish(&query);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}
