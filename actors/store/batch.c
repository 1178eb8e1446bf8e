/* SPDX-License-Identifier: MIT */
/* The batch: writes that are not durable yet, and how their rows are run. */
#include "actors/store/inside.h"

/* ---- rows -------------------------------------------------------------- */

int store_begin(struct rt_turn *t, struct store *s)
{
    int code;

    if (s->is_in_transaction)
        return SQLITE_OK;
    code = sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        return code;
    s->is_in_transaction = true;
    rt_tell(t, rt_self(t), STORE_COMMIT, NULL, 0);
    return SQLITE_OK;
}

void store_roll_back(struct store *s)
{
    /* Some errors have done it already. */
    if (s->db != NULL && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    s->is_in_transaction = false;
}

static int bind(sqlite3_stmt *stmt, const struct store_values *v)
{
    int count = sqlite3_bind_parameter_count(stmt), code = SQLITE_OK;

    for (int i = 0; i < count && code == SQLITE_OK; i++) {
        const struct store_param *p = &v->params[i];

        if (p->type == STORE_INT)
            code = sqlite3_bind_int64(stmt, i + 1, p->number);
        else if (p->type == STORE_TEXT)
            code = sqlite3_bind_text64(stmt, i + 1, p->text.ptr, p->text.len,
                                       SQLITE_STATIC, SQLITE_UTF8);
        else
            code = sqlite3_bind_null(stmt, i + 1);
    }
    return code;
}

static int run_part(struct store *s, const struct store_values *v,
                    unsigned part)
{
    sqlite3_stmt **stmt = &s->parts[v->statement][part];
    int code = SQLITE_OK;

    if (*stmt == NULL)
        code = sqlite3_prepare_v3(s->db, store_sql_part(v->statement, part), -1,
                                  SQLITE_PREPARE_PERSISTENT, stmt, NULL);
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

static int run_row(struct store *s, const struct store_values *v)
{
    int code = SQLITE_OK;

    if (v->statement >= STORE_STATEMENTS ||
        v->count != store_sql_params(v->statement))
        return SQLITE_RANGE;
    for (unsigned i = 0; code == SQLITE_OK; i++) {
        if (store_sql_part(v->statement, i) == NULL)
            break;
        code = run_part(s, v, i);
    }
    return code;
}

static int apply(struct rt_turn *t, struct store *s,
                 const struct store_write *w)
{
    struct store_values values;
    size_t at = 0;
    int code = store_begin(t, s);

    while (code == SQLITE_OK && store_write_next(w, &at, &values))
        code = run_row(s, &values);
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

void store_batch_add(struct store *s, struct store_write *w)
{
    if (s->batch_count == s->batch_cap) {
        s->batch_cap = s->batch_cap > 0 ? 2 * s->batch_cap : 64;
        s->batch = bytes_realloc(s->batch, s->batch_cap * sizeof(*s->batch));
    }
    s->batch[s->batch_count++] = RT_KEEP(w);
}

void store_deliver(struct rt_turn *t, const struct store_write *w)
{
    if (w->answer != NULL)
        rt_pass(t, w->asker, ORDER_ANSWER, &w->answer->obj);
    for (size_t i = 0; i < w->word_count; i++)
        rt_pass(t, w->words[i].to, w->words[i].kind, w->words[i].obj);
}

/* Numbers rise, and what was refused is as much of the past as the rest. */
static void note_done(struct store *s, const struct store_write *w)
{
    if (w->number > s->done)
        s->done = w->number;
}

static void tell_safe(struct rt_turn *t, struct store *s)
{
    struct store_safe safe = {.number = s->done};

    if (s->told == s->done)
        return;
    s->told = s->done;
    rt_tell(t, s->registry, STORE_SAFE, &safe, sizeof(safe));
}

void store_batch_deliver(struct rt_turn *t, struct store *s)
{
    for (size_t i = 0; i < s->batch_count; i++) {
        note_done(s, s->batch[i]);
        store_deliver(t, s->batch[i]);
        rt_obj_drop(&s->batch[i]->obj);
    }
    s->batch_count = 0;
    tell_safe(t, s);
}

bool store_is_word(const struct store_write *w)
{
    return w->rows.len == 0 && w->answer == NULL;
}

void store_batch_say(struct rt_turn *t, struct store *s)
{
    size_t left = 0;

    for (size_t i = 0; i < s->batch_count; i++) {
        struct store_write *w = s->batch[i];

        if (!store_is_word(w)) {
            s->batch[left++] = w;
            continue;
        }
        store_deliver(t, w);
        rt_obj_drop(&w->obj);
    }
    s->batch_count = left;
}

static void refuse_answer(struct rt_turn *t, const struct store_write *w,
                          const char *why)
{
    const struct order *o = w->answer->order;
    struct answer *a = answer_refusal(
        w->answer->ticket, CODE_INTERNAL_ERROR,
        o == NULL || order_is_english(o)
            ? "this cannot be kept, which is a fault of this program: %s"
            : "保存できません。このプログラムの不具合です: %s",
        why);

    rt_pass_take(t, w->asker, ORDER_ANSWER, &a->obj);
}

/* It would hold up all the others for ever. */
static void refuse_write(struct rt_turn *t, struct store *s, size_t i, int code)
{
    struct store_write *w = s->batch[i];
    char why[STORE_WHY];

    store_file_why(why, s->path, s->db, code);
    if (w->answer != NULL)
        refuse_answer(t, w, why);
    store_tell_condition(t, s, why);
    note_done(s, w);
    rt_obj_drop(&w->obj);
    s->batch_count--;
    memmove(s->batch + i, s->batch + i + 1,
            (s->batch_count - i) * sizeof(*s->batch));
}

/* The whole batch from its beginning, in a transaction of its own. */
int store_batch_redo(struct rt_turn *t, struct store *s)
{
    int code = SQLITE_OK;

    for (size_t i = 0; i < s->batch_count; i++) {
        code = apply(t, s, s->batch[i]);
        if (code == SQLITE_OK)
            continue;
        if (!is_row_wrong(code))
            break;
        refuse_write(t, s, i, code);
        store_roll_back(s);
        code = SQLITE_OK;
        i = SIZE_MAX;
    }
    return code;
}

int store_batch_run_last(struct rt_turn *t, struct store *s)
{
    size_t last = s->batch_count - 1;
    int code = apply(t, s, s->batch[last]);

    if (!is_row_wrong(code))
        return code;
    refuse_write(t, s, last, code);
    store_roll_back(s);
    code = store_batch_redo(t, s);
    if (s->batch_count == 0)
        tell_safe(t, s); /* no commit will */
    return code;
}
