/* SPDX-License-Identifier: MIT */
/*
 * Plans in the store. What the runs of a plan's stages came to is read from the
 * rows of their agents, stage by stage, and entered into the records: whichever
 * hub does it, and however often it is begun, each stage is entered once.
 */
#include "actors/phases/inside.h"
#include "runtime/text/json.h"

#define SUMMARY_MAX 2000 /* bytes */

void plan_put(struct bytes *out, struct slice group, struct slice project,
              int first, int64_t created_at)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "groupId", group);
    JSON_TEXT(out, "projectPath", project);
    JSON_TEXT(out, "from", phase_name(first));
    JSON_KEY(out, "createdAt");
    json_time(out, (uint64_t)created_at);
    JSON_RAW(out, "}");
}

void plan_note(struct work *work)
{
    struct phase_work *w = (struct phase_work *)work;
    struct sql q = sql_open(
        work, "INSERT INTO phase_plans(grp, project, first, created_at)"
              " VALUES(?1, ?2, ?3, ?4) ON CONFLICT(grp) DO NOTHING");

    sql_text(&q, 1, slice_cstr(w->group));
    sql_text(&q, 2, slice_cstr(w->project));
    sql_int(&q, 3, w->first);
    sql_int(&q, 4, (int64_t)work->now);
    sql_run(&q);
    plan_put(work_event(work, "phase:planned"), slice_cstr(w->group),
             slice_cstr(w->project), w->first, (int64_t)work->now);
}

void plan_end(struct work *work)
{
    struct phase_work *w = (struct phase_work *)work;
    struct sql q =
        sql_open(work, "UPDATE phase_plans SET is_over = 1 WHERE grp = ?1");

    sql_text(&q, 1, slice_cstr(w->group));
    sql_run(&q);
}

void plan_load(struct work *work)
{
    struct phase_work *w = (struct phase_work *)work;
    struct sql q = sql_open(
        work, "SELECT grp, project FROM phase_plans WHERE is_over = 0");

    w->text.len = 0;
    JSON_RAW(&w->text, "[");
    while (sql_next(&q)) {
        json_raw(&w->text, w->text.len > 1 ? SLICE(",{") : SLICE("{"));
        JSON_TEXT(&w->text, "group", sql_column(&q, 0));
        JSON_TEXT(&w->text, "project", sql_column(&q, 1));
        JSON_RAW(&w->text, "}");
    }
    sql_close(&q);
    JSON_RAW(&w->text, "]");
}

/* ---- what a stage came to ---------------------------------------------- */

struct stage {
    int64_t number;
    bool is_over, is_good;
    int64_t agent; /* serial number of the one that counts; 0: none */
};

/* The stage that is next to be entered; false: there is none. */
static bool find_stage(struct phase_work *w, struct stage *s)
{
    struct sql q = sql_open(&w->work, "SELECT first, done FROM phase_plans"
                                      " WHERE grp = ?1 AND is_over = 0");
    bool is_there;

    sql_text(&q, 1, slice_cstr(w->group));
    is_there = sql_next(&q);
    if (is_there) {
        w->first = (int)sql_number(&q, 0);
        s->number = sql_number(&q, 1);
        w->phase = w->first + (int)s->number;
    }
    sql_close(&q);
    return is_there;
}

/* One that succeeded, else the last of them. */
static void look_at_agents(struct phase_work *w, struct stage *s)
{
    struct sql q = sql_open(
        &w->work, "SELECT a.serial, a.finished_at > 0, a.outcome = 'success'"
                  " FROM agents a JOIN groups g ON g.serial = a.grp"
                  " WHERE g.id = ?1 AND a.stage = ?2 ORDER BY a.serial");

    s->is_over = true;
    sql_text(&q, 1, slice_cstr(w->group));
    sql_int(&q, 2, s->number);
    while (sql_next(&q)) {
        bool is_good = sql_number(&q, 2);

        s->is_over &= sql_number(&q, 1) != 0;
        if (is_good || !s->is_good)
            s->agent = sql_number(&q, 0);
        s->is_good |= is_good;
    }
    sql_close(&q);
}

static void put_files(struct bytes *out, struct slice edited,
                      struct slice created)
{
    JSON_KEY(out, "outputFiles");
    JSON_RAW(out, "[");
    bytes_append(out, created.ptr + 1, created.len - 2);
    if (created.len > 2 && edited.len > 2)
        JSON_RAW(out, ",");
    bytes_append(out, edited.ptr + 1, edited.len - 2);
    JSON_RAW(out, "]");
}

static void put_result(struct phase_work *w, const struct stage *s,
                       struct bytes *out)
{
    struct sql q =
        sql_open(&w->work, "SELECT CASE WHEN ?2 OR error = '' THEN summary"
                           " ELSE error END, edited, created FROM texts"
                           " WHERE serial = ?1");
    struct bytes summary = {0};

    JSON_RAW(out, "{");
    JSON_TEXT(out, "status", s->is_good ? SLICE("completed") : SLICE("failed"));
    sql_int(&q, 1, s->agent);
    sql_int(&q, 2, s->is_good);
    if (sql_next(&q)) {
        bytes_append_capped(&summary, sql_column(&q, 0), SUMMARY_MAX);
        JSON_TEXT(out, "summary", bytes_slice(&summary));
        if (sql_column(&q, 1).len >= 2 && sql_column(&q, 2).len >= 2)
            put_files(out, sql_column(&q, 1), sql_column(&q, 2));
    }
    sql_close(&q);
    JSON_RAW(out, "}");
    bytes_finish(&summary);
}

static void move_on(struct phase_work *w, const struct stage *s)
{
    struct sql q = sql_open(&w->work, "UPDATE phase_plans SET done = done + 1,"
                                      " is_over = ?2 WHERE grp = ?1");

    sql_text(&q, 1, slice_cstr(w->group));
    sql_int(&q, 2, !s->is_good || w->phase + 1 == PHASES);
    sql_run(&q);
}

void plan_settle(struct work *work)
{
    struct phase_work *w = (struct phase_work *)work;
    struct stage s = {0};
    struct bytes result = {0};
    yyjson_doc *doc;

    w->has_moved = w->has_told_all = w->has_failed = false;
    if (!find_stage(w, &s))
        return;
    look_at_agents(w, &s);
    if (!s.is_over || s.agent == 0)
        return;
    put_result(w, &s, &result);
    doc = yyjson_read(result.ptr, result.len, 0);
    if (doc != NULL)
        transition_settle(w, yyjson_doc_get_root(doc));
    move_on(w, &s);
    w->has_moved = true;
    yyjson_doc_free(doc);
    bytes_finish(&result);
}
