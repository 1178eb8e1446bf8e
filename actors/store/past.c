/* SPDX-License-Identifier: MIT */
/*
 * Which agents a hub needs is decided first, by their numbers alone and from
 * indexes, so that a long history costs nothing; then they are read.
 */
#include "actors/store/inside.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/text/arena.h"

struct memory {
    struct past past;
    struct arena arena;
};

static void free_past(struct rt_obj *obj)
{
    arena_finish(&((struct memory *)obj)->arena);
    free(obj);
}

static struct memory *memory_create(void)
{
    struct memory *m = bytes_zalloc(sizeof(*m));

    rt_obj_init(&m->past.obj, free_past);
    return m;
}

struct past *store_past_unknown(const char *why)
{
    struct memory *m = memory_create();
    size_t len = strlen(why);

    m->past.why = slice_of(arena_copy(&m->arena, why, len), len);
    return &m->past;
}

/* ---- which ------------------------------------------------------------- */

/* Deleted groups are found from the newest agent on: they end many. */
static const char choose[] =
    "CREATE TEMP TABLE wanted(serial INTEGER PRIMARY KEY);"
    "CREATE TEMP TABLE rooms(serial INTEGER PRIMARY KEY);"
    "INSERT OR IGNORE INTO wanted SELECT serial FROM agents"
    " INDEXED BY agents_not_gone WHERE gone_at = 0;"
    "INSERT OR IGNORE INTO wanted SELECT a.serial FROM groups g"
    " CROSS JOIN agents a ON a.grp = g.serial WHERE g.deleted_at = 0"
    " ORDER BY a.serial DESC LIMIT 1000;"
    "INSERT OR IGNORE INTO wanted SELECT a.serial FROM agents a"
    " CROSS JOIN groups g ON g.serial = a.grp WHERE g.deleted_at > 0"
    " ORDER BY a.serial DESC LIMIT 20;"
    /* a plan that has not ended is the newest of its group */
    "INSERT OR IGNORE INTO wanted SELECT a.serial FROM groups g"
    " CROSS JOIN agents a ON a.ord = (SELECT max(o.first) FROM orders o"
    " WHERE o.grp = g.serial AND o.kind = 'run_sequential')"
    " WHERE g.deleted_at = 0 AND g.has_plan;"
    /* what a magentic group may do stands in the order of its orchestrator */
    "INSERT OR IGNORE INTO wanted SELECT a.serial FROM groups g"
    " CROSS JOIN orders o ON o.grp = g.serial AND o.kind = 'run_magentic'"
    " CROSS JOIN agents a ON a.ord = o.first"
    " WHERE g.deleted_at = 0 AND g.mode = 'magentic';"
    "INSERT INTO rooms WITH RECURSIVE up(serial) AS ("
    "SELECT serial FROM groups WHERE deleted_at = 0"
    " UNION SELECT a.grp FROM wanted w CROSS JOIN agents a"
    " ON a.serial = w.serial"
    " UNION SELECT g.parent FROM up CROSS JOIN groups g"
    " ON g.serial = up.serial WHERE g.parent IS NOT NULL)"
    " SELECT serial FROM up;";

static const char forget[] = "DROP TABLE IF EXISTS temp.wanted;"
                             "DROP TABLE IF EXISTS temp.rooms;";

/* ---- rows -------------------------------------------------------------- */

/* A row that is being read: columns are taken from left to right. */
struct row {
    struct arena *arena;
    sqlite3_stmt *stmt;
    int at;
};

static uint64_t number(struct row *r)
{
    int64_t value = sqlite3_column_int64(r->stmt, r->at++);

    return value > 0 ? (uint64_t)value : 0;
}

static struct slice text(struct row *r)
{
    const char *ptr = (const char *)sqlite3_column_text(r->stmt, r->at);
    int len = sqlite3_column_bytes(r->stmt, r->at++);

    if (ptr == NULL || len == 0)
        return SLICE_EMPTY;
    return slice_of(arena_copy(r->arena, ptr, (size_t)len), (size_t)len);
}

static void read_group(struct row *r, void *item)
{
    struct past_group *g = item;

    g->serial = number(r);
    g->parent = number(r);
    g->id = text(r);
    g->description = text(r);
    g->mode = text(r);
    g->created_at = number(r);
    g->deleted_at = number(r);
    g->stage = (unsigned)number(r);
    g->stages = (unsigned)number(r);
    g->has_plan = number(r) != 0;
    g->ledger = text(r);
    g->iteration = number(r);
    g->is_stalled = number(r) != 0;
    g->is_exhausted = number(r) != 0;
}

static const char groups_sql[] =
    "SELECT g.serial, g.parent, g.id, g.description, g.mode, g.created_at,"
    " g.deleted_at, g.stage, g.stages, g.has_plan, l.json, l.iteration,"
    " l.is_stalled, l.is_exhausted FROM temp.rooms w"
    " CROSS JOIN groups g ON g.serial = w.serial"
    " LEFT JOIN ledgers l ON l.serial ="
    " (SELECT max(serial) FROM ledgers WHERE grp = g.serial)"
    " ORDER BY w.serial";

static void read_order(struct row *r, void *item)
{
    struct past_order *o = item;

    o->first = number(r);
    o->group = number(r);
    o->kind = text(r);
    o->args = text(r);
    o->caller = text(r);
    o->directory = text(r);
    o->count = (unsigned)number(r);
    o->created_at = number(r);
}

static const char orders_sql[] =
    "SELECT first, grp, kind, args, caller, directory, count, created_at"
    " FROM orders WHERE first IN (SELECT a.ord FROM temp.wanted w"
    " CROSS JOIN agents a ON a.serial = w.serial) ORDER BY first";

static void read_agent(struct row *r, void *item)
{
    struct past_agent *a = item;

    a->serial = number(r);
    a->order = number(r);
    a->group = number(r);
    a->id = text(r);
    a->state = text(r);
    a->role = text(r);
    a->model = text(r);
    a->backend = text(r);
    a->stage = (unsigned)number(r);
    a->created_at = number(r);
    a->started_at = number(r);
    a->finished_at = number(r);
    a->gone_at = number(r);
    a->elapsed_ms = number(r);
    a->tool_calls = number(r);
    a->session_id = text(r);
    a->cli_model = text(r);
    a->input = number(r);
    a->output = number(r);
    a->cache_read = number(r);
    a->cache_write = number(r);
    a->outcome = text(r);
    a->summary = text(r);
    a->response = text(r);
    a->error = text(r);
    a->edited = text(r);
    a->created = text(r);
    a->duration_ms = number(r);
    a->is_reported = number(r) != 0;
    a->cost = number(r);
    a->has_cost = number(r) != 0;
    a->messages = number(r);
    a->lines = number(r);
}

static const char agents_sql[] =
    "SELECT a.serial, a.ord, a.grp, a.id, a.state, a.role, a.model, a.backend,"
    " a.stage, a.created_at, a.started_at, a.finished_at, a.gone_at,"
    " a.elapsed_ms, a.tool_calls, a.session_id, a.cli_model, a.input, a.output,"
    " a.cache_read, a.cache_write, a.outcome, x.summary, x.response, x.error,"
    " x.edited, x.created, a.duration_ms, a.is_reported, a.cost,"
    " a.cost IS NOT NULL, a.messages, a.lines"
    " FROM temp.wanted w CROSS JOIN agents a ON a.serial = w.serial"
    " CROSS JOIN texts x ON x.serial = w.serial ORDER BY w.serial";

static void read_check(struct row *r, void *item)
{
    struct past_check *c = item;

    c->backend = text(r);
    c->program = text(r);
    c->model = text(r);
    c->prompt = text(r);
    c->at = number(r);
    c->response_ms = number(r);
}

static const char checks_sql[] =
    "SELECT backend, program, model, prompt, at, response_ms FROM health"
    " ORDER BY at DESC LIMIT 256";

struct list {
    const char *sql;
    size_t size;
    void (*read)(struct row *, void *item);
};

static int read_list(sqlite3 *db, struct memory *m, const struct list *l,
                     void *items, size_t *count)
{
    struct row row = {.arena = &m->arena};
    char *array = NULL;
    int code = sqlite3_prepare_v2(db, l->sql, -1, &row.stmt, NULL);

    if (code != SQLITE_OK)
        return code;
    while ((code = sqlite3_step(row.stmt)) == SQLITE_ROW) {
        array = arena_grow(&m->arena, array, *count, l->size);
        row.at = 0;
        l->read(&row, array + *count * l->size);
        ++*count;
    }
    memcpy(items, &array, sizeof(array));
    sqlite3_finalize(row.stmt);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int read_lists(sqlite3 *db, struct memory *m)
{
    static const struct list groups = {groups_sql, sizeof(struct past_group),
                                       read_group};
    static const struct list orders = {orders_sql, sizeof(struct past_order),
                                       read_order};
    static const struct list agents = {agents_sql, sizeof(struct past_agent),
                                       read_agent};
    struct past *p = &m->past;
    int code = read_list(db, m, &groups, &p->groups, &p->group_count);

    if (code == SQLITE_OK)
        code = read_list(db, m, &orders, &p->orders, &p->order_count);
    if (code == SQLITE_OK)
        code = read_list(db, m, &agents, &p->agents, &p->agent_count);
    return code;
}

/* ---- what was spent ----------------------------------------------------- */

static void read_spent(struct row *r, void *item)
{
    struct past_spent *s = item;

    s->group = number(r);
    s->cost = number(r);
}

static const char spent_sql[] =
    "WITH RECURSIVE below(top, serial) AS ("
    "SELECT serial, serial FROM temp.rooms"
    " UNION ALL SELECT b.top, g.serial FROM below b"
    " CROSS JOIN groups g ON g.parent = b.serial)"
    " SELECT b.top, sum(a.cost) FROM below b"
    " CROSS JOIN agents a ON a.grp = b.serial WHERE a.cost > 0"
    " GROUP BY b.top ORDER BY b.top";

static int read_spending(sqlite3 *db, struct memory *m, uint64_t now)
{
    static const struct list spent = {spent_sql, sizeof(struct past_spent),
                                      read_spent};
    const uint64_t day_ms = (uint64_t)24 * 3600 * 1000;
    struct past *p = &m->past;
    int64_t today = 0;
    char sql[160];
    int code = read_list(db, m, &spent, &p->spent, &p->spent_count);

    p->spent_day = now / day_ms;
    snprintf(sql, sizeof(sql),
             "SELECT sum(cost) FROM agents WHERE started_at >= %llu"
             " AND started_at < %llu",
             (unsigned long long)(p->spent_day * day_ms),
             (unsigned long long)((p->spent_day + 1) * day_ms));
    if (code == SQLITE_OK)
        code = store_sql_number(db, sql, &today);
    p->spent_today = today > 0 ? (uint64_t)today : 0;
    return code;
}

/* `{role}-{seconds}-{4 hex}`: seconds have ten digits until 2286. */
static const char seconds_sql[] =
    "SELECT max(coalesce((SELECT CAST(substr(id, -15, 10) AS INTEGER)"
    " FROM groups ORDER BY serial DESC LIMIT 1), 0),"
    " coalesce((SELECT CAST(substr(id, -15, 10) AS INTEGER)"
    " FROM agents ORDER BY serial DESC LIMIT 1), 0))";

/* An order's agents may not all have rows yet when they are numbered. */
static int read_numbers(sqlite3 *db, struct past *p)
{
    int64_t serial = 0, seq = 0, second = 0;
    int code = store_sql_number(
        db,
        "SELECT max(coalesce((SELECT max(serial) FROM agents), 0),"
        " coalesce((SELECT max(serial) FROM groups), 0),"
        " coalesce((SELECT first + max(count, 1) - 1 FROM orders"
        " ORDER BY first DESC LIMIT 1), 0),"
        " coalesce((SELECT value FROM meta WHERE name = 'last_serial'), 0))",
        &serial);

    if (code == SQLITE_OK)
        code = store_sql_number(
            db,
            "SELECT max(coalesce((SELECT max(seq) FROM events), 0),"
            " coalesce((SELECT value FROM meta WHERE name = 'last_seq'), 0))",
            &seq);
    if (code == SQLITE_OK)
        code = store_sql_number(db, seconds_sql, &second);
    p->last_second = second > 0 ? (uint64_t)second : 0;
    p->last_serial = (uint64_t)serial;
    p->last_seq = (uint64_t)seq;
    return code;
}

static int give(struct memory *m, int code, struct past **past)
{
    m->past.is_known = code == SQLITE_OK;
    if (code != SQLITE_OK)
        rt_obj_drop(&m->past.obj);
    *past = code == SQLITE_OK ? &m->past : NULL;
    return code;
}

int store_past_checks(sqlite3 *db, struct past **past)
{
    static const struct list checks = {checks_sql, sizeof(struct past_check),
                                       read_check};
    struct memory *m = memory_create();

    return give(
        m, read_list(db, m, &checks, &m->past.checks, &m->past.check_count),
        past);
}

int store_past_load(sqlite3 *db, uint64_t budget_at, struct past **past)
{
    struct memory *m = memory_create();
    int code = sqlite3_exec(db, choose, NULL, NULL, NULL);

    if (code == SQLITE_OK)
        code = read_lists(db, m);
    if (code == SQLITE_OK)
        code = read_numbers(db, &m->past);
    if (code == SQLITE_OK && budget_at > 0)
        code = read_spending(db, m, budget_at);
    sqlite3_exec(db, forget, NULL, NULL, NULL);
    return give(m, code, past);
}
