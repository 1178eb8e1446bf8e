/* SPDX-License-Identifier: MIT */
#include "actors/store/search_index.h"

#include "actors/store/inside.h"
#include "actors/store/query.h"

#define PAUSE_MS 1000
/* A text of the longest kind takes some ten milliseconds, and others wait for
 * their turn meanwhile. */
#define PORTION_AGENTS 32
#define PORTION_BYTES (64 << 10)

struct portion {
    int64_t serials[PORTION_AGENTS];
    unsigned count;
    bool is_last;
};

/* Those that have gone: of others the texts will change. */
static int choose(sqlite3 *db, struct portion *p)
{
    static const char sql[] =
        "SELECT t.serial, length(t.prompt) + length(t.summary)"
        " + length(t.response) FROM texts t CROSS JOIN agents a"
        " ON a.serial = t.serial WHERE t.is_indexed = 0 AND a.gone_at > 0"
        " ORDER BY t.serial";
    sqlite3_stmt *row = NULL;
    uint64_t bytes = 0;
    int code = sqlite3_prepare_v2(db, sql, -1, &row, NULL);

    if (code != SQLITE_OK)
        return code;
    while (p->count < PORTION_AGENTS && bytes < PORTION_BYTES &&
           (code = sqlite3_step(row)) == SQLITE_ROW) {
        p->serials[p->count++] = sqlite3_column_int64(row, 0);
        bytes += query_count(row, 1);
    }
    p->is_last = code == SQLITE_DONE;
    sqlite3_finalize(row);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int run(sqlite3 *db, const char *sql, const struct portion *p)
{
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);

    for (unsigned i = 0; code == SQLITE_OK && i < p->count; i++) {
        sqlite3_bind_int64(stmt, 1, p->serials[i]);
        code = sqlite3_step(stmt);
        code = code == SQLITE_DONE ? sqlite3_reset(stmt) : code;
    }
    sqlite3_finalize(stmt);
    return code;
}

static int enter(struct rt_turn *t, struct store *s, struct portion *p)
{
    int code = choose(s->db, p);

    if (code != SQLITE_OK || p->count == 0)
        return code;
    code = batch_begin(t, s);
    if (code == SQLITE_OK)
        code = run(s->db,
                   "INSERT INTO agents_fts(rowid, prompt, summary, response,"
                   " files) SELECT serial, prompt, summary, response, files"
                   " FROM searchable WHERE serial = ?1 AND is_indexed = 0",
                   p);
    if (code == SQLITE_OK)
        code =
            run(s->db, "UPDATE texts SET is_indexed = 1 WHERE serial = ?1", p);
    return code;
}

void search_index_arm(struct rt_turn *t, struct store *s)
{
    if (!s->index.is_wanted || s->index.is_timed)
        return;
    s->index.is_timed = true;
    rt_after(t, s->index.pause_ms > 0 ? s->index.pause_ms : PAUSE_MS,
             STORE_INDEX);
}

void search_index_step(struct rt_turn *t, struct store *s)
{
    struct portion p = {.count = 0};
    int code;

    s->index.is_timed = false;
    if (!s->is_good || s->db == NULL)
        return; /* still wanted */
    code = enter(t, s, &p);
    if (code != SQLITE_OK) {
        store_trouble(t, s, code);
        return;
    }
    s->index.is_wanted = !p.is_last;
    s->index.is_timed = !p.is_last;
    if (!p.is_last)
        rt_tell(t, rt_self(t), STORE_INDEX, NULL, 0);
}
