/* SPDX-License-Identifier: MIT */
#include "actors/phases/inside.h"
#include "runtime/text/json.h"

#define DATA_MAX ((size_t)1 << 20) /* bytes of one as JSON */
#define KEPT 1000                  /* of a phase; older ones go */

static void add(struct phase_work *w, struct slice name, struct slice data)
{
    struct sql q = sql_open(
        &w->work, "INSERT INTO phase_checkpoints(project, phase, name, data,"
                  " saved_at) VALUES(?1, ?2, ?3, ?4, ?5)");

    sql_text(&q, 1, slice_cstr(w->project));
    sql_int(&q, 2, w->phase);
    sql_text(&q, 3, name);
    sql_text(&q, 4, data);
    sql_int(&q, 5, (int64_t)w->work.now);
    sql_run(&q);
}

static void remove_old(struct phase_work *w)
{
    struct sql q = sql_open(
        &w->work, "DELETE FROM phase_checkpoints WHERE project = ?1 AND"
                  " phase = ?2 AND number <= (SELECT number FROM"
                  " phase_checkpoints WHERE project = ?1 AND phase = ?2"
                  " ORDER BY number DESC LIMIT 1 OFFSET ?3)");

    sql_text(&q, 1, slice_cstr(w->project));
    sql_int(&q, 2, w->phase);
    sql_int(&q, 3, KEPT);
    sql_run(&q);
}

static void keep(struct phase_work *w)
{
    struct record r;

    remove_old(w);
    record_load(&w->work, w->project, w->phase, &r);
    record_start(&w->work, &r);
    record_keep(w, w->phase, &r);
    record_finish(&r);
}

/* The specification's sentence, whatever the language. */
static void put_saved(struct phase_work *w, struct slice name)
{
    struct bytes *out = work_answer(&w->work), text = {0};

    bytes_format(&text, "Phase %d progress saved at checkpoint: %.*s", w->phase,
                 (int)name.len, name.ptr);
    JSON_RAW(out, "{");
    JSON_TEXT(out, "text", bytes_slice(&text));
    JSON_KEY(out, "savedAt");
    json_time(out, w->work.now);
    JSON_RAW(out, "}");
    bytes_finish(&text);
}

void checkpoint_save(struct work *work)
{
    struct phase_work *w = (struct phase_work *)work;
    yyjson_val *result = FIELD(work->order->args, "result");
    struct slice name = FIELD_TEXT(result, "checkpoint");
    struct bytes data = {0};

    if (!phase_work_may(w))
        return;
    json_val(&data, FIELD(result, "data"));
    if (data.len > DATA_MAX) {
        WORK_REFUSE(work, CODE_VALIDATION_ERROR, PHASE_TOO_LONG, "result.data",
                    data.len, DATA_MAX);
    } else {
        add(w, name, bytes_slice(&data));
        keep(w);
        put_saved(w, name);
    }
    bytes_finish(&data);
}
