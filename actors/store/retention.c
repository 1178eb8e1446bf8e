/* SPDX-License-Identifier: MIT */
#include "actors/store/retention.h"

#include <stdlib.h>

#include "actors/store/cleaner.h"
#include "actors/store/inside.h"
#include "actors/store/query.h"
#include "runtime/text/array.h"
#include "runtime/text/json.h"

#define PORTION_AGENTS 32
#define PORTION_ROWS 512
#define IDS_SHOWN 10000

/* ---- one portion ------------------------------------------------------- */

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

#define OLD_AGENTS                                                             \
    " FROM groups g CROSS JOIN agents a ON a.grp = g.serial"                   \
    " WHERE g.deleted_at > 0 AND g.deleted_at < ?1 AND a.gone_at > 0"
#define OLD_GROUPS                                                             \
    " FROM groups g WHERE g.deleted_at > 0 AND g.deleted_at < ?1"              \
    " AND NOT EXISTS(SELECT 1 FROM agents a WHERE a.grp = g.serial)"           \
    " AND NOT EXISTS(SELECT 1 FROM groups c WHERE c.parent = g.serial)"

static int remove_agents(struct store *s, unsigned *count)
{
    static const char *const remove[] = {
        "INSERT INTO agents_fts(agents_fts, rowid, prompt, summary, response,"
        " files) SELECT 'delete', serial, prompt, summary, response, files"
        " FROM searchable WHERE serial = ?1",
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
        choose(s, "SELECT a.serial" OLD_AGENTS, s->retention.removal.cutoff,
               serials, PORTION_AGENTS, count);

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
        choose(s, "SELECT g.serial" OLD_GROUPS, s->retention.removal.cutoff,
               serials, PORTION_AGENTS, count);

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

static int remove_portion(struct store *s, unsigned *count)
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

/* ---- its end ----------------------------------------------------------- */

/* Ids that SQL gives, each by `put`. */
static int put_ids(struct store *s, const char *sql, uint64_t cutoff,
                   struct bytes *out, void (*put)(struct bytes *, struct slice),
                   size_t *count)
{
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);

    *count = 0;
    if (code == SQLITE_OK && sqlite3_bind_parameter_count(stmt) > 0)
        code = sqlite3_bind_int64(stmt, 1, (int64_t)cutoff);
    while (code == SQLITE_OK && *count < IDS_SHOWN &&
           (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        put(out, query_column(stmt, 0));
        ++*count;
        code = SQLITE_OK;
    }
    sqlite3_finalize(stmt);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static void put_line(struct bytes *out, struct slice id)
{
    json_raw(out, id);
    JSON_RAW(out, "\n");
}

static void put_item(struct bytes *out, struct slice id)
{
    if (out->ptr[out->len - 1] != '[')
        JSON_RAW(out, ",");
    json_string(out, id);
}

static void tell_removed(struct rt_turn *t, struct store *s)
{
    struct cleaner_list *list = cleaner_list_create();

    if (put_ids(s, "SELECT id FROM leavings", 0, &list->lines, put_line,
                &list->count) == SQLITE_OK &&
        list->count > 0)
        rt_pass(t, s->registry, STORE_REMOVED, &list->obj);
    rt_obj_drop(&list->obj);
}

static int answer(struct rt_turn *t, struct store *s,
                  const struct retention_removal *r, struct order *o,
                  bool is_dry, const char *ids)
{
    struct answer *a = answer_create(o->ticket);
    struct bytes *out = &a->json;
    uint64_t drop = 0, pack = 0;
    size_t count;
    int code;

    JSON_RAW(out, "{");
    JSON_BOOL(out, "dryRun", is_dry);
    JSON_UINT(out, "agents", r->agents);
    JSON_UINT(out, "groups", r->groups);
    JSON_UINT(out, "events", r->events);
    JSON_UINT(out, "calls", r->calls);
    JSON_KEY(out, "agentIds");
    JSON_RAW(out, "[");
    code = put_ids(s, ids, r->cutoff, out, put_item, &count);
    JSON_RAW(out, "]");
    if (code == SQLITE_OK)
        code = retention_count_transcripts(t, s, &drop, &pack);
    JSON_UINT(out, "transcriptsToDrop", drop);
    JSON_UINT(out, "transcriptsToCompress", pack);
    JSON_RAW(out, "}");
    if (code == SQLITE_OK)
        answer_send(t, o, a);
    else
        rt_obj_drop(&a->obj);
    return code;
}

static void refuse(struct rt_turn *t, struct store *s, struct order *o)
{
    ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, STORE_CANNOT_BE_WRITTEN,
                 store_why_in(&s->why, order_is_english(o)));
}

static void end(struct store *s)
{
    struct retention_removal *r = &s->retention.removal;

    for (size_t i = 0; i < r->order_count; i++)
        rt_obj_drop(&r->orders[i]->obj);
    free(r->orders);
    *r = (struct retention_removal){.is_on = false};
}

void retention_finish(struct rt_turn *t, struct store *s)
{
    const struct retention_removal *r = &s->retention.removal;

    if (!r->is_over)
        return;
    tell_removed(t, s);
    for (size_t i = 0; i < r->order_count; i++)
        if (answer(t, s, r, r->orders[i], false, "SELECT id FROM leavings") !=
            SQLITE_OK)
            refuse(t, s, r->orders[i]);
    end(s);
    retention_list_transcripts(t, s);
}

void retention_abandon(struct rt_turn *t, struct store *s)
{
    const struct retention_removal *r = &s->retention.removal;

    for (size_t i = 0; i < r->order_count; i++)
        refuse(t, s, r->orders[i]);
    end(s);
}

/* ---- its beginning ----------------------------------------------------- */

static struct retention_removal begin(struct rt_turn *t, const struct store *s)
{
    uint64_t now = rt_wall_ms(t),
             keep = (uint64_t)s->retention.keep_days * RETENTION_DAY_MS;

    return (struct retention_removal){
        .is_on = true,
        /* 0 days: for ever. */
        .cutoff = s->retention.keep_days > 0 && now > keep ? now - keep : 0,
        .calls_cutoff = now > RECALLS_KEPT_MS ? now - RECALLS_KEPT_MS : 0};
}

/* It is answered when the removal is over. */
static void add_order(struct retention_removal *r, struct order *o)
{
    ARRAY_GROW(r->orders, r->order_count);
    r->orders[r->order_count++] = RT_KEEP(o);
}

static int count_rows(struct store *s, const char *sql, uint64_t cutoff,
                      uint64_t *out)
{
    unsigned has_any;

    return choose(s, sql, cutoff, out, 1, &has_any);
}

static void dry_run(struct rt_turn *t, struct store *s, struct order *o)
{
    struct store_why why;
    struct retention_removal r = begin(t, s);
    int code;

    code = count_rows(s, "SELECT count(*)" OLD_AGENTS, r.cutoff, &r.agents);
    if (code == SQLITE_OK)
        code = count_rows(s,
                          "SELECT count(*) FROM groups WHERE deleted_at > 0"
                          " AND deleted_at < ?1",
                          r.cutoff, &r.groups);
    if (code == SQLITE_OK)
        code = count_rows(s, "SELECT count(*) FROM events WHERE at < ?1",
                          r.cutoff, &r.events);
    if (code == SQLITE_OK)
        code = count_rows(s, "SELECT count(*) FROM calls WHERE at < ?1",
                          r.calls_cutoff, &r.calls);
    if (code == SQLITE_OK)
        code = answer(t, s, &r, o, true,
                      "SELECT a.id" OLD_AGENTS " UNION SELECT id"
                      " FROM leavings");
    if (code != SQLITE_OK) {
        database_why(&why, s->path, s->db, code);
        ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, STORE_UNREADABLE,
                     store_why_in(&why, order_is_english(o)));
    }
}
#undef OLD_AGENTS
#undef OLD_GROUPS

void retention_begin(struct rt_turn *t, struct store *s, struct order *o)
{
    yyjson_val *dry = o != NULL ? FIELD(o->args, "dryRun") : NULL;

    if (o != NULL && !s->is_good && !yyjson_get_bool(dry)) {
        refuse(t, s, o);
        return;
    }
    if (yyjson_get_bool(dry)) {
        dry_run(t, s, o);
        return;
    }
    if (!s->retention.removal.is_on) {
        s->retention.removal = begin(t, s);
        rt_tell(t, rt_self(t), STORE_RETENTION_STEP, NULL, 0);
    }
    if (o != NULL) /* the one that is under way does for all */
        add_order(&s->retention.removal, o);
}

void retention_step(struct rt_turn *t, struct store *s)
{
    unsigned count;
    int code;

    if (!s->retention.removal.is_on || s->retention.removal.is_over)
        return; /* abandoned meanwhile */
    code = batch_begin(t, s);
    if (code == SQLITE_OK)
        code = remove_portion(s, &count);
    if (code != SQLITE_OK)
        store_trouble(t, s, code);
    else if (count > 0)
        rt_tell(t, rt_self(t), STORE_RETENTION_STEP, NULL, 0);
    else
        s->retention.removal.is_over = true;
}
