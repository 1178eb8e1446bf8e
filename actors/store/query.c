/* SPDX-License-Identifier: MIT */
#include "actors/store/query.h"

#include <stdio.h>
#include <stdlib.h>

void query_finish(struct query *q)
{
    bytes_finish(&q->sql);
    arena_finish(&q->arena);
}

void query_add(struct query *q, const char *sql)
{
    bytes_append(&q->sql, sql, strlen(sql));
}

static unsigned add_param(struct query *q, struct query_param p)
{
    if (q->count == QUERY_PARAMS)
        abort();
    q->params[q->count++] = p;
    return q->count;
}

unsigned query_int(struct query *q, int64_t value)
{
    return add_param(q, (struct query_param){.number = value});
}

unsigned query_text(struct query *q, struct slice text)
{
    return add_param(q, (struct query_param){.is_text = true, .text = text});
}

void query_where(struct query *q, const char *sql, unsigned param)
{
    char number[16];
    int len = snprintf(number, sizeof(number), "%u", param);
    const char *mark;

    while ((mark = strstr(sql, "%u")) != NULL) {
        bytes_append(&q->sql, sql, (size_t)(mark - sql));
        bytes_append(&q->sql, number, (size_t)len);
        sql = mark + 2;
    }
    query_add(q, sql);
}

int query_prepare(sqlite3 *db, const struct query *q, sqlite3_stmt **stmt)
{
    int code = sqlite3_prepare_v2(db, q->sql.ptr, (int)q->sql.len, stmt, NULL);

    for (unsigned i = 0; code == SQLITE_OK && i < q->count; i++) {
        const struct query_param *p = &q->params[i];

        /* What one of two queries does not use is bound for the other. */
        if ((int)i >= sqlite3_bind_parameter_count(*stmt))
            break;
        if (p->is_text)
            code = sqlite3_bind_text64(*stmt, (int)i + 1, p->text.ptr,
                                       p->text.len, SQLITE_STATIC, SQLITE_UTF8);
        else
            code = sqlite3_bind_int64(*stmt, (int)i + 1, p->number);
    }
    return code;
}

int query_number(sqlite3 *db, const struct query *q, int64_t *number)
{
    sqlite3_stmt *stmt = NULL;
    int code = query_prepare(db, q, &stmt);

    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        *number = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int query_sql_number(sqlite3 *db, const char *sql, int64_t *number)
{
    sqlite3_stmt *stmt;
    int code = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);

    if (code != SQLITE_OK)
        return code;
    code = sqlite3_step(stmt);
    if (code == SQLITE_ROW) {
        *number = sqlite3_column_int64(stmt, 0);
        code = SQLITE_OK;
    }
    sqlite3_finalize(stmt);
    return code;
}

int query_find(sqlite3 *db, const char *table, struct slice id, int64_t *serial)
{
    struct query q = {0};
    int code;

    *serial = 0;
    query_add(&q, "SELECT max(serial) FROM ");
    query_add(&q, table);
    query_add(&q, " WHERE id = ?1");
    query_text(&q, id);
    code = query_number(db, &q, serial);
    query_finish(&q);
    return code;
}

/* ---- rows -------------------------------------------------------------- */

struct slice query_column(sqlite3_stmt *stmt, int i)
{
    const char *ptr = (const char *)sqlite3_column_text(stmt, i);

    return slice_of(ptr, (size_t)sqlite3_column_bytes(stmt, i));
}

uint64_t query_count(sqlite3_stmt *stmt, int i)
{
    int64_t number = sqlite3_column_int64(stmt, i);

    return number > 0 ? (uint64_t)number : 0;
}

uint64_t query_row_number(struct query_row *r)
{
    return query_count(r->stmt, r->at++);
}

struct slice query_row_text(struct query_row *r)
{
    struct slice text = query_column(r->stmt, r->at++);

    if (text.len == 0)
        return SLICE_EMPTY; /* SQLite's would not stay */
    if (r->arena == NULL)
        return text;
    return slice_of(arena_copy(r->arena, text.ptr, text.len), text.len);
}

bool query_row_has(const struct query_row *r)
{
    return sqlite3_column_type(r->stmt, r->at) != SQLITE_NULL;
}
