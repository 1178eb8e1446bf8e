/* SPDX-License-Identifier: MIT */
#include "actors/projects/inside.h"

/* What it has begun, if that is still its own; else the most urgent. */
bool my_task_find(struct work *w, const struct session *s, struct task *t)
{
    struct sql q;
    char id[PM_ID] = "";

    if (s->task[0] != 0 && task_find(w, slice_cstr(s->task), t) &&
        strcmp(t->status, "in_progress") == 0 &&
        strcmp(t->assignee, s->agent) == 0)
        return true;
    q = sql_open(w, "SELECT t.id FROM pm_tasks t WHERE t.assignee = ?1 AND"
                    " t.project = ?2 AND t.status = 'in_progress' AND NOT"
                    " EXISTS (SELECT 1 FROM pm_handoffs h WHERE h.task = t.id"
                    " AND h.sender = ?1 AND h.accepted_at = 0)" TASK_ORDER
                    " LIMIT 1");
    sql_text(&q, 1, slice_cstr(s->agent));
    sql_text(&q, 2, slice_cstr(s->project));
    if (sql_next(&q))
        slice_keep(id, sizeof(id), sql_column(&q, 0));
    sql_close(&q);
    return id[0] != 0 && task_find(w, slice_cstr(id), t);
}

/* One that was passed on to this profile becomes its own by its asking. */
static bool take_handoff(struct work *w, const struct session *s,
                         struct task *t)
{
    struct bytes id = {0}, task = {0};
    bool is_there = handoff_find_waiting(w, slice_cstr(s->agent),
                                         slice_cstr(s->project), &id, &task);

    if (is_there) {
        handoff_take(w, bytes_slice(&id), slice_cstr(s->agent));
        is_there = task_find(w, bytes_slice(&task), t);
    }
    bytes_finish(&id);
    bytes_finish(&task);
    return is_there;
}

static void put_row(struct work *w, struct bytes *out, const struct task *t)
{
    struct sql q = sql_open(
        w, "SELECT t.title, t.description, t.status, t.priority,"
           " coalesce(p.directory, ''), (SELECT json_group_array(needs) FROM"
           " pm_dependencies WHERE task = t.id) FROM pm_tasks t JOIN"
           " pm_projects p ON p.id = t.project WHERE t.id = ?1");

    sql_text(&q, 1, slice_cstr(t->id));
    if (sql_next(&q)) {
        JSON_TEXT(out, "task_id", slice_cstr(t->id));
        JSON_TEXT(out, "title", sql_column(&q, 0));
        JSON_TEXT(out, "description", sql_column(&q, 1));
        JSON_TEXT(out, "project_id", slice_cstr(t->project));
        JSON_TEXT(out, "status", sql_column(&q, 2));
        JSON_TEXT(out, "priority", sql_column(&q, 3));
        JSON_TEXT(out, "working_directory", sql_column(&q, 4));
        JSON_KEY(out, "dependencies");
        json_raw(out, sql_column(&q, 5));
    }
    sql_close(&q);
}

static void put_newest(struct work *w, struct bytes *out, struct slice name,
                       bool (*put)(struct work *w, struct bytes *out,
                                   struct slice task),
                       struct slice task)
{
    struct bytes one = {0};

    if (put(w, &one, task)) {
        json_key(out, name);
        json_raw(out, bytes_slice(&one));
    }
    bytes_finish(&one);
}

static void answer(struct work *w, const struct task *t)
{
    bool is_english = order_is_english(w->order);
    struct bytes *out = work_answer(w);

    JSON_RAW(out, "{\"success\":true");
    JSON_BOOL(out, "has_task", t != NULL);
    if (t != NULL) {
        JSON_KEY(out, "task");
        JSON_RAW(out, "{");
        put_row(w, out, t);
        put_newest(w, out, SLICE("context"), note_put_newest,
                   slice_cstr(t->id));
        put_newest(w, out, SLICE("handoff"), handoff_put_newest,
                   slice_cstr(t->id));
        JSON_RAW(out, "}");
    }
    JSON_TEXT(out, "instruction",
              slice_cstr(t != NULL ? MESSAGE(is_english, PM_THEN_REPORT)
                                   : MESSAGE(is_english, PM_NOTHING_TO_DO)));
    JSON_RAW(out, "}");
}

void my_task_get(struct work *w)
{
    struct session s;
    struct task t;

    if (!session_find(w, &s))
        return;
    session_prolong(w, &s);
    if (!my_task_find(w, &s, &t) && !take_handoff(w, &s, &t)) {
        answer(w, NULL);
        return;
    }
    if (strcmp(s.task, t.id) != 0) {
        session_bind(w, &s, slice_cstr(t.id));
        task_tell(w, slice_cstr(t.id),
                  &(struct task_change){.event = "started",
                                        .by = slice_cstr(s.agent)});
    }
    answer(w, &t);
}
