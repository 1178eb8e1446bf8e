/* SPDX-License-Identifier: MIT */
/*
 * Which agents a hub needs is decided first, by their numbers alone and from
 * indexes, so that a long history costs nothing; then they are read.
 */
#include "actors/store/inside.h"

#include <stdio.h>
#include <stdlib.h>

#include "actors/store/agent_row.h"
#include "actors/store/query.h"

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

struct past *past_unknown(const struct store_why *why)
{
    struct memory *m = memory_create();

    m->past.why = *why;
    return &m->past;
}

/* ---- which ------------------------------------------------------------- */

/* Deleted groups are found from the newest agent on: they end many. */
static const char choose[] =
    "CREATE TEMP TABLE wanted(serial INTEGER PRIMARY KEY);"
    "CREATE TEMP TABLE wanted_groups(serial INTEGER PRIMARY KEY);"
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
    "INSERT INTO wanted_groups WITH RECURSIVE up(serial) AS ("
    "SELECT serial FROM groups WHERE deleted_at = 0"
    " UNION SELECT a.grp FROM wanted w CROSS JOIN agents a"
    " ON a.serial = w.serial"
    " UNION SELECT g.parent FROM up CROSS JOIN groups g"
    " ON g.serial = up.serial WHERE g.parent IS NOT NULL)"
    " SELECT serial FROM up;";

static const char forget[] = "DROP TABLE IF EXISTS temp.wanted;"
                             "DROP TABLE IF EXISTS temp.wanted_groups;";

int past_choose(sqlite3 *db)
{
    return sqlite3_exec(db, choose, NULL, NULL, NULL);
}

void past_forget(sqlite3 *db)
{
    sqlite3_exec(db, forget, NULL, NULL, NULL);
}

/* ---- rows -------------------------------------------------------------- */

static void read_group(struct query_row *r, void *item)
{
    struct past_group *g = item;

    g->serial = query_row_number(r);
    g->parent = query_row_number(r);
    g->id = query_row_text(r);
    g->description = query_row_text(r);
    g->mode = query_row_text(r);
    g->created_at = query_row_number(r);
    g->deleted_at = query_row_number(r);
    g->stage = (unsigned)query_row_number(r);
    g->stages = (unsigned)query_row_number(r);
    g->has_plan = query_row_number(r) != 0;
    g->ledger = query_row_text(r);
    g->iteration = query_row_number(r);
    g->is_stalled = query_row_number(r) != 0;
    g->is_exhausted = query_row_number(r) != 0;
    g->language = query_row_text(r);
}

static const char groups_sql[] =
    "SELECT g.serial, g.parent, g.id, g.description, g.mode, g.created_at,"
    " g.deleted_at, g.stage, g.stages, g.has_plan, l.json, l.iteration,"
    " l.is_stalled, l.is_exhausted, g.language FROM temp.wanted_groups w"
    " CROSS JOIN groups g ON g.serial = w.serial"
    " LEFT JOIN ledgers l ON l.serial ="
    " (SELECT max(serial) FROM ledgers WHERE grp = g.serial)"
    " ORDER BY w.serial";

static void read_order(struct query_row *r, void *item)
{
    struct past_order *o = item;

    o->first = query_row_number(r);
    o->group = query_row_number(r);
    o->kind = query_row_text(r);
    o->args = query_row_text(r);
    o->caller = query_row_text(r);
    o->directory = query_row_text(r);
    o->count = (unsigned)query_row_number(r);
    o->created_at = query_row_number(r);
}

static const char orders_sql[] =
    "SELECT first, grp, kind, args, caller, directory, count, created_at"
    " FROM orders WHERE first IN (SELECT a.ord FROM temp.wanted w"
    " CROSS JOIN agents a ON a.serial = w.serial) ORDER BY first";

static void read_agent(struct query_row *r, void *item)
{
    agent_row_read(r->stmt, r->arena, item);
}

static const char agents_sql[] = AGENT_ROW_COLUMNS(
    "NULL, NULL", "NULL",
    "NULL, x.response, NULL") " FROM temp.wanted w CROSS JOIN agents a ON "
                              "a.serial = w.serial"
                              " CROSS JOIN texts x ON x.serial = w.serial "
                              "ORDER BY w.serial";

static void read_check(struct query_row *r, void *item)
{
    struct past_check *c = item;

    c->backend = query_row_text(r);
    c->program = query_row_text(r);
    c->model = query_row_text(r);
    c->prompt = query_row_text(r);
    c->at = query_row_number(r);
    c->response_ms = query_row_number(r);
}

static const char checks_sql[] =
    "SELECT backend, program, model, prompt, at, response_ms FROM health"
    " ORDER BY at DESC LIMIT 256";

static void read_conflict(struct query_row *r, void *item)
{
    struct past_conflict *c = item;

    c->agent = query_row_number(r);
    c->data = query_row_text(r);
}

static const char conflicts_sql[] =
    "SELECT e.agent, e.data FROM agents a INDEXED BY agents_not_gone"
    " CROSS JOIN events e INDEXED BY events_by_agent ON e.agent = a.serial"
    " WHERE a.gone_at = 0 AND e.type = 'agent:conflict'"
    " ORDER BY e.seq DESC LIMIT 10000";

static void read_notice(struct query_row *r, void *item)
{
    struct past_notice *n = item;

    n->number = query_row_number(r);
    n->kind = query_row_text(r);
    n->at = query_row_number(r);
    n->group = query_row_text(r);
    n->agent = query_row_text(r);
    n->role = query_row_text(r);
    n->other = query_row_text(r);
    n->first = query_row_number(r);
    n->second = query_row_number(r);
    n->text = query_row_text(r);
}

static const char notices_sql[] =
    "SELECT number, kind, at, grp, agent, role, other, first, second, text"
    " FROM notices ORDER BY number";

static void read_serial(struct query_row *r, void *item)
{
    *(uint64_t *)item = query_row_number(r);
}

static const char stalled_sql[] =
    "SELECT DISTINCT a.serial FROM agents a INDEXED BY agents_not_gone"
    " CROSS JOIN events e INDEXED BY events_by_agent ON e.agent = a.serial"
    " WHERE a.gone_at = 0 AND e.type = 'agent:stalled' ORDER BY a.serial";

struct list {
    const char *sql;
    size_t size;
    void (*read)(struct query_row *, void *item);
};

static int read_list(sqlite3 *db, struct memory *m, const struct list *l,
                     void *items, size_t *count)
{
    struct query_row row = {.arena = &m->arena};
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
    static const struct list agents = {agents_sql, sizeof(struct agent_record),
                                       read_agent};
    static const struct list conflicts = {
        conflicts_sql, sizeof(struct past_conflict), read_conflict};
    static const struct list notices = {notices_sql, sizeof(struct past_notice),
                                        read_notice};
    static const struct list stalled = {stalled_sql, sizeof(uint64_t),
                                        read_serial};
    struct past *p = &m->past;
    int code = read_list(db, m, &groups, &p->groups, &p->group_count);

    if (code == SQLITE_OK)
        code = read_list(db, m, &orders, &p->orders, &p->order_count);
    if (code == SQLITE_OK)
        code = read_list(db, m, &agents, &p->agents, &p->agent_count);
    if (code == SQLITE_OK)
        code = read_list(db, m, &conflicts, &p->conflicts, &p->conflict_count);
    if (code == SQLITE_OK)
        code = read_list(db, m, &notices, &p->notices, &p->notice_count);
    if (code == SQLITE_OK)
        code = read_list(db, m, &stalled, &p->stalled, &p->stalled_count);
    return code;
}

/* ---- what was spent ----------------------------------------------------- */

static void read_spent(struct query_row *r, void *item)
{
    struct past_spent *s = item;

    s->group = query_row_number(r);
    s->cost = query_row_number(r);
}

static const char spent_sql[] =
    "WITH RECURSIVE below(top, serial) AS ("
    "SELECT serial, serial FROM temp.wanted_groups"
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
        code = query_sql_number(db, sql, &today);
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
    int64_t serial = 0, seq = 0, second = 0, no_role = 0;
    int code = query_sql_number(
        db,
        "SELECT max(coalesce((SELECT max(serial) FROM agents), 0),"
        " coalesce((SELECT max(serial) FROM groups), 0),"
        " coalesce((SELECT first + max(count, 1) - 1 FROM orders"
        " ORDER BY first DESC LIMIT 1), 0),"
        " coalesce((SELECT value FROM meta WHERE name = 'last_serial'), 0))",
        &serial);

    if (code == SQLITE_OK)
        code = query_sql_number(
            db,
            "SELECT max(coalesce((SELECT max(seq) FROM events), 0),"
            " coalesce((SELECT value FROM meta WHERE name = 'last_seq'), 0))",
            &seq);
    if (code == SQLITE_OK)
        code = query_sql_number(db, seconds_sql, &second);
    if (code == SQLITE_OK)
        code = query_sql_number(db,
                                "SELECT coalesce((SELECT value FROM meta"
                                " WHERE name = 'no_role_told'), 0)",
                                &no_role);
    p->is_no_role_told = no_role != 0;
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

int past_checks(sqlite3 *db, struct past **past)
{
    static const struct list checks = {checks_sql, sizeof(struct past_check),
                                       read_check};
    struct memory *m = memory_create();

    return give(
        m, read_list(db, m, &checks, &m->past.checks, &m->past.check_count),
        past);
}

/* What was spent too, budget or not: one may be set while the hub runs. */
int past_load(sqlite3 *db, uint64_t now, struct past **past)
{
    struct memory *m = memory_create();
    int code = past_choose(db);

    if (code == SQLITE_OK)
        code = read_lists(db, m);
    if (code == SQLITE_OK)
        code = read_numbers(db, &m->past);
    if (code == SQLITE_OK)
        code = read_spending(db, m, now);
    past_forget(db);
    return give(m, code, past);
}
