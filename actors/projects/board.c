/* SPDX-License-Identifier: MIT */
/*
 * All that people see of projects at a glance. Long texts are as the feed has
 * them: by their beginning.
 */
#include <stdlib.h>

#include "actors/projects/board.h"
#include "runtime/text/array.h"

/* clang-format off */
static const struct board_list projects = {
    .touched = BOARD_TOUCHED("pm:project", BOARD_MEMBER("id")),
    .rows = "SELECT " PROJECT_COLUMNS ", p.created_at FROM pm_projects p WHERE "
            BOARD_UNTOUCHED("p.id") " AND (?2 IS NULL OR p.id = ?2)"
            " ORDER BY p.created_at, p.id",
    .was = BOARD_WAS("pm:project", BOARD_MEMBER("id"), "(SELECT created_at"
            " FROM pm_projects WHERE id = key)", "key") " ORDER BY 3, 1",
    .number = 7,
    .put = project_put_row,
};

static const struct board_list profiles = {
    .touched = BOARD_TOUCHED("pm:agent", BOARD_MEMBER("id")),
    .rows = "SELECT " PROFILE_COLUMNS ", created_at FROM pm_agents WHERE "
            BOARD_UNTOUCHED("id") " AND (?2 IS NULL OR 1)"
            " ORDER BY created_at, id",
    .was = BOARD_WAS("pm:agent", BOARD_MEMBER("id"), "(SELECT created_at FROM"
            " pm_agents WHERE id = key)", "?2") " ORDER BY 3, 1",
    .number = 14,
    .put = profile_put_row,
};

#define PAIR BOARD_MEMBER("project_id") " || ' ' || " BOARD_MEMBER("agent_id")
static const struct board_list assignments = {
    .touched = BOARD_TOUCHED("pm:assigned", PAIR),
    .rows = "SELECT " ASSIGNMENT_COLUMNS ", 0 FROM pm_assignments WHERE "
            BOARD_UNTOUCHED("project || ' ' || agent")
            " AND (?2 IS NULL OR project = ?2) ORDER BY 1",
    .was = BOARD_WAS("pm:assigned", PAIR, "0", BOARD_MEMBER("project_id"))
            " AND " BOARD_MEMBER("assigned") " ORDER BY 1",
    .number = 6,
    .put = assignment_put_row,
};
#undef PAIR

static const struct board_list sessions = {
    .touched = BOARD_TOUCHED("pm:session", BOARD_MEMBER("id")),
    .rows = "SELECT " SESSION_COLUMNS ", 0 FROM pm_sessions WHERE "
            BOARD_UNTOUCHED("id")
            " AND (?2 IS NULL OR project = ?2) ORDER BY 1",
    .was = BOARD_WAS("pm:session", BOARD_MEMBER("id"), "0",
                     BOARD_MEMBER("project_id"))
            " AND " BOARD_MEMBER("event") " IN ('started', 'bound')"
            " ORDER BY 1",
    .number = 5,
    .put = session_put_row,
};

static void put_task(struct bytes *out, const struct sql *q)
{
    task_put_row(out, q);
    if (sql_number(q, 17))
        JSON_BOOL(out, "truncated", true);
}

static const struct board_list tasks = {
    .touched = BOARD_TOUCHED("pm:task", BOARD_MEMBER("id")),
    .rows = "SELECT " TASK_COLUMNS_WITH(PM_CUT("t.description")) ", "
            PM_IS_CUT("t.description") ", t.number FROM pm_tasks t WHERE "
            BOARD_UNTOUCHED("t.id") " AND (?2 IS NULL OR t.project = ?2)"
            " ORDER BY t.number",
    .was = BOARD_WAS("pm:task", BOARD_MEMBER("id"), "(SELECT number FROM"
            " pm_tasks WHERE id = key)", BOARD_MEMBER("project_id"))
            " ORDER BY 3",
    .number = 18,
    .put = put_task,
};

static const struct board_list handoffs = {
    .touched = BOARD_TOUCHED("pm:handoff", BOARD_MEMBER("id")),
    .rows = "SELECT " HANDOFF_TOLD ", h.number FROM pm_handoffs h"
            " JOIN pm_tasks t ON t.id = h.task WHERE " BOARD_UNTOUCHED("h.id")
            " AND (?2 IS NULL OR t.project = ?2) ORDER BY h.number",
    .was = BOARD_WAS("pm:handoff", BOARD_MEMBER("id"), "(SELECT number FROM"
            " pm_handoffs WHERE id = key)", BOARD_MEMBER("project_id"))
            " ORDER BY 3",
    .number = 12,
    .put = handoff_put_row,
};
/* clang-format on */

/* ---- counts ------------------------------------------------------------ */

static const struct slice states[] = {
    SLICE_INIT("backlog"), SLICE_INIT("todo"), SLICE_INIT("in_progress"),
    SLICE_INIT("blocked"), SLICE_INIT("done"), SLICE_INIT("cancelled")};

#define STATES (sizeof(states) / sizeof(*states))

struct tally {
    char project[PM_ID];
    uint64_t counts[STATES];
};

struct tallies {
    struct tally *list;
    size_t count;
};

/* Adds it unless it is there. */
static struct tally *find(struct tallies *t, struct slice project)
{
    size_t i = 0;

    while (i < t->count && !slice_eq(slice_cstr(t->list[i].project), project))
        i++;
    if (i == t->count) {
        ARRAY_GROW(t->list, t->count);
        t->list[t->count++] = (struct tally){0};
        slice_keep(t->list[i].project, sizeof(t->list[i].project), project);
    }
    return &t->list[i];
}

static void count(struct tallies *t, struct slice project, struct slice state)
{
    struct tally *of = find(t, project);

    for (size_t i = 0; i < STATES; i++)
        of->counts[i] += slice_eq(states[i], state);
}

static void on_task(void *ctx, struct bytes *out, const struct board_entry *e)
{
    yyjson_doc *doc;

    (void)out;
    if (e->row != NULL) {
        count(ctx, sql_column(e->row, 1), sql_column(e->row, 4));
        return;
    }
    doc = yyjson_read(e->data.ptr, e->data.len, 0);
    count(ctx, FIELD_TEXT(yyjson_doc_get_root(doc), "project_id"),
          FIELD_TEXT(yyjson_doc_get_root(doc), "status"));
    yyjson_doc_free(doc);
}

static void on_project(void *ctx, struct bytes *out,
                       const struct board_entry *e)
{
    const struct tally *of = find(ctx, e->key);

    JSON_KEY(out, "counts");
    JSON_RAW(out, "{");
    for (size_t i = 0; i < STATES; i++) {
        json_key(out, states[i]);
        json_uint(out, of->counts[i]);
    }
    JSON_RAW(out, "}");
}

/* ---- the order --------------------------------------------------------- */

static void put_lists(struct board_walk *walk, struct bytes *out)
{
    static const struct {
        struct slice name;
        const struct board_list *list;
    } rest[] = {{SLICE_INIT("agents"), &profiles},
                {SLICE_INIT("assignments"), &assignments},
                {SLICE_INIT("sessions"), &sessions},
                {SLICE_INIT("handoffs"), &handoffs}};
    struct tallies tallies = {0};
    struct bytes text = {0};

    walk->ctx = &tallies;
    walk->on_entry = on_task;
    board_put_list(walk, &tasks, &text);
    walk->on_entry = on_project;
    JSON_KEY(out, "projects");
    board_put_list(walk, &projects, out);
    walk->on_entry = NULL;
    JSON_KEY(out, "tasks");
    json_raw(out, bytes_slice(&text));
    for (size_t i = 0; i < sizeof(rest) / sizeof(*rest); i++) {
        json_key(out, rest[i].name);
        board_put_list(walk, rest[i].list, out);
    }
    free(tallies.list);
    bytes_finish(&text);
}

void board_get(struct work *w)
{
    struct slice project = PM_ARG(w, "project_id");
    struct work_moment m;
    struct board_walk walk = {.work = w, .moment = &m, .of = project};
    struct bytes *out;

    if (!work_moment_read(w, &m) ||
        (project.len > 0 && !project_exists(w, project)))
        return;
    out = work_answer(w);
    JSON_RAW(out, "{");
    put_lists(&walk, out);
    if (walk.is_cut)
        JSON_BOOL(out, "more", true);
    JSON_RAW(out, "}");
}
