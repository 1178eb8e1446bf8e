/*
 * The database is the store's file: opened, made if it is not there, brought
 * up to date, or left alone for a reason that can be told.
 */
#ifndef ACTORS_STORE_DATABASE_H
#define ACTORS_STORE_DATABASE_H

#include <sqlite3.h>

#include "actors/store/store.h"

#define DATABASE_BUSY_MS                                                       \
    100 /* how long another process's lock is waited for                       \
         */

/* Waits so long for a lock. An SQLite code; then *db is NULL and `why` has the
 * reason. */
int database_open(const char *path, bool is_relaxed, int busy_ms, sqlite3 **db,
                  struct store_why *why);
/* Whether it would be opened, as far as plain reads tell, which change nothing:
 * SQLITE_OK also where there is none. */
int database_check(const char *path, struct store_why *why);
/* Whether the reason lies in the connection, so that a new one is needed. */
bool database_is_lost(int code);
void database_why(struct store_why *why, const char *path, sqlite3 *db,
                  int code);

#endif
