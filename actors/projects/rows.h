/*
 * Rows of the tables as JSON: the columns that a statement selects first, and
 * who writes an object of them, all but its closing brace; for this room.
 */
#ifndef ACTORS_PROJECTS_ROWS_H
#define ACTORS_PROJECTS_ROWS_H

#include "actors/store/work.h"

/* Of a long text the feed has the beginning, in characters. */
#define PM_TOLD "4000"
/* Whether some of these columns was longer. */
#define PM_IS_CUT(column) "length(" column ") > " PM_TOLD
#define PM_CUT(column) "substr(" column ", 1, " PM_TOLD ")"

/* Of `pm_projects p`. */
#define PROJECT_COLUMNS                                                        \
    "p.id, p.name, p.description, p.status, p.directory, p.created_at,"        \
    " p.updated_at"
void project_put_row(struct bytes *out, const struct sql *q);

/* Of pm_agents. Never its passkey, and not its system prompt, which is for
 * itself alone. */
#define PROFILE_COLUMNS                                                        \
    "id, name, role, type, role_type, hierarchy, max_parallel, capabilities,"  \
    " status, created_at, ai_type, model, runs_as, parent"
void profile_put_row(struct bytes *out, const struct sql *q);

/* The first is the two ids in one. */
#define ASSIGNMENT_COLUMNS                                                     \
    "project || ' ' || agent, project, agent, failures, cool_until,"           \
    " cool_reason"
void assignment_put_row(struct bytes *out, const struct sql *q);

#define SESSION_COLUMNS "id, agent, project, coalesce(task, ''), run"
void session_put_row(struct bytes *out, const struct sql *q);

/* Columns of a task, of `pm_tasks t`. */
#define TASK_COLUMNS TASK_COLUMNS_WITH("t.description")
#define TASK_COLUMNS_WITH(description)                                         \
    "t.id, t.project, t.title, " description ", t.status, t.priority,"         \
    " t.assignee, t.parent, t.blocked_reason, t.result, t.summary,"            \
    " t.estimated, t.actual, t.created_at, t.updated_at, t.completed_at,"      \
    " (SELECT json_group_array(d.needs) FROM pm_dependencies d"                \
    " WHERE d.task = t.id)"
void task_put_row(struct bytes *out, const struct sql *q);

/* clang-format off */
/* Columns of `pm_handoffs h` and its task `t`, as the feed tells them. */
#define HANDOFF_TOLD \
    "h.id, h.task, h.sender, h.receiver, " PM_CUT("h.summary") ", " \
    PM_CUT("h.context") ", " PM_CUT("h.recommendations") ", h.accepted_by," \
    " h.accepted_at, h.created_at, t.project, " PM_IS_CUT("h.summary") " OR " \
    PM_IS_CUT("h.context") " OR " PM_IS_CUT("h.recommendations")
/* clang-format on */
void handoff_put_row(struct bytes *out, const struct sql *q);

#define NOTE_COLUMNS                                                           \
    "id, task, agent, session, progress, findings, blockers, next_steps,"      \
    " created_at, 0"
/* clang-format off */
#define NOTE_TOLD \
    "id, task, agent, session, " PM_CUT("progress") ", " PM_CUT("findings") \
    ", " PM_CUT("blockers") ", " PM_CUT("next_steps") ", created_at, " \
    PM_IS_CUT("progress") " OR " PM_IS_CUT("findings") " OR " \
    PM_IS_CUT("blockers") " OR " PM_IS_CUT("next_steps")
/* clang-format on */
void note_put_row(struct bytes *out, const struct sql *q);

#endif
