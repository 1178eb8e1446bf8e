/* SPDX-License-Identifier: MIT */
#include "bench/bare.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "actors/store/database.h"
#include "actors/store/statements.h"

static void check(struct bare *b, int code)
{
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW)
        return;
    fprintf(stderr, "bare: %s\n", sqlite3_errmsg(b->db));
    exit(1);
}

sqlite3_stmt *bare_prepare(struct bare *b, const char *sql)
{
    sqlite3_stmt *stmt;

    check(b, sqlite3_prepare_v3(b->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                &stmt, NULL));
    return stmt;
}

void bare_open(struct bare *b, const char *path)
{
    struct store_why why;

    if (database_open(path, false, DATABASE_BUSY_MS, &b->db, &why) !=
        SQLITE_OK) {
        fprintf(stderr, "bare: %s\n", why.en);
        exit(1);
    }
    b->begin = bare_prepare(b, "BEGIN IMMEDIATE");
    b->commit = bare_prepare(b, "COMMIT");
    b->event = bare_prepare(b, statement_part(STORE_ADD_EVENT, 0));
    b->call = bare_prepare(b, statement_part(STORE_ADD_CALL, 0));
}

void bare_close(struct bare *b)
{
    sqlite3_stmt *stmt;

    while ((stmt = sqlite3_next_stmt(b->db, NULL)) != NULL)
        sqlite3_finalize(stmt);
    sqlite3_close(b->db);
}

void bare_run(struct bare *b, sqlite3_stmt *stmt)
{
    int code;

    while ((code = sqlite3_step(stmt)) == SQLITE_ROW)
        ;
    check(b, code);
    sqlite3_reset(stmt);
}

void bare_text(sqlite3_stmt *stmt, int at, const char *text)
{
    sqlite3_bind_text(stmt, at, text, -1, SQLITE_TRANSIENT);
}

sqlite3_int64 bare_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void bare_run_rest(struct bare *b, const char *type, sqlite3_int64 group,
                   const char *data)
{
    char key[48];

    snprintf(key, sizeof(key), "0123456789abcdef-%lld", (long long)++b->seq);
    sqlite3_bind_int64(b->event, 1, b->seq);
    sqlite3_bind_int64(b->event, 2, bare_now());
    bare_text(b->event, 3, type);
    sqlite3_bind_int64(b->event, 4, group);
    sqlite3_bind_null(b->event, 5);
    bare_text(b->event, 6, data);
    bare_run(b, b->event);
    bare_text(b->call, 1, key);
    sqlite3_bind_int64(b->call, 2, bare_now());
    sqlite3_bind_int64(b->call, 3, 0);
    bare_text(b->call, 4, data);
    bare_run(b, b->call);
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void bare_measure(struct bare *b, const char *seconds,
                  void (*pair)(struct bare *b))
{
    double start = now_s(), end, wanted = atof(seconds);
    unsigned long long pairs = 0;

    do {
        pair(b);
        pairs++;
        end = now_s();
    } while (end - start < wanted);
    printf("{\"pairs\":%llu,\"seconds\":%.3f,\"pairs_per_s\":%.1f}\n", pairs,
           end - start, (double)pairs / (end - start));
}
