/*
 * The store's insides. store.c is the actor; what it owns is held by
 *
 *   database.c  the file, or why it cannot be had
 *   tables.c    its tables, and how older ones are brought up to date
 *   rows.c      rows on their way, statements.c the SQL behind them
 *   batch.c     rows that are not durable yet, and the answers behind them
 *   work.c      what other rooms do in it, sql.c the statements of that
 *   recalls.c   calls that may have been answered before
 *   picture*.c  a past moment, out of a checkpoint and events; packed.c
 *   past.c      what a hub that starts is told
 *   retention*.c what is removed, and when
 *   search_index.c the index of texts, which is behind
 *   ask*.c      questions of the history, in answers of JSON
 *   reader.c    the same where no hub runs, from a peek.c at the file
 *   query.c     SQL put together from pieces, agent_row.c an agent's row
 *
 * All of it runs in the store's turns, on the one thread that may block. Beside
 * it, on a thread of their own: cleaner.c and transcript_pages.c, which work on
 * the directories of agents (agent_dirs*.c).
 */
#ifndef ACTORS_STORE_INSIDE_H
#define ACTORS_STORE_INSIDE_H

#include <sqlite3.h>

#include "actors/store/batch.h"
#include "actors/store/database.h"
#include "actors/store/recalls.h"
#include "actors/store/retention.h"
#include "actors/store/search_index.h"
#include "actors/store/store.h"

struct store {
    struct rt_ref registry;
    char *path;
    bool is_relaxed;
    uint64_t retention_ms; /* until the first removal */
    sqlite3 *db;           /* NULL: could not be opened */
    bool is_lost;          /* the connection is of no use to write any more */
    bool has_told_past;    /* one that is known */
    bool is_good;
    bool is_retrying; /* a timer runs */
    struct store_why why;
    struct batch batch;
    struct sql_cache *cache; /* statements of works */
    struct recalls recalls;
    struct retention retention;
    struct search_index index;
};

/* The disk refused: takes the transaction back and tries again later. */
void store_trouble(struct rt_turn *t, struct store *s, int code);
void store_tell_condition(struct rt_turn *t, struct store *s,
                          const struct store_why *why);

/* ---- past.c ---- */
/* The caller owns the reference. An SQLite code; then *past is NULL. With
 * budget_at, the wall clock, it says what was spent too; 0: it is not asked. */
int past_load(sqlite3 *db, uint64_t now, struct past **past);
/* Which agents and groups those are: serial numbers in temp.wanted and
 * temp.wanted_groups, until past_forget, which is due in any case. */
int past_choose(sqlite3 *db);
void past_forget(sqlite3 *db);
struct past *past_unknown(const struct store_why *why);
/* Its checks alone; likewise. */
int past_checks(sqlite3 *db, struct past **past);

#endif
