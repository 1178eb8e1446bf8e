/* SPDX-License-Identifier: MIT */
/* An agent that only the store knows any more. */
#include "actors/store/ask.h"

#include "actors/store/agent_row.h"
#include "actors/store/query.h"
#include "runtime/text/json.h"

static int put_agent(struct question *q, int64_t serial)
{
    struct query query = {0};
    sqlite3_stmt *row = NULL;
    struct agent_record a;
    int code;

    query_add(&query, AGENT_ROW_SELECT(AGENT_ROW_TEXTS) "WHERE a.serial = ?1");
    query_int(&query, serial);
    code = query_prepare(q->s->db, &query, &row);
    if (code == SQLITE_OK)
        code = sqlite3_step(row);
    if (code == SQLITE_ROW) {
        agent_row_read(row, NULL, &a);
        a.is_brief = q->o->kind == ORDER_GET_AGENT_STATUS &&
                     !yyjson_is_true(FIELD(q->o->args, "full"));
        agent_record_put_line(&q->a->json, &a.line);
        agent_record_put_status(&q->a->json, &a);
        if (q->o->kind == ORDER_SHOW_AGENT)
            agent_record_put_rest(&q->a->json, &a);
        JSON_RAW(&q->a->json, "}");
        code = SQLITE_OK;
    }
    sqlite3_finalize(row);
    query_finish(&query);
    return code;
}

int ask_agent(struct question *q)
{
    struct slice id = FIELD_TEXT(q->o->args, "agentId");
    int64_t serial;
    int code = query_find(q->s->db, "agents", id, &serial);

    if (code != SQLITE_OK)
        return code;
    if (serial > 0)
        return put_agent(q, serial);
    ask_refuse_agent(q, id);
    return SQLITE_OK;
}
