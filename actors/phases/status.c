/* SPDX-License-Identifier: MIT */
/*
 * How projects stand. Of a past moment: a record that was not changed since is
 * in its row, and of another the last event before the moment has the whole.
 */
#include <stdlib.h>

#include "actors/phases/inside.h"
#include "runtime/text/json.h"
#include "runtime/text/moment.h"

/* A number below it is an event's; from it on, milliseconds (of 2001). */
#define FIRST_TIME ((int64_t)1000000000000)

struct when {
    bool is_past;
    int64_t seq, at; /* up to which; the greatest: not bound by it */
};

/* ---- which moment ------------------------------------------------------ */

static bool read_number(struct slice text, int64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.len && i < 16; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
        *number = *number * 10 + (text.ptr[i] - '0');
    }
    return text.len > 0 && text.len < 16;
}

/* False: it is no moment. */
static bool read_when(struct when *m, yyjson_val *at)
{
    struct slice text = field_text(at);
    int64_t number = (int64_t)field_count(at);

    *m = (struct when){.seq = INT64_MAX, .at = INT64_MAX};
    if (at == NULL || yyjson_is_null(at))
        return true;
    m->is_past = true;
    if (yyjson_is_str(at) && !read_number(text, &number))
        return moment_read(text, &m->at);
    *(number < FIRST_TIME ? &m->seq : &m->at) = number;
    return true;
}

/* ---- records ----------------------------------------------------------- */

/* The newest event of the phase up to the moment, and whether there are none
 * after it. */
static bool find_event(struct phase_work *w, int phase, const struct when *m,
                       struct bytes *data)
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
                      const struct when *m)
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

static void put_project(struct phase_work *w, struct bytes *out,
                        const struct when *m)
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
    JSON_RAW(out, "]}");
}

/* The one that was named, or else all that there are and the asker's own. */
static void put_projects(struct phase_work *w, struct bytes *out,
                         const struct when *m)
{
    bool is_named = FIELD_TEXT(w->work.order->args, "projectPath").len > 0;
    char *own = w->project;
    struct sql q =
        sql_open(&w->work, "SELECT DISTINCT project FROM phase_records"
                           " WHERE project <> ?1 ORDER BY project LIMIT 200");

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

/* ---- prompts ----------------------------------------------------------- */

static void put_own(struct bytes *out, bool is_english, int phase)
{
    struct prompt own = {0};

    builtin_read(is_english, phase, &own);
    JSON_TEXT(out, "source", SLICE("builtin"));
    JSON_TEXT(out, "title", bytes_slice(&own.title));
    JSON_RAW(out, ",\"version\":1,\"fetchedAt\":null");
    JSON_TEXT(out, "content", bytes_slice(&own.content));
    prompt_finish(&own);
}

/* As it was last handed out; else what we have ourselves. */
static void put_prompt(struct work *w, struct bytes *out, int phase)
{
    bool is_english = order_is_english(w->order);
    struct sql q = sql_open(
        w, "SELECT source, title, version, fetched_at, content"
           " FROM phase_prompts WHERE phase = ?1 AND language IN ('', ?2)"
           " ORDER BY fetched_at DESC LIMIT 1");

    sql_int(&q, 1, phase);
    sql_text(&q, 2, is_english ? SLICE("en") : SLICE("ja"));
    json_raw(out, phase > 0 ? SLICE(",{") : SLICE("{"));
    JSON_TEXT(out, "phase", phase_name(phase));
    if (sql_next(&q)) {
        JSON_TEXT(out, "source", sql_column(&q, 0));
        JSON_TEXT(out, "title", sql_column(&q, 1));
        JSON_UINT(out, "version", (uint64_t)sql_number(&q, 2));
        JSON_KEY(out, "fetchedAt");
        json_time(out, (uint64_t)sql_number(&q, 3));
        JSON_TEXT(out, "content", sql_column(&q, 4));
    } else {
        put_own(out, is_english, phase);
    }
    sql_close(&q);
    JSON_RAW(out, "}");
}

/* ---- the order --------------------------------------------------------- */

void status_get(struct work *w)
{
    struct bytes *out;
    struct when m;

    if (!read_when(&m, FIELD(w->order->args, "at"))) {
        WORK_REFUSE_PLAIN(w, CODE_VALIDATION_ERROR, PHASE_NO_MOMENT);
        return;
    }
    out = work_answer(w);
    JSON_RAW(out, "{\"projects\":");
    put_projects((struct phase_work *)w, out, &m);
    JSON_RAW(out, ",\"prompts\":[");
    for (int i = 0; i < PHASES; i++)
        put_prompt(w, out, i);
    JSON_RAW(out, "]}");
}
