/* SPDX-License-Identifier: MIT */
#include "actors/projects/inside.h"

/* No pause is longer: one that seems so is of a clock that was set back. */
#define COOL_MAX_MS ((int64_t)30 * 86400 * 1000)

/* One is on its way: started, and not yet at work. */
static bool is_on_its_way(struct work *w, struct slice agent,
                          struct slice project)
{
    struct sql q = sql_open(w, "SELECT 1 FROM pm_instances WHERE agent = ?1"
                               " AND project = ?2 AND ended_at = 0");
    bool is_so;

    sql_text(&q, 1, agent);
    sql_text(&q, 2, project);
    is_so = sql_next(&q);
    sql_close(&q);
    return is_so;
}

static bool is_cooling(struct work *w, struct slice agent, struct slice project)
{
    struct sql q = sql_open(w, "SELECT 1 FROM pm_assignments WHERE agent = ?1"
                               " AND project = ?2 AND cool_until > ?3"
                               " AND cool_until <= ?3 + ?4");
    bool is_so;

    sql_text(&q, 1, agent);
    sql_text(&q, 2, project);
    sql_int(&q, 3, (int64_t)w->now);
    sql_int(&q, 4, COOL_MAX_MS);
    is_so = sql_next(&q);
    sql_close(&q);
    return is_so;
}

/* What it is the turn of somebody else to take on is none of its. */
static bool has_task(struct work *w, struct slice agent, struct slice project)
{
    struct sql q = sql_open(
        w, "SELECT 1 FROM pm_tasks t WHERE t.assignee = ?1 AND t.project = ?2"
           " AND t.status = 'in_progress' AND NOT EXISTS (SELECT 1 FROM"
           " pm_handoffs h WHERE h.task = t.id AND h.sender = ?1"
           " AND h.accepted_at = 0)");
    bool is_so;

    sql_text(&q, 1, agent);
    sql_text(&q, 2, project);
    is_so = sql_next(&q);
    sql_close(&q);
    return is_so;
}

static bool has_handoff(struct work *w, struct slice agent,
                        struct slice project)
{
    struct bytes id = {0}, task = {0};
    bool is_so = handoff_find_waiting(w, agent, project, &id, &task);

    bytes_finish(&id);
    bytes_finish(&task);
    return is_so;
}

struct slice start_reason(struct work *w, struct slice agent,
                          struct slice project, bool *is_to_start)
{
    *is_to_start = false;
    if (!assignment_exists(w, project, agent))
        return SLICE("agent_not_assigned");
    if (!pm_is_there(w,
                     "SELECT 1 FROM pm_projects WHERE id = ?1"
                     " AND status = 'active'",
                     project))
        return SLICE("project_not_active");
    if (!pm_is_there(w,
                     "SELECT 1 FROM pm_agents WHERE id = ?1"
                     " AND status = 'active' AND type = 'ai'",
                     agent))
        return SLICE("agent_not_active");
    if (session_is_live(w, agent, project, SLICE_EMPTY))
        return SLICE("already_running");
    if (is_on_its_way(w, agent, project))
        return SLICE("spawn_in_progress");
    if (is_cooling(w, agent, project))
        return SLICE("cooldown");
    *is_to_start = true;
    if (has_task(w, agent, project))
        return SLICE("has_in_progress_task");
    if (has_handoff(w, agent, project))
        return SLICE("pending_handoff");
    *is_to_start = false;
    return SLICE("no_task");
}

void start_should(struct work *w)
{
    struct slice agent = PM_ARG(w, "agent_id");
    struct slice project = PM_ARG(w, "project_id"), reason;
    struct bytes *out;
    bool is_to_start;
    struct sql q;

    if (!profile_exists(w, agent) || !project_exists(w, project))
        return;
    reason = start_reason(w, agent, project, &is_to_start);
    q = sql_open(w, "SELECT coalesce(ai_type, 'claude'), model FROM pm_agents"
                    " WHERE id = ?1");
    sql_text(&q, 1, agent);
    sql_next(&q);
    out = work_answer(w);
    JSON_RAW(out, "{");
    JSON_BOOL(out, "should_start", is_to_start);
    JSON_TEXT(out, "reason", reason);
    JSON_TEXT(out, "ai_type", sql_column(&q, 0));
    PM_TEXT(out, "model", sql_column(&q, 1));
    JSON_RAW(out, "}");
    sql_close(&q);
}
