/* SPDX-License-Identifier: MIT */
#include "actors/phases/inside.h"
#include "runtime/text/json.h"

#define CHECKPOINTS_TOLD 100         /* the newest; there may be more */
#define EVENT_MAX ((size_t)64 << 10) /* bytes */

static void put(struct bytes *to, struct slice text)
{
    bytes_append(to, text.ptr, text.len);
}

void record_load(struct work *w, const char *project, int phase,
                 struct record *r)
{
    struct sql q = sql_open(
        w, "SELECT status, attempts, started_at, completed_at, result, files"
           " FROM phase_records WHERE project = ?1 AND phase = ?2");

    *r = (struct record){0};
    sql_text(&q, 1, slice_cstr(project));
    sql_int(&q, 2, phase);
    if (sql_next(&q)) {
        r->status = (enum phase_status)sql_number(&q, 0);
        r->attempts = sql_number(&q, 1);
        r->started_at = sql_number(&q, 2);
        r->completed_at = sql_number(&q, 3);
        r->has_result = !sql_is_null(&q, 4);
        put(&r->result, sql_column(&q, 4));
        put(&r->files, sql_column(&q, 5));
    } else {
        JSON_RAW(&r->files, "[]");
    }
    sql_close(&q);
}

void record_finish(struct record *r)
{
    bytes_finish(&r->result);
    bytes_finish(&r->files);
}

bool record_start(struct work *w, struct record *r)
{
    if (r->status != PHASE_PENDING && r->status != PHASE_FAILED)
        return false;
    r->status = PHASE_IN_PROGRESS;
    r->attempts++;
    r->started_at = (int64_t)w->now;
    r->completed_at = 0;
    r->has_result = false;
    return true;
}

int record_first_open(struct work *w, const char *project)
{
    struct sql q = sql_open(w, "SELECT phase FROM phase_records WHERE"
                               " project = ?1 AND status = 2 ORDER BY phase");
    int open = 0;

    sql_text(&q, 1, slice_cstr(project));
    while (sql_next(&q) && sql_number(&q, 0) == open)
        open++;
    sql_close(&q);
    return open;
}

/* ---- as it is told ----------------------------------------------------- */

/* Of one that has not ended, what was kept last. */
static void put_newest(struct work *w, struct bytes *out, const char *project,
                       int phase)
{
    struct sql q = sql_open(
        w, "SELECT name, data FROM phase_checkpoints WHERE project = ?1"
           " AND phase = ?2 ORDER BY number DESC LIMIT 1");

    sql_text(&q, 1, slice_cstr(project));
    sql_int(&q, 2, phase);
    if (sql_next(&q)) {
        JSON_RAW(out, "{");
        JSON_TEXT(out, "checkpoint", sql_column(&q, 0));
        JSON_KEY(out, "data");
        json_raw(out, sql_column(&q, 1));
        JSON_RAW(out, "}");
    } else {
        JSON_RAW(out, "null");
    }
    sql_close(&q);
}

static void put_checkpoints(struct work *w, struct bytes *out,
                            const char *project, int phase)
{
    struct sql q =
        sql_open(w, "SELECT name, saved_at FROM (SELECT number, name, saved_at "
                    "FROM phase_checkpoints"
                    " WHERE project = ?1 AND phase = ?2 ORDER BY number DESC"
                    " LIMIT ?3) ORDER BY number");
    bool is_first = true;

    JSON_KEY(out, "checkpoints");
    JSON_RAW(out, "[");
    sql_text(&q, 1, slice_cstr(project));
    sql_int(&q, 2, phase);
    sql_int(&q, 3, CHECKPOINTS_TOLD);
    for (; sql_next(&q); is_first = false) {
        json_raw(out, is_first ? SLICE("{") : SLICE(",{"));
        JSON_TEXT(out, "checkpoint", sql_column(&q, 0));
        JSON_KEY(out, "savedAt");
        json_time(out, (uint64_t)sql_number(&q, 1));
        JSON_RAW(out, "}");
    }
    sql_close(&q);
    JSON_RAW(out, "]");
}

static void put_result(struct work *w, struct bytes *out, const char *project,
                       int phase, const struct record *r)
{
    JSON_KEY(out, "result");
    if (r->has_result)
        json_raw(out, bytes_slice(&r->result));
    else
        put_newest(w, out, project, phase);
}

void record_put(struct work *w, struct bytes *out, const char *project,
                int phase, const struct record *r, bool with_result)
{
    JSON_TEXT(out, "phase", phase_name(phase));
    JSON_TEXT(out, "status", phase_status_name(r->status));
    JSON_KEY(out, "startedAt");
    json_time(out, (uint64_t)r->started_at);
    JSON_KEY(out, "completedAt");
    json_time(out, (uint64_t)r->completed_at);
    if (with_result)
        put_result(w, out, project, phase, r);
    else
        JSON_RAW(out, ",\"result\":null");
    JSON_KEY(out, "outputFiles");
    json_raw(out, bytes_slice(&r->files));
    JSON_UINT(out, "attempts", (uint64_t)r->attempts);
    put_checkpoints(w, out, project, phase);
}

/* ---- as it is kept ----------------------------------------------------- */

static void write_row(struct phase_work *w, int phase, const struct record *r)
{
    struct sql q = sql_open(
        &w->work,
        "INSERT INTO phase_records(project, phase, status, attempts,"
        " started_at, completed_at, updated_at, result, files)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
        " ON CONFLICT(project, phase) DO UPDATE SET status = ?3,"
        " attempts = ?4, started_at = ?5, completed_at = ?6, updated_at = ?7,"
        " result = ?8, files = ?9");

    sql_text(&q, 1, slice_cstr(w->project));
    sql_int(&q, 2, phase);
    sql_int(&q, 3, r->status);
    sql_int(&q, 4, r->attempts);
    sql_int(&q, 5, r->started_at);
    sql_int(&q, 6, r->completed_at);
    sql_int(&q, 7, (int64_t)w->work.now);
    if (r->has_result)
        sql_text(&q, 8, bytes_slice(&r->result));
    sql_text(&q, 9, bytes_slice(&r->files));
    sql_run(&q);
}

static void put_event(struct phase_work *w, struct bytes *out, int phase,
                      const struct record *r, bool is_whole)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "projectPath", slice_cstr(w->project));
    record_put(&w->work, out, w->project, phase, r, is_whole);
    if (!is_whole)
        JSON_BOOL(out, "truncated", true);
    JSON_KEY(out, "updatedAt");
    json_time(out, w->work.now);
    JSON_RAW(out, "}");
}

/* What is too long for the feed is told without its result. */
void record_keep(struct phase_work *w, int phase, const struct record *r)
{
    struct bytes *out;

    write_row(w, phase, r);
    out = work_event(&w->work, "phase:changed");
    put_event(w, out, phase, r, true);
    if (out->len <= EVENT_MAX)
        return;
    bytes_clear(out, 0);
    put_event(w, out, phase, r, false);
}

/* ---- the order --------------------------------------------------------- */

void context_get(struct work *work)
{
    struct phase_work *w = (struct phase_work *)work;
    bool with_result =
        !yyjson_is_false(FIELD(work->order->args, "includeResults"));
    struct record r;
    struct bytes *out;

    if (!phase_work_may(w))
        return;
    record_load(work, w->project, w->phase, &r);
    out = work_answer(work);
    JSON_RAW(out, "{\"context\":{");
    record_put(work, out, w->project, w->phase, &r, with_result);
    JSON_RAW(out, "}}");
    record_finish(&r);
}
