/* SPDX-License-Identifier: MIT */
/* Statements of works. To prepare one costs more than to run it, so each is
 * kept, by the address of its text. */
#include "actors/store/work.h"

#include <stdlib.h>

#define PLACES 512 /* twice what all systems have, and a power of two */

struct sql_place {
    const char *sql;
    sqlite3_stmt *stmt;
    bool is_open;
};

struct sql_cache {
    struct sql_place places[PLACES];
    unsigned count;
};

struct sql_cache *sql_cache_create(void)
{
    return bytes_zalloc(sizeof(struct sql_cache));
}

void sql_cache_clear(struct sql_cache *c)
{
    for (unsigned i = 0; i < PLACES; i++)
        sqlite3_finalize(c->places[i].stmt);
    *c = (struct sql_cache){.count = 0};
}

void sql_cache_destroy(struct sql_cache *c)
{
    if (c == NULL)
        return;
    sql_cache_clear(c);
    free(c);
}

static struct sql_place *find(struct sql_cache *c, const char *sql)
{
    size_t i = ((uintptr_t)sql * 0x9e3779b97f4a7c15ull) >> 40;

    while (c->places[i % PLACES].sql != NULL &&
           c->places[i % PLACES].sql != sql)
        i++;
    return &c->places[i % PLACES];
}

/* One that is open already, as of a loop inside a loop, gets another; and so
 * does the first that would fill the table. */
struct sql sql_open(struct work *w, const char *sql)
{
    struct sql q = {.work = w};
    struct sql_place *p;

    if (w->code != SQLITE_OK)
        return q;
    p = find(w->cache, sql);
    if (p->stmt != NULL && !p->is_open) {
        p->is_open = true;
        q.stmt = p->stmt;
        q.place = p;
        return q;
    }
    w->code = sqlite3_prepare_v3(w->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                 &q.stmt, NULL);
    if (w->code == SQLITE_OK && p->stmt == NULL &&
        w->cache->count < PLACES / 2) {
        *p = (struct sql_place){.sql = sql, .stmt = q.stmt, .is_open = true};
        w->cache->count++;
        q.place = p;
    }
    return q;
}

void sql_close(struct sql *q)
{
    if (q->stmt == NULL)
        return;
    if (q->place == NULL) {
        sqlite3_finalize(q->stmt);
    } else {
        sqlite3_reset(q->stmt);
        sqlite3_clear_bindings(q->stmt);
        q->place->is_open = false;
    }
    q->stmt = NULL;
}

/* ---- values ------------------------------------------------------------ */

static void note(struct sql *q, int code)
{
    if (code != SQLITE_OK && q->work->code == SQLITE_OK)
        q->work->code = code;
}

void sql_text(struct sql *q, int param, struct slice text)
{
    if (q->stmt != NULL)
        note(q, sqlite3_bind_text64(q->stmt, param, text.ptr, text.len,
                                    SQLITE_STATIC, SQLITE_UTF8));
}

void sql_text_or_null(struct sql *q, int param, struct slice text)
{
    if (text.len > 0)
        sql_text(q, param, text);
}

void sql_int(struct sql *q, int param, int64_t value)
{
    if (q->stmt != NULL)
        note(q, sqlite3_bind_int64(q->stmt, param, value));
}

bool sql_next(struct sql *q)
{
    int code;

    if (q->stmt == NULL || q->work->code != SQLITE_OK)
        return false;
    code = sqlite3_step(q->stmt);
    if (code == SQLITE_ROW)
        return true;
    note(q, code == SQLITE_DONE ? SQLITE_OK : code);
    return false;
}

struct slice sql_column(const struct sql *q, int column)
{
    const char *text = sqlite3_column_blob(q->stmt, column);

    return slice_of(text, (size_t)sqlite3_column_bytes(q->stmt, column));
}

int64_t sql_number(const struct sql *q, int column)
{
    return sqlite3_column_int64(q->stmt, column);
}

bool sql_is_null(const struct sql *q, int column)
{
    return sqlite3_column_type(q->stmt, column) == SQLITE_NULL;
}

int sql_run(struct sql *q)
{
    bool was_good = q->stmt != NULL;

    while (sql_next(q))
        continue;
    sql_close(q);
    return was_good && q->work->code == SQLITE_OK ? sqlite3_changes(q->work->db)
                                                  : 0;
}
