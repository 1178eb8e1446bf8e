/* SPDX-License-Identifier: MIT */
/*
 * The first write of a batch opens a transaction and sends the store a
 * message to itself, which arrives behind all the mail that waits by then:
 * whatever came while the last commit was being synced is in this one.
 *
 *   good --- a statement or a commit fails ---> bad: the batch stays in memory
 *    ^                                           |
 *    +---- every 250 ms: open the file again, ---+
 *          tell the past if that is still due, redo the batch, commit
 */
#include "actors/store/store.h"

#include <stdlib.h>

#include "actors/order/hub_context.h"
#include "actors/store/ask.h"
#include "actors/store/inside.h"
#include "actors/store/work.h"

#define RETRY_MS 250
#define FIRST_BUSY_MS 2000 /* of a hub that starts: see start() */
#define RETENTION_MS ((uint64_t)3600 * 1000)
#define RETENTION_FIRST_MS                                                     \
    5000 /* a hub that starts has better things to do                          \
          */

/* ---- the file ---------------------------------------------------------- */

static void close_file(struct store *s)
{
    batch_disconnect(s);
    sqlite3_close(s->db);
    s->db = NULL;
    s->is_lost = false;
}

void store_tell_condition(struct rt_turn *t, struct store *s,
                          const struct store_why *why)
{
    const struct store_condition c = {.is_good = s->is_good, .why = *why};

    rt_tell(t, s->registry, STORE_CONDITION, &c, sizeof(c));
}

static void set_condition(struct rt_turn *t, struct store *s, bool is_good,
                          const struct store_why *why)
{
    if (s->is_good == is_good && store_why_is_same(&s->why, why))
        return;
    s->is_good = is_good;
    s->why = *why;
    /* Trying again must not keep questions waiting for another's lock. */
    if (s->db != NULL)
        sqlite3_busy_timeout(s->db, is_good ? DATABASE_BUSY_MS : 0);
    store_tell_condition(t, s, why);
}

static void try_later(struct rt_turn *t, struct store *s)
{
    if (!s->is_retrying)
        rt_after(t, RETRY_MS, STORE_RETRY);
    s->is_retrying = true;
}

void store_trouble(struct rt_turn *t, struct store *s, int code)
{
    struct store_why why;

    database_why(&why, s->path, s->db, code);
    batch_roll_back(s);
    s->is_lost = database_is_lost(code);
    s->index.is_wanted = true; /* a portion of it may be taken back */
    set_condition(t, s, false, &why);
    batch_say(t, s);
    retention_abandon(t, s);
    try_later(t, s);
}

/* ---- the past ---------------------------------------------------------- */

static void tell_past(struct rt_turn *t, struct store *s, struct past *past)
{
    rt_pass_take(t, s->registry, STORE_PAST, &past->obj);
}

/* What has happened in works of an earlier hub, and was not told. */
static void tell_untold(struct rt_turn *t, struct store *s)
{
    struct work *w = work_create(sizeof(*w), NULL, work_take_over);

    if (work_run(w, s->db, s->cache, rt_wall_ms(t)) == SQLITE_OK)
        work_deliver(t, w, s->registry);
    rt_obj_drop(&w->obj);
}

static int open_file(struct store *s, int busy_ms, struct store_why *why)
{
    int code = SQLITE_OK;

    if (s->db == NULL)
        code = database_open(s->path, s->is_relaxed, busy_ms, &s->db, why);
    return code;
}

/* Opens the file and tells what is in it, unless that has been done. */
static int begin_life(struct rt_turn *t, struct store *s, int busy_ms,
                      struct store_why *why)
{
    struct past *past;
    int code = open_file(s, busy_ms, why);

    if (code != SQLITE_OK || s->has_told_past)
        return code;
    code = past_load(s->db, rt_wall_ms(t), &past);
    if (code != SQLITE_OK) {
        database_why(why, s->path, s->db, code);
        close_file(s);
        return code;
    }
    s->has_told_past = true;
    sqlite3_busy_timeout(s->db, DATABASE_BUSY_MS);
    /* First, so that no order which waits for the past is begun in vain. */
    if (sqlite3_db_readonly(s->db, "main") == 1)
        store_trouble(t, s, SQLITE_READONLY);
    tell_past(t, s, past);
    tell_untold(t, s);
    batch_prepare(s);
    s->index.is_wanted = true; /* the hub before may not have come to it */
    search_index_arm(t, s);
    return SQLITE_OK;
}

/* ---- messages ---------------------------------------------------------- */

/* Of what is durable, and at once: nothing of it is new. */
static void answer_question(struct rt_turn *t, struct store *s, struct work *w)
{
    struct store_why why;
    int code;

    if (s->db == NULL) {
        WORK_FAIL(w, CODE_STORE_UNAVAILABLE, HISTORY_UNREADABLE, &s->why);
        work_deliver(t, w, s->registry);
        return;
    }
    code = work_run(w, s->db, s->cache, rt_wall_ms(t));
    if (code != SQLITE_OK) {
        database_why(&why, s->path, s->db, code);
        WORK_FAIL(w, CODE_STORE_UNAVAILABLE, HISTORY_UNREADABLE, &why);
    }
    work_deliver(t, w, s->registry);
}

static bool is_question(const struct store_write *w)
{
    return w->work != NULL && w->work->is_question && w->rows.len == 0;
}

static void on_write(struct rt_turn *t, struct store *s, struct store_write *w)
{
    int code;

    if (is_question(w) && (!s->is_good || !s->batch.is_open)) {
        answer_question(t, s, w->work);
        return;
    }

    if (store_write_is_said(w) && (s->batch.count == 0 || !s->is_good)) {
        store_write_deliver(t, w, s->registry);
        return;
    }
    batch_add(s, w);
    if (!s->is_good)
        return;
    code = batch_run_last(t, s);
    if (code != SQLITE_OK)
        store_trouble(t, s, code);
}

/* Health begins without them rather than wait for a disk. */
static void on_checks(struct rt_turn *t, struct store *s, struct rt_ref asker)
{
    struct past *past = NULL;

    if (s->db == NULL || past_checks(s->db, &past) != SQLITE_OK)
        past = past_unknown(&s->why);
    rt_pass_take(t, asker, STORE_CHECKED, &past->obj);
}

static void on_commit(struct rt_turn *t, struct store *s)
{
    int code;

    if (!s->batch.is_open)
        return; /* it was taken back meanwhile */
    code = batch_commit(t, s);
    if (code != SQLITE_OK)
        store_trouble(t, s, code);
    else
        recalls_try(t, s);
}

/* Something is written in any case: only that shows that it works. */
static int try_all(struct rt_turn *t, struct store *s)
{
    int code = batch_begin(t, s);

    if (code == SQLITE_OK)
        code = batch_redo(t, s);
    if (code == SQLITE_OK)
        code = batch_begin(t, s);
    if (code == SQLITE_OK)
        code = sqlite3_exec(s->db,
                            "INSERT INTO meta(name, value) VALUES('tries', 1)"
                            " ON CONFLICT(name) DO UPDATE"
                            " SET value = value + 1",
                            NULL, NULL, NULL);
    return code == SQLITE_OK ? batch_commit(t, s) : code;
}

static void on_retry(struct rt_turn *t, struct store *s)
{
    struct store_why why;
    int code;

    s->is_retrying = false;
    /* Not before now: until then questions can perhaps be answered. */
    if (s->is_lost)
        close_file(s);
    if (begin_life(t, s, 0, &why) != SQLITE_OK) {
        set_condition(t, s, false, &why);
        try_later(t, s);
        return;
    }
    sqlite3_busy_timeout(s->db, 0);
    code = try_all(t, s);
    if (code != SQLITE_OK) {
        store_trouble(t, s, code);
        return;
    }
    set_condition(t, s, true, &(struct store_why){0});
    recalls_try(t, s);
}

static void on_retention(struct rt_turn *t, struct store *s)
{
    rt_after(t, RETENTION_MS, STORE_RETENTION);
    if (s->is_good)
        retention_begin(t, s, NULL);
}

/* ---- the actor --------------------------------------------------------- */

/*
 * A hub without its past knows of no group and no agent, and says so to every
 * client. A process that reads the file just now, or mends what a killed hub
 * has left in its log, is gone in a moment: that is worth waiting for.
 */
static enum rt_next start(struct rt_turn *t, void *state)
{
    struct store *s = state;
    struct store_why why;

    rt_after(t, s->retention_ms, STORE_RETENTION);
    if (begin_life(t, s, FIRST_BUSY_MS, &why) != SQLITE_OK) {
        tell_past(t, s, past_unknown(&why));
        set_condition(t, s, false, &why);
        try_later(t, s);
    }
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct store *s = state;

    switch (m->kind) {
    case STORE_WRITE:
        on_write(t, s, RT_OBJ(m, struct store_write));
        break;
    case STORE_RECALL:
        recalls_add(t, s, RT_OBJ(m, struct order));
        break;
    case STORE_ASK:
        ask_order(t, s, RT_OBJ(m, struct order));
        break;
    case STORE_LOOK_UP:
        ask_lookup(t, s, RT_OBJ(m, struct store_lookup));
        break;
    case STORE_STORY:
        ask_story(t, s, RT_OBJ(m, struct transcript_page));
        break;
    case STORE_CHECKS:
        on_checks(t, s, m->from);
        break;
    case STORE_TRANSCRIPTS_DONE:
        retention_on_transcripts(
            t, s, ((struct store_transcripts_done *)rt_body(m))->has_helped);
        break;
    case STORE_COMMIT:
        on_commit(t, s);
        break;
    case STORE_RETRY:
        on_retry(t, s);
        break;
    case STORE_RETENTION:
        on_retention(t, s);
        break;
    case STORE_RETENTION_STEP:
        retention_step(t, s);
        break;
    case STORE_INDEX:
        search_index_step(t, s);
        break;
    default:
        break;
    }
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct store *s = state;

    if (s->batch.is_open && batch_commit(t, s) != SQLITE_OK)
        batch_roll_back(s);
    retention_abandon(t, s);
    close_file(s);
    batch_finish(s);
    sql_cache_destroy(s->cache);
    recalls_finish(s);
    free(s->path);
}

static const struct rt_behaviour behaviour = {.name = "store",
                                              .size = sizeof(struct store),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref store_spawn(struct rt_turn *t, const struct store_setup *setup)
{
    struct store s = {.registry = setup->registry,
                      .path = strdup(setup->path),
                      .is_relaxed = setup->is_relaxed,
                      .retention_ms = setup->retention_ms > 0
                                          ? setup->retention_ms
                                          : RETENTION_FIRST_MS,
                      .index = {.pause_ms = setup->index_ms},
                      .retention = {.keep_days = setup->keep_days,
                                    .transcripts = setup->transcripts,
                                    .transcript_days = setup->transcript_days,
                                    .keep_bytes = setup->keep_bytes,
                                    .samples_bytes = setup->samples_bytes},
                      .is_good = true};
    struct rt_ref ref;

    if (s.path == NULL)
        abort();
    s.cache = sql_cache_create();
    ref = rt_spawn_at(t, HUB_LOOP_STORE, &behaviour, &s);
    if (ref.id == 0) {
        sql_cache_destroy(s.cache);
        free(s.path);
    }
    return ref;
}
