/* SPDX-License-Identifier: MIT */
/*
 * All that the database has of an agent or a group. A group's agents come in
 * pages; what is the group's own is in the first.
 */
#include "actors/store/ask.h"

#include "runtime/text/json.h"

struct record {
    struct slice agent, group;
    int64_t after; /* serial number: the next page begins behind it */
};

typedef int (*put_fn)(struct store_asked *q, sqlite3_stmt *row);

/* `"name":[...]` of the rows that the SQL gives for one serial number. */
static int put_list(struct store_asked *q, struct slice name, const char *sql,
                    int64_t serial, put_fn put)
{
    struct bytes *out = &q->a->json;
    struct store_query query = {0};
    sqlite3_stmt *row = NULL;
    unsigned n = 0;
    int code;

    store_query_add(&query, sql);
    store_query_int(&query, serial);
    json_key(out, name);
    JSON_RAW(out, "[");
    code = store_query_prepare(q->s->db, &query, &row);
    while (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        if (n++ > 0)
            JSON_RAW(out, ",");
        code = put(q, row);
    }
    JSON_RAW(out, "]");
    sqlite3_finalize(row);
    store_query_finish(&query);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int put_state(struct store_asked *q, sqlite3_stmt *row)
{
    JSON_RAW(&q->a->json, "{");
    JSON_KEY(&q->a->json, "at");
    json_time(&q->a->json, store_count(row, 0));
    JSON_TEXT(&q->a->json, "state", store_column(row, 1));
    JSON_RAW(&q->a->json, "}");
    return SQLITE_OK;
}

static int put_event(struct store_asked *q, sqlite3_stmt *row)
{
    store_put_event(&q->a->json, row);
    return SQLITE_OK;
}

static int put_order(struct store_asked *q, sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "kind", store_column(row, 0));
    store_put_json(out, SLICE("args"), store_column(row, 1), SLICE("null"));
    JSON_TEXT(out, "caller", store_column(row, 2));
    JSON_TEXT(out, "directory", store_column(row, 3));
    JSON_UINT(out, "agents", store_count(row, 4));
    JSON_KEY(out, "createdAt");
    json_time(out, store_count(row, 5));
    JSON_RAW(out, "}");
    return SQLITE_OK;
}

static int put_ledger(struct store_asked *q, sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json;

    JSON_RAW(out, "{");
    JSON_KEY(out, "at");
    json_time(out, store_count(row, 0));
    JSON_UINT(out, "iteration", store_count(row, 1));
    store_put_json(out, SLICE("ledger"), store_column(row, 2), SLICE("null"));
    JSON_RAW(out, "}");
    return SQLITE_OK;
}

/* ---- an agent ---------------------------------------------------------- */

#define EVENTS_SQL(column)                                                     \
    "SELECT seq, at, type, data FROM events WHERE " column                     \
    " = ?1 ORDER BY seq LIMIT 10000"
#define ORDERS_SQL                                                             \
    "SELECT kind, args, caller, directory, count, created_at FROM orders "

static int put_agent(struct store_asked *q, sqlite3_stmt *row)
{
    int64_t serial = sqlite3_column_int64(row, STORE_AGENT_SERIAL);
    struct bytes *out = &q->a->json;
    int code = store_put_status(out, q->s->db, row);

    store_put_rest(out, row);
    JSON_UINT(out, "timeout_ms", store_count(row, STORE_AGENT_TIMEOUT));
    JSON_KEY(out, "finishedAt");
    json_time(out, store_count(row, STORE_AGENT_FINISHED_AT));
    JSON_KEY(out, "goneAt");
    json_time(out, store_count(row, STORE_AGENT_GONE_AT));
    JSON_BOOL(out, "reported", store_count(row, STORE_AGENT_REPORTED) > 0);
    if (code == SQLITE_OK)
        code = put_list(q, SLICE("states"),
                        "SELECT at, state FROM states WHERE agent = ?1"
                        " ORDER BY rowid",
                        serial, put_state);
    if (code == SQLITE_OK)
        code = put_list(q, SLICE("events"), EVENTS_SQL("agent"), serial,
                        put_event);
    JSON_RAW(out, "}");
    return code;
}

static int put_one(struct store_asked *q, int64_t serial)
{
    int code;

    JSON_RAW(&q->a->json, "{");
    code = put_list(q, SLICE("agents"),
                    STORE_AGENT_SELECT("x.prompt, x.response") "WHERE a.serial"
                                                               " = ?1",
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

static int put_group(struct store_asked *q, sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "groupId", store_column(row, 0));
    JSON_TEXT(out, "description", store_column(row, 1));
    JSON_TEXT(out, "mode", store_column(row, 2));
    JSON_KEY(out, "createdAt");
    json_time(out, store_count(row, 3));
    JSON_KEY(out, "deletedAt");
    json_time(out, store_count(row, 4));
    if (sqlite3_column_type(row, 5) != SQLITE_NULL)
        JSON_TEXT(out, "parentGroupId", store_column(row, 5));
    JSON_RAW(out, "}");
    return SQLITE_OK;
}

static int put_id(struct store_asked *q, sqlite3_stmt *row)
{
    json_string(&q->a->json, store_column(row, 0));
    return SQLITE_OK;
}

static int put_own(struct store_asked *q, int64_t serial)
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

static int put_page(struct store_asked *q, sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json;
    uint64_t last = 0;
    int code;

    JSON_KEY(out, "agents");
    JSON_RAW(out, "[");
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        if (out->len > STORE_PAGE)
            break;
        if (last > 0)
            JSON_RAW(out, ",");
        last = store_count(row, STORE_AGENT_SERIAL);
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

static int put_family(struct store_asked *q, int64_t serial, int64_t after)
{
    struct store_query query = {0};
    sqlite3_stmt *row = NULL;
    int code = SQLITE_OK;

    JSON_RAW(&q->a->json, "{");
    if (after == 0)
        code = put_own(q, serial);
    store_query_add(
        &query, STORE_AGENT_SELECT(
                    "x.prompt, x.response") "WHERE a.grp = ?1 AND a.serial > ?2"
                                            " ORDER BY a.serial");
    store_query_int(&query, serial);
    store_query_int(&query, after);
    if (code == SQLITE_OK)
        code = store_query_prepare(q->s->db, &query, &row);
    if (code == SQLITE_OK)
        code = put_page(q, row);
    sqlite3_finalize(row);
    store_query_finish(&query);
    return code;
}

/* ---- the question ------------------------------------------------------ */

static int answer_agent(struct store_asked *q, struct slice id)
{
    int64_t serial;
    int code = store_find(q->s->db, "agents", id, &serial);

    if (code != SQLITE_OK || serial > 0)
        return code != SQLITE_OK ? code : put_one(q, serial);
    store_refuse_agent(q, id);
    return SQLITE_OK;
}

static int answer_group(struct store_asked *q, struct slice id, int64_t after)
{
    int64_t serial;
    int code = store_find(q->s->db, "groups", id, &serial);

    if (code != SQLITE_OK || serial > 0)
        return code != SQLITE_OK ? code : put_family(q, serial, after);
    store_refuse_group(q, id);
    return SQLITE_OK;
}

int store_ask_record(struct store_asked *q)
{
    struct record r = {.after = 0};
    const struct arg args[] = {{"agentId", ARG_TEXT, &r.agent, 0, ORDER_ID},
                               {"groupId", ARG_TEXT, &r.group, 0, ORDER_ID},
                               {"after", ARG_COUNT, &r.after, 0, INT64_MAX},
                               {NULL, ARG_TEXT, NULL, 0, 0}};

    if (!args_read(q->t, q->o, args)) {
        store_withdraw(q);
        return SQLITE_OK;
    }
    if ((r.agent.len > 0) == (r.group.len > 0)) {
        STORE_REFUSE(q, CODE_VALIDATION_ERROR, "%s", "%s",
                     order_is_english(q->o)
                         ? "either 'agentId' or 'groupId' is required"
                         : "'agentId' か 'groupId' のどちらか一方が必要です");
        return SQLITE_OK;
    }
    return r.agent.len > 0 ? answer_agent(q, r.agent)
                           : answer_group(q, r.group, r.after);
}
