/* SPDX-License-Identifier: MIT */
/* What was spent. An agent's tokens are those of the day it was started. */
#include "actors/store/ask.h"

#include "actors/store/query.h"
#include "runtime/text/json.h"

struct usage {
    struct slice by;
    int64_t since, until, limit;
};

/* `keys` are two columns, the second of which may be empty. */
static const struct key {
    struct slice by;
    const char *name, *second;
    const char *keys, *join, *group, *order;
} table[] = {
    {SLICE_INIT("agent"), "agentId", "groupId", "a.id, g.id",
     " LEFT JOIN groups g ON g.serial = a.grp", "a.serial", "3 DESC, a.serial"},
    {SLICE_INIT("group"), "groupId", "groupDescription", "g.id, g.description",
     " LEFT JOIN groups g ON g.serial = a.grp", "a.grp", "3 DESC, a.grp"},
    {SLICE_INIT("role"), "role", NULL, "a.role, NULL", "", "a.role",
     "3 DESC, a.role"},
    {SLICE_INIT("model"), "model", NULL, "a.model, NULL", "", "a.model",
     "3 DESC, a.model"},
    {SLICE_INIT("day"), "day", NULL,
     "date(a.started_at / 1000, 'unixepoch'), NULL", "", "1", "1 DESC"}};

#define SUMS                                                                   \
    " total(a.input + a.output + a.cache_read + a.cache_write), count(*),"     \
    " sum(a.input), sum(a.output), sum(a.cache_read), sum(a.cache_write),"     \
    " sum(a.cost), sum(a.tool_calls), sum(a.duration_ms),"                     \
    " sum(CASE WHEN a.cost IS NULL THEN"                                       \
    " a.input + a.output + a.cache_read + a.cache_write ELSE 0 END)"           \
    " FROM agents a"

static void put_sums(struct bytes *out, sqlite3_stmt *row)
{
    JSON_UINT(out, "agents", query_count(row, 3));
    JSON_UINT(out, "inputTokens", query_count(row, 4));
    JSON_UINT(out, "outputTokens", query_count(row, 5));
    JSON_UINT(out, "cacheReadTokens", query_count(row, 6));
    JSON_UINT(out, "cacheWriteTokens", query_count(row, 7));
    if (sqlite3_column_type(row, 8) != SQLITE_NULL) {
        JSON_KEY(out, "costUsd");
        json_number(out, (double)query_count(row, 8) / 1e6);
    }
    if (query_count(row, 11) > 0) /* a sum that says less than it seems to */
        JSON_UINT(out, "unpricedTokens", query_count(row, 11));
    JSON_UINT(out, "toolCallCount", query_count(row, 9));
    JSON_UINT(out, "duration_ms", query_count(row, 10));
}

static void add_where(struct query *q, const struct usage *u)
{
    query_where(q, " WHERE a.started_at >= ?%u",
                query_int(q, u->since > 0 ? u->since : 1));
    if (u->until > 0)
        query_where(q, " AND a.started_at < ?%u", query_int(q, u->until));
}

static int put_rows(struct bytes *out, const struct usage *u,
                    const struct key *key, sqlite3_stmt *row)
{
    int64_t n = 0;
    int code;

    JSON_RAW(out, "[");
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        if (n == u->limit)
            break;
        if (n++ > 0)
            JSON_RAW(out, ",");
        JSON_RAW(out, "{");
        json_key(out, slice_cstr(key->name));
        json_string(out, query_column(row, 0));
        if (key->second != NULL) {
            json_key(out, slice_cstr(key->second));
            json_string(out, query_column(row, 1));
        }
        put_sums(out, row);
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
    if (code == SQLITE_ROW)
        JSON_RAW(out, ",\"more\":true");
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int list(struct question *q, const struct usage *u,
                const struct key *key)
{
    struct query query = {0};
    sqlite3_stmt *row = NULL;
    int code;

    query_add(&query, "SELECT ");
    query_add(&query, key->keys);
    query_add(&query, "," SUMS);
    query_add(&query, key->join);
    add_where(&query, u);
    query_add(&query, " GROUP BY ");
    query_add(&query, key->group);
    query_add(&query, " ORDER BY ");
    query_add(&query, key->order);
    query_where(&query, " LIMIT ?%u", query_int(&query, u->limit + 1));
    JSON_KEY(&q->a->json, "rows");
    code = query_prepare(q->s->db, &query, &row);
    if (code == SQLITE_OK)
        code = put_rows(&q->a->json, u, key, row);
    sqlite3_finalize(row);
    query_finish(&query);
    return code;
}

static int put_total(struct question *q, const struct usage *u)
{
    struct query query = {0};
    sqlite3_stmt *row = NULL;
    int code;

    query_add(&query, "SELECT NULL, NULL," SUMS);
    add_where(&query, u);
    code = query_prepare(q->s->db, &query, &row);
    if (code == SQLITE_OK)
        code = sqlite3_step(row);
    if (code == SQLITE_ROW) {
        JSON_KEY(&q->a->json, "total");
        JSON_RAW(&q->a->json, "{");
        put_sums(&q->a->json, row);
        JSON_RAW(&q->a->json, "}");
        code = SQLITE_OK;
    }
    sqlite3_finalize(row);
    query_finish(&query);
    return code;
}

static const struct key *find(struct slice by)
{
    size_t i = 0;

    while (!slice_eq(table[i].by, by))
        i++;
    return &table[i];
}

int ask_usage(struct question *q)
{
    struct usage u = {.by = SLICE("day"), .limit = 100};
    const struct arg args[] = {{"by", ARG_TEXT, &u.by},
                               {"since", ARG_TIME, &u.since},
                               {"until", ARG_TIME, &u.until},
                               {"limit", ARG_COUNT, &u.limit},
                               {0}};
    const struct key *key;
    int code;

    args_read(q->o, args);
    key = find(u.by);
    JSON_RAW(&q->a->json, "{");
    JSON_TEXT(&q->a->json, "by", key->by);
    code = list(q, &u, key);
    if (code == SQLITE_OK)
        code = put_total(q, &u);
    JSON_RAW(&q->a->json, "}");
    return code;
}
