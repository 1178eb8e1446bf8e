/* SPDX-License-Identifier: MIT */
#include "actors/store/ask.h"

#include "runtime/text/json.h"

#define PATIENCE_MS 2000 /* one question may take */

void ask_withdraw(struct question *q)
{
    rt_obj_drop(&q->a->obj);
    q->a = NULL;
}

void ask_refuse_group(struct question *q, struct slice id)
{
    ask_withdraw(q);
    order_refuse_group(q->t, q->o, id);
}

void ask_refuse_agent(struct question *q, struct slice id)
{
    ask_withdraw(q);
    order_refuse_agent(q->t, q->o, id);
}

void ask_put_json(struct bytes *out, struct slice name, struct slice json)
{
    json_key(out, name);
    if (!json_compact(out, json))
        JSON_RAW(out, "null");
}

/* ---- a question's end -------------------------------------------------- */

struct patience {
    struct rt_turn *t;
    uint64_t until;
};

static int is_over(void *arg)
{
    const struct patience *p = arg;

    return rt_now(p->t) > p->until;
}

static void refuse(struct question *q, int code)
{
    struct store_why why;

    if ((code & 0xff) == SQLITE_INTERRUPT) {
        ORDER_REFUSE(q->t, q->o, CODE_INTERNAL_ERROR, HISTORY_TAKES_TOO_LONG,
                     order_name(q->o->kind).ptr);
        return;
    }
    database_why(&why, q->s->path, q->s->db, code);
    ORDER_REFUSE(q->t, q->o, CODE_STORE_UNAVAILABLE, HISTORY_UNREADABLE,
                 store_why_in(&why, order_is_english(q->o)));
}

static int (*const questions[ORDER_KINDS])(struct question *q) = {
    [ORDER_HISTORY] = ask_history,
    [ORDER_EVENTS] = ask_events,
    [ORDER_EVENT_PAGE] = ask_event_page,
    [ORDER_SNAPSHOT] = ask_snapshot,
    [ORDER_USAGE] = ask_usage,
    [ORDER_NOTIFICATIONS] = ask_notifications,
    [ORDER_RECORD] = ask_record,
    [ORDER_GET_AGENT_STATUS] = ask_agent,
    [ORDER_SHOW_AGENT] = ask_agent,
    [ORDER_LIST_AGENTS] = ask_agents,
    [ORDER_LIST_GROUPS] = ask_groups,
    [ORDER_OVERVIEW] = ask_agents,
    [ORDER_FIND] = ask_find};

static int ask(struct question *q)
{
    if (questions[q->o->kind] != NULL)
        return questions[q->o->kind](q);
    ASK_REFUSE(q, CODE_INTERNAL_ERROR, HISTORY_NO_SUCH_QUESTION,
               order_name(q->o->kind).ptr);
    return SQLITE_OK;
}

/* What was read may be of the transaction that is open, and not safe yet: then
 * the answer goes out behind it. */
static void tell(struct question *q)
{
    struct store_write *w;

    if (!q->s->batch.is_open) {
        answer_send(q->t, q->o, q->a);
        return;
    }
    q->a->order = RT_KEEP(q->o);
    w = store_write_create();
    store_say(w, q->o->asker, ORDER_ANSWER, &q->a->obj);
    batch_add(q->s, w);
    rt_obj_drop(&w->obj);
    rt_obj_drop(&q->a->obj);
}

void ask_order(struct rt_turn *t, struct store *s, struct order *o)
{
    struct question q = {.t = t, .s = s, .o = o};
    struct patience p = {t, rt_now(t) + (uint64_t)PATIENCE_MS * 1000000};
    int code;

    if (s->db == NULL) {
        ORDER_REFUSE(t, o, CODE_STORE_UNAVAILABLE, HISTORY_UNREADABLE,
                     store_why_in(&s->why, order_is_english(o)));
        return;
    }
    if (o->kind == ORDER_GC) {
        retention_begin(t, s, o);
        return;
    }
    q.a = answer_create(o->ticket);
    sqlite3_progress_handler(s->db, 1000, is_over, &p);
    code = ask(&q);
    sqlite3_progress_handler(s->db, 0, NULL, NULL);
    if (code == SQLITE_OK) {
        if (q.a != NULL)
            tell(&q);
        return;
    }
    if (q.a != NULL)
        ask_withdraw(&q);
    refuse(&q, code);
}
