/*
 * The batch is what is not durable yet: writes in the order they came, their
 * rows in one open transaction. Functions that write return SQLite's codes.
 */
#ifndef ACTORS_STORE_BATCH_H
#define ACTORS_STORE_BATCH_H

#include <sqlite3.h>

#include "actors/store/statements.h"

struct store;

struct batch {
    struct store_write **writes; /* oldest first */
    size_t count;
    uint64_t done, told; /* the highest number that has left it; STORE_SAFE */
    bool is_open;        /* a transaction, which the next commit ends */
    sqlite3_stmt *parts[STORE_STATEMENTS][STATEMENT_PARTS];
};

/* Opens the transaction, unless it is. */
int batch_begin(struct rt_turn *t, struct store *s);
void batch_roll_back(struct store *s);
void batch_add(struct store *s, struct store_write *w);
/* Writes the newest of the batch. One that can never be written is refused,
 * and then the rest of it is written again. */
int batch_run_last(struct rt_turn *t, struct store *s);
/* Writes the whole batch from its beginning, likewise. */
int batch_redo(struct rt_turn *t, struct store *s);
/* Makes it durable; then sends what waited for that and forgets it. */
int batch_commit(struct rt_turn *t, struct store *s);
/* Makes its statements ready, so that the first rows do not wait for that. One
 * that cannot be says so when it is needed. */
void batch_prepare(struct store *s);
/* It will not be durable for a while: says what need not wait for that. */
void batch_say(struct rt_turn *t, struct store *s);
/* Its statements belong to a connection that is being closed. */
void batch_disconnect(struct store *s);
void batch_finish(struct store *s);

#endif
