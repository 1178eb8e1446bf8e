/* SPDX-License-Identifier: MIT */
#include "actors/store/retention.h"

#include <stdlib.h>

#include "actors/store/cleaner.h"
#include "actors/store/inside.h"
#include "actors/store/query.h"
#include "runtime/text/array.h"
#include "runtime/text/json.h"

#define IDS_SHOWN 10000

/* ---- its end ----------------------------------------------------------- */

/* Ids that SQL gives, each by `put`. */
static int put_ids(struct store *s, const char *sql, uint64_t cutoff,
                   struct bytes *out, void (*put)(struct bytes *, struct slice),
                   size_t *count)
{
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);

    *count = 0;
    if (code == SQLITE_OK && sqlite3_bind_parameter_count(stmt) > 0)
        code = sqlite3_bind_int64(stmt, 1, (int64_t)cutoff);
    while (code == SQLITE_OK && *count < IDS_SHOWN &&
           (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        put(out, query_column(stmt, 0));
        ++*count;
        code = SQLITE_OK;
    }
    sqlite3_finalize(stmt);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static void put_line(struct bytes *out, struct slice id)
{
    json_raw(out, id);
    JSON_RAW(out, "\n");
}

static void put_item(struct bytes *out, struct slice id)
{
    if (out->ptr[out->len - 1] != '[')
        JSON_RAW(out, ",");
    json_string(out, id);
}

static void tell_removed(struct rt_turn *t, struct store *s)
{
    struct cleaner_list *list = cleaner_list_create();

    if (put_ids(s, "SELECT id FROM leavings", 0, &list->lines, put_line,
                &list->count) == SQLITE_OK &&
        list->count > 0)
        rt_pass(t, s->registry, STORE_REMOVED, &list->obj);
    rt_obj_drop(&list->obj);
}

static int answer(struct rt_turn *t, struct store *s,
                  const struct retention_removal *r, struct order *o,
                  bool is_dry, const char *ids)
{
    struct answer *a = answer_create(o->ticket);
    struct bytes *out = &a->json;
    uint64_t drop = 0, pack = 0;
    size_t count;
    int code;

    JSON_RAW(out, "{");
    JSON_BOOL(out, "dryRun", is_dry);
    JSON_UINT(out, "agents", r->agents);
    JSON_UINT(out, "groups", r->groups);
    JSON_UINT(out, "events", r->events);
    JSON_UINT(out, "calls", r->calls);
    JSON_KEY(out, "agentIds");
    JSON_RAW(out, "[");
    code = put_ids(s, ids, r->cutoff, out, put_item, &count);
    JSON_RAW(out, "]");
    if (code == SQLITE_OK)
        code = retention_count_transcripts(t, s, &drop, &pack);
    JSON_UINT(out, "transcriptsToDrop", drop);
    JSON_UINT(out, "transcriptsToCompress", pack);
    JSON_RAW(out, "}");
    if (code == SQLITE_OK)
        answer_send(t, o, a);
    else
        rt_obj_drop(&a->obj);
    return code;
}

static void refuse(struct rt_turn *t, struct store *s, struct order *o)
{
    ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, STORE_CANNOT_BE_WRITTEN,
                 store_why_in(&s->why, order_is_english(o)));
}

static void end(struct store *s)
{
    struct retention_removal *r = &s->retention.removal;

    for (size_t i = 0; i < r->order_count; i++)
        rt_obj_drop(&r->orders[i]->obj);
    free(r->orders);
    *r = (struct retention_removal){.is_on = false};
}

void retention_finish(struct rt_turn *t, struct store *s)
{
    const struct retention_removal *r = &s->retention.removal;

    if (!r->is_over)
        return;
    tell_removed(t, s);
    for (size_t i = 0; i < r->order_count; i++)
        if (answer(t, s, r, r->orders[i], false, "SELECT id FROM leavings") !=
            SQLITE_OK)
            refuse(t, s, r->orders[i]);
    end(s);
    retention_list_transcripts(t, s);
}

void retention_abandon(struct rt_turn *t, struct store *s)
{
    const struct retention_removal *r = &s->retention.removal;

    for (size_t i = 0; i < r->order_count; i++)
        refuse(t, s, r->orders[i]);
    end(s);
}

/* ---- its beginning ----------------------------------------------------- */

static struct retention_removal begin(struct rt_turn *t, const struct store *s)
{
    uint64_t now = rt_wall_ms(t),
             keep = (uint64_t)s->retention.keep_days * RETENTION_DAY_MS;

    return (struct retention_removal){
        .is_on = true,
        /* 0 days: for ever. */
        .cutoff = s->retention.keep_days > 0 && now > keep ? now - keep : 0,
        .calls_cutoff = now > RECALLS_KEPT_MS ? now - RECALLS_KEPT_MS : 0};
}

/* It is answered when the removal is over. */
static void add_order(struct retention_removal *r, struct order *o)
{
    ARRAY_GROW(r->orders, r->order_count);
    r->orders[r->order_count++] = RT_KEEP(o);
}

static void dry_run(struct rt_turn *t, struct store *s, struct order *o)
{
    struct store_why why;
    struct retention_removal r = begin(t, s);
    int code;

    code = retention_count_rows(s, "SELECT count(*)" RETENTION_OLD_AGENTS,
                                r.cutoff, &r.agents);
    if (code == SQLITE_OK)
        code = retention_count_rows(
            s,
            "SELECT count(*) FROM groups WHERE deleted_at > 0"
            " AND deleted_at < ?1",
            r.cutoff, &r.groups);
    if (code == SQLITE_OK)
        code =
            retention_count_rows(s, "SELECT count(*) FROM events WHERE at < ?1",
                                 r.cutoff, &r.events);
    if (code == SQLITE_OK)
        code =
            retention_count_rows(s, "SELECT count(*) FROM calls WHERE at < ?1",
                                 r.calls_cutoff, &r.calls);
    if (code == SQLITE_OK)
        code = answer(t, s, &r, o, true,
                      "SELECT a.id" RETENTION_OLD_AGENTS " UNION SELECT id"
                      " FROM leavings");
    if (code != SQLITE_OK) {
        database_why(&why, s->path, s->db, code);
        ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, STORE_UNREADABLE,
                     store_why_in(&why, order_is_english(o)));
    }
}

void retention_begin(struct rt_turn *t, struct store *s, struct order *o)
{
    yyjson_val *dry = o != NULL ? FIELD(o->args, "dryRun") : NULL;

    if (o != NULL && !s->is_good && !yyjson_get_bool(dry)) {
        refuse(t, s, o);
        return;
    }
    if (yyjson_get_bool(dry)) {
        dry_run(t, s, o);
        return;
    }
    if (!s->retention.removal.is_on) {
        s->retention.removal = begin(t, s);
        rt_tell(t, rt_self(t), STORE_RETENTION_STEP, NULL, 0);
    }
    if (o != NULL) /* the one that is under way does for all */
        add_order(&s->retention.removal, o);
}

void retention_step(struct rt_turn *t, struct store *s)
{
    unsigned count;
    int code;

    if (!s->retention.removal.is_on || s->retention.removal.is_over)
        return; /* abandoned meanwhile */
    code = batch_begin(t, s);
    if (code == SQLITE_OK)
        code = retention_remove_portion(s, &count);
    if (code != SQLITE_OK)
        store_trouble(t, s, code);
    else if (count > 0)
        rt_tell(t, rt_self(t), STORE_RETENTION_STEP, NULL, 0);
    else
        s->retention.removal.is_over = true;
}
