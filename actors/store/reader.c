/* SPDX-License-Identifier: MIT */
/*
 * Answers come back to the reader before they go out (`via`): if the peek
 * has been written over while it was read, the order is asked again of a new
 * one. A hub that writes that often can be asked itself.
 */
#include "actors/store/reader.h"

#include <stdlib.h>
#include <string.h>

#include "actors/store/ask.h"
#include "actors/store/peek.h"
#include "actors/store/tables.h"
#include "actors/store/transcript_pages.h"

#define TRIES 100

struct reader {
    struct reader_setup setup;
    struct peek peek;
    struct store store;  /* only what questions look at */
    unsigned tries;      /* of the order under way */
    struct rt_ref pages; /* of transcripts, which are files */
};

/* ---- what cannot be read ----------------------------------------------- */

static void refuse_version(struct rt_turn *t, struct order *o,
                           const struct peek *s, bool is_older)
{
    if (is_older)
        ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, READER_DATABASE_OLD, s->path,
                     s->version, TABLES_VERSION);
    else
        ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, READER_DATABASE_NEW, s->path,
                     s->version, TABLES_VERSION);
}

static void refuse(struct rt_turn *t, const struct reader *r, struct order *o,
                   enum peek_verdict verdict)
{
    switch (verdict) {
    case PEEK_FINE:
        break;
    case PEEK_NOTHING:
        ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, READER_NOTHING_RECORDED,
                     r->setup.path);
        break;
    case PEEK_OLDER:
    case PEEK_NEWER:
        refuse_version(t, o, &r->peek, verdict == PEEK_OLDER);
        break;
    case PEEK_UNFINISHED:
        ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, READER_DATABASE_HALF_WRITTEN,
                     r->setup.path);
        break;
    case PEEK_BAD:
        ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, STORE_UNREADABLE,
                     store_why_in(&r->store.why, order_is_english(o)));
        break;
    }
}

/* ---- orders ------------------------------------------------------------- */

static bool is_of_files(enum order_kind kind)
{
    return kind == ORDER_TRANSCRIPT || kind == ORDER_STORY ||
           kind == ORDER_STDERR || kind == ORDER_PROMPT ||
           kind == ORDER_PROCESS;
}

/* What nobody tells us of an agent the store knows. Where no hub reads it, as
 * much as there is is all of it. */
static void ask_files(struct rt_turn *t, struct reader *r, struct order *o)
{
    struct transcript_page page = {.reader = r->pages, .is_gone = true};
    struct transcript_page *wanted;

    if (!transcript_page_read(t, o, &page))
        return;
    wanted = transcript_page_create(&page);
    ask_story(t, &r->store, wanted);
    rt_obj_drop(&wanted->obj);
}

/* As the store would, but for what is to be written: there is nothing. */
static void run_work(struct rt_turn *t, struct reader *r, struct work *w)
{
    struct sql_cache *cache = sql_cache_create();
    int code = work_run(w, r->peek.db, cache, rt_wall_ms(t));

    sql_cache_destroy(cache);
    if (code == SQLITE_OK) {
        answer_send(t, w->order, RT_KEEP(w->answer));
        return;
    }
    database_why(&r->store.why, r->setup.path, r->peek.db, code);
    ORDER_REFUSE(t, w->order, CODE_STORE_UNAVAILABLE, HISTORY_UNREADABLE,
                 store_why_in(&r->store.why, order_is_english(w->order)));
}

static void ask_tables(struct rt_turn *t, struct reader *r, struct order *o)
{
    struct work *w = r->setup.question(t, o);

    if (w == NULL) {
        ask_order(t, &r->store, o);
        return;
    }
    run_work(t, r, w);
    rt_obj_drop(&w->obj);
}

static void ask(struct rt_turn *t, struct reader *r, struct order *o)
{
    enum peek_verdict verdict = PEEK_FINE;

    if (r->peek.db == NULL || peek_is_stale(&r->peek)) {
        peek_close(&r->peek);
        verdict = peek_open(&r->peek, r->setup.path, &r->store.why);
        r->store.db = r->peek.db;
    }
    if (verdict == PEEK_FINE) {
        if (is_of_files(o->kind))
            ask_files(t, r, o);
        else
            ask_tables(t, r, o);
        return;
    }
    peek_close(&r->peek);
    refuse(t, r, o, verdict);
}

static void on_order(struct rt_turn *t, struct reader *r, struct order *o)
{
    o->is_english = r->setup.is_english;
    o->via = rt_self(t);
    r->tries = 0;
    if (o->kind == ORDER_GC)
        ORDER_REFUSE(t, o, CODE_HUB_UNAVAILABLE, READER_NEEDS_HUB,
                     order_name(o->kind).ptr);
    else
        ask(t, r, o);
}

/* What was refused for want of a peek is no less true a moment later. */
static void on_answer(struct rt_turn *t, struct reader *r, struct answer *a)
{
    bool is_torn = r->peek.db != NULL && peek_is_stale(&r->peek);

    if (!is_torn) {
        rt_pass(t, a->order->asker, ORDER_ANSWER, &a->obj);
        return;
    }
    if (++r->tries < TRIES) {
        ask(t, r, a->order);
        return;
    }
    a->order->via = RT_NOBODY;
    ORDER_REFUSE(t, a->order, CODE_STORE_UNAVAILABLE, READER_HUB_HAS_STARTED,
                 r->setup.path);
}

/* ---- the actor ---------------------------------------------------------- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct reader *r = state;

    if (m->kind == ORDER_PLACED)
        on_order(t, r, RT_OBJ(m, struct order));
    else if (m->kind == ORDER_ANSWER)
        on_answer(t, r, RT_OBJ(m, struct answer));
    return RT_OK;
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct reader *r = state;

    r->pages = transcript_pages_spawn(t, RT_POOL, r->setup.state_dir);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct reader *r = state;

    (void)t;
    peek_close(&r->peek);
    free(r->store.path);
}

static const struct rt_behaviour behaviour = {.name = "reader",
                                              .size = sizeof(struct reader),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref reader_spawn(struct rt_turn *t, const struct reader_setup *s)
{
    struct reader r = {.setup = *s, .store.path = bytes_text("%s", s->path)};

    return rt_spawn(t, &behaviour, &r);
}
