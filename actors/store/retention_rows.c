/* SPDX-License-Identifier: MIT */
#include "actors/store/inside.h"
#include "actors/store/query.h"

#define PORTION_AGENTS 32
#define PORTION_ROWS 512

/* Runs SQL that has ?1 as its one number. */
static int run(struct store *s, const char *sql, uint64_t number)
{
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(stmt, 1, (int64_t)number);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    sqlite3_finalize(stmt);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* Up to `max` numbers that SQL gives for the one it is given. */
static int choose(struct store *s, const char *sql, uint64_t number,
                  uint64_t *out, unsigned max, unsigned *count)
{
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);

    *count = 0;
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(stmt, 1, (int64_t)number);
    while (code == SQLITE_OK && *count < max &&
           (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        out[(*count)++] = query_count(stmt, 0);
        code = SQLITE_OK;
    }
    sqlite3_finalize(stmt);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int run_all(struct store *s, const char *const *sql, uint64_t number)
{
    int code = SQLITE_OK;

    for (; *sql != NULL && code == SQLITE_OK; sql++)
        code = run(s, *sql, number);
    return code;
}

static int remove_agents(struct store *s, unsigned *count)
{
    static const char *const remove[] = {
        SEARCH_INDEX_FORGET,
        "INSERT OR IGNORE INTO leavings SELECT id FROM agents"
        " WHERE serial = ?1",
        "DELETE FROM texts WHERE serial = ?1",
        "DELETE FROM states WHERE agent = ?1",
        "DELETE FROM line_times WHERE agent = ?1",
        "DELETE FROM samples WHERE agent = ?1",
        "DELETE FROM agents WHERE serial = ?1",
        NULL};
    uint64_t serials[PORTION_AGENTS];
    int code =
        choose(s, "SELECT a.serial" RETENTION_OLD_AGENTS,
               s->retention.removal.cutoff, serials, PORTION_AGENTS, count);

    for (unsigned i = 0; i < *count && code == SQLITE_OK; i++)
        code = run_all(s, remove, serials[i]);
    s->retention.removal.agents += *count;
    return code;
}

/* From the leaves of families up. */
static int remove_groups(struct store *s, unsigned *count)
{
    static const char *const remove[] = {"DELETE FROM ledgers WHERE grp = ?1",
                                         "DELETE FROM orders WHERE grp = ?1",
                                         "DELETE FROM groups WHERE serial = ?1",
                                         NULL};
    uint64_t serials[PORTION_AGENTS];
    int code =
        choose(s, "SELECT g.serial" RETENTION_OLD_GROUPS,
               s->retention.removal.cutoff, serials, PORTION_AGENTS, count);

    for (unsigned i = 0; i < *count && code == SQLITE_OK; i++)
        code = run_all(s, remove, serials[i]);
    s->retention.removal.groups += *count;
    return code;
}

/*
 * The oldest rows as long as they are old, which needs no index: they were
 * added in the order of time. If the clock was set back, later.
 */
static int remove_rows(struct store *s, const char *newest, const char *remove,
                       uint64_t cutoff, uint64_t *removed, unsigned *count)
{
    uint64_t upto;
    unsigned has_any;
    int code = choose(s, newest, cutoff, &upto, 1, &has_any);

    *count = 0;
    if (code != SQLITE_OK || has_any == 0 || upto == 0)
        return code;
    code = run(s, remove, upto);
    *count = (unsigned)sqlite3_changes(s->db);
    *removed += *count;
    return code;
}

#define STRINGS(x) #x
#define STRING(x) STRINGS(x)
#define FIRST_OLD(key, table)                                                  \
    "SELECT max(key) FROM (SELECT " key " AS key, max(at) OVER"                \
    " (ORDER BY " key ") AS newest FROM (SELECT " key ", at FROM " table       \
    " ORDER BY " key " LIMIT " STRING(PORTION_ROWS) ")) WHERE newest < ?1"

static int remove_events(struct store *s, unsigned *count)
{
    return remove_rows(
        s, FIRST_OLD("seq", "events"), "DELETE FROM events WHERE seq <= ?1",
        s->retention.removal.cutoff, &s->retention.removal.events, count);
}

/* A moment needs a checkpoint and every event behind it. */
static int remove_checkpoints(struct store *s)
{
    return sqlite3_exec(s->db,
                        "DELETE FROM checkpoints WHERE seq + 1 <"
                        " (SELECT min(seq) FROM events)",
                        NULL, NULL, NULL);
}

static int remove_samples(struct store *s, unsigned *count)
{
    static const char *const remove[] = {
        "DELETE FROM samples WHERE agent = ?1",
        "UPDATE agents SET samples = 0 WHERE serial = ?1", NULL};
    uint64_t serials[PORTION_AGENTS];
    int code = choose(
        s,
        "SELECT serial FROM (SELECT serial, sum(samples) OVER (ORDER BY"
        " gone_at DESC, serial DESC) AS total FROM agents"
        " INDEXED BY agents_sampled WHERE samples > 0 AND gone_at > 0)"
        " WHERE total > ?1 ORDER BY serial",
        (uint64_t)s->retention.samples_bytes, serials, PORTION_AGENTS, count);

    for (unsigned i = 0; i < *count && code == SQLITE_OK; i++)
        code = run_all(s, remove, serials[i]);
    return code;
}

static int remove_calls(struct store *s, unsigned *count)
{
    return remove_rows(
        s, FIRST_OLD("rowid", "calls"), "DELETE FROM calls WHERE rowid <= ?1",
        s->retention.removal.calls_cutoff, &s->retention.removal.calls, count);
}
#undef FIRST_OLD
#undef STRING
#undef STRINGS

/* Numbers stay taken when what had them is removed. */
static int note_numbers(struct store *s)
{
    return sqlite3_exec(
        s->db,
        "INSERT INTO meta(name, value) SELECT 'last_serial',"
        " max(coalesce((SELECT max(serial) FROM agents), 0),"
        " coalesce((SELECT max(serial) FROM groups), 0)) WHERE 1"
        " ON CONFLICT(name) DO UPDATE SET value = max(value, excluded.value);"
        "INSERT INTO meta(name, value) SELECT 'last_seq',"
        " coalesce((SELECT max(seq) FROM events), 0) WHERE 1"
        " ON CONFLICT(name) DO UPDATE SET value = max(value, excluded.value);",
        NULL, NULL, NULL);
}

int retention_remove_portion(struct store *s, unsigned *count)
{
    int code = note_numbers(s);

    *count = 0;
    if (code == SQLITE_OK)
        code = remove_agents(s, count);
    if (code == SQLITE_OK && *count == 0)
        code = remove_groups(s, count);
    if (code == SQLITE_OK && *count == 0)
        code = remove_events(s, count);
    if (code == SQLITE_OK && *count == 0)
        code = remove_calls(s, count);
    if (code == SQLITE_OK && *count == 0)
        code = remove_checkpoints(s);
    if (code == SQLITE_OK && *count == 0)
        code = remove_samples(s, count);
    return code;
}

int retention_count_rows(struct store *s, const char *sql, uint64_t cutoff,
                         uint64_t *out)
{
    unsigned has_any;

    return choose(s, sql, cutoff, out, 1, &has_any);
}
