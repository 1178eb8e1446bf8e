/* SPDX-License-Identifier: MIT */
#include "actors/store/batch.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "actors/store/inside.h"
#include "actors/store/work.h"
#include "runtime/text/array.h"

/* ---- rows -------------------------------------------------------------- */

int batch_begin(struct rt_turn *t, struct store *s)
{
    int code;

    if (s->batch.is_open)
        return SQLITE_OK;
    code = sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        return code;
    s->batch.is_open = true;
    rt_tell(t, rt_self(t), STORE_COMMIT, NULL, 0);
    return SQLITE_OK;
}

void batch_roll_back(struct store *s)
{
    /* Some errors have done it already. */
    if (s->db != NULL && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    s->batch.is_open = false;
}

static int bind(sqlite3_stmt *stmt, const struct rows_values *v)
{
    int count = sqlite3_bind_parameter_count(stmt), code = SQLITE_OK;

    for (int i = 0; i < count && code == SQLITE_OK; i++) {
        const struct rows_param *p = &v->params[i];

        if (p->type == ROWS_INT)
            code = sqlite3_bind_int64(stmt, i + 1, p->number);
        else if (p->type == ROWS_TEXT)
            code = sqlite3_bind_text64(stmt, i + 1, p->text.ptr, p->text.len,
                                       SQLITE_STATIC, SQLITE_UTF8);
        else
            code = sqlite3_bind_null(stmt, i + 1);
    }
    return code;
}

static int prepare(struct store *s, unsigned statement, unsigned part)
{
    sqlite3_stmt **stmt = &s->batch.parts[statement][part];
    const char *sql = statement_part(statement, part);

    if (*stmt != NULL || sql == NULL)
        return SQLITE_OK;
    return sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, stmt,
                              NULL);
}

void batch_prepare(struct store *s)
{
    for (unsigned i = 0; i < STORE_STATEMENTS; i++)
        for (unsigned part = 0; part < STATEMENT_PARTS; part++)
            prepare(s, i, part);
}

static int run_part(struct store *s, const struct rows_values *v, unsigned part)
{
    sqlite3_stmt **stmt = &s->batch.parts[v->statement][part];
    int code = prepare(s, v->statement, part);

    if (code == SQLITE_OK)
        code = bind(*stmt, v);
    if (code == SQLITE_OK)
        code = sqlite3_step(*stmt);
    if (*stmt != NULL) {
        sqlite3_reset(*stmt);
        sqlite3_clear_bindings(*stmt);
    }
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int run_row(struct store *s, const struct rows_values *v)
{
    int code = SQLITE_OK;

    if (v->statement >= STORE_STATEMENTS ||
        v->count != statement_params(v->statement))
        return SQLITE_RANGE;
    for (unsigned i = 0; code == SQLITE_OK; i++) {
        if (statement_part(v->statement, i) == NULL)
            break;
        code = run_part(s, v, i);
    }
    s->index.is_wanted |= v->statement == STORE_SET_GONE;
    return code;
}

static int apply(struct rt_turn *t, struct store *s,
                 const struct store_write *w)
{
    struct rows_values values;
    size_t at = 0;
    int code = batch_begin(t, s);

    while (code == SQLITE_OK && store_write_next(w, &at, &values))
        code = run_row(s, &values);
    if (code == SQLITE_OK && w->work != NULL)
        code = work_run(w->work, s->db, s->cache, rt_wall_ms(t));
    return code;
}

/* Whether it is the row that is wrong and not the disk. */
static bool is_row_wrong(int code)
{
    int kind = code & 0xff;

    return kind == SQLITE_CONSTRAINT || kind == SQLITE_MISMATCH ||
           kind == SQLITE_TOOBIG || kind == SQLITE_RANGE;
}

/* ---- the batch --------------------------------------------------------- */

void batch_add(struct store *s, struct store_write *w)
{
    ARRAY_GROW(s->batch.writes, s->batch.count);
    s->batch.writes[s->batch.count++] = RT_KEEP(w);
}

/* Numbers rise, and what was refused is as much of the past as the rest. */
static void note_done(struct store *s, const struct store_write *w)
{
    if (w->number > s->batch.done)
        s->batch.done = w->number;
}

static uint64_t size_of(const char *path, const char *suffix)
{
    char *name = bytes_text("%s%s", path, suffix);
    struct stat st;
    uint64_t size = stat(name, &st) == 0 ? (uint64_t)st.st_size : 0;

    free(name);
    return size;
}

static void tell_safe(struct rt_turn *t, struct store *s)
{
    struct store_safe safe = {.number = s->batch.done};

    if (s->batch.told == s->batch.done)
        return;
    s->batch.told = s->batch.done;
    safe.bytes = size_of(s->path, "") + size_of(s->path, "-wal");
    rt_tell(t, s->registry, STORE_SAFE, &safe, sizeof(safe));
}

static void deliver(struct rt_turn *t, struct store *s)
{
    for (size_t i = 0; i < s->batch.count; i++) {
        note_done(s, s->batch.writes[i]);
        store_write_deliver(t, s->batch.writes[i], s->registry);
        rt_obj_drop(&s->batch.writes[i]->obj);
    }
    s->batch.count = 0;
    tell_safe(t, s);
}

void batch_say(struct rt_turn *t, struct store *s)
{
    size_t left = 0;

    for (size_t i = 0; i < s->batch.count; i++) {
        struct store_write *w = s->batch.writes[i];

        if (!store_write_is_said(w)) {
            s->batch.writes[left++] = w;
            continue;
        }
        store_write_deliver(t, w, s->registry);
        rt_obj_drop(&w->obj);
    }
    s->batch.count = left;
}

static void refuse_answer(struct rt_turn *t, const struct store_write *w,
                          const struct store_why *why)
{
    const struct order *o = w->answer->order;
    bool is_english = o == NULL || order_is_english(o);
    struct answer *a = answer_refusal(w->answer->ticket, CODE_INTERNAL_ERROR,
                                      MESSAGE(is_english, STORE_FAULT),
                                      store_why_in(why, is_english));

    rt_pass_take(t, w->asker, ORDER_ANSWER, &a->obj);
}

/* It would hold up all the others for ever. */
static void refuse_write(struct rt_turn *t, struct store *s, size_t i, int code)
{
    struct store_write *w = s->batch.writes[i];
    struct store_why why;

    database_why(&why, s->path, s->db, code);
    if (w->answer != NULL)
        refuse_answer(t, w, &why);
    if (w->work != NULL) {
        WORK_FAIL(w->work, CODE_INTERNAL_ERROR, STORE_FAULT, &why);
        work_deliver(t, w->work, s->registry);
    }
    store_tell_condition(t, s, &why);
    note_done(s, w);
    rt_obj_drop(&w->obj);
    s->batch.count--;
    memmove(s->batch.writes + i, s->batch.writes + i + 1,
            (s->batch.count - i) * sizeof(*s->batch.writes));
}

/* The whole batch from its beginning, in a transaction of its own. */
int batch_redo(struct rt_turn *t, struct store *s)
{
    int code = SQLITE_OK;

    for (size_t i = 0; i < s->batch.count; i++) {
        code = apply(t, s, s->batch.writes[i]);
        if (code == SQLITE_OK)
            continue;
        if (!is_row_wrong(code))
            break;
        refuse_write(t, s, i, code);
        batch_roll_back(s);
        code = SQLITE_OK;
        i = SIZE_MAX;
    }
    return code;
}

int batch_run_last(struct rt_turn *t, struct store *s)
{
    size_t last = s->batch.count - 1;
    int code = apply(t, s, s->batch.writes[last]);

    if (!is_row_wrong(code))
        return code;
    refuse_write(t, s, last, code);
    batch_roll_back(s);
    code = batch_redo(t, s);
    if (s->batch.count == 0)
        tell_safe(t, s); /* no commit will */
    return code;
}

void batch_disconnect(struct store *s)
{
    sql_cache_clear(s->cache);
    for (unsigned i = 0; i < STORE_STATEMENTS; i++)
        for (unsigned j = 0; j < STATEMENT_PARTS; j++) {
            sqlite3_finalize(s->batch.parts[i][j]);
            s->batch.parts[i][j] = NULL;
        }
}

void batch_finish(struct store *s)
{
    for (size_t i = 0; i < s->batch.count; i++)
        rt_obj_drop(&s->batch.writes[i]->obj);
    free(s->batch.writes);
}

int batch_commit(struct rt_turn *t, struct store *s)
{
    int code = sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);

    if (code != SQLITE_OK)
        return code;
    s->batch.is_open = false;
    deliver(t, s);
    retention_finish(t, s);
    search_index_arm(t, s);
    return SQLITE_OK;
}
