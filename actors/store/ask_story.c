/* SPDX-License-Identifier: MIT */
/* What the store knows of an agent whose story is wanted. */
#include "actors/store/ask.h"

#include <stdlib.h>

#include "actors/store/query.h"
#include "actors/store/transcript_pages.h"
#include "runtime/text/array.h"

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

/* What is written, and behind it what the page has already: it was not. */
static void join_times(struct transcript_page *p, struct story_time *written,
                       size_t count)
{
    const struct story_times *more = &p->times;
    uint64_t up_to = count > 0 ? written[count - 1].up_to : 0;

    for (size_t i = 0; i < more->count; i++) {
        if (more->items[i].up_to <= up_to)
            continue;
        ARRAY_GROW(written, count);
        written[count++] = more->items[i];
    }
    free((struct story_time *)(uintptr_t)more->items);
    p->times = (struct story_times){.items = written, .count = count};
}

static void find_times(sqlite3 *db, int64_t serial, struct transcript_page *p)
{
    struct query q = {0};
    sqlite3_stmt *row = NULL;
    struct story_time *times = NULL;
    size_t count = 0;

    query_add(&q, "SELECT up_to, at FROM line_times WHERE agent = ?1"
                  " ORDER BY up_to");
    query_int(&q, serial);
    if (query_prepare(db, &q, &row) == SQLITE_OK)
        while (sqlite3_step(row) == SQLITE_ROW) {
            ARRAY_GROW(times, count);
            times[count++] = (struct story_time){.up_to = query_count(row, 0),
                                                 .at = query_count(row, 1)};
        }
    sqlite3_finalize(row);
    query_finish(&q);
    join_times(p, times, count);
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
    if (p->order->kind == ORDER_STORY)
        find_times(db, serial, p);
}

void ask_story(struct rt_turn *t, struct store *s, struct transcript_page *p)
{
    if (s->db != NULL)
        know(s->db, p);
    rt_pass(t, p->reader, TRANSCRIPT_PAGES_READ, &p->obj);
}
