/* SPDX-License-Identifier: MIT */
#include "actors/phases/phases.h"

#include <errno.h>
#include <stdlib.h>

#include "actors/health/check.h"
#include "actors/phases/inside.h"
#include "actors/registry/feed.h"
#include "actors/registry/registry.h"
#include "config/reason.h"

#define PLANS_LOAD_MS 100 /* the store is there soon */

static const struct {
    void (*run)(struct work *w);
    uint16_t then;
} works[ORDER_KINDS] = {
    [ORDER_INJECT_PHASE_PROMPT] = {prompt_inject, PHASES_LOOKED},
    [ORDER_TRANSITION_TO_NEXT_PHASE] = {transition_make, PHASES_WORKED},
    [ORDER_GET_PHASE_CONTEXT] = {context_get},
    [ORDER_SAVE_PHASE_RESULT] = {checkpoint_save},
    [ORDER_PHASES] = {status_get},
    [ORDER_RUN_PHASES] = {prompt_inject, PHASES_LOOKED},
};

void phases_order_work(struct rt_turn *t, struct phases *p,
                       struct phase_work *w)
{
    enum order_kind kind = w->work.order->kind;

    w->work.then = works[kind].then;
    w->work.system = rt_self(t);
    w->work.is_question = !order_is_change(kind);
    rt_pass_take(t, p->setup.registry, REGISTRY_WORK, &w->work.obj);
}

/* ---- prompts ----------------------------------------------------------- */

static const struct config_phases *settings_of(const struct order *o)
{
    return &o->roster->settings->config->phases;
}

/* 0, or why the file that is there cannot be used. */
static int find_source(const struct phases *p, const struct order *o, int phase,
                       struct prompt *to)
{
    const struct config_phases *c = settings_of(o);
    int error = -ENOENT;

    if (c->prompt_directory[0] != 0)
        error = file_read(p->setup.context, c->prompt_directory, phase, to);
    if (error != -ENOENT)
        return error;
    if (c->api_url[0] != 0)
        cloud_want(c->api_url, to);
    else
        builtin_read(order_is_english(o), phase, to);
    return 0;
}

bool phases_find_source(struct rt_turn *t, const struct phases *p,
                        struct phase_work *w)
{
    struct order *o = w->work.order;
    int error = find_source(p, o, w->phase, &w->prompt);

    if (error != 0)
        ORDER_REFUSE(t, o, CODE_PROMPT_NOT_FOUND, PHASE_FILE_UNREADABLE,
                     settings_of(o)->prompt_directory, phase_name(w->phase).ptr,
                     reason_of(error, order_is_english(o)).text);
    return error == 0;
}

static void find_all_sources(const struct phases *p, struct phase_work *w)
{
    struct order *o = w->work.order;

    w->asked = bytes_zalloc(PHASES * sizeof(*w->asked));
    for (int i = 0; i < PHASES; i++) {
        struct prompt *one = &w->asked[i];
        int error = find_source(p, o, i, one);

        if (error == 0)
            continue;
        one->state = PROMPT_UNREADABLE;
        bytes_format(&one->origin, "%s", settings_of(o)->prompt_directory);
        bytes_format(&one->cause, "%s",
                     reason_of(error, order_is_english(o)).text);
    }
}

static void on_looked(struct rt_turn *t, struct phases *p, struct phase_work *w)
{
    if (w->wants_fetch)
        fetches_add(t, p, w);
    else if (w->plan != 0)
        plans_on_prompt(t, p, w);
}

/* ---- orders ------------------------------------------------------------ */

static void on_order(struct rt_turn *t, struct phases *p, struct order *o)
{
    struct phase_work *w;

    if (o->kind == ORDER_RUN_PHASES) {
        plans_begin(t, p, o);
        return;
    }
    w = phase_work_create(t, p->setup.context, o, works[o->kind].run);
    if (w == NULL)
        return;
    if (o->kind == ORDER_PHASES)
        find_all_sources(p, w);
    if (o->kind != ORDER_INJECT_PHASE_PROMPT || phases_find_source(t, p, w))
        phases_order_work(t, p, w);
    else
        rt_obj_drop(&w->work.obj);
}

void phases_wake_mail(struct rt_turn *t, const struct phases *p)
{
    const struct mail_told all = {.receiver = ""};

    rt_tell(t, p->setup.mail, MAIL_TOLD, &all, sizeof(all));
}

static void on_worked(struct rt_turn *t, const struct phases *p,
                      const struct phase_work *w)
{
    if (w->has_failed && w->work.answer == NULL)
        transition_refuse(t, w);
    if (w->has_told_all)
        phases_wake_mail(t, p);
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct phases *p = state;

    fetches_start(t, p);
    rt_tell(t, p->setup.registry, FEED_SUBSCRIBE, NULL, 0);
    rt_after(t, PLANS_LOAD_MS, PHASES_LOAD);
    return RT_OK;
}

static void on_event(struct rt_turn *t, struct phases *p,
                     const struct feed_event *e)
{
    if (e->seq != 0 && e->group[0] != 0)
        plans_on_event(t, p, e->group);
}

static void on_plan(struct rt_turn *t, struct phases *p, struct rt_msg *m)
{
    const struct phase_work *w = RT_OBJ(m, struct phase_work);

    if (m->kind == PHASES_NOTED)
        plans_on_noted(t, p, w);
    else if (m->kind == PHASES_SETTLED)
        plans_on_settled(t, p, w);
    else
        plans_on_loaded(t, p, w);
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct phases *p = state;

    switch (m->kind) {
    case FEED_EVENT:
        on_event(t, p, RT_OBJ(m, struct feed_event));
        break;
    case ORDER_ANSWER:
        plans_on_answer(t, p, RT_OBJ(m, struct answer));
        break;
    case PHASES_NOTED:
    case PHASES_SETTLED:
    case PHASES_LOADED:
        on_plan(t, p, m);
        break;
    case PHASES_LOAD:
        plans_load(t, p);
        break;
    case ORDER_PLACED:
        on_order(t, p, RT_OBJ(m, struct order));
        break;
    case PHASES_LOOKED:
        on_looked(t, p, RT_OBJ(m, struct phase_work));
        break;
    case PHASES_WORKED:
        on_worked(t, p, RT_OBJ(m, struct phase_work));
        break;
    case CHECK_DONE:
        fetches_on_done(t, p, m);
        break;
    case PHASES_CLEAR:
        fetches_clear(t, p);
        break;
    default:
        break;
    }
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct phases *p = state;

    (void)t;
    fetches_drop(p);
    plans_drop(p);
    free(p->fetcher);
    rt_obj_drop(&p->setup.context->obj);
}

static const struct rt_behaviour behaviour = {.name = "phases",
                                              .size = sizeof(struct phases),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

static void join_registry(struct rt_turn *t, struct rt_ref registry,
                          struct rt_ref self)
{
    const struct registry_join joins[] = {
        {self, ORDER_INJECT_PHASE_PROMPT, ORDER_SAVE_PHASE_RESULT},
        {self, ORDER_PHASES, ORDER_RUN_PHASES}};

    for (size_t i = 0; i < sizeof(joins) / sizeof(*joins); i++)
        rt_tell(t, registry, REGISTRY_JOIN, &joins[i], sizeof(joins[i]));
}

struct rt_ref phases_spawn(struct rt_turn *t, const struct phases_setup *s)
{
    struct phases p = {.setup = *s, .fetcher = bytes_text("%s", s->fetcher)};
    struct rt_ref ref;

    rt_obj_keep(&s->context->obj);
    ref = rt_spawn_at(t, HUB_LOOP_SPAWN, &behaviour, &p);
    if (ref.id == 0)
        stop(t, &p);
    else
        join_registry(t, s->registry, ref);
    return ref;
}
