/* SPDX-License-Identifier: MIT */
/* The lists that a hub would have if one were started now: for those who ask
 * while none runs. */
#include "actors/store/ask.h"

#include "actors/store/agent_row.h"
#include "actors/store/query.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

/* ---- agents ------------------------------------------------------------- */

static int put_agents(struct question *q, sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json;
    struct agent_record a;
    uint64_t total = 0;
    int code;

    JSON_RAW(out, "{\"agents\":[");
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        if (total++ > 0)
            JSON_RAW(out, ",");
        agent_row_read(row, NULL, &a);
        agent_record_put_line(out, &a.line);
        if (q->o->kind == ORDER_OVERVIEW)
            agent_record_put_about(out, a.prompt);
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
    JSON_UINT(out, "total", total);
    JSON_RAW(out, "}");
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int list_agents(struct question *q, int64_t group, const char *status)
{
    struct query query = {0};
    sqlite3_stmt *row = NULL;
    int code;

    query_add(
        &query,
        AGENT_ROW_SELECT(
            "substr(x.prompt, 1, 400), NULL, NULL") "WHERE a.serial IN (SELECT "
                                                    "serial FROM temp.wanted)");
    if (group > 0)
        query_where(&query, " AND a.grp = ?%u", query_int(&query, group));
    query_add(&query, status);
    query_add(&query, " ORDER BY a.serial");
    code = query_prepare(q->s->db, &query, &row);
    if (code == SQLITE_OK)
        code = put_agents(q, row);
    sqlite3_finalize(row);
    query_finish(&query);
    return code;
}

int ask_agents(struct question *q)
{
    struct slice id = FIELD_TEXT(q->o->args, "groupId");
    struct slice status = FIELD_TEXT(q->o->args, "status");
    const char *sql = status.len > 0 ? ask_status_sql(status) : "";
    int64_t group = 0;
    int code = SQLITE_OK;

    if (id.len > 0)
        code = query_find(q->s->db, "groups", id, &group);
    if (code != SQLITE_OK)
        return code;
    if (id.len > 0 && group == 0) {
        ask_refuse_group(q, id);
        return SQLITE_OK;
    }
    code = past_choose(q->s->db);
    if (code == SQLITE_OK)
        code = list_agents(q, group, sql != NULL ? sql : "");
    past_forget(q->s->db);
    return code;
}

/* ---- groups ------------------------------------------------------------- */

#define GROUPS 100      /* unless the order says */
#define DESCRIPTION 500 /* bytes of one */

/* The order in which the columns are read below. */
#define GROUPS_SQL                                                             \
    "SELECT g.id, g.description, g.mode, g.deleted_at, g.created_at, p.id,"    \
    " l.iteration, l.is_stalled, o.args, (SELECT id FROM agents WHERE"         \
    " ord = o.first LIMIT 1), count(a.serial), total(a.state = 'queued'),"     \
    " total(a.state = 'running'), total(a.finished_at > 0),"                   \
    " total(a.state IN ('failed', 'timedOut', 'cancelled') OR"                 \
    " (a.state = 'resultReported' AND a.outcome <> 'success')),"               \
    " (SELECT '{' || group_concat('\"' || state || '\":' || n) || '}' FROM"    \
    " (SELECT state, count(*) n FROM agents WHERE grp = g.serial GROUP BY"     \
    " state)),"                                                                \
    " g.stage, g.stages FROM temp.wanted_groups w"                             \
    " CROSS JOIN groups g ON g.serial = w.serial"                              \
    " LEFT JOIN groups p ON p.serial = g.parent"                               \
    " LEFT JOIN ledgers l ON l.serial ="                                       \
    " (SELECT max(serial) FROM ledgers WHERE grp = g.serial)"                  \
    " LEFT JOIN orders o ON o.first = (SELECT max(first) FROM orders"          \
    " WHERE grp = g.serial AND kind = 'run_magentic')"                         \
    " LEFT JOIN agents a ON a.grp = g.serial"                                  \
    " WHERE w.serial IN (SELECT serial FROM temp.wanted_groups"                \
    " ORDER BY serial DESC LIMIT ?1) GROUP BY g.serial ORDER BY g.serial"

static uint64_t max_iterations(struct slice args)
{
    yyjson_doc *doc = yyjson_read(args.ptr, args.len, 0);
    struct order o = {.args = yyjson_doc_get_root(doc)};
    uint64_t most = order_max_iterations(&o);

    yyjson_doc_free(doc);
    return most;
}

static void put_magentic(struct bytes *out, struct query_row *r, bool is)
{
    uint64_t iteration = query_row_number(r);
    bool is_stalled = query_row_number(r) != 0;
    uint64_t most = max_iterations(query_row_text(r));
    struct slice orchestrator = query_row_text(r);

    if (!is)
        return;
    if (orchestrator.len > 0)
        JSON_TEXT(out, "orchestratorAgentId", orchestrator);
    JSON_UINT(out, "iteration", iteration);
    JSON_UINT(out, "maxIterations", most);
    if (is_stalled)
        JSON_RAW(out, ",\"stalled\":true");
}

static void put_counts(struct bytes *out, struct query_row *r)
{
    struct slice states;
    uint64_t done, failed;

    JSON_KEY(out, "agents");
    JSON_RAW(out, "{");
    JSON_UINT(out, "total", query_row_number(r));
    JSON_UINT(out, "queued", query_row_number(r));
    JSON_UINT(out, "running", query_row_number(r));
    done = query_row_number(r);
    failed = query_row_number(r);
    states = query_row_text(r);
    JSON_UINT(out, "done", done);
    JSON_UINT(out, "succeeded", done > failed ? done - failed : 0);
    JSON_UINT(out, "failed", failed);
    ask_put_json(out, SLICE("states"), states.len > 0 ? states : SLICE("{}"));
    JSON_RAW(out, "}");
}

static void put_stage(struct bytes *out, struct query_row *r)
{
    uint64_t stage = query_row_number(r), stages = query_row_number(r);

    if (stages == 0)
        return;
    JSON_KEY(out, "stage");
    JSON_RAW(out, "{");
    JSON_UINT(out, "index", stage);
    JSON_UINT(out, "total", stages);
    JSON_RAW(out, "}");
}

static void put_group(struct bytes *out, struct query_row *r)
{
    struct slice description, mode, parent;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "groupId", query_row_text(r));
    description = query_row_text(r);
    JSON_TEXT(
        out, "description",
        slice_of(description.ptr,
                 utf8_cut(description.ptr, description.len, DESCRIPTION)));
    mode = query_row_text(r);
    JSON_TEXT(out, "mode", mode);
    JSON_TEXT(out, "status",
              query_row_number(r) > 0 ? SLICE("deleted") : SLICE("active"));
    JSON_KEY(out, "createdAt");
    json_time(out, query_row_number(r));
    parent = query_row_text(r);
    if (parent.len > 0)
        JSON_TEXT(out, "parentGroupId", parent);
    put_magentic(out, r, slice_eq(mode, SLICE("magentic")));
    put_counts(out, r);
    put_stage(out, r);
    JSON_RAW(out, "}");
}

static int list_groups(struct question *q, int64_t limit)
{
    struct bytes *out = &q->a->json;
    struct query_row row = {.stmt = NULL};
    int64_t total = 0;
    uint64_t shown = 0;
    int code = query_sql_number(
        q->s->db, "SELECT count(*) FROM temp.wanted_groups", &total);

    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(q->s->db, GROUPS_SQL, -1, &row.stmt, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(row.stmt, 1, limit);

    JSON_RAW(out, "{\"groups\":[");
    while (code == SQLITE_OK && (code = sqlite3_step(row.stmt)) == SQLITE_ROW) {
        if (shown++ > 0)
            JSON_RAW(out, ",");
        row.at = 0;
        put_group(out, &row);
        code = SQLITE_OK;
    }
    JSON_RAW(out, "]");
    JSON_UINT(out, "total", (uint64_t)total);
    JSON_RAW(out, "}");
    sqlite3_finalize(row.stmt);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}
#undef GROUPS_SQL

int ask_groups(struct question *q)
{
    int64_t limit = GROUPS;
    const struct arg args[] = {{"limit", ARG_COUNT, &limit}, {0}};
    int code = past_choose(q->s->db);

    args_read(q->o, args);
    if (code == SQLITE_OK)
        code = list_groups(q, limit);
    past_forget(q->s->db);
    return code;
}

/* ---- ids ----------------------------------------------------------------- */

#define FOUND 20 /* that many say that a longer piece is wanted */

static int put_found(struct question *q, struct slice key, const char *table,
                     struct slice piece)
{
    struct bytes *out = &q->a->json;
    struct query query = {0};
    sqlite3_stmt *row = NULL;
    unsigned count = 0;
    int code;

    query_add(&query, "SELECT DISTINCT id FROM ");
    query_add(&query, table);
    query_where(&query,
                " WHERE substr(id, 1, length(?%u)) = ?%u"
                " OR substr(id, -length(?%u)) = ?%u ORDER BY serial DESC",
                query_text(&query, piece));
    query_where(&query, " LIMIT ?%u", query_int(&query, FOUND));
    code = query_prepare(q->s->db, &query, &row);
    json_key(out, key);
    JSON_RAW(out, "[");
    while (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        if (count++ > 0)
            JSON_RAW(out, ",");
        json_string(out, query_column(row, 0));
        code = SQLITE_OK;
    }
    JSON_RAW(out, "]");
    sqlite3_finalize(row);
    query_finish(&query);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* Newest first. */
int ask_find(struct question *q)
{
    struct slice piece = FIELD_TEXT(q->o->args, "id");
    int code;

    JSON_RAW(&q->a->json, "{");
    code = put_found(q, SLICE("agents"), "agents", piece);
    if (code == SQLITE_OK)
        code = put_found(q, SLICE("groups"), "groups", piece);
    JSON_RAW(&q->a->json, "}");
    return code;
}
