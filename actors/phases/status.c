/* SPDX-License-Identifier: MIT */
/*
 * How projects stand. Of a past moment: a record that was not changed since is
 * in its row, and of another the last event before the moment has the whole.
 */
#include <stdlib.h>

#include "actors/phases/inside.h"
#include "actors/store/work_moment.h"
#include "runtime/text/json.h"

#define PLANS_TOLD 20 /* the newest */

/* ---- records ----------------------------------------------------------- */

/* The newest event of the phase up to the moment, and whether there are none
 * after it. */
static bool find_event(struct phase_work *w, int phase,
                       const struct work_moment *m, struct bytes *data)
{
    struct sql q = sql_open(
        &w->work,
        "SELECT data, seq <= ?3 AND at <= ?4 FROM events WHERE"
        " type = 'phase:changed' AND json_extract(data, '$.projectPath') = ?1"
        " AND json_extract(data, '$.phase') = ?2 ORDER BY seq DESC");
    bool is_newest = true;

    sql_text(&q, 1, slice_cstr(w->project));
    sql_text(&q, 2, phase_name(phase));
    sql_int(&q, 3, m->seq);
    sql_int(&q, 4, m->at);
    while (sql_next(&q)) {
        if (sql_number(&q, 1)) {
            json_raw(data, sql_column(&q, 0));
            break;
        }
        is_newest = false;
    }
    sql_close(&q);
    return is_newest;
}

static void put_row(struct phase_work *w, struct bytes *out, int phase,
                    const struct record *r)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "projectPath", slice_cstr(w->project));
    record_put(&w->work, out, w->project, phase, r, true);
    JSON_RAW(out, "}");
}

static void put_phase(struct phase_work *w, struct bytes *out, int phase,
                      const struct work_moment *m)
{
    struct record r, none = {0};
    struct bytes then = {0};
    bool is_newest = !m->is_past || find_event(w, phase, m, &then);

    record_load(&w->work, w->project, phase, &r);
    JSON_RAW(&none.files, "[]");
    if (is_newest && !(m->is_past && r.started_at > m->at))
        put_row(w, out, phase, &r);
    else if (then.len > 0)
        json_raw(out, bytes_slice(&then));
    else
        put_row(w, out, phase, &none);
    record_finish(&r);
    record_finish(&none);
    bytes_finish(&then);
}

/* Its plans up to the moment, the newest first, but for those that were refused
 * in the making. */
static void put_plans(struct phase_work *w, struct bytes *out,
                      const struct work_moment *m)
{
    struct sql q =
        sql_open(&w->work, "SELECT grp, first, created_at FROM phase_plans"
                           " WHERE project = ?1 AND created_at <= ?2"
                           " AND NOT (is_over = 1 AND done = 0)"
                           " ORDER BY created_at DESC, grp DESC LIMIT ?3");
    bool is_first = true;

    JSON_KEY(out, "plans");
    JSON_RAW(out, "[");
    sql_text(&q, 1, slice_cstr(w->project));
    sql_int(&q, 2, m->at);
    sql_int(&q, 3, PLANS_TOLD);
    for (; sql_next(&q); is_first = false) {
        if (!is_first)
            JSON_RAW(out, ",");
        plan_put(out, sql_column(&q, 0), slice_cstr(w->project),
                 (int)sql_number(&q, 1), sql_number(&q, 2));
    }
    sql_close(&q);
    JSON_RAW(out, "]");
}

static void put_project(struct phase_work *w, struct bytes *out,
                        const struct work_moment *m)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "projectPath", slice_cstr(w->project));
    JSON_KEY(out, "phases");
    JSON_RAW(out, "[");
    for (int i = 0; i < PHASES; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        put_phase(w, out, i, m);
    }
    JSON_RAW(out, "]");
    put_plans(w, out, m);
    JSON_RAW(out, "}");
}

/* The one that was named, or else all that there are and the asker's own. */
static void put_projects(struct phase_work *w, struct bytes *out,
                         const struct work_moment *m)
{
    bool is_named = FIELD_TEXT(w->work.order->args, "projectPath").len > 0;
    char *own = w->project;
    struct sql q =
        sql_open(&w->work, "SELECT project FROM phase_records"
                           " WHERE project <> ?1 UNION SELECT project"
                           " FROM phase_plans WHERE project <> ?1"
                           " ORDER BY project LIMIT 200");

    JSON_RAW(out, "[");
    put_project(w, out, m);
    sql_text(&q, 1, slice_cstr(own));
    while (!is_named && sql_next(&q)) {
        struct slice path = sql_column(&q, 0);

        w->project = bytes_text("%.*s", (int)path.len, path.ptr);
        JSON_RAW(out, ",");
        put_project(w, out, m);
        free(w->project);
    }
    w->project = own;
    sql_close(&q);
    JSON_RAW(out, "]");
}

/* ---- the order --------------------------------------------------------- */

void status_get(struct work *w)
{
    struct bytes *out;
    struct work_moment m;

    if (!work_moment_read(w, &m))
        return;
    out = work_answer(w);
    JSON_RAW(out, "{\"projects\":");
    put_projects((struct phase_work *)w, out, &m);
    asked_put((struct phase_work *)w, out);
    JSON_RAW(out, "}");
}
