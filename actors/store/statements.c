/* SPDX-License-Identifier: MIT */
#include "actors/store/statements.h"

#include "actors/store/search_index.h"

#define CHECKPOINTS_MAX "67108864" /* bytes of all of them together */

/*
 * Each may be done twice: an I/O error at a commit leaves open whether it has
 * happened, and then the same rows come again.
 */
static const struct statement {
    unsigned params;
    const char *parts[STATEMENT_PARTS];
} statements[STORE_STATEMENTS] = {
    [STORE_ADD_GROUP] = {7,
                         {"INSERT INTO groups(serial, id, description, mode,"
                          " parent, created_at, language)"
                          " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)"
                          " ON CONFLICT(serial) DO NOTHING"}},
    [STORE_DELETE_GROUP] = {2,
                            {"UPDATE groups SET deleted_at = ?2"
                             " WHERE serial = ?1 AND deleted_at = 0"}},
    [STORE_SET_PLAN] = {4,
                        {"UPDATE groups SET stage = ?2, stages = ?3,"
                         " has_plan = ?4 WHERE serial = ?1"}},
    [STORE_ADD_LEDGER] = {6,
                          {"INSERT INTO ledgers(grp, at, json, iteration,"
                           " is_stalled, is_exhausted)"
                           " SELECT ?1, ?2, ?3, ?4, ?5, ?6"
                           " WHERE NOT EXISTS(SELECT 1 FROM ledgers"
                           " WHERE grp = ?1 AND at = ?2 AND json = ?3)"}},
    [STORE_ADD_ORDER] = {8,
                         {"INSERT INTO orders(first, grp, kind, args, caller,"
                          " directory, count, created_at)"
                          " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
                          " ON CONFLICT(first) DO NOTHING"}},
    [STORE_ADD_AGENT] =
        {13,
         {"INSERT INTO agents(serial, id, ord, grp, stage,"
          " role, model, backend, directory, timeout_ms,"
          " created_at, retry_of) VALUES(?1, ?2, ?3, ?4, ?5,"
          " ?6, ?7, ?8, ?10, ?11, ?12, ?13) ON CONFLICT(serial) DO NOTHING",
          "INSERT INTO texts(serial, prompt, is_indexed) VALUES(?1, ?9, 0)"
          " ON CONFLICT(serial) DO NOTHING"}},
    [STORE_ADD_STATE] = {3,
                         {"INSERT INTO states(agent, at, state)"
                          " VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING"}},
    [STORE_SET_COUNTS] = {14,
                          {"UPDATE agents SET started_at = ?2,"
                           " elapsed_ms = ?3, tool_calls = ?4,"
                           " session_id = ?5, cli_model = ?6, input = ?7,"
                           " output = ?8, cache_read = ?9, cache_write = ?10,"
                           " cost = ?11, messages = ?12, lines = ?13,"
                           " state = ?14 WHERE serial = ?1"}},
    /* Out of the index, which goes by the old texts (search_index.h). */
    [STORE_SET_RESULT] = {10,
                          {SEARCH_INDEX_FORGET,
                           "UPDATE agents SET finished_at = ?2, outcome = ?3,"
                           " duration_ms = ?9, is_reported = ?10"
                           " WHERE serial = ?1",
                           "UPDATE texts SET summary = ?4, response = ?5,"
                           " error = ?6, edited = ?7, created = ?8,"
                           " is_indexed = 0 WHERE serial = ?1"}},
    [STORE_SET_GONE] = {3,
                        {"UPDATE agents SET gone_at = ?2, transcript = ?3,"
                         " samples = (SELECT coalesce(sum(length(said)"
                         " + length(tool) + length(title) + 64), 0)"
                         " FROM samples WHERE agent = ?1)"
                         " WHERE serial = ?1 AND gone_at = 0"}},
    [STORE_SET_TRANSCRIPT] = {3,
                              {"UPDATE agents SET form = max(form, ?2),"
                               " transcript = ?3 WHERE id = ?1"
                               " AND gone_at > 0",
                               "DELETE FROM line_times WHERE ?2 = 2 AND agent"
                               " IN (SELECT serial FROM agents WHERE id = ?1"
                               " AND gone_at > 0)",
                               "DELETE FROM samples WHERE ?2 = 2 AND agent"
                               " IN (SELECT serial FROM agents WHERE id = ?1"
                               " AND gone_at > 0)",
                               "UPDATE agents SET samples = 0 WHERE ?2 = 2"
                               " AND id = ?1 AND gone_at > 0"}},
    [STORE_ADD_TIME] = {3,
                        {"INSERT INTO line_times(agent, up_to, at)"
                         " VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING"}},
    [STORE_ADD_SAMPLE] = {15,
                          {"INSERT OR REPLACE INTO samples(agent, at, follows,"
                           " tool_calls, input, output, cache_read,"
                           " cache_write, cost, edited, created, tool, said,"
                           " title, tool_at) VALUES(?1, ?2, ?3, ?4, ?5, ?6,"
                           " ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"}},
    /* Of n in a row every one is kept at which n * 600 / total has grown. */
    [STORE_THIN_SAMPLES] =
        {1,
         {"DELETE FROM samples WHERE agent = ?1 AND at IN (SELECT at FROM"
          " (SELECT at, row_number() OVER (ORDER BY at) AS n,"
          " count(*) OVER () AS total FROM samples WHERE agent = ?1)"
          " WHERE total > 600 AND n * 600 / total = (n - 1) * 600 / total)"}},
    [STORE_ADD_CHECKPOINT] =
        {4,
         {"INSERT OR REPLACE INTO checkpoints(seq, at, is_base, bytes, data)"
          " VALUES(?1, ?2, ?3, length(CAST(?4 AS BLOB)), packed(?4))",
          /* every second one but a hub's first and the newest: then moments
           * take longer, but all can be had */
          "DELETE FROM checkpoints WHERE (SELECT sum(length(data))"
          " FROM checkpoints) > " CHECKPOINTS_MAX " AND seq IN (SELECT seq FROM"
          " (SELECT seq, is_base, row_number() OVER (ORDER BY seq DESC) AS n"
          " FROM checkpoints) WHERE n > 16 AND n % 2 = 0 AND is_base = 0)",
          "DELETE FROM checkpoints WHERE seq IN (SELECT seq FROM"
          " (SELECT seq, sum(length(data)) OVER (ORDER BY seq DESC) AS total"
          " FROM checkpoints) WHERE total > " CHECKPOINTS_MAX ")"}},
    [STORE_ADD_EVENT] = {6,
                         {"INSERT OR REPLACE INTO events(seq, at, type, grp,"
                          " agent, data) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"}},
    [STORE_DROP_UNTOLD] = {1, {"DELETE FROM untold WHERE number = ?1"}},
    [STORE_ADD_CALL] = {4,
                        {"INSERT INTO calls(key, at, is_error, answer)"
                         " VALUES(?1, ?2, ?3, ?4) ON CONFLICT(key)"
                         " DO NOTHING"}},
    /* One of the future is of a clock that was wrong. */
    [STORE_SET_HEALTH] = {7,
                          {"DELETE FROM health WHERE at < ?7 OR at > ?5",
                           "INSERT OR REPLACE INTO health(backend, program,"
                           " model, prompt, at, response_ms)"
                           " VALUES(?1, ?2, ?3, ?4, ?5, ?6)"}},
    [STORE_DROP_HEALTH] = {4,
                           {"DELETE FROM health WHERE backend = ?1"
                            " AND program = ?2 AND model = ?3"
                            " AND prompt = ?4"}},
    [STORE_ADD_NOTICE] = {10,
                          {"INSERT OR REPLACE INTO notices(number, kind, at,"
                           " grp, agent, role, other, first, second, text)"
                           " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"}},
    [STORE_DROP_NOTICES] = {2,
                            {"DELETE FROM notices WHERE kind = ?1"
                             " AND number <= ?2"}},
    [STORE_SET_META] = {2,
                        {"INSERT OR REPLACE INTO meta(name, value)"
                         " VALUES(?1, ?2)"}},
    [STORE_DROP_LEAVING] = {1, {"DELETE FROM leavings WHERE id = ?1"}},
};
#undef CHECKPOINTS_MAX

const char *statement_part(enum store_statement statement, unsigned part)
{
    return part < STATEMENT_PARTS ? statements[statement].parts[part] : NULL;
}

unsigned statement_params(enum store_statement statement)
{
    return statements[statement].params;
}
