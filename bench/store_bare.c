/* SPDX-License-Identifier: MIT */
/*
 * Bare SQLite doing what a store does for create_group and delete_group, on
 * one thread, each call a transaction of its own: the same rows, statements,
 * schema and pragmas. Prints one JSON object: pairs per second.
 *
 *   store-bare FILE SECONDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "actors/store/database.h"
#include "actors/store/statements.h"

struct bare {
    sqlite3 *db;
    sqlite3_stmt *begin, *commit, *add_group, *delete_group, *event, *call;
    int64_t serial, seq;
};

static void check(struct bare *b, int code)
{
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW)
        return;
    fprintf(stderr, "store-bare: %s\n", sqlite3_errmsg(b->db));
    exit(1);
}

static sqlite3_stmt *prepare(struct bare *b, const char *sql)
{
    sqlite3_stmt *stmt;

    check(b, sqlite3_prepare_v3(b->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                &stmt, NULL));
    return stmt;
}

static void open_bare(struct bare *b, const char *path)
{
    struct store_why why;

    if (database_open(path, false, DATABASE_BUSY_MS, &b->db, &why) !=
        SQLITE_OK) {
        fprintf(stderr, "store-bare: %s\n", why.en);
        exit(1);
    }
    b->begin = prepare(b, "BEGIN IMMEDIATE");
    b->commit = prepare(b, "COMMIT");
    b->add_group = prepare(b, statement_part(STORE_ADD_GROUP, 0));
    b->delete_group = prepare(b, statement_part(STORE_DELETE_GROUP, 0));
    b->event = prepare(b, statement_part(STORE_ADD_EVENT, 0));
    b->call = prepare(b, statement_part(STORE_ADD_CALL, 0));
}

static void close_bare(struct bare *b)
{
    sqlite3_finalize(b->begin);
    sqlite3_finalize(b->commit);
    sqlite3_finalize(b->add_group);
    sqlite3_finalize(b->delete_group);
    sqlite3_finalize(b->event);
    sqlite3_finalize(b->call);
    sqlite3_close(b->db);
}

static void run(struct bare *b, sqlite3_stmt *stmt)
{
    check(b, sqlite3_step(stmt));
    sqlite3_reset(stmt);
}

static void bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
    sqlite3_bind_text(stmt, at, text, -1, SQLITE_TRANSIENT);
}

static int64_t wall_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What every call writes besides its own row. */
static void run_rest(struct bare *b, const char *type, const char *id)
{
    char key[48], data[160];

    snprintf(key, sizeof(key), "0123456789abcdef-%lld", (long long)++b->seq);
    snprintf(data, sizeof(data),
             "{\"groupId\":\"%s\",\"description\":\"bench\"}", id);
    sqlite3_bind_int64(b->event, 1, b->seq);
    sqlite3_bind_int64(b->event, 2, wall_ms());
    bind_text(b->event, 3, type);
    sqlite3_bind_int64(b->event, 4, b->serial);
    sqlite3_bind_null(b->event, 5);
    bind_text(b->event, 6, data);
    run(b, b->event);
    bind_text(b->call, 1, key);
    sqlite3_bind_int64(b->call, 2, wall_ms());
    sqlite3_bind_int64(b->call, 3, 0);
    bind_text(b->call, 4, data);
    run(b, b->call);
}

static void run_pair(struct bare *b)
{
    int64_t now = wall_ms();
    char id[48];

    snprintf(id, sizeof(id), "grp-%lld-%04x", (long long)(now / 1000),
             (unsigned)(++b->serial & 0xffff));
    run(b, b->begin);
    sqlite3_bind_int64(b->add_group, 1, b->serial);
    bind_text(b->add_group, 2, id);
    bind_text(b->add_group, 3, "bench");
    bind_text(b->add_group, 4, "concurrent");
    sqlite3_bind_null(b->add_group, 5);
    sqlite3_bind_int64(b->add_group, 6, now);
    bind_text(b->add_group, 7, "ja");
    run(b, b->add_group);
    run_rest(b, "group:created", id);
    run(b, b->commit);
    run(b, b->begin);
    sqlite3_bind_int64(b->delete_group, 1, b->serial);
    sqlite3_bind_int64(b->delete_group, 2, now);
    run(b, b->delete_group);
    run_rest(b, "group:deleted", id);
    run(b, b->commit);
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    struct bare b = {0};
    double start, end;
    double seconds = argc == 3 ? atof(argv[2]) : 0;
    uint64_t pairs = 0;

    if (seconds <= 0) {
        fprintf(stderr, "usage: store-bare FILE SECONDS\n");
        return 2;
    }
    open_bare(&b, argv[1]);
    start = now_s();
    do {
        run_pair(&b);
        pairs++;
        end = now_s();
    } while (end - start < seconds);
    close_bare(&b);
    printf("{\"pairs\":%llu,\"seconds\":%.3f,\"pairs_per_s\":%.1f}\n",
           (unsigned long long)pairs, end - start,
           (double)pairs / (end - start));
    return 0;
}
