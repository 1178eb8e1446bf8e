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

#include "actors/store/statements.h"
#include "bench/bare.h"

static sqlite3_stmt *add_group, *delete_group;
static sqlite3_int64 serial;

static void run_rest(struct bare *b, const char *type, const char *id)
{
    char data[160];

    snprintf(data, sizeof(data),
             "{\"groupId\":\"%s\",\"description\":\"bench\"}", id);
    bare_run_rest(b, type, serial, data);
}

static void run_pair(struct bare *b)
{
    sqlite3_int64 now = bare_now();
    char id[48];

    snprintf(id, sizeof(id), "grp-%lld-%04x", (long long)(now / 1000),
             (unsigned)(++serial & 0xffff));
    bare_run(b, b->begin);
    sqlite3_bind_int64(add_group, 1, serial);
    bare_text(add_group, 2, id);
    bare_text(add_group, 3, "bench");
    bare_text(add_group, 4, "concurrent");
    sqlite3_bind_null(add_group, 5);
    sqlite3_bind_int64(add_group, 6, now);
    bare_text(add_group, 7, "ja");
    bare_run(b, add_group);
    run_rest(b, "group:created", id);
    bare_run(b, b->commit);
    bare_run(b, b->begin);
    sqlite3_bind_int64(delete_group, 1, serial);
    sqlite3_bind_int64(delete_group, 2, now);
    bare_run(b, delete_group);
    run_rest(b, "group:deleted", id);
    bare_run(b, b->commit);
}

int main(int argc, char **argv)
{
    struct bare b = {0};

    if (argc != 3 || atof(argv[2]) <= 0) {
        fprintf(stderr, "usage: store-bare FILE SECONDS\n");
        return 2;
    }
    bare_open(&b, argv[1]);
    add_group = bare_prepare(&b, statement_part(STORE_ADD_GROUP, 0));
    delete_group = bare_prepare(&b, statement_part(STORE_DELETE_GROUP, 0));
    bare_measure(&b, argv[2], run_pair);
    bare_close(&b);
    return 0;
}
