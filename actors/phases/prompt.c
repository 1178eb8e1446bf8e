/* SPDX-License-Identifier: MIT */
/*
 * A prompt is kept as its source last gave it. While that copy is fresh the
 * Cloud API is not asked again; of a file and of our own the copy says since
 * when it has been the same, and a file that was changed holds at once. A copy
 * that is not fresh stays, for when the API does not answer.
 */
#include <string.h>

#include "actors/phases/inside.h"
#include "runtime/text/json.h"

void handed_finish(struct handed *h)
{
    bytes_finish(&h->title);
    bytes_finish(&h->content);
}

static struct slice language_in(const struct phase_work *w,
                                enum prompt_source source)
{
    if (source != PROMPT_BUILTIN)
        return SLICE_EMPTY;
    return order_is_english(w->work.order) ? SLICE("en") : SLICE("ja");
}

bool prompt_is_fresh(const struct phase_work *w, int64_t fetched_at)
{
    int64_t ttl = w->work.order->roster->settings->config->phases.cache_ttl_ms;
    int64_t age = (int64_t)w->work.now - fetched_at;

    return ttl > 0 && age >= 0 && age <= ttl;
}

/* ---- copies ------------------------------------------------------------ */

static void bind(struct sql *q, const struct phase_work *w,
                 const struct prompt *p)
{
    sql_int(q, 1, w->phase);
    sql_text(q, 2, prompt_source_name(p->source));
    sql_text(q, 3, language_in(w, p->source));
    sql_text(q, 4, bytes_slice(&p->origin));
}

bool prompt_find_kept(struct phase_work *w, const struct prompt *p,
                      struct handed *h)
{
    struct sql q =
        sql_open(&w->work,
                 "SELECT content, version, fetched_at, title FROM phase_prompts"
                 " WHERE phase = ?1 AND source = ?2 AND language = ?3"
                 " AND origin = ?4");
    bool is_there;

    bind(&q, w, p);
    is_there = sql_next(&q);
    if (is_there) {
        h->source = p->source;
        bytes_append(&h->content, sql_column(&q, 0).ptr, sql_column(&q, 0).len);
        h->version = sql_number(&q, 1);
        h->fetched_at = sql_number(&q, 2);
        bytes_append(&h->title, sql_column(&q, 3).ptr, sql_column(&q, 3).len);
    }
    sql_close(&q);
    return is_there;
}

static void keep_copy(struct phase_work *w, const struct prompt *p,
                      const struct handed *h)
{
    struct sql q = sql_open(
        &w->work, "INSERT INTO phase_prompts(phase, source, language, origin,"
                  " title, content, version, fetched_at)"
                  " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
                  " ON CONFLICT(phase, source, language, origin) DO UPDATE SET"
                  " title = ?5, content = ?6, version = ?7, fetched_at = ?8");

    bind(&q, w, p);
    sql_text(&q, 5, bytes_slice(&p->title));
    sql_text(&q, 6, bytes_slice(&h->content));
    sql_int(&q, 7, h->version);
    sql_int(&q, 8, h->fetched_at);
    sql_run(&q);
}

/* ---- what is handed out ------------------------------------------------ */

/* A source without versions of its own gets one more with each change. */
static void take_given(struct phase_work *w, struct handed *h)
{
    const struct prompt *p = &w->prompt;
    bool was_there = prompt_find_kept(w, p, h);
    bool is_same = was_there &&
                   slice_eq(bytes_slice(&h->content), bytes_slice(&p->content));

    h->is_cached = p->source != PROMPT_CLOUD && is_same &&
                   prompt_is_fresh(w, h->fetched_at);
    if (h->is_cached)
        return;
    h->source = p->source;
    h->version = p->version > 0 ? p->version : h->version + !is_same;
    h->fetched_at = (int64_t)w->work.now;
    h->content.len = 0;
    bytes_append(&h->content, p->content.ptr, p->content.len);
    keep_copy(w, p, h);
}

static void take_builtin(struct phase_work *w, struct handed *h)
{
    struct prompt own = {0};

    builtin_read(order_is_english(w->work.order), w->phase, &own);
    h->source = PROMPT_BUILTIN;
    h->version = 1;
    h->fetched_at = (int64_t)w->work.now;
    bytes_append(&h->content, own.content.ptr, own.content.len);
    prompt_finish(&own);
}

static void refuse(struct phase_work *w)
{
    const struct prompt *p = &w->prompt;

    if (p->state == PROMPT_NONE)
        WORK_REFUSE(&w->work, CODE_PROMPT_NOT_FOUND, PHASE_NO_PROMPT,
                    phase_name(w->phase).ptr);
    else
        WORK_REFUSE(&w->work, CODE_CLOUD_API_ERROR, PHASE_CLOUD_FAILED,
                    (int)p->cause.len, p->cause.ptr);
}

/* The API has been asked, and has given none. */
static bool take_instead(struct phase_work *w, struct handed *h)
{
    enum prompt_state state = w->prompt.state;

    h->cause = bytes_slice(&w->prompt.cause);
    if (state != PROMPT_NONE && prompt_find_kept(w, &w->prompt, h)) {
        h->is_cached = true;
        return true;
    }
    if (state == PROMPT_UNREACHED) {
        take_builtin(w, h);
        return true;
    }
    refuse(w);
    return false;
}

/* False: refused, or the API is to be asked. */
static bool find_prompt(struct phase_work *w, struct handed *h)
{
    if (w->prompt.state == PROMPT_GIVEN) {
        take_given(w, h);
        return true;
    }
    if (w->prompt.state != PROMPT_WANTED)
        return take_instead(w, h);
    h->is_cached =
        prompt_find_kept(w, &w->prompt, h) && prompt_is_fresh(w, h->fetched_at);
    w->wants_fetch = !h->is_cached;
    return h->is_cached;
}

/* ---- the answer -------------------------------------------------------- */

static struct slice given_path(const struct order *o)
{
    struct slice path = FIELD_TEXT(FIELD(o->args, "context"), "projectPath");

    return path.len > 0 ? path : FIELD_TEXT(o->args, "projectPath");
}

static void put_text(struct bytes *out, const struct order *o,
                     const struct handed *h)
{
    struct slice path = given_path(o);
    yyjson_val *results =
        FIELD(FIELD(o->args, "context"), "previousPhaseResults");
    struct bytes text = {0};

    if (path.len > 0)
        bytes_format(&text, "Project Path: %.*s\n\n", (int)path.len, path.ptr);
    bytes_append(&text, h->content.ptr, h->content.len);
    if (yyjson_obj_size(results) > 0) {
        bytes_format(&text, "\n\n## %s\n\n```json\n",
                     MESSAGE(order_is_english(o), PHASE_PREVIOUS_RESULTS));
        json_val(&text, results);
        bytes_append(&text, "\n```\n", 5);
    }
    JSON_TEXT(out, "text", bytes_slice(&text));
    bytes_finish(&text);
}

static void put_handed(struct phase_work *w, const struct handed *h)
{
    struct order *o = w->work.order;
    struct bytes *out = work_answer(&w->work);

    JSON_RAW(out, "{");
    put_text(out, o, h);
    JSON_KEY(out, "metadata");
    JSON_RAW(out, "{");
    JSON_TEXT(out, "phase", phase_name(w->phase));
    JSON_UINT(out, "version", (uint64_t)h->version);
    JSON_KEY(out, "fetchedAt");
    json_time(out, (uint64_t)h->fetched_at);
    JSON_BOOL(out, "cached", h->is_cached);
    JSON_TEXT(out, "source", prompt_source_name(h->source));
    if (h->cause.len > 0) {
        JSON_TEXT(out, "warning", SLICE("API unavailable"));
        JSON_TEXT(out, "cause", h->cause);
    }
    JSON_RAW(out, "}}");
}

static void start(struct phase_work *w)
{
    struct record r;

    record_load(&w->work, w->project, w->phase, &r);
    if (record_start(&w->work, &r))
        record_keep(w, w->phase, &r);
    record_finish(&r);
}

void prompt_inject(struct work *work)
{
    struct phase_work *w = (struct phase_work *)work;
    struct handed h = {0};

    w->wants_fetch = false;
    w->text.len = 0;
    if (phase_work_may(w) && find_prompt(w, &h)) {
        if (w->plan != 0) {
            bytes_append(&w->text, h.content.ptr, h.content.len);
        } else {
            start(w);
            put_handed(w, &h);
        }
    }
    handed_finish(&h);
}
