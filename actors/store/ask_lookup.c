/* SPDX-License-Identifier: MIT */
/* Looks agents up for a wait: how those ended that the registry forgot. */
#include "actors/store/ask.h"

#include "actors/store/query.h"

static void keep(struct bytes *to, struct slice text)
{
    bytes_append(to, text.ptr, text.len);
}

static int look_up(sqlite3 *db, struct store_lookup_item *item)
{
    struct query q = {0};
    sqlite3_stmt *row = NULL;
    int code;

    query_add(&q, "SELECT a.state, a.elapsed_ms, a.outcome,"
                  " substr(x.summary, 1, ?2), substr(x.error, 1, ?2)"
                  " FROM agents a"
                  " JOIN texts x ON x.serial = a.serial"
                  " WHERE a.serial = (SELECT max(serial) FROM agents"
                  " WHERE id = ?1)");
    query_text(&q, slice_cstr(item->id));
    query_int(&q, STORE_SUMMARY);
    code = query_prepare(db, &q, &row);
    if (code == SQLITE_OK)
        code = sqlite3_step(row);
    if (code == SQLITE_ROW) {
        slice_keep(item->state, sizeof(item->state), query_column(row, 0));
        item->duration_ms = query_count(row, 1);
        slice_keep(item->status, sizeof(item->status), query_column(row, 2));
        keep(&item->summary, query_column(row, 3));
        keep(&item->error, query_column(row, 4));
    }
    sqlite3_finalize(row);
    query_finish(&q);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

void ask_lookup(struct rt_turn *t, struct store *s, struct store_lookup *l)
{
    int code = SQLITE_OK;

    if (s->db == NULL)
        l->why = s->why;
    for (unsigned i = 0; s->db != NULL && code == SQLITE_OK && i < l->count;
         i++)
        code = look_up(s->db, &l->items[i]);
    if (code != SQLITE_OK)
        database_why(&l->why, s->path, s->db, code);
    rt_pass(t, s->registry, STORE_LOOKED_UP, &l->obj);
}
