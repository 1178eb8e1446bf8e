/* SPDX-License-Identifier: MIT */
/*
 * An agent that only the store knows any more, in the words of
 * registry/read.c: a client must not see which of the two has answered.
 */
#include "actors/store/ask.h"

#include "runtime/text/json.h"

void store_put_json(struct bytes *out, struct slice name, struct slice json,
                    struct slice otherwise)
{
    json_key(out, name);
    if (!json_compact(out, json))
        json_raw(out, otherwise);
}

void store_put_usage(struct bytes *out, sqlite3_stmt *row)
{
    JSON_KEY(out, "usage");
    JSON_RAW(out, "{");
    JSON_UINT(out, "inputTokens", store_count(row, STORE_AGENT_INPUT));
    JSON_UINT(out, "outputTokens", store_count(row, STORE_AGENT_OUTPUT));
    JSON_UINT(out, "cacheReadTokens", store_count(row, STORE_AGENT_CACHE_READ));
    JSON_UINT(out, "cacheWriteTokens",
              store_count(row, STORE_AGENT_CACHE_WRITE));
    if (sqlite3_column_type(row, STORE_AGENT_COST) != SQLITE_NULL) {
        JSON_KEY(out, "costUsd");
        json_number(out, (double)store_count(row, STORE_AGENT_COST) / 1e6);
    }
    JSON_RAW(out, "}");
}

static int put_ledger(struct bytes *out, sqlite3 *db, sqlite3_stmt *row)
{
    struct store_query q = {0};
    sqlite3_stmt *stmt = NULL;
    int code;

    store_query_add(&q, "SELECT json FROM ledgers WHERE grp = ?1"
                        " ORDER BY serial DESC LIMIT 1");
    store_query_int(&q, sqlite3_column_int64(row, STORE_AGENT_GROUP_SERIAL));
    code = store_query_prepare(db, &q, &stmt);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        store_put_json(out, SLICE("finalLedger"), store_column(stmt, 0),
                       SLICE("null"));
    sqlite3_finalize(stmt);
    store_query_finish(&q);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static bool is_orchestrator(sqlite3_stmt *row)
{
    return slice_eq(store_column(row, STORE_AGENT_ORDER_KIND),
                    order_name(ORDER_RUN_MAGENTIC));
}

static int put_result(struct bytes *out, sqlite3 *db, sqlite3_stmt *row)
{
    struct slice error = store_column(row, STORE_AGENT_ERROR);
    int code = SQLITE_OK;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", store_column(row, STORE_AGENT_ID));
    JSON_TEXT(out, "groupId", store_column(row, STORE_AGENT_GROUP));
    JSON_TEXT(out, "status", store_column(row, STORE_AGENT_OUTCOME));
    JSON_TEXT(out, "summary", store_column(row, STORE_AGENT_SUMMARY));
    JSON_TEXT(out, "response", store_column(row, STORE_AGENT_RESPONSE));
    store_put_json(out, SLICE("editedFiles"),
                   store_column(row, STORE_AGENT_EDITED), SLICE("[]"));
    store_put_json(out, SLICE("createdFiles"),
                   store_column(row, STORE_AGENT_CREATED), SLICE("[]"));
    JSON_UINT(out, "duration_ms", store_count(row, STORE_AGENT_DURATION));
    JSON_TEXT(out, "model", store_column(row, STORE_AGENT_MODEL));
    JSON_TEXT(out, "role", store_column(row, STORE_AGENT_ROLE));
    JSON_UINT(out, "toolCallCount", store_count(row, STORE_AGENT_TOOL_CALLS));
    if (error.len > 0)
        JSON_TEXT(out, "errorMessage", error);
    JSON_KEY(out, "timestamp");
    json_time(out, store_count(row, STORE_AGENT_FINISHED_AT));
    if (is_orchestrator(row))
        code = put_ledger(out, db, row);
    JSON_RAW(out, "}");
    return code;
}

int store_put_status(struct bytes *out, sqlite3 *db, sqlite3_stmt *row)
{
    int code = SQLITE_OK;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", store_column(row, STORE_AGENT_ID));
    JSON_TEXT(out, "groupId", store_column(row, STORE_AGENT_GROUP));
    JSON_TEXT(out, "role", store_column(row, STORE_AGENT_ROLE));
    JSON_TEXT(out, "model", store_column(row, STORE_AGENT_MODEL));
    JSON_TEXT(out, "status", store_column(row, STORE_AGENT_STATE));
    JSON_KEY(out, "startedAt");
    json_time(out, store_count(row, STORE_AGENT_STARTED_AT));
    JSON_UINT(out, "elapsed_ms", store_count(row, STORE_AGENT_ELAPSED));
    JSON_UINT(out, "toolCallCount", store_count(row, STORE_AGENT_TOOL_CALLS));
    JSON_KEY(out, "result");
    if (store_column(row, STORE_AGENT_OUTCOME).len > 0)
        code = put_result(out, db, row);
    else
        JSON_RAW(out, "null");
    JSON_KEY(out, "createdAt");
    json_time(out, store_count(row, STORE_AGENT_ORDER_AT));
    return code;
}

void store_put_rest(struct bytes *out, sqlite3_stmt *row)
{
    JSON_TEXT(out, "backend", store_column(row, STORE_AGENT_BACKEND));
    JSON_TEXT(out, "prompt", store_column(row, STORE_AGENT_PROMPT));
    JSON_TEXT(out, "workingDirectory",
              store_column(row, STORE_AGENT_DIRECTORY));
    if (slice_eq(store_column(row, STORE_AGENT_ORDER_KIND),
                 order_name(ORDER_RUN_SEQUENTIAL)))
        JSON_UINT(out, "stageIndex", store_count(row, STORE_AGENT_STAGE));
    JSON_TEXT(out, "sessionId", store_column(row, STORE_AGENT_SESSION));
    JSON_TEXT(out, "cliModel", store_column(row, STORE_AGENT_CLI_MODEL));
    store_put_usage(out, row);
    JSON_UINT(out, "messages", store_count(row, STORE_AGENT_MESSAGES));
    JSON_UINT(out, "lines", store_count(row, STORE_AGENT_LINES));
    JSON_BOOL(out, "gone", store_count(row, STORE_AGENT_GONE_AT) > 0);
}

static int put_agent(struct store_asked *q, int64_t serial)
{
    struct store_query query = {0};
    sqlite3_stmt *row = NULL;
    int code;

    store_query_add(&query, STORE_AGENT_SELECT(
                                "x.prompt, x.response") "WHERE a.serial = ?1");
    store_query_int(&query, serial);
    code = store_query_prepare(q->s->db, &query, &row);
    if (code == SQLITE_OK)
        code = sqlite3_step(row);
    if (code == SQLITE_ROW) {
        code = store_put_status(&q->a->json, q->s->db, row);
        if (q->o->kind == ORDER_SHOW_AGENT)
            store_put_rest(&q->a->json, row);
        JSON_RAW(&q->a->json, "}");
    }
    sqlite3_finalize(row);
    store_query_finish(&query);
    return code;
}

int store_ask_agent(struct store_asked *q)
{
    struct slice id = FIELD_TEXT(q->o->args, "agentId");
    int64_t serial;
    int code = store_find(q->s->db, "agents", id, &serial);

    if (code != SQLITE_OK)
        return code;
    if (serial > 0)
        return put_agent(q, serial);
    store_refuse_agent(q, id);
    return SQLITE_OK;
}
