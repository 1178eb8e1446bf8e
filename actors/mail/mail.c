/* SPDX-License-Identifier: MIT */
#include "actors/mail/mail.h"

#include <inttypes.h>
#include <stdio.h>

#include "actors/mail/inside.h"
#include "actors/order/hub_context.h"
#include "actors/registry/registry.h"
#include "runtime/text/json.h"

#define DAY_MS ((uint64_t)24 * 3600 * 1000)
#define CLEAR_FIRST_MS 60000 /* a hub that starts has better things to do */

struct mail_work *mail_work_create(struct order *order,
                                   void (*run)(struct work *w))
{
    return (struct mail_work *)work_create(sizeof(struct mail_work), order,
                                           run);
}

void mail_put_text(struct bytes *out, struct slice name, bool is_there,
                   struct slice text)
{
    json_key(out, name);
    if (is_there)
        json_string(out, text);
    else
        JSON_RAW(out, "null");
}

void mail_draw_id(struct rt_turn *t, char uuid[MAIL_UUID])
{
    uint64_t a = rt_random(t), b = rt_random(t);

    snprintf(uuid, MAIL_UUID,
             "%08" PRIx64 "-%04" PRIx64 "-4%03" PRIx64 "-%04" PRIx64
             "-%012" PRIx64,
             a >> 32, a >> 16 & 0xffff, a & 0xfff, (b >> 48 & 0x3fff) | 0x8000,
             b & 0xffffffffffff);
}

/* ---- orders ------------------------------------------------------------ */

static const struct {
    void (*run)(struct work *w);
    uint16_t then;
    bool is_question;
} works[ORDER_KINDS] = {
    [ORDER_AGENT_REGISTER] = {mailbox_register},
    [ORDER_AGENT_GET] = {mailbox_get, .is_question = true},
    [ORDER_AGENT_SEND_MESSAGE] = {message_send, MAIL_SENT},
    [ORDER_CONTEXT_SHARE] = {context_share},
    [ORDER_CONTEXT_READ] = {context_read, .is_question = true},
    [ORDER_MAIL_TALKS] = {ask_talks, .is_question = true},
    [ORDER_MAIL_BOXES] = {ask_boxes, .is_question = true},
    [ORDER_MAIL_MESSAGES] = {ask_messages, .is_question = true},
    [ORDER_MAIL_VALUES] = {ask_values, .is_question = true},
};

static void on_order(struct rt_turn *t, struct mail *m, struct order *o)
{
    struct mail_work *w;

    if (o->kind == ORDER_AGENT_RECEIVE_MESSAGES) {
        receivers_begin(t, m, o);
        return;
    }
    w = mail_work_create(o, works[o->kind].run);
    w->work.then = works[o->kind].then;
    w->work.system = rt_self(t);
    w->work.is_question = works[o->kind].is_question;
    mail_draw_id(t, w->uuid);
    rt_pass_take(t, m->registry, REGISTRY_WORK, &w->work.obj);
}

static void on_clear(struct rt_turn *t, struct mail *m)
{
    struct mail_work *w = mail_work_create(NULL, message_clear);

    w->keep_ms = m->keep_ms;
    rt_pass_take(t, m->registry, REGISTRY_WORK, &w->work.obj);
    rt_after(t, DAY_MS, MAIL_CLEAR);
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next start(struct rt_turn *t, void *state)
{
    (void)state;
    rt_after(t, CLEAR_FIRST_MS, MAIL_CLEAR);
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *msg)
{
    struct mail *m = state;

    switch (msg->kind) {
    case ORDER_PLACED:
        on_order(t, m, RT_OBJ(msg, struct order));
        break;
    case MAIL_SENT:
        receivers_wake(t, m, RT_OBJ(msg, struct mail_work));
        break;
    case MAIL_TOLD:
        receivers_wake_told(t, m, rt_body(msg));
        break;
    case MAIL_RECEIVED:
        receivers_on_looked(t, m, RT_OBJ(msg, struct mail_work));
        break;
    case MAIL_TIME_UP:
        receivers_on_time(t, m, ((struct rt_alarm *)rt_body(msg))->id);
        break;
    case RT_DOWN:
        receivers_forget(t, m, msg->from);
        break;
    case MAIL_CLEAR:
        on_clear(t, m);
        break;
    default:
        break;
    }
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    (void)t;
    receivers_drop(state);
}

static const struct rt_behaviour behaviour = {.name = "mail",
                                              .size = sizeof(struct mail),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref mail_spawn(struct rt_turn *t, struct rt_ref registry,
                         int64_t keep_days)
{
    struct mail m = {.registry = registry,
                     .keep_ms = (uint64_t)keep_days * DAY_MS};
    struct registry_join joins[] = {
        {.first = ORDER_AGENT_REGISTER, .last = ORDER_CONTEXT_READ},
        {.first = ORDER_MAIL_TALKS, .last = ORDER_MAIL_VALUES}};
    struct rt_ref mail = rt_spawn_at(t, HUB_LOOP_FRONT, &behaviour, &m);

    for (unsigned i = 0; mail.id != 0 && i < 2; i++) {
        joins[i].system = mail;
        rt_tell(t, registry, REGISTRY_JOIN, &joins[i], sizeof(joins[i]));
    }
    return mail;
}
