/*
 * How the store's files answer questions: rows become JSON, and a question that
 * takes too long is given up, since writes wait behind it.
 */
#ifndef ACTORS_STORE_ASK_H
#define ACTORS_STORE_ASK_H

#include "actors/order/args.h"
#include "actors/store/inside.h"
#include "runtime/text/arena.h"

#define STORE_ASK_MS 2000 /* one question may take */
#define STORE_PAGE                                                             \
    ((size_t)8 << 20) /* bytes of an answer; then comes `next`                 \
                       */

/* ---- questions to SQLite ----------------------------------------------- */

#define STORE_QUERY_PARAMS 32

/* Zeroed memory is an empty one. */
struct store_query {
    struct bytes sql;
    struct store_param params[STORE_QUERY_PARAMS];
    unsigned count;
    struct arena arena; /* for texts that are bound */
};

void store_query_finish(struct store_query *q);
void store_query_add(struct store_query *q, const char *sql);
/* Makes it the next parameter and returns its number, for "?3". */
unsigned store_query_int(struct store_query *q, int64_t value);
unsigned store_query_text(struct store_query *q, struct slice text);
/* Adds SQL in which %u is the parameter's number, as often as it is there. */
void store_query_where(struct store_query *q, const char *sql, unsigned param);
int store_query_prepare(sqlite3 *db, const struct store_query *q,
                        sqlite3_stmt **stmt);
/* The one number that it gives. */
int store_query_number(sqlite3 *db, const struct store_query *q,
                       int64_t *number);

struct slice store_column(sqlite3_stmt *stmt, int i);
uint64_t store_count(sqlite3_stmt *stmt, int i);

/* Serial number of the newest of that id; 0: none. An SQLite code. */
int store_find(sqlite3 *db, const char *table, struct slice id,
               int64_t *serial);

/* ---- an agent's row ---------------------------------------------------- */

/* `texts` are two columns: prompt and response, or NULL where not wanted. */
#define STORE_AGENT_SELECT(texts)                                              \
    "SELECT a.serial, a.id, g.id, g.description, a.role, a.model, a.state,"    \
    " a.outcome, x.summary, a.created_at, a.started_at, a.finished_at,"        \
    " a.gone_at, a.elapsed_ms, a.duration_ms, a.tool_calls, a.input,"          \
    " a.output, a.cache_read, a.cache_write, a.cost, x.edited, x.created,"     \
    " x.error, a.is_reported, a.stage, a.backend, a.directory, a.timeout_ms,"  \
    " a.session_id, a.cli_model, a.messages, a.lines, o.kind, o.created_at,"   \
    " a.grp, " texts " FROM agents a"                                          \
    " CROSS JOIN texts x ON x.serial = a.serial"                               \
    " LEFT JOIN groups g ON g.serial = a.grp"                                  \
    " LEFT JOIN orders o ON o.first = a.ord "

enum store_agent_column {
    STORE_AGENT_SERIAL,
    STORE_AGENT_ID,
    STORE_AGENT_GROUP,
    STORE_AGENT_DESCRIPTION,
    STORE_AGENT_ROLE,
    STORE_AGENT_MODEL,
    STORE_AGENT_STATE,
    STORE_AGENT_OUTCOME,
    STORE_AGENT_SUMMARY,
    STORE_AGENT_CREATED_AT,
    STORE_AGENT_STARTED_AT,
    STORE_AGENT_FINISHED_AT,
    STORE_AGENT_GONE_AT,
    STORE_AGENT_ELAPSED,
    STORE_AGENT_DURATION,
    STORE_AGENT_TOOL_CALLS,
    STORE_AGENT_INPUT,
    STORE_AGENT_OUTPUT,
    STORE_AGENT_CACHE_READ,
    STORE_AGENT_CACHE_WRITE,
    STORE_AGENT_COST,
    STORE_AGENT_EDITED,
    STORE_AGENT_CREATED,
    STORE_AGENT_ERROR,
    STORE_AGENT_REPORTED,
    STORE_AGENT_STAGE,
    STORE_AGENT_BACKEND,
    STORE_AGENT_DIRECTORY,
    STORE_AGENT_TIMEOUT,
    STORE_AGENT_SESSION,
    STORE_AGENT_CLI_MODEL,
    STORE_AGENT_MESSAGES,
    STORE_AGENT_LINES,
    STORE_AGENT_ORDER_KIND,
    STORE_AGENT_ORDER_AT,
    STORE_AGENT_GROUP_SERIAL,
    STORE_AGENT_PROMPT,
    STORE_AGENT_RESPONSE
};

/* `"name":` and JSON that was stored; `otherwise` if it is no JSON. */
void store_put_json(struct bytes *out, struct slice name, struct slice json,
                    struct slice otherwise);
/* `"usage":{...}`, with costUsd where it is known. */
void store_put_usage(struct bytes *out, sqlite3_stmt *row);
/* As get_agent_status has it (registry/read.c); the object stays open. */
int store_put_status(struct bytes *out, sqlite3 *db, sqlite3_stmt *row);
/* The rest that show_agent has. */
void store_put_rest(struct bytes *out, sqlite3_stmt *row);
/* `{"seq":...}` of seq, at, type, data. */
void store_put_event(struct bytes *out, sqlite3_stmt *row);

/* ---- who answers ------------------------------------------------------- */

/* Each fills in the answer or refuses the order (*a is NULL then); an SQLite
 * code if the database fails. */
struct store_asked {
    struct rt_turn *t;
    struct store *s;
    struct order *o;
    struct answer *a;
};

/* Gives the answer up and refuses. */
#define STORE_REFUSE(q, code, ja, en, ...)                                     \
    (store_withdraw(q), ORDER_REFUSE((q)->t, (q)->o, code, ja, en, __VA_ARGS__))
void store_withdraw(struct store_asked *q);

int store_ask_history(struct store_asked *q);
int store_ask_events(struct store_asked *q);
int store_ask_usage(struct store_asked *q);
int store_ask_record(struct store_asked *q);
int store_ask_agent(struct store_asked *q);

/* What it names is not in the database. */
void store_refuse_group(struct store_asked *q, struct slice id);
void store_refuse_agent(struct store_asked *q, struct slice id);

#endif
