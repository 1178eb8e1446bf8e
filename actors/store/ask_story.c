/* SPDX-License-Identifier: MIT */
/* What the store knows of an agent whose story is wanted. */
#include "actors/store/ask.h"

#include "actors/store/query.h"
#include "actors/store/transcript_pages.h"

static int find_backend(sqlite3 *db, int64_t serial,
                        const struct backend **backend)
{
    struct query q = {0};
    sqlite3_stmt *row = NULL;
    char name[32];
    int code;

    query_add(&q, "SELECT backend FROM agents WHERE serial = ?1");
    query_int(&q, serial);
    code = query_prepare(db, &q, &row);
    if (code == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW) {
        slice_keep(name, sizeof(name), query_column(row, 0));
        *backend = backend_find(name);
    }
    sqlite3_finalize(row);
    query_finish(&q);
    return code;
}

static void know(sqlite3 *db, struct transcript_page *p)
{
    int64_t serial;

    if (query_find(db, "agents", slice_cstr(p->id), &serial) != SQLITE_OK ||
        serial == 0)
        return;
    p->is_known = true;
    if (p->backend == NULL)
        find_backend(db, serial, &p->backend);
}

void ask_story(struct rt_turn *t, struct store *s, struct transcript_page *p)
{
    if (s->db != NULL)
        know(s->db, p);
    rt_pass(t, p->reader, TRANSCRIPT_PAGES_READ, &p->obj);
}
