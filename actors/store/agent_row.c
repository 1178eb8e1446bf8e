/* SPDX-License-Identifier: MIT */
#include "actors/store/agent_row.h"

#include "actors/order/order.h"
#include "actors/store/query.h"

static void read_line(struct query_row *r, struct agent_record *a)
{
    struct agent_record_line *l = &a->line;

    a->serial = query_row_number(r);
    l->id = query_row_text(r);
    l->group = query_row_text(r);
    a->group_description = query_row_text(r);
    l->role = query_row_text(r);
    l->model = query_row_text(r);
    l->state = query_row_text(r);
    l->started_at = query_row_number(r);
    l->elapsed_ms = query_row_number(r);
    l->tool_calls = query_row_number(r);
}

static void read_result(struct query_row *r, struct agent_record *a)
{
    struct agent_record_result *result = &a->result;

    result->status = query_row_text(r);
    a->line.outcome = agent_record_outcome(a->line.state, result->status);
    result->summary = query_row_text(r);
    result->error = query_row_text(r);
    result->edited.json = query_row_text(r);
    result->created.json = query_row_text(r);
    result->duration_ms = query_row_number(r);
    result->finished_at = query_row_number(r);
    result->is_reported = query_row_number(r) != 0;
    result->tool_calls = a->line.tool_calls;
}

static void read_usage(struct query_row *r, struct agent_record_usage *u)
{
    u->input = query_row_number(r);
    u->output = query_row_number(r);
    u->cache_read = query_row_number(r);
    u->cache_write = query_row_number(r);
    u->has_cost = query_row_has(r);
    u->cost = query_row_number(r);
}

static void read_rest(struct query_row *r, struct agent_record *a)
{
    struct slice kind;

    a->created_at = query_row_number(r);
    /* The clock may have been set between the two. */
    if (a->line.started_at > 0 && a->line.started_at < a->created_at)
        a->line.started_at = a->created_at;
    a->gone_at = query_row_number(r);
    a->is_gone = a->result.is_final = a->gone_at != 0;
    kind = query_row_text(r);
    a->has_stage = slice_eq(kind, order_name(ORDER_RUN_SEQUENTIAL));
    a->stage = (unsigned)query_row_number(r);
    a->backend = query_row_text(r);
    a->directory = query_row_text(r);
    a->session_id = query_row_text(r);
    a->cli_model = query_row_text(r);
    a->timeout_ms = query_row_number(r);
    a->messages = query_row_number(r);
    a->lines = query_row_number(r);
    a->retry_of = query_row_text(r);
    a->prompt = query_row_text(r);
    a->result.response = query_row_text(r);
    a->result.ledger = query_row_text(r);
}

void agent_row_read(sqlite3_stmt *stmt, struct arena *arena,
                    struct agent_record *a)
{
    struct query_row r = {.stmt = stmt, .arena = arena};

    *a = (struct agent_record){.is_stored = true};
    read_line(&r, a);
    read_result(&r, a);
    read_usage(&r, &a->usage);
    read_rest(&r, a);
}
