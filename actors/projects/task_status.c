/* SPDX-License-Identifier: MIT */
/*
 * What may follow what. People may also take back what an agent has left: it
 * may have died.
 */
#include "actors/projects/inside.h"

static bool is_word(const char *status, const char *list)
{
    size_t len = strlen(status);

    for (const char *at = list; (at = strstr(at, status)); at += len)
        if ((at == list || at[-1] == ' ') && (at[len] == ' ' || at[len] == 0))
            return true;
    return false;
}

static bool follows(const char *from, const char *to, bool is_person)
{
    static const struct {
        const char *from, *to, *by_people;
    } table[] = {{"backlog", "todo cancelled", ""},
                 {"todo", "backlog in_progress cancelled", ""},
                 {"in_progress", "blocked done", "todo cancelled"},
                 {"blocked", "in_progress cancelled", "todo"}};

    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
        if (strcmp(table[i].from, from) == 0)
            return is_word(to, table[i].to) ||
                   (is_person && is_word(to, table[i].by_people));
    return false;
}

/* ---- what it needs ----------------------------------------------------- */

static bool check_dependencies(struct work *w, const struct task *t)
{
    struct sql q = sql_open(
        w, "SELECT group_concat(id, ', ') FROM (SELECT n.id FROM"
           " pm_dependencies d JOIN pm_tasks n ON n.id = d.needs WHERE"
           " d.task = ?1 AND n.status <> 'done' ORDER BY n.number LIMIT 20)");

    sql_text(&q, 1, slice_cstr(t->id));
    if (sql_next(&q) && !sql_is_null(&q, 0))
        WORK_REFUSE(w, CODE_DEPENDENCY_NOT_COMPLETE, PM_WAITS_FOR, t->id,
                    (int)sql_column(&q, 0).len, sql_column(&q, 0).ptr);
    sql_close(&q);
    return !work_is_refused(w);
}

/* Inside the project: the same profile may be at work in another. */
static bool check_limit(struct work *w, const struct task *t)
{
    struct sql q = sql_open(
        w, "SELECT a.max_parallel, (SELECT count(*) FROM pm_tasks o WHERE"
           " o.assignee = a.id AND o.project = ?2 AND o.status ="
           " 'in_progress') FROM pm_agents a WHERE a.id = ?1");

    sql_text(&q, 1, slice_cstr(t->assignee));
    sql_text(&q, 2, slice_cstr(t->project));
    if (sql_next(&q) && sql_number(&q, 1) >= sql_number(&q, 0))
        WORK_REFUSE(w, CODE_MAX_PARALLEL_TASKS, PM_TOO_MANY, t->assignee,
                    (int)sql_number(&q, 1), (int)sql_number(&q, 0));
    sql_close(&q);
    return !work_is_refused(w);
}

static bool check_start(struct work *w, const struct task *t)
{
    if (t->assignee[0] == 0)
        WORK_REFUSE(w, CODE_INVALID_STATUS_TRANSITION, PM_NO_ASSIGNEE, t->id);
    return !work_is_refused(w) && check_dependencies(w, t) && check_limit(w, t);
}

static bool check_children(struct work *w, const struct task *t)
{
    struct sql q = sql_open(
        w, "SELECT id FROM pm_tasks WHERE parent = ?1 AND status NOT IN"
           " ('done', 'cancelled') ORDER BY number LIMIT 1");

    sql_text(&q, 1, slice_cstr(t->id));
    if (sql_next(&q))
        WORK_REFUSE(w, CODE_DEPENDENCY_NOT_COMPLETE, PM_HAS_CHILDREN, t->id,
                    (int)sql_column(&q, 0).len, sql_column(&q, 0).ptr);
    sql_close(&q);
    return !work_is_refused(w);
}

bool status_may(struct work *w, const struct task *t, struct slice to,
                bool is_person)
{
    char word[PM_WORD];

    slice_keep(word, sizeof(word), to);
    if (!follows(t->status, word, is_person)) {
        WORK_REFUSE(w, CODE_INVALID_STATUS_TRANSITION, PM_NO_TRANSITION,
                    t->status, word);
        return false;
    }
    if (slice_eq(to, SLICE("in_progress")))
        return check_start(w, t);
    return !slice_eq(to, SLICE("done")) || check_children(w, t);
}

/* ---- changing ---------------------------------------------------------- */

void status_set(struct work *w, const struct task *t, struct slice to,
                struct slice reason, struct slice by)
{
    struct sql q = sql_open(
        w, "UPDATE pm_tasks SET status = ?2, updated_at = ?3,"
           " blocked_reason = CASE WHEN ?2 = 'blocked' THEN ?4 END,"
           " started_at = CASE WHEN ?2 = 'in_progress' THEN ?3"
           " ELSE started_at END,"
           " completed_at = CASE WHEN ?2 = 'done' THEN ?3 ELSE 0 END,"
           " actual = CASE WHEN ?2 = 'done' AND started_at > 0 THEN"
           " max(?3 - started_at, 0) / 60000 ELSE actual END WHERE id = ?1");

    sql_text(&q, 1, slice_cstr(t->id));
    sql_text(&q, 2, to);
    sql_int(&q, 3, (int64_t)w->now);
    sql_text_or_null(&q, 4, reason);
    sql_run(&q);
    task_tell(w, slice_cstr(t->id),
              &(struct task_change){.event = "status_changed",
                                    .from = slice_cstr(t->status),
                                    .to = to,
                                    .reason = reason,
                                    .by = by});
}

/* By a session: what is its agent's, or part of that. */
static bool may_change(struct work *w, const struct task *t,
                       const struct session *s)
{
    struct task parent = {0};

    if (strcmp(t->project, s->project) == 0 &&
        (strcmp(t->assignee, s->agent) == 0 ||
         (t->parent[0] != 0 && task_find(w, slice_cstr(t->parent), &parent) &&
          strcmp(parent.assignee, s->agent) == 0)))
        return true;
    WORK_REFUSE(w, CODE_TASK_ACCESS_DENIED, PM_TASK_NOT_YOURS, t->id, s->agent);
    return false;
}

static bool check_caller(struct work *w, const struct task *t,
                         struct session *s, bool *has_session)
{
    const char *caller = w->order->caller->agent_id;

    if (!session_find_any(w, s, has_session))
        return false;
    if (*has_session)
        return may_change(w, t, s);
    if (caller[0] == 0)
        return true;
    WORK_REFUSE(w, CODE_NOT_PERMITTED, PM_NO_SESSION, caller);
    return false;
}

static void answer(struct work *w, const struct task *t, struct slice to)
{
    struct bytes *out = work_answer(w);

    JSON_RAW(out, "{\"success\":true,\"task\":{");
    JSON_TEXT(out, "id", slice_cstr(t->id));
    JSON_TEXT(out, "title", slice_cstr(t->title));
    JSON_TEXT(out, "previous_status", slice_cstr(t->status));
    JSON_TEXT(out, "new_status", to);
    JSON_RAW(out, "}}");
}

void status_update(struct work *w)
{
    struct slice to = PM_ARG(w, "status");
    bool has_session;
    struct session s;
    struct task t;

    if (!task_require(w, PM_ARG(w, "task_id"), &t) ||
        !check_caller(w, &t, &s, &has_session) ||
        !status_may(w, &t, to, !has_session && pm_is_person(w)))
        return;
    session_prolong(w, &s);
    status_set(w, &t, to, PM_ARG(w, "reason"), slice_cstr(s.agent));
    answer(w, &t, to);
}
