/* SPDX-License-Identifier: MIT */
/*
 * What MCP clients read of projects: SCHEME://ID, and longer names that say the
 * same. An id that went through a client's library for addresses may have come
 * back in small letters, so one that is not there as it is written is looked
 * for without regard to case.
 *
 * Nothing here is a secret: no tokens, no passkeys, no system prompts.
 */
#include "actors/projects/inside.h"
#include "runtime/text/percent.h"

#define PAGE 100

/* ---- one of them ------------------------------------------------------- */

/* A list that SQLite makes itself, of a query with one text to bind. */
static void put_list(struct work *w, struct bytes *out, const char *sql,
                     struct slice id)
{
    struct sql q = sql_open(w, sql);

    sql_text(&q, 1, id);
    json_raw(out, sql_next(&q) ? sql_column(&q, 0) : SLICE("[]"));
    sql_close(&q);
}

static void put_agent(struct work *w, struct bytes *out, struct slice id)
{
    if (!profile_put(w, out, id))
        return;
    out->len--; /* the brace */
    JSON_KEY(out, "projects");
    put_list(w, out,
             "SELECT json_group_array(json_object('project_id', id,"
             " 'project_name', name)) FROM (SELECT p.id, p.name FROM"
             " pm_assignments s JOIN pm_projects p ON p.id = s.project"
             " WHERE s.agent = ?1 ORDER BY p.name, p.id)",
             id);
    JSON_KEY(out, "open_tasks");
    put_list(w, out,
             "SELECT json_group_array(json_object('id', id, 'title', title,"
             " 'status', status, 'project_id', project)) FROM (SELECT * FROM"
             " pm_tasks WHERE assignee = ?1 AND status NOT IN ('done',"
             " 'cancelled') ORDER BY number LIMIT 500)",
             id);
    JSON_RAW(out, "}");
}

static void put_project(struct work *w, struct bytes *out, struct slice id)
{
    project_put_whole(w, out, id);
}

static void put_tasks(struct work *w, struct bytes *out, struct slice id)
{
    struct sql q = sql_open(w, "SELECT " TASK_COLUMNS " FROM pm_tasks t"
                               " WHERE t.project = ?1 ORDER BY t.number"
                               " LIMIT 500");
    struct slice comma = SLICE_EMPTY;

    sql_text(&q, 1, id);
    JSON_RAW(out, "{");
    JSON_TEXT(out, "project_id", id);
    JSON_RAW(out, ",\"tasks\":[");
    while (sql_next(&q)) {
        json_raw(out, comma);
        task_put_row(out, &q);
        JSON_RAW(out, "}");
        comma = SLICE(",");
    }
    sql_close(&q);
    JSON_RAW(out, "]}");
}

static void put_contexts(struct work *w, struct bytes *out, struct slice id)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "task_id", id);
    JSON_KEY(out, "contexts");
    note_put_all(w, out, id);
    JSON_RAW(out, "}");
}

static void put_handoffs(struct work *w, struct bytes *out, struct slice id)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "task_id", id);
    JSON_KEY(out, "handoffs");
    handoff_put_all(w, out, id);
    JSON_RAW(out, "}");
}

/* ---- which of them ----------------------------------------------------- */

/* The second half is not looked at while the first has one. */
#define FIND(table)                                                            \
    "SELECT id FROM " table " WHERE id = ?1 UNION ALL SELECT id FROM " table   \
    " WHERE id = ?1 COLLATE NOCASE LIMIT 1"

static const char find_agent[] = FIND("pm_agents");
static const char find_project[] = FIND("pm_projects");
static const char find_task[] = FIND("pm_tasks");

static const struct kind {
    struct slice scheme, path;
    const char *find;
    void (*put)(struct work *w, struct bytes *out, struct slice id);
} kinds[] = {
    {SLICE_INIT("agent"), SLICE_INIT(""), find_agent, put_agent},
    {SLICE_INIT("agent"), SLICE_INIT("profile"), find_agent, put_agent},
    {SLICE_INIT("agent"), SLICE_INIT("tasks"), find_agent, put_agent},
    {SLICE_INIT("agent"), SLICE_INIT("sessions"), find_agent, put_agent},
    {SLICE_INIT("project"), SLICE_INIT(""), find_project, put_project},
    {SLICE_INIT("project"), SLICE_INIT("overview"), find_project, put_project},
    {SLICE_INIT("project"), SLICE_INIT("agents"), find_project, put_project},
    {SLICE_INIT("project"), SLICE_INIT("tasks"), find_project, put_tasks},
    {SLICE_INIT("task"), SLICE_INIT(""), find_task, task_put_whole},
    {SLICE_INIT("task"), SLICE_INIT("detail"), find_task, task_put_whole},
    {SLICE_INIT("task"), SLICE_INIT("context"), find_task, put_contexts},
    {SLICE_INIT("task"), SLICE_INIT("history"), find_task, put_contexts},
    {SLICE_INIT("context"), SLICE_INIT(""), find_task, put_contexts},
    {SLICE_INIT("handoff"), SLICE_INIT(""), find_task, put_handoffs},
};

/* What is before the first `mark`, and *rest what is behind it. */
static struct slice cut(struct slice text, struct slice mark,
                        struct slice *rest)
{
    const char *at = memmem(text.ptr, text.len, mark.ptr, mark.len);
    size_t len = at != NULL ? (size_t)(at - text.ptr) : text.len;

    *rest = at != NULL ? slice_of(at + mark.len, text.len - len - mark.len)
                       : SLICE_EMPTY;
    return slice_of(text.ptr, len);
}

/* NULL: there is no such kind. */
static const struct kind *read_uri(struct slice uri, struct bytes *id)
{
    struct slice rest, path, scheme = cut(uri, SLICE("://"), &rest);
    struct slice written = cut(rest, SLICE("/"), &path);

    percent_decode(id, written);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (id->len > 0 && slice_eq(kinds[i].scheme, scheme) &&
            slice_eq(kinds[i].path, path))
            return &kinds[i];
    return NULL;
}

static void refuse(struct work *w, struct slice uri, bool is_kind)
{
    bool is_english = order_is_english(w->order);
    struct slice brief = order_brief(uri);
    struct bytes details = {0};

    JSON_RAW(&details, "{");
    JSON_TEXT(&details, "uri", uri);
    JSON_RAW(&details, "}");
    work_refuse_with(w, CODE_RESOURCE_NOT_FOUND, bytes_slice(&details),
                     is_kind ? MESSAGE(is_english, PM_NO_RESOURCE)
                             : MESSAGE(is_english, PM_NO_URI),
                     (int)brief.len, brief.ptr);
    bytes_finish(&details);
}

void resource_read(struct work *w)
{
    struct slice uri = PM_ARG(w, "uri");
    struct bytes id = {0}, text = {0}, *out;
    const struct kind *kind = read_uri(uri, &id);
    struct sql q;

    if (kind == NULL) {
        refuse(w, uri, false);
        bytes_finish(&id);
        return;
    }
    q = sql_open(w, kind->find);
    sql_text(&q, 1, bytes_slice(&id));
    if (sql_next(&q)) {
        kind->put(w, &text, sql_column(&q, 0));
        out = work_answer(w);
        JSON_RAW(out, "{");
        JSON_TEXT(out, "uri", uri);
        JSON_TEXT(out, "mimeType", SLICE("application/json"));
        JSON_TEXT(out, "text", bytes_slice(&text));
        JSON_RAW(out, "}");
    } else {
        refuse(w, uri, true);
    }
    sql_close(&q);
    bytes_finish(&id);
    bytes_finish(&text);
}

/* ---- all of them ------------------------------------------------------- */

/* A cursor is the last one's kind and id: 1:agt_x. What is made or ends
 * meanwhile moves no page. */
static bool read_cursor(struct work *w, int64_t *kind, struct slice *id)
{
    struct slice cursor = FIELD_TEXT(w->order->args, "cursor");
    struct slice brief = order_brief(cursor);

    *kind = -1;
    *id = SLICE_EMPTY;
    if (cursor.len == 0)
        return true;
    if (cursor.len > 2 && cursor.ptr[0] >= '0' && cursor.ptr[0] <= '2' &&
        cursor.ptr[1] == ':') {
        *kind = cursor.ptr[0] - '0';
        *id = slice_of(cursor.ptr + 2, cursor.len - 2);
        return true;
    }
    WORK_REFUSE(w, CODE_VALIDATION_ERROR, PM_NO_CURSOR, (int)brief.len,
                brief.ptr);
    return false;
}

static const char listed[] =
    "SELECT kind, id, name, about FROM (SELECT 0 AS kind, id, name, status AS"
    " about FROM pm_projects WHERE status = 'active' UNION ALL SELECT 1, id,"
    " name, role FROM pm_agents WHERE status = 'active' UNION ALL SELECT 2,"
    " id, title, status FROM pm_tasks WHERE status NOT IN ('done',"
    " 'cancelled')) WHERE (kind, id) > (?1, ?2) ORDER BY kind, id LIMIT ?3";

static void put_entry(const struct work *w, struct bytes *out,
                      const struct sql *q)
{
    static const char *const schemes[] = {"project", "agent", "task"};
    bool is_english = order_is_english(w->order);
    int64_t kind = sql_number(q, 0);
    struct bytes text = {0};
    struct slice id = sql_column(q, 1), about = sql_column(q, 3);

    bytes_format(&text, "%s://%.*s", schemes[kind], (int)id.len, id.ptr);
    JSON_RAW(out, "{");
    JSON_TEXT(out, "uri", bytes_slice(&text));
    JSON_TEXT(out, "name", sql_column(q, 2));
    bytes_clear(&text, SIZE_MAX);
    json_raw(&text,
             slice_cstr(kind == 0   ? MESSAGE(is_english, PM_RESOURCE_PROJECT)
                        : kind == 1 ? MESSAGE(is_english, PM_RESOURCE_AGENT)
                                    : MESSAGE(is_english, PM_RESOURCE_TASK)));
    if (about.len > 0)
        bytes_format(&text, " (%.*s)", (int)about.len, about.ptr);
    JSON_TEXT(out, "description", bytes_slice(&text));
    JSON_TEXT(out, "mimeType", SLICE("application/json"));
    JSON_RAW(out, "}");
    bytes_finish(&text);
}

void resource_list(struct work *w)
{
    struct bytes *out, last = {0};
    struct slice id;
    int64_t kind, count = 0;
    struct sql q;

    if (!read_cursor(w, &kind, &id))
        return;
    out = work_answer(w);
    q = sql_open(w, listed);
    sql_int(&q, 1, kind);
    sql_text(&q, 2, id);
    sql_int(&q, 3, PAGE + 1);
    JSON_RAW(out, "{\"resources\":[");
    while (sql_next(&q) && count++ < PAGE) {
        if (count > 1)
            JSON_RAW(out, ",");
        put_entry(w, out, &q);
        bytes_clear(&last, SIZE_MAX);
        bytes_format(&last, "%d:%.*s", (int)sql_number(&q, 0),
                     (int)sql_column(&q, 1).len, sql_column(&q, 1).ptr);
    }
    sql_close(&q);
    JSON_RAW(out, "]");
    if (count > PAGE)
        JSON_TEXT(out, "nextCursor", bytes_slice(&last));
    JSON_RAW(out, "}");
    bytes_finish(&last);
}
