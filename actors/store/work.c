/* SPDX-License-Identifier: MIT */
#include "actors/store/work.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "actors/store/store.h"
#include "runtime/text/array.h"

static void forget(struct work *w)
{
    if (w->answer != NULL)
        rt_obj_drop(&w->answer->obj);
    w->answer = NULL;
    for (size_t i = 0; i < w->told_count; i++)
        bytes_finish(&w->told[i].data);
    w->told_count = 0;
}

static void free_work(struct rt_obj *obj)
{
    struct work *w = (struct work *)obj;

    forget(w);
    if (w->order != NULL)
        rt_obj_drop(&w->order->obj);
    if (w->finish != NULL)
        w->finish(w);
    free(w->told);
    free(w);
}

struct work *work_create(size_t size, struct order *order,
                         void (*run)(struct work *w))
{
    struct work *w = bytes_zalloc(size);

    rt_obj_init(&w->obj, free_work);
    w->order = order != NULL ? RT_KEEP(order) : NULL;
    w->run = run;
    return w;
}

/* ---- what it finds ----------------------------------------------------- */

struct bytes *work_answer(struct work *w)
{
    if (w->answer == NULL)
        w->answer = answer_create(w->order->ticket);
    return &w->answer->json;
}

__attribute__((format(printf, 4, 0))) static void refuse(struct work *w,
                                                         enum code code,
                                                         struct slice details,
                                                         const char *format,
                                                         va_list args)
{
    struct bytes text = {0};

    if (w->answer != NULL)
        rt_obj_drop(&w->answer->obj);
    w->answer = answer_create_error(w->order->ticket, code);
    bytes_vformat(&text, format, args);
    code_put_error(&w->answer->json, code, bytes_slice(&text), details);
    bytes_finish(&text);
}

void work_refuse(struct work *w, enum code code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    refuse(w, code, SLICE_EMPTY, format, args);
    va_end(args);
}

void work_refuse_with(struct work *w, enum code code, struct slice details,
                      const char *format, ...)
{
    va_list args;

    va_start(args, format);
    refuse(w, code, details, format, args);
    va_end(args);
}

bool work_is_refused(const struct work *w)
{
    return w->answer != NULL && w->answer->is_error;
}

struct bytes *work_event(struct work *w, const char *type)
{
    struct work_event *e;

    ARRAY_GROW(w->told, w->told_count);
    e = &w->told[w->told_count++];
    *e = (struct work_event){.at = w->now};
    slice_keep(e->type, sizeof(e->type), slice_cstr(type));
    return &e->data;
}

/* ---- what has happened ------------------------------------------------- */

static void add_untold(struct work *w)
{
    for (size_t i = 0; i < w->told_count; i++) {
        struct work_event *e = &w->told[i];
        struct sql q;

        if (e->number != 0)
            continue;
        q = sql_open(w, "INSERT INTO untold(at, type, data)"
                        " VALUES(?1, ?2, ?3)");
        sql_int(&q, 1, (int64_t)e->at);
        sql_text(&q, 2, slice_cstr(e->type));
        sql_text(&q, 3, bytes_slice(&e->data));
        sql_run(&q);
        e->number = sqlite3_last_insert_rowid(w->db);
    }
}

void work_take_over(struct work *w)
{
    struct sql q = sql_open(
        w, "SELECT number, at, type, data FROM untold ORDER BY number");

    while (sql_next(&q)) {
        struct bytes *data = work_event(w, "");
        struct work_event *e = &w->told[w->told_count - 1];

        e->number = sql_number(&q, 0);
        e->at = (uint64_t)sql_number(&q, 1);
        slice_keep(e->type, sizeof(e->type), sql_column(&q, 2));
        bytes_append(data, sql_column(&q, 3).ptr, sql_column(&q, 3).len);
    }
    sql_close(&q);
}

/* ---- the store's own --------------------------------------------------- */

/* A relay that repeats the call after a crash finds what it was answered. */
static void write_call(struct work *w)
{
    struct sql q;

    if (w->order == NULL || w->order->key[0] == 0 || w->is_question ||
        w->is_secret || w->answer == NULL || w->answer->is_error)
        return;
    q = sql_open(w, "INSERT INTO calls(key, at, is_error, answer)"
                    " VALUES(?1, ?2, 0, ?3) ON CONFLICT(key) DO NOTHING");
    sql_text(&q, 1, slice_cstr(w->order->key));
    sql_int(&q, 2, (int64_t)w->now);
    sql_text(&q, 3, bytes_slice(&w->answer->json));
    sql_run(&q);
}

int work_run(struct work *w, sqlite3 *db, struct sql_cache *cache, uint64_t now)
{
    forget(w);
    w->db = db;
    w->cache = cache;
    w->now = now;
    w->code = SQLITE_OK;
    w->run(w);
    assert(!work_is_refused(w) || w->told_count == 0);
    add_untold(w);
    write_call(w);
    return w->code;
}

/* Both messages have one %s, for the reason. */
void work_fail(struct work *w, enum code code, struct message format,
               const struct store_why *why)
{
    bool is_english = w->order != NULL && order_is_english(w->order);

    forget(w);
    w->code = SQLITE_ERROR;
    if (w->order != NULL)
        work_refuse(w, code, message_pick(is_english, format),
                    store_why_in(why, is_english));
}

void work_deliver(struct rt_turn *t, struct work *w, struct rt_ref registry)
{
    if (w->answer != NULL) {
        if (w->answer->order == NULL)
            w->answer->order = RT_KEEP(w->order);
        rt_pass(t, w->order->asker, ORDER_ANSWER, &w->answer->obj);
    }
    if (w->told_count > 0)
        rt_pass(t, registry, STORE_WORKED, &w->obj);
    if (w->then != 0)
        rt_pass(t, w->system, w->then, &w->obj);
}
