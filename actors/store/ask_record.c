/* SPDX-License-Identifier: MIT */
/*
 * All that the database has of an agent or a group. A group's agents come in
 * pages; what is the group's own is in the first.
 */
#include "actors/store/ask.h"

#include "actors/store/agent_row.h"
#include "actors/store/picture.h"
#include "actors/store/query.h"
#include "runtime/text/json.h"

struct record {
    struct slice agent, group;
    int64_t after; /* serial number: the next page begins behind it */
};

typedef int (*put_fn)(struct question *q, sqlite3_stmt *row);

/* `"name":[...]` of the rows that the SQL gives for one serial number. */
static int put_list(struct question *q, struct slice name, const char *sql,
                    int64_t serial, put_fn put)
{
    struct bytes *out = &q->a->json;
    struct query query = {0};
    sqlite3_stmt *row = NULL;
    unsigned n = 0;
    int code;

    query_add(&query, sql);
    query_int(&query, serial);
    json_key(out, name);
    JSON_RAW(out, "[");
    code = query_prepare(q->s->db, &query, &row);
    while (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        if (n++ > 0)
            JSON_RAW(out, ",");
        code = put(q, row);
    }
    JSON_RAW(out, "]");
    sqlite3_finalize(row);
    query_finish(&query);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int put_state(struct question *q, sqlite3_stmt *row)
{
    JSON_RAW(&q->a->json, "{");
    JSON_KEY(&q->a->json, "at");
    json_time(&q->a->json, query_count(row, 0));
    JSON_TEXT(&q->a->json, "state", query_column(row, 1));
    JSON_RAW(&q->a->json, "}");
    return SQLITE_OK;
}

static int put_event(struct question *q, sqlite3_stmt *row)
{
    ask_put_event(&q->a->json, row);
    return SQLITE_OK;
}

static int put_sample(struct question *q, sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json;
    struct picture_sample s;

    ask_read_sample(&s, row, 2);
    JSON_RAW(out, "{");
    JSON_KEY(out, "at");
    json_time(out, query_count(row, 0));
    JSON_UINT(out, "follows", query_count(row, 1));
    picture_put_sample(out, &s);
    JSON_RAW(out, "}");
    return SQLITE_OK;
}

static int put_order(struct question *q, sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "kind", query_column(row, 0));
    ask_put_json(out, SLICE("args"), query_column(row, 1));
    JSON_TEXT(out, "caller", query_column(row, 2));
    JSON_TEXT(out, "directory", query_column(row, 3));
    JSON_UINT(out, "agents", query_count(row, 4));
    JSON_KEY(out, "createdAt");
    json_time(out, query_count(row, 5));
    JSON_RAW(out, "}");
    return SQLITE_OK;
}

static int put_ledger(struct question *q, sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json;

    JSON_RAW(out, "{");
    JSON_KEY(out, "at");
    json_time(out, query_count(row, 0));
    JSON_UINT(out, "iteration", query_count(row, 1));
    ask_put_json(out, SLICE("ledger"), query_column(row, 2));
    JSON_RAW(out, "}");
    return SQLITE_OK;
}

/* ---- an agent ---------------------------------------------------------- */

#define EVENTS_SQL(column)                                                     \
    "SELECT seq, at, type, data FROM events WHERE " column                     \
    " = ?1 ORDER BY seq LIMIT 10000"
#define ORDERS_SQL                                                             \
    "SELECT kind, args, caller, directory, count, created_at FROM orders "

static int put_agent(struct question *q, sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json;
    struct agent_record a;
    int64_t serial;
    int code;

    agent_row_read(row, NULL, &a);
    serial = (int64_t)a.serial;
    agent_record_put_line(out, &a.line);
    agent_record_put_status(out, &a);
    agent_record_put_rest(out, &a);
    JSON_UINT(out, "timeout_ms", a.timeout_ms);
    JSON_KEY(out, "finishedAt");
    json_time(out, a.result.finished_at);
    JSON_KEY(out, "goneAt");
    json_time(out, a.gone_at);
    JSON_BOOL(out, "reported", a.result.is_reported);
    code = put_list(q, SLICE("states"),
                    "SELECT at, state FROM states WHERE agent = ?1"
                    " ORDER BY rowid",
                    serial, put_state);
    if (code == SQLITE_OK)
        code = put_list(q, SLICE("samples"),
                        "SELECT at, follows, " ASK_SAMPLE
                        " FROM samples WHERE agent = ?1 ORDER BY at",
                        serial, put_sample);
    if (code == SQLITE_OK)
        code = put_list(q, SLICE("events"), EVENTS_SQL("agent"), serial,
                        put_event);
    JSON_RAW(out, "}");
    return code;
}

static int put_one(struct question *q, int64_t serial)
{
    int code;

    JSON_RAW(&q->a->json, "{");
    code = put_list(q, SLICE("agents"),
                    AGENT_ROW_SELECT(AGENT_ROW_TEXTS) "WHERE a.serial = ?1",
                    serial, put_agent);
    if (code == SQLITE_OK)
        code = put_list(q, SLICE("orders"),
                        ORDERS_SQL "WHERE first = (SELECT ord FROM agents"
                                   " WHERE serial = ?1)",
                        serial, put_order);
    JSON_RAW(&q->a->json, "}");
    return code;
}

/* ---- a group ----------------------------------------------------------- */

static int put_group(struct question *q, sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "groupId", query_column(row, 0));
    JSON_TEXT(out, "description", query_column(row, 1));
    JSON_TEXT(out, "mode", query_column(row, 2));
    JSON_KEY(out, "createdAt");
    json_time(out, query_count(row, 3));
    JSON_KEY(out, "deletedAt");
    json_time(out, query_count(row, 4));
    if (sqlite3_column_type(row, 5) != SQLITE_NULL)
        JSON_TEXT(out, "parentGroupId", query_column(row, 5));
    JSON_RAW(out, "}");
    return SQLITE_OK;
}

static int put_id(struct question *q, sqlite3_stmt *row)
{
    json_string(&q->a->json, query_column(row, 0));
    return SQLITE_OK;
}

static int put_own(struct question *q, int64_t serial)
{
    int code = put_list(q, SLICE("groups"),
                        "SELECT g.id, g.description, g.mode, g.created_at,"
                        " g.deleted_at, p.id FROM groups g LEFT JOIN groups p"
                        " ON p.serial = g.parent WHERE g.serial = ?1",
                        serial, put_group);

    if (code == SQLITE_OK)
        code = put_list(q, SLICE("childGroupIds"),
                        "SELECT id FROM groups WHERE parent = ?1"
                        " ORDER BY serial",
                        serial, put_id);
    if (code == SQLITE_OK)
        code = put_list(q, SLICE("ledgers"),
                        "SELECT at, iteration, json FROM ledgers WHERE"
                        " grp = ?1 ORDER BY serial",
                        serial, put_ledger);
    if (code == SQLITE_OK)
        code = put_list(q, SLICE("orders"),
                        ORDERS_SQL "WHERE grp = ?1 ORDER BY first", serial,
                        put_order);
    if (code == SQLITE_OK)
        code =
            put_list(q, SLICE("events"), EVENTS_SQL("grp"), serial, put_event);
    return code;
}
#undef EVENTS_SQL
#undef ORDERS_SQL

static int put_page(struct question *q, sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json;
    uint64_t last = 0;
    int code;

    JSON_KEY(out, "agents");
    JSON_RAW(out, "[");
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        if (out->len > ASK_PAGE)
            break;
        if (last > 0)
            JSON_RAW(out, ",");
        last = query_count(row, 0);
        code = put_agent(q, row);
        if (code != SQLITE_OK)
            return code;
    }
    JSON_RAW(out, "]");
    if (code == SQLITE_ROW)
        JSON_UINT(out, "next", last);
    JSON_RAW(out, "}");
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int put_family(struct question *q, int64_t serial, int64_t after)
{
    struct query query = {0};
    sqlite3_stmt *row = NULL;
    int code = SQLITE_OK;

    JSON_RAW(&q->a->json, "{");
    if (after == 0)
        code = put_own(q, serial);
    query_add(&query, AGENT_ROW_SELECT(
                          AGENT_ROW_TEXTS) "WHERE a.grp = ?1 AND a.serial > ?2"
                                           " ORDER BY a.serial");
    query_int(&query, serial);
    query_int(&query, after);
    if (code == SQLITE_OK)
        code = query_prepare(q->s->db, &query, &row);
    if (code == SQLITE_OK)
        code = put_page(q, row);
    sqlite3_finalize(row);
    query_finish(&query);
    return code;
}

/* ---- the question ------------------------------------------------------ */

static int answer_agent(struct question *q, struct slice id)
{
    int64_t serial;
    int code = query_find(q->s->db, "agents", id, &serial);

    if (code != SQLITE_OK || serial > 0)
        return code != SQLITE_OK ? code : put_one(q, serial);
    ask_refuse_agent(q, id);
    return SQLITE_OK;
}

static int answer_group(struct question *q, struct slice id, int64_t after)
{
    int64_t serial;
    int code = query_find(q->s->db, "groups", id, &serial);

    if (code != SQLITE_OK || serial > 0)
        return code != SQLITE_OK ? code : put_family(q, serial, after);
    ask_refuse_group(q, id);
    return SQLITE_OK;
}

int ask_record(struct question *q)
{
    struct record r = {.after = 0};
    const struct arg args[] = {{"agentId", ARG_TEXT, &r.agent},
                               {"groupId", ARG_TEXT, &r.group},
                               {"after", ARG_COUNT, &r.after},
                               {0}};

    args_read(q->o, args);
    return r.agent.len > 0 ? answer_agent(q, r.agent)
                           : answer_group(q, r.group, r.after);
}
