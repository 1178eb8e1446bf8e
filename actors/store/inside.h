/*
 * The store's insides, shared by its files:
 *
 *   store.c         the actor: commits, recalls, a disk that refuses
 *   batch.c   the rows of a transaction, and the answers behind it
 *   write.c   rows and questions on their way
 *   sql.c     schema, migrations, the statements that write
 *   file.c    opening the file, or saying why not
 *   past.c    what a hub that starts is told
 *   ask.c     who answers which question (ask.h)
 *   store_args.c    its arguments
 *   query.c   a question to SQLite that is put together from pieces
 *   agent.c, history.c, events.c, usage.c,
 *   record.c  the questions
 *   look.c    agents that somebody waits for
 *   sweep.c   retention
 *   tidy.c    the same of transcripts
 *
 * All of it runs in the store's turns, on the one thread that may block.
 */
#ifndef ACTORS_STORE_INSIDE_H
#define ACTORS_STORE_INSIDE_H

#include <sqlite3.h>

#include "actors/store/store.h"

#define STORE_WHY 200   /* bytes of a reason */
#define STORE_PARAMS 16 /* of one statement */
#define STORE_PARTS 5   /* SQL texts that are one statement */
#define STORE_RETRY_MS 250
#define STORE_BUSY_MS 100   /* how long somebody else's lock is waited for */
#define STORE_FIRST_MS 2000 /* by a hub that starts: see store.c */
#define STORE_KEY_MS ((uint64_t)3600 * 1000) /* answers are remembered */

/* A sweep on its way; is_on false: none. */
struct sweep {
    bool is_on;
    bool is_over;                  /* but for its last commit */
    uint64_t cutoff, calls_cutoff; /* wall clock, ms */
    uint64_t agents, groups, events, calls;
    struct order **orders; /* gc that wait for it; kept */
    size_t order_count;
};

struct store {
    struct rt_ref registry;
    char *path;
    bool is_relaxed, has_budget;
    int64_t keep_days;
    uint64_t sweep_ms; /* until the first sweep */
    sqlite3 *db;       /* NULL: could not be opened */
    bool is_lost;      /* the connection is of no use to write any more */
    sqlite3_stmt *parts[STORE_STATEMENTS][STORE_PARTS];
    struct store_write **batch; /* not durable yet, oldest first */
    size_t batch_count, batch_cap;
    uint64_t done, told; /* the highest number that has left it; STORE_SAFE */
    struct order **recalls; /* wait for the batch */
    size_t recall_count, recall_cap;
    bool is_in_transaction;
    bool has_told_past; /* one that is known */
    bool is_good;
    bool is_retrying; /* a timer runs */
    char why[STORE_WHY];
    struct sweep sweep;
    enum config_transcripts transcripts;
    int64_t transcript_days, keep_bytes;
    bool has_more_to_tidy; /* than the last list could hold */
};

/* ---- store.c ---- */
/* The disk refused: takes the transaction back and tries again later. */
void store_trouble(struct rt_turn *t, struct store *s, int code);
void store_tell_condition(struct rt_turn *t, struct store *s, const char *why);

/* ---- batch.c ---- */
/* Opens the transaction that the next commit ends. An SQLite code. */
int store_begin(struct rt_turn *t, struct store *s);
void store_roll_back(struct store *s);
void store_batch_add(struct store *s, struct store_write *w);
/* Writes the newest of the batch. One that can never be written is refused,
 * and then the rest of it is written again. An SQLite code. */
int store_batch_run_last(struct rt_turn *t, struct store *s);
/* Writes the whole batch from its beginning, likewise. */
int store_batch_redo(struct rt_turn *t, struct store *s);
/* It is durable: sends the answers and forgets it. */
void store_batch_deliver(struct rt_turn *t, struct store *s);
/* The answer and the words of one write. */
void store_deliver(struct rt_turn *t, const struct store_write *w);
/* Whether it has nothing to be made durable. */
bool store_is_word(const struct store_write *w);
/* It will not be durable for a while: says what need not wait for that. */
void store_batch_say(struct rt_turn *t, struct store *s);

/* ---- write.c ---- */
struct store_param {
    enum { STORE_INT, STORE_TEXT, STORE_NULL } type;
    int64_t number;
    struct slice text;
};

struct store_values {
    enum store_sql statement;
    unsigned count;
    struct store_param params[STORE_PARAMS];
};

/* Reads the row at *at and moves on; false at the end. Texts are borrowed. */
bool store_write_next(const struct store_write *w, size_t *at,
                      struct store_values *values);

/* ---- sql.c ---- */
#define STORE_VERSION 3
#define STORE_APPLICATION 0x4b75726f /* "Kuro" */

/* The next SQL text of a statement; NULL after the last. */
const char *store_sql_part(enum store_sql statement, unsigned part);
unsigned store_sql_params(enum store_sql statement);
/* What makes version i + 1 of version i; STORE_VERSION of them. */
const char *const *store_sql_steps(void);
/* Brings a file of any version up to `count`, whole or not at all. */
int store_sql_migrate(sqlite3 *db, const char *const *steps, int count);
/* The one number a statement gives. An SQLite code. */
int store_sql_number(sqlite3 *db, const char *sql, int64_t *number);

/* ---- file.c ---- */
/* Opens the file, makes it if it is not there, brings it up to date; waits so
 * long for somebody's lock. An SQLite code; then *db is NULL and `why` has the
 * reason. */
int store_file_open(const char *path, bool is_relaxed, int busy_ms,
                    sqlite3 **db, char why[STORE_WHY]);
/* Whether the reason lies in the connection, so that a new one is needed. */
bool store_file_is_lost(int code);
void store_file_why(char why[STORE_WHY], const char *path, sqlite3 *db,
                    int code);

/* ---- past.c ---- */
/* The caller owns the reference. An SQLite code; then *past is NULL. With
 * budget_at, the wall clock, it says what was spent too; 0: nobody asks. */
int store_past_load(sqlite3 *db, uint64_t budget_at, struct past **past);
struct past *store_past_unknown(const char *why);
/* Its checks alone; likewise. */
int store_past_checks(sqlite3 *db, struct past **past);

/* ---- ask.c ---- */
void store_ask(struct rt_turn *t, struct store *s, struct order *o);
/* Answers the order if its key is known; -1: it is not; else SQLite's code. */
int store_recall(struct rt_turn *t, struct store *s, struct order *o);

/* ---- look.c ---- */
void store_look(struct rt_turn *t, struct store *s, struct store_look *l);

/* ---- tidy.c ---- */
/* Tells which transcripts are to be packed or dropped, if any. */
void store_tidy(struct rt_turn *t, struct store *s);
/* How many there are. An SQLite code. */
int store_tidy_count(struct rt_turn *t, struct store *s, uint64_t *drop,
                     uint64_t *pack);
void store_tidied(struct rt_turn *t, struct store *s, bool has_helped);

/* ---- sweep.c ---- */
/* Begins one, for an order or of the store's own accord (NULL). */
void store_sweep_begin(struct rt_turn *t, struct store *s, struct order *o);
void store_sweep_step(struct rt_turn *t, struct store *s);
/* After a commit: answers, if that was the last of one. */
void store_sweep_finish(struct rt_turn *t, struct store *s);
/* Ends one that cannot go on; its order is refused. */
void store_sweep_abandon(struct rt_turn *t, struct store *s);

#endif
