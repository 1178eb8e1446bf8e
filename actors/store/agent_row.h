/*
 * An agent's row, as a record: which columns a question must select, and how
 * they are read.
 */
#ifndef ACTORS_STORE_AGENT_ROW_H
#define ACTORS_STORE_AGENT_ROW_H

#include <sqlite3.h>

#include "actors/store/agent_record.h"
#include "runtime/text/arena.h"

/* The beginning of a statement over agents `a` and texts `x`. `group` are the
 * group's id and description, `order` the kind of the order, `texts` one of
 * the two below; NULL for each column that is not wanted. */
#define AGENT_ROW_COLUMNS(group, order, texts)                                 \
    "SELECT a.serial, a.id, " group ", a.role, a.model, a.state,"              \
    " a.started_at, a.elapsed_ms, a.tool_calls, a.outcome, x.summary,"         \
    " x.error, x.edited, x.created, a.duration_ms, a.finished_at,"             \
    " a.is_reported, a.input, a.output, a.cache_read, a.cache_write, a.cost,"  \
    " a.created_at, a.gone_at, " order ", a.stage, a.backend, a.directory,"    \
    " a.session_id, a.cli_model, a.timeout_ms, a.messages, a.lines,"           \
    " a.retry_of, " texts
#define AGENT_ROW_TEXTS                                                        \
    "x.prompt, x.response, CASE o.kind WHEN 'run_magentic' THEN"               \
    " (SELECT json FROM ledgers WHERE grp = a.grp ORDER BY serial DESC"        \
    " LIMIT 1) END"
#define AGENT_ROW_NO_TEXTS "NULL, NULL, NULL"

/* Where they are, up to where a WHERE may follow. */
#define AGENT_ROW_FROM                                                         \
    " FROM agents a CROSS JOIN texts x ON x.serial = a.serial"                 \
    " LEFT JOIN groups g ON g.serial = a.grp"                                  \
    " LEFT JOIN orders o ON o.first = a.ord "
#define AGENT_ROW_SELECT(texts)                                                \
    AGENT_ROW_COLUMNS("g.id, g.description", "o.kind", texts) AGENT_ROW_FROM

/* Texts are copied to the arena; without one they are SQLite's, and good
 * until the next step. */
void agent_row_read(sqlite3_stmt *stmt, struct arena *arena,
                    struct agent_record *a);

#endif
