/* SPDX-License-Identifier: MIT */
#include "actors/store/ask.h"

#include <stdio.h>
#include <stdlib.h>

void store_query_finish(struct store_query *q)
{
    bytes_finish(&q->sql);
    arena_finish(&q->arena);
}

void store_query_add(struct store_query *q, const char *sql)
{
    bytes_append(&q->sql, sql, strlen(sql));
}

static unsigned add_param(struct store_query *q, struct store_param p)
{
    if (q->count == STORE_QUERY_PARAMS)
        abort();
    q->params[q->count++] = p;
    return q->count;
}

unsigned store_query_int(struct store_query *q, int64_t value)
{
    return add_param(q,
                     (struct store_param){.type = STORE_INT, .number = value});
}

unsigned store_query_text(struct store_query *q, struct slice text)
{
    return add_param(q, (struct store_param){.type = STORE_TEXT, .text = text});
}

void store_query_where(struct store_query *q, const char *sql, unsigned param)
{
    char number[16];
    int len = snprintf(number, sizeof(number), "%u", param);
    const char *mark;

    while ((mark = strstr(sql, "%u")) != NULL) {
        bytes_append(&q->sql, sql, (size_t)(mark - sql));
        bytes_append(&q->sql, number, (size_t)len);
        sql = mark + 2;
    }
    store_query_add(q, sql);
}

int store_query_prepare(sqlite3 *db, const struct store_query *q,
                        sqlite3_stmt **stmt)
{
    int code = sqlite3_prepare_v2(db, q->sql.ptr, (int)q->sql.len, stmt, NULL);

    for (unsigned i = 0; code == SQLITE_OK && i < q->count; i++) {
        const struct store_param *p = &q->params[i];

        /* What one of two queries does not use is bound for the other. */
        if ((int)i >= sqlite3_bind_parameter_count(*stmt))
            break;
        if (p->type == STORE_INT)
            code = sqlite3_bind_int64(*stmt, (int)i + 1, p->number);
        else
            code = sqlite3_bind_text64(*stmt, (int)i + 1, p->text.ptr,
                                       p->text.len, SQLITE_STATIC, SQLITE_UTF8);
    }
    return code;
}

int store_query_number(sqlite3 *db, const struct store_query *q,
                       int64_t *number)
{
    sqlite3_stmt *stmt = NULL;
    int code = store_query_prepare(db, q, &stmt);

    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        *number = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

struct slice store_column(sqlite3_stmt *stmt, int i)
{
    const char *ptr = (const char *)sqlite3_column_text(stmt, i);

    return slice_of(ptr, (size_t)sqlite3_column_bytes(stmt, i));
}

uint64_t store_count(sqlite3_stmt *stmt, int i)
{
    int64_t number = sqlite3_column_int64(stmt, i);

    return number > 0 ? (uint64_t)number : 0;
}

int store_find(sqlite3 *db, const char *table, struct slice id, int64_t *serial)
{
    struct store_query q = {0};
    int code;

    *serial = 0;
    store_query_add(&q, "SELECT max(serial) FROM ");
    store_query_add(&q, table);
    store_query_add(&q, " WHERE id = ?1");
    store_query_text(&q, id);
    code = store_query_number(db, &q, serial);
    store_query_finish(&q);
    return code;
}
