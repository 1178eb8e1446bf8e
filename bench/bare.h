/*
 * Bare SQLite: the store's own file, tables and pragmas, on one thread and
 * without a hub, for a peer that does the same rows a transaction a call.
 */
#ifndef BENCH_BARE_H
#define BENCH_BARE_H

#include <sqlite3.h>

struct bare {
    sqlite3 *db;
    sqlite3_stmt *begin, *commit, *event, *call;
    sqlite3_int64 seq; /* of the newest event */
};

/* These end the program on any error. */
void bare_open(struct bare *b, const char *path);
sqlite3_stmt *bare_prepare(struct bare *b, const char *sql);
/* To its end, and makes it ready for the next time. */
void bare_run(struct bare *b, sqlite3_stmt *stmt);
/* Of all statements, too. */
void bare_close(struct bare *b);

/* The text is copied. */
void bare_text(sqlite3_stmt *stmt, int at, const char *text);
/* What every call writes besides its own rows: an event, whose group may be 0,
 * and the key under which it was answered. */
void bare_run_rest(struct bare *b, const char *type, sqlite3_int64 group,
                   const char *data);
/* Wall clock, milliseconds. */
sqlite3_int64 bare_now(void);

/* Does pairs for so long, and prints an object: how many a second. */
void bare_measure(struct bare *b, const char *seconds,
                  void (*pair)(struct bare *b));

#endif
