/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "actors/projects/inside.h"

/* Beyond it nobody knows any more whether an order of that key was carried out
 * (store: calls are kept for an hour). */
#define CLAIM_MS ((int64_t)50 * 60 * 1000)

#define GROUP_AGENTS 100 /* of one group; then another is begun */

struct pair {
    char agent[PM_ID], project[PM_ID];
};

/* ---- what is to do next ------------------------------------------------ */

/* The next task of a profile that is free, if nothing stands in its way. */
static bool begin_next(struct work *w, const struct pair *p)
{
    struct sql q = sql_open(
        w, "SELECT t.id FROM pm_tasks t JOIN pm_agents a ON a.id = t.assignee"
           " WHERE t.assignee = ?1 AND t.project = ?2 AND t.status = 'todo'"
           " AND NOT EXISTS (SELECT 1 FROM pm_dependencies d JOIN pm_tasks n"
           " ON n.id = d.needs WHERE d.task = t.id AND n.status <> 'done')"
           " AND NOT EXISTS (SELECT 1 FROM pm_tasks o WHERE o.assignee = ?1"
           " AND o.project = ?2 AND o.status = 'in_progress')" TASK_ORDER
           " LIMIT 1");
    char id[PM_ID] = "";
    struct task t;

    sql_text(&q, 1, slice_cstr(p->agent));
    sql_text(&q, 2, slice_cstr(p->project));
    if (sql_next(&q))
        slice_keep(id, sizeof(id), sql_column(&q, 0));
    sql_close(&q);
    if (id[0] == 0 || !task_find(w, slice_cstr(id), &t))
        return false;
    status_set(w, &t, SLICE("in_progress"), SLICE_EMPTY, SLICE("runner"));
    return true;
}

static bool is_to_start(struct pm_work *w, const struct pair *p)
{
    struct slice agent = slice_cstr(p->agent);
    struct slice project = slice_cstr(p->project), why;
    bool is_so;

    why = start_reason(&w->work, agent, project, &is_so);
    return is_so || (w->limits.starts_todo && slice_eq(why, SLICE("no_task")) &&
                     begin_next(&w->work, p));
}

/* ---- claims ------------------------------------------------------------ */

static int64_t count_live(struct work *w)
{
    struct sql q = sql_open(w, "SELECT count(*) FROM pm_instances"
                               " WHERE ended_at = 0");
    int64_t count = sql_next(&q) ? sql_number(&q, 0) : 0;

    sql_close(&q);
    return count;
}

static void claim(struct pm_work *w, const struct pair *p, unsigned number)
{
    struct sql q = sql_open(
        &w->work, "INSERT INTO pm_instances(id, agent, project, claimed_at,"
                  " key_until) VALUES(?1, ?2, ?3, ?4, ?4 + ?5)");
    char id[PM_ID];

    snprintf(id, sizeof(id), "ins_%s-%u", w->drawn[0], number);
    sql_text(&q, 1, slice_cstr(id));
    sql_text(&q, 2, slice_cstr(p->agent));
    sql_text(&q, 3, slice_cstr(p->project));
    sql_int(&q, 4, (int64_t)w->work.now);
    sql_int(&q, 5, w->limits.lease_ms);
    sql_run(&q);
}

/* The pair after this one, in the order of projects and names. */
static bool next_pair(struct work *w, int64_t number, struct pair *p)
{
    struct sql q = sql_open(
        w, "SELECT s.agent, s.project FROM pm_assignments s JOIN pm_projects p"
           " ON p.id = s.project JOIN pm_agents a ON a.id = s.agent WHERE"
           " p.status = 'active' AND a.status = 'active' AND a.type = 'ai'"
           " ORDER BY p.created_at, p.id, a.name, a.id LIMIT 1 OFFSET ?1");
    bool is_there;

    sql_int(&q, 1, number);
    is_there = sql_next(&q);
    if (is_there) {
        slice_keep(p->agent, sizeof(p->agent), sql_column(&q, 0));
        slice_keep(p->project, sizeof(p->project), sql_column(&q, 1));
    }
    sql_close(&q);
    return is_there;
}

static void claim_all(struct pm_work *w)
{
    int64_t free = w->limits.max_concurrent - count_live(&w->work);
    struct pair p;

    for (int64_t i = 0; free > 0 && next_pair(&w->work, i, &p); i++) {
        if (!is_to_start(w, &p))
            continue;
        claim(w, &p, (unsigned)i);
        free--;
    }
}

/* ---- instances without an agent ---------------------------------------- */

/* An earlier hub may have started it, and had no time to note that. */
static void note_started(struct work *w)
{
    struct sql q = sql_open(
        w, "UPDATE pm_instances SET run = coalesce((SELECT"
           " json_extract(c.answer, '$.agents[0].agentId') FROM calls c WHERE"
           " c.key = pm_instances.id), '') WHERE ended_at = 0 AND run = ''");

    sql_run(&q);
    q = sql_open(w, "UPDATE pm_instances SET ended_at = ?1,"
                    " outcome = 'lost' WHERE ended_at = 0 AND run = ''"
                    " AND claimed_at < ?1 - ?2");
    sql_int(&q, 1, (int64_t)w->now);
    sql_int(&q, 2, CLAIM_MS);
    sql_run(&q);
}

/* What the agent is told: who it is, and what there is to do. The task itself
 * it fetches; it stands here too, so that a person who reads the prompt knows
 * what it was about. */
static void put_prompt(struct pm_work *w, struct bytes *out,
                       const struct sql *q)
{
    struct sql task = sql_open(
        &w->work,
        "SELECT t.id, t.title, t.description FROM pm_tasks t WHERE"
        " t.project = ?2 AND (t.assignee = ?1 AND t.status ="
        " 'in_progress' OR EXISTS (SELECT 1 FROM pm_handoffs h WHERE"
        " h.task = t.id AND h.receiver = ?1 AND h.accepted_at = 0))" TASK_ORDER
        " LIMIT 1");
    struct bytes text = {0};
    struct slice agent = sql_column(q, 1), project = sql_column(q, 2);
    struct slice name = sql_column(q, 4), directory = sql_column(q, 3);

    sql_text(&task, 1, agent);
    sql_text(&task, 2, project);
    sql_next(&task);
#define TEXT(s) (int)(s).len, (s).ptr
    bytes_format(&text, MESSAGE(w->is_english, RUNNER_PROMPT),
                 TEXT(sql_column(&task, 1)), TEXT(sql_column(&task, 0)),
                 TEXT(project), TEXT(agent), TEXT(name), TEXT(directory),
                 TEXT(sql_column(&task, 2)), TEXT(agent), TEXT(project),
                 TEXT(agent));
#undef TEXT
    sql_close(&task);
    JSON_TEXT(out, "prompt", bytes_slice(&text));
    bytes_finish(&text);
}

/* The project's group, if it has a place left: one that grew for ever would be
 * kept for ever. */
#define GROUP                                                                  \
    "(SELECT g.id FROM groups g WHERE g.description = 'pm:' || i.project AND"  \
    " g.deleted_at = 0 AND g.parent IS NULL AND (SELECT count(*) FROM agents"  \
    " x WHERE x.grp = g.serial) < ?2 ORDER BY g.serial LIMIT 1)"

static void put_waiting(struct pm_work *w)
{
    struct sql q = sql_open(
        &w->work, "SELECT i.id, i.agent, i.project, coalesce(p.directory, ''),"
                  " a.name, coalesce(a.runs_as, ?1), " GROUP
                  " FROM pm_instances i JOIN pm_projects p ON p.id = i.project"
                  " JOIN pm_agents a ON a.id = i.agent WHERE i.ended_at = 0"
                  " AND i.run = '' ORDER BY i.claimed_at, i.id");
    struct bytes *out = &w->found;
    bool is_first = true;

    sql_text(&q, 1, slice_cstr(w->role));
    sql_int(&q, 2, GROUP_AGENTS);
    JSON_RAW(out, "[");
    for (; sql_next(&q); is_first = false) {
        json_raw(out, is_first ? SLICE("{") : SLICE(",{"));
        JSON_TEXT(out, "id", sql_column(&q, 0));
        JSON_TEXT(out, "agent", sql_column(&q, 1));
        JSON_TEXT(out, "project", sql_column(&q, 2));
        JSON_TEXT(out, "directory", sql_column(&q, 3));
        JSON_TEXT(out, "role", sql_column(&q, 5));
        PM_TEXT(out, "group", sql_column(&q, 6));
        put_prompt(w, out, &q);
        JSON_RAW(out, "}");
    }
    sql_close(&q);
    JSON_RAW(out, "]");
}

/* What its agents did is history, which retention looks after. */
static void put_full(struct pm_work *w)
{
    struct sql q = sql_open(
        &w->work, "SELECT g.id FROM groups g WHERE g.description LIKE 'pm:%'"
                  " AND g.deleted_at = 0 AND g.parent IS NULL AND (SELECT"
                  " count(*) FROM agents x WHERE x.grp = g.serial) >= ?1 AND"
                  " NOT EXISTS (SELECT 1 FROM agents x WHERE x.grp = g.serial"
                  " AND x.gone_at = 0) ORDER BY g.serial LIMIT 20");
    bool is_first = true;

    sql_int(&q, 1, GROUP_AGENTS);
    JSON_RAW(&w->found, "[");
    for (; sql_next(&q); is_first = false) {
        if (!is_first)
            JSON_RAW(&w->found, ",");
        json_string(&w->found, sql_column(&q, 0));
    }
    sql_close(&q);
    JSON_RAW(&w->found, "]");
}

void runner_look(struct work *work)
{
    struct pm_work *w = (struct pm_work *)work;

    w->found.len = 0;
    note_started(work);
    runner_settle(w);
    claim_all(w);
    JSON_RAW(&w->found, "{\"starts\":");
    put_waiting(w);
    JSON_RAW(&w->found, ",\"full\":");
    put_full(w);
    JSON_RAW(&w->found, "}");
}
