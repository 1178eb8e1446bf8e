/* SPDX-License-Identifier: MIT */
/* How a session begins: who asks has shown who it is, and may be there. */
#include <stdio.h>

#include "actors/projects/inside.h"

static struct slice caller_of(const struct work *w)
{
    return slice_cstr(w->order->caller->agent_id);
}

/* Of an instance that waits for its agent: by its launch key, once, or because
 * the very process asks that was started for it. */
static bool is_launched(struct pm_work *p, struct slice agent,
                        struct slice project)
{
    struct work *w = &p->work;
    struct sql q = sql_open(
        w, "SELECT i.id FROM pm_instances i WHERE i.agent = ?1 AND"
           " i.project = ?2 AND i.ended_at = 0 AND ((i.id = ?3 AND"
           " (i.call = '' AND i.key_until > ?9 OR i.call = ?4 AND ?4 <> ''))"
           " OR (?5 AND EXISTS (SELECT 1 FROM agents a JOIN orders o ON"
           " o.first = a.ord WHERE a.id = ?6 AND"
           " json_extract(o.args, '$.instance.id') = i.id)))");
    bool is_so;

    sql_text(&q, 1, agent);
    sql_text(&q, 2, project);
    sql_text(&q, 3, slice_cstr(p->instance));
    sql_text(&q, 4, slice_cstr(w->order->key));
    sql_int(&q, 5, p->is_started_one);
    sql_text(&q, 6, caller_of(w));
    sql_int(&q, 9, (int64_t)w->now);
    is_so = sql_next(&q);
    if (is_so)
        slice_keep(p->instance, sizeof(p->instance), sql_column(&q, 0));
    sql_close(&q);
    return is_so;
}

static bool check_credential(struct pm_work *p, struct slice agent,
                             struct slice project)
{
    bool is_launch = p->instance[0] != 0 || p->is_started_one;

    p->has_failed = is_launch ? !is_launched(p, agent, project)
                              : !passkey_is_right(p, agent);
    if (p->has_failed)
        WORK_REFUSE_PLAIN(&p->work, CODE_AUTH_FAILED, PM_AUTH_FAILED);
    return !p->has_failed;
}

/* Only who has shown who it is learns of projects. */
static bool check_place(struct work *w, struct slice agent,
                        struct slice project)
{
    struct sql q =
        sql_open(w, "SELECT (SELECT status FROM pm_projects WHERE id = ?1),"
                    " (SELECT status FROM pm_agents WHERE id = ?2)");
    bool has_project, is_active, is_agent_active;

    sql_text(&q, 1, project);
    sql_text(&q, 2, agent);
    sql_next(&q);
    has_project = !sql_is_null(&q, 0);
    is_active = slice_eq(sql_column(&q, 0), SLICE("active"));
    is_agent_active = slice_eq(sql_column(&q, 1), SLICE("active"));
    sql_close(&q);
    if (!has_project)
        WORK_REFUSE_PLAIN(w, CODE_PROJECT_NOT_FOUND, PM_PROJECT_NOT_FOUND);
    else if (!assignment_exists(w, project, agent))
        WORK_REFUSE_PLAIN(w, CODE_AGENT_NOT_ASSIGNED, PM_AGENT_NOT_ASSIGNED);
    else if (!is_active)
        WORK_REFUSE_PLAIN(w, CODE_AUTH_FAILED, PM_PROJECT_NOT_ACTIVE);
    else if (!is_agent_active)
        WORK_REFUSE_PLAIN(w, CODE_AUTH_FAILED, PM_AGENT_NOT_ACTIVE);
    return !work_is_refused(w);
}

/* False: another is at work there. What this very call has begun before a hub
 * died is begun again. */
static bool make_room(struct work *w, struct slice agent, struct slice project)
{
    if (session_is_live(w, agent, project, slice_cstr(w->order->key))) {
        WORK_REFUSE_PLAIN(w, CODE_ALREADY_RUNNING, PM_ALREADY_RUNNING);
        return false;
    }
    session_end_of(w, agent, project);
    return true;
}

static void insert(struct pm_work *p, const struct session *s)
{
    struct work *w = &p->work;
    struct sql q = sql_open(
        w, "INSERT INTO pm_sessions(id, token, agent, project, run, call,"
           " created_at, active_at, expires_at)"
           " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?7 + ?8)");
    char hex[SHA256_HEX];

    session_digest(slice_cstr(p->secret), hex);
    sql_text(&q, 1, slice_cstr(s->id));
    sql_text(&q, 2, slice_cstr(hex));
    sql_text(&q, 3, slice_cstr(s->agent));
    sql_text(&q, 4, slice_cstr(s->project));
    sql_text(&q, 5, slice_cstr(s->run));
    sql_text(&q, 6, slice_cstr(w->order->key));
    sql_int(&q, 7, (int64_t)w->now);
    sql_int(&q, 8, session_ttl_ms(w));
    sql_run(&q);
}

/* Its launch key is used up, but for the call that has used it. */
static void note_instance(struct pm_work *p)
{
    struct sql q;

    if (p->instance[0] == 0)
        return;
    q = sql_open(&p->work, "UPDATE pm_instances SET key_until = 0, call = ?2,"
                           " run = CASE WHEN run = '' THEN ?3 ELSE run END"
                           " WHERE id = ?1");
    sql_text(&q, 1, slice_cstr(p->instance));
    sql_text(&q, 2,
             p->work.order->key[0] != 0 ? slice_cstr(p->work.order->key)
                                        : SLICE("-"));
    sql_text(&q, 3, caller_of(&p->work));
    sql_run(&q);
}

static void answer(struct pm_work *p, const struct session *s)
{
    struct work *w = &p->work;
    struct sql q = sql_open(
        w, "SELECT a.name, a.system_prompt, p.name, coalesce(p.directory, '')"
           " FROM pm_agents a, pm_projects p WHERE a.id = ?1 AND p.id = ?2");
    struct bytes *out = work_answer(w);

    sql_text(&q, 1, slice_cstr(s->agent));
    sql_text(&q, 2, slice_cstr(s->project));
    sql_next(&q);
    JSON_RAW(out, "{\"success\":true");
    JSON_TEXT(out, "token", slice_cstr(p->secret));
    JSON_TEXT(out, "session_token", slice_cstr(p->secret));
    JSON_UINT(out, "expires_in", (uint64_t)session_ttl_ms(w) / 1000);
    JSON_TEXT(out, "agent_name", sql_column(&q, 0));
    JSON_TEXT(out, "project_name", sql_column(&q, 2));
    JSON_TEXT(out, "working_directory", sql_column(&q, 3));
    PM_TEXT(out, "system_prompt", sql_column(&q, 1));
    JSON_TEXT(
        out, "instruction",
        slice_cstr(MESSAGE(order_is_english(w->order), PM_CALL_GET_TASK)));
    JSON_RAW(out, "}");
    sql_close(&q);
}

void login_make(struct work *w)
{
    struct pm_work *p = (struct pm_work *)w;
    struct slice agent = PM_ARG(w, "agent_id");
    struct slice project = PM_ARG(w, "project_id");
    struct session s = {0};

    if (!check_credential(p, agent, project) ||
        !check_place(w, agent, project) || !make_room(w, agent, project))
        return;
    snprintf(s.id, sizeof(s.id), "asn_%s", p->drawn[0]);
    slice_keep(s.agent, sizeof(s.agent), agent);
    slice_keep(s.project, sizeof(s.project), project);
    slice_keep(s.run, sizeof(s.run), caller_of(w));
    insert(p, &s);
    if (p->instance[0] != 0)
        note_instance(p);
    else
        passkey_note_use(p, agent);
    if (s.run[0] != 0)
        mail_lend(w, agent, slice_cstr(s.run));
    session_tell(w, &s, "started");
    answer(p, &s);
}
