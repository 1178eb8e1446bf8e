/*
 * A query is a question to SQLite that is put together from pieces, and the
 * rows it gives. Functions return SQLite's codes.
 */
#ifndef ACTORS_STORE_QUERY_H
#define ACTORS_STORE_QUERY_H

#include <sqlite3.h>

#include "runtime/text/arena.h"
#include "runtime/text/bytes.h"

#define QUERY_PARAMS 32

struct query_param {
    bool is_text;
    int64_t number;
    struct slice text;
};

/* Zeroed memory is an empty one. */
struct query {
    struct bytes sql;
    struct query_param params[QUERY_PARAMS];
    unsigned count;
    struct arena arena; /* for texts that are bound */
};

void query_finish(struct query *q);
void query_add(struct query *q, const char *sql);
/* Makes it the next parameter and returns its number, for "?3". */
unsigned query_int(struct query *q, int64_t value);
unsigned query_text(struct query *q, struct slice text);
/* Adds SQL in which %u is the parameter's number, as often as it is there. */
void query_where(struct query *q, const char *sql, unsigned param);
int query_prepare(sqlite3 *db, const struct query *q, sqlite3_stmt **stmt);
/* The one number that it gives. */
int query_number(sqlite3 *db, const struct query *q, int64_t *number);
/* The same of a statement without parameters. */
int query_sql_number(sqlite3 *db, const char *sql, int64_t *number);
/* Serial number of the newest of that id; 0: none. */
int query_find(sqlite3 *db, const char *table, struct slice id,
               int64_t *serial);

/* ---- rows -------------------------------------------------------------- */

/* A column by its place; a text is good until the next step. */
struct slice query_column(sqlite3_stmt *stmt, int i);
uint64_t query_count(sqlite3_stmt *stmt, int i);

/* A row that is being read: columns are taken from left to right. */
struct query_row {
    sqlite3_stmt *stmt;
    struct arena *arena; /* texts are copied there; NULL: borrowed */
    int at;
};

uint64_t query_row_number(struct query_row *r);
struct slice query_row_text(struct query_row *r);
/* Whether the next column is not NULL; it is still the next. */
bool query_row_has(const struct query_row *r);

#endif
