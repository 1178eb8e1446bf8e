/* SPDX-License-Identifier: MIT */
/*
 * The end of a phase. One that has failed stays, and its order is refused; but
 * that it has failed is to hold, and a work that refuses writes nothing: so the
 * work writes, and the actor refuses (transition_refuse).
 */
#include <stdlib.h>

#include "actors/phases/inside.h"
#include "runtime/text/json.h"

#define RESULT_MAX ((size_t)1 << 20) /* bytes of it as JSON */
#define FILES_MAX ((size_t)64 << 10) /* of all files of a phase */

#define SENDER SLICE("phases")

/* ---- whether it may be ended ------------------------------------------- */

static void put_details(struct bytes *out, int phase, enum phase_status status,
                        int expected)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "currentPhase", phase_name(phase));
    JSON_TEXT(out, "status", phase_status_name(status));
    JSON_KEY(out, "expected");
    if (expected < PHASES)
        json_string(out, phase_name(expected));
    else
        JSON_RAW(out, "null");
    JSON_RAW(out, "}");
}

static void refuse(struct phase_work *w, enum phase_status status, int open)
{
    bool is_english = order_is_english(w->work.order);
    struct bytes details = {0};

    put_details(&details, w->phase, status, open);
    if (status != PHASE_COMPLETED)
        work_refuse_with(&w->work, CODE_INVALID_PHASE_TRANSITION,
                         bytes_slice(&details),
                         MESSAGE(is_english, PHASE_OUT_OF_ORDER), w->phase,
                         open, phase_name(open).ptr);
    else if (open < PHASES)
        work_refuse_with(&w->work, CODE_INVALID_PHASE_TRANSITION,
                         bytes_slice(&details),
                         MESSAGE(is_english, PHASE_ALREADY_COMPLETED), w->phase,
                         phase_name(open).ptr);
    else
        work_refuse_with(&w->work, CODE_INVALID_PHASE_TRANSITION,
                         bytes_slice(&details),
                         MESSAGE(is_english, PHASE_ALL_COMPLETED), w->phase);
    bytes_finish(&details);
}

static bool may_end(struct phase_work *w, const struct record *r)
{
    const struct config *c = w->work.order->roster->settings->config;
    int open = record_first_open(&w->work, w->project);

    if (r->status != PHASE_COMPLETED &&
        (open >= w->phase || !c->phases.is_order_enforced))
        return true;
    refuse(w, r->status, open);
    return false;
}

/* ---- its result -------------------------------------------------------- */

/* Whether it is among these, before itself. */
static bool has_file(yyjson_val *files, yyjson_val *file)
{
    yyjson_arr_iter it;
    yyjson_val *one;

    yyjson_arr_iter_init(files, &it);
    while ((one = yyjson_arr_iter_next(&it)) && one != file)
        if (slice_eq(field_text(one), field_text(file)))
            return true;
    return false;
}

/* Those of earlier attempts first; each once. */
static void join_files(struct bytes *files, yyjson_val *more)
{
    yyjson_doc *doc = yyjson_read(files->ptr, files->len, 0);
    yyjson_arr_iter it;
    yyjson_val *one;

    files->len--;
    yyjson_arr_iter_init(more, &it);
    while ((one = yyjson_arr_iter_next(&it))) {
        if (has_file(yyjson_doc_get_root(doc), one) || has_file(more, one))
            continue;
        if (files->ptr[files->len - 1] != '[')
            JSON_RAW(files, ",");
        json_string(files, field_text(one));
    }
    JSON_RAW(files, "]");
    yyjson_doc_free(doc);
}

static bool take_result(struct phase_work *w, struct record *r)
{
    yyjson_val *result = FIELD(w->work.order->args, "result");

    record_start(&w->work, r);
    bytes_clear(&r->result, 0);
    json_val(&r->result, result);
    r->has_result = true;
    join_files(&r->files, FIELD(result, "outputFiles"));
    if (r->result.len > RESULT_MAX)
        WORK_REFUSE(&w->work, CODE_VALIDATION_ERROR, PHASE_TOO_LONG, "result",
                    r->result.len, RESULT_MAX);
    else if (r->files.len > FILES_MAX)
        WORK_REFUSE(&w->work, CODE_VALIDATION_ERROR, PHASE_TOO_LONG,
                    "result.outputFiles", r->files.len, FILES_MAX);
    return !work_is_refused(&w->work);
}

/* ---- what follows ------------------------------------------------------ */

static void begin_next(struct phase_work *w)
{
    struct record r;

    if (w->phase + 1 == PHASES)
        return;
    record_load(&w->work, w->project, w->phase + 1, &r);
    if (record_start(&w->work, &r))
        record_keep(w, w->phase + 1, &r);
    record_finish(&r);
}

/* The specification's sentences, whatever the language. */
static void put_sentence(struct bytes *out, const struct phase_work *w,
                         struct slice status)
{
    bool is_partial = slice_eq(status, SLICE("partial"));

    if (w->phase + 1 == PHASES)
        bytes_format(out, "Phase %d completed. All phases finished!", w->phase);
    else
        bytes_format(out, "Phase %d completed %s. Transitioning to Phase %d...",
                     w->phase, is_partial ? "partially" : "successfully",
                     w->phase + 1);
}

static void put_next(struct bytes *out, const struct phase_work *w)
{
    JSON_KEY(out, "nextPhase");
    if (w->phase + 1 < PHASES)
        json_string(out, phase_name(w->phase + 1));
    else
        JSON_RAW(out, "null");
}

static void put_made(struct phase_work *w, struct slice status)
{
    bool is_english = order_is_english(w->work.order);
    struct bytes *out = work_answer(&w->work), text = {0};

    put_sentence(&text, w, status);
    if (w->phase + 1 < PHASES) {
        bytes_append(&text, "\n", 1);
        bytes_format(&text, MESSAGE(is_english, PHASE_INJECT_NEXT),
                     phase_name(w->phase + 1).ptr);
    }
    JSON_RAW(out, "{");
    JSON_TEXT(out, "text", bytes_slice(&text));
    put_next(out, w);
    JSON_KEY(out, "transitionedAt");
    json_time(out, w->work.now);
    JSON_RAW(out, "}");
    bytes_finish(&text);
}

static bool has_mail(const struct order *o)
{
    return o == NULL ||
           (o->roster->settings->config->toolsets & TOOLSET_BIT(TOOLSET_MAIL));
}

static void tell_all(struct phase_work *w, struct slice status)
{
    struct bytes text = {0}, about = {0};

    if (!has_mail(w->work.order))
        return;
    put_sentence(&text, w, status);
    JSON_RAW(&about, "{");
    JSON_TEXT(&about, "projectPath", slice_cstr(w->project));
    JSON_TEXT(&about, "phase", phase_name(w->phase));
    JSON_TEXT(&about, "status", status);
    put_next(&about, w);
    JSON_RAW(&about, "}");
    mail_tell(&w->work, w->id, SENDER, SLICE_EMPTY, bytes_slice(&text),
              bytes_slice(&about));
    w->has_told_all = true;
    bytes_finish(&text);
    bytes_finish(&about);
}

/* ---- the order --------------------------------------------------------- */

static void end(struct phase_work *w, struct record *r, struct slice status)
{
    w->has_failed = slice_eq(status, SLICE("failed"));
    r->status = w->has_failed ? PHASE_FAILED : PHASE_COMPLETED;
    r->completed_at = w->has_failed ? 0 : (int64_t)w->work.now;
    record_keep(w, w->phase, r);
    if (w->has_failed)
        return;
    begin_next(w);
    tell_all(w, status);
}

void transition_make(struct work *work)
{
    struct phase_work *w = (struct phase_work *)work;
    struct slice status =
        FIELD_TEXT(FIELD(work->order->args, "result"), "status");
    struct record r;

    w->has_failed = w->has_told_all = false;
    if (!phase_work_may(w))
        return;
    record_load(work, w->project, w->phase, &r);
    if (may_end(w, &r) && take_result(w, &r)) {
        end(w, &r, status);
        if (!w->has_failed)
            put_made(w, status);
    }
    record_finish(&r);
}

/* The agent may have said it itself: then that holds. */
void transition_settle(struct phase_work *w, yyjson_val *result)
{
    struct record r;

    w->has_told_all = false;
    record_load(&w->work, w->project, w->phase, &r);
    if (r.status != PHASE_COMPLETED) {
        record_start(&w->work, &r);
        bytes_clear(&r.result, 0);
        json_val(&r.result, result);
        r.has_result = true;
        join_files(&r.files, FIELD(result, "outputFiles"));
        end(w, &r, FIELD_TEXT(result, "status"));
    }
    record_finish(&r);
}

void transition_refuse(struct rt_turn *t, const struct phase_work *w)
{
    struct order *o = w->work.order;
    struct slice why = FIELD_TEXT(FIELD(o->args, "result"), "summary");
    struct answer *a =
        answer_create_error(o->ticket, CODE_INVALID_PHASE_TRANSITION);
    struct bytes text = {0}, details = {0};

    why = order_brief(why);
    put_details(&details, w->phase, PHASE_FAILED, w->phase);
    bytes_format(&text, MESSAGE(order_is_english(o), PHASE_HAS_FAILED),
                 w->phase, (int)why.len, why.ptr, phase_name(w->phase).ptr);
    code_put_error(&a->json, CODE_INVALID_PHASE_TRANSITION, bytes_slice(&text),
                   bytes_slice(&details));
    answer_send(t, o, a);
    bytes_finish(&text);
    bytes_finish(&details);
}
