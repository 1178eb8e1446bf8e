/* SPDX-License-Identifier: MIT */
#include "actors/store/recalls.h"

#include <stdlib.h>

#include "actors/store/inside.h"
#include "actors/store/query.h"
#include "runtime/text/array.h"
#include "runtime/text/json.h"

/* Answers the order if its key is known; -1: it is not; else SQLite's code. */
static int recall(struct rt_turn *t, struct store *s, struct order *o)
{
    struct query q = {0};
    sqlite3_stmt *stmt = NULL;
    int code;

    query_add(&q, "SELECT is_error, answer FROM calls WHERE key = ?1");
    query_text(&q, slice_cstr(o->key));
    code = query_prepare(s->db, &q, &stmt);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    if (code == SQLITE_ROW) {
        struct answer *a = answer_create(o->ticket);

        a->is_error = query_count(stmt, 0) != 0;
        json_raw(&a->json, query_column(stmt, 1));
        answer_send(t, o, a);
        code = SQLITE_OK;
    } else if (code == SQLITE_DONE) {
        code = -1;
    }
    sqlite3_finalize(stmt);
    query_finish(&q);
    return code;
}

void recalls_try(struct rt_turn *t, struct store *s)
{
    size_t i = 0;

    for (; i < s->recalls.count; i++) {
        int code = recall(t, s, s->recalls.orders[i]);

        if (code > 0) {
            store_trouble(t, s, code);
            break;
        }
        if (code < 0)
            rt_pass(t, s->registry, STORE_RECALLED, &s->recalls.orders[i]->obj);
        rt_obj_drop(&s->recalls.orders[i]->obj);
    }
    s->recalls.count -= i;
    if (i > 0)
        memmove(s->recalls.orders, s->recalls.orders + i,
                s->recalls.count * sizeof(*s->recalls.orders));
}

void recalls_add(struct rt_turn *t, struct store *s, struct order *o)
{
    if (!s->has_told_past) {
        ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, RECALL_UNREADABLE,
                     store_why_in(&s->why, order_is_english(o)));
        return;
    }
    ARRAY_GROW(s->recalls.orders, s->recalls.count);
    s->recalls.orders[s->recalls.count++] = RT_KEEP(o);
    if (s->is_good && s->batch.count == 0)
        recalls_try(t, s);
}

void recalls_finish(struct store *s)
{
    for (size_t i = 0; i < s->recalls.count; i++)
        rt_obj_drop(&s->recalls.orders[i]->obj);
    free(s->recalls.orders);
}
