/* SPDX-License-Identifier: MIT */
#include "actors/projects/projects.h"

#include "actors/projects/inside.h"
#include "actors/registry/registry.h"

#define CLEAR_MS ((uint64_t)300 * 1000)

static void (*const works[ORDER_KINDS])(struct work *w) = {
    [ORDER_HEALTH_CHECK] = project_check_health,
    [ORDER_LIST_ACTIVE_PROJECTS_WITH_AGENTS] = project_list_active,
    [ORDER_SHOULD_START] = start_should,
    [ORDER_GET_MY_TASK] = my_task_get,
    [ORDER_GET_MY_PROFILE] = profile_get_own,
    [ORDER_LIST_TASKS] = task_list,
    [ORDER_UPDATE_TASK_STATUS] = status_update,
    [ORDER_REPORT_COMPLETED] = completion_report,
    [ORDER_LOGOUT] = session_logout,
    [ORDER_GET_AGENT_PROFILE] = profile_get,
    [ORDER_GET_TASK] = task_get,
    [ORDER_CREATE_HANDOFF] = handoff_create,
    [ORDER_GET_PENDING_HANDOFFS] = handoff_list_pending,
    [ORDER_ACCEPT_HANDOFF] = handoff_accept,
    [ORDER_SAVE_CONTEXT] = note_save,
    [ORDER_CREATE_PROJECT] = project_create,
    [ORDER_CREATE_AGENT] = profile_create,
    [ORDER_ASSIGN_AGENT] = assignment_set,
    [ORDER_CREATE_TASK] = task_create,
    [ORDER_ASSIGN_TASK] = task_assign,
    [ORDER_LIST_PROJECTS] = project_list,
    [ORDER_GET_PROJECT] = project_get,
    [ORDER_GET_TASK_CONTEXT] = note_get,
    [ORDER_UPDATE_PROJECT] = project_update,
    [ORDER_UPDATE_AGENT] = profile_update,
    [ORDER_UPDATE_TASK] = task_update,
    [ORDER_SET_PASSKEY] = passkey_set,
    [ORDER_PROJECTS] = board_get,
    [ORDER_PROJECT_TASK] = board_get_task,
    [ORDER_RESOURCES] = resource_list,
    [ORDER_RESOURCE] = resource_read,
    [ORDER_PROMPT_TEXT] = prompt_get,
    [ORDER_IMPORT_PROJECTS] = import_all,
};

void projects_order_work(struct rt_turn *t, const struct projects *p,
                         struct pm_work *w, uint16_t then)
{
    const struct order *o = w->work.order;

    w->work.then = then;
    w->work.system = rt_self(t);
    w->work.is_question =
        o != NULL && (!order_is_change(o->kind) || w->work.run == passkey_look);
    slice_keep(w->version, sizeof(w->version),
               slice_cstr(p->setup.context->build));
    rt_pass_take(t, p->setup.registry, REGISTRY_WORK, &w->work.obj);
}

struct work *projects_question(struct rt_turn *t, struct order *o)
{
    bool is_list = o->kind == ORDER_LIST_AGENTS &&
                   slice_eq(FIELD_TEXT(o->args, "kind"), SLICE("profile"));
    void (*run)(struct work *) = is_list ? profile_list : works[o->kind];
    struct pm_work *w;

    if (run == NULL || order_is_change(o->kind))
        return NULL;
    w = pm_work_create(t, o, run);
    w->work.is_question = true;
    return &w->work;
}

static void on_order(struct rt_turn *t, struct projects *p, struct order *o)
{
    if (o->kind == ORDER_LIST_AGENTS)
        listing_begin(t, p, o);
    else if (o->kind == ORDER_AUTHENTICATE)
        authentication_begin(t, p, o);
    else if (o->kind == ORDER_CREATE_AGENT || o->kind == ORDER_SET_PASSKEY)
        authentication_begin_key(t, p, o, works[o->kind]);
    else if (works[o->kind] != NULL)
        projects_order_work(t, p, pm_work_create(t, o, works[o->kind]),
                            PROJECTS_WORKED);
}

/* An agent that has ended its task has reported, if it has not yet. */
static void place_report(struct rt_turn *t, const struct projects *p,
                         const struct pm_work *w)
{
    yyjson_doc *doc = yyjson_read(w->report.ptr, w->report.len, 0);

    registry_place(t, p->setup.registry,
                   order_create_take(ORDER_REPORT_RESULT, doc,
                                     yyjson_doc_get_root(doc),
                                     p->setup.context->self, rt_self(t), 0));
}

static void on_worked(struct rt_turn *t, struct projects *p,
                      const struct pm_work *w)
{
    struct mail_told told;

    if (w->work.run == profile_list)
        p->has_none = w->count == 0;
    else if (w->work.run == profile_create || w->work.run == import_all)
        p->has_none = false;
    if (w->has_told) {
        slice_keep(told.receiver, sizeof(told.receiver), slice_cstr(w->told));
        rt_tell(t, p->setup.mail, MAIL_TOLD, &told, sizeof(told));
    }
    if (w->run[0] != 0 && !work_is_refused(&w->work))
        place_report(t, p, w);
}

static void on_clear(struct rt_turn *t, const struct projects *p)
{
    projects_order_work(t, p, pm_work_create(t, NULL, session_clear), 0);
    rt_after(t, CLEAR_MS, PROJECTS_CLEAR);
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct projects *p = state;

    p->keys = keys_spawn(t);
    rt_after(t, CLEAR_MS, PROJECTS_CLEAR);
    return p->keys.id != 0 &&
                   runner_spawn(t, p->setup.context, p->setup.registry).id != 0
               ? RT_OK
               : RT_FAIL;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct projects *p = state;

    switch (m->kind) {
    case ORDER_PLACED:
        on_order(t, p, RT_OBJ(m, struct order));
        break;
    case ORDER_ANSWER:
        listing_on_answer(t, p, RT_OBJ(m, struct answer));
        break;
    case PROJECTS_LOOKED:
        authentication_on_looked(t, p, RT_OBJ(m, struct pm_work));
        break;
    case KEYS_DERIVED:
        authentication_on_derived(t, p, RT_OBJ(m, struct key_job));
        break;
    case PROJECTS_AUTHENTICATED:
        authentication_on_done(p, RT_OBJ(m, struct pm_work));
        break;
    case PROJECTS_WORKED:
        on_worked(t, p, RT_OBJ(m, struct pm_work));
        break;
    case PROJECTS_CLEAR:
        on_clear(t, p);
        break;
    default:
        break;
    }
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct projects *p = state;

    (void)t;
    listing_drop(p);
    rt_obj_drop(&p->setup.context->obj);
}

static const struct rt_behaviour behaviour = {.name = "projects",
                                              .size = sizeof(struct projects),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref projects_spawn(struct rt_turn *t, const struct projects_setup *s)
{
    struct projects p = {.setup = *s};
    struct registry_join joins[] = {
        {.first = ORDER_LIST_AGENTS,
         .last = ORDER_LIST_AGENTS,
         .is_shared = true},
        {.first = ORDER_HEALTH_CHECK, .last = ORDER_GET_TASK_CONTEXT},
        {.first = ORDER_UPDATE_PROJECT, .last = ORDER_PROMPT_TEXT}};
    struct rt_ref ref;

    rt_obj_keep(&s->context->obj);
    ref = rt_spawn_at(t, HUB_LOOP_FRONT, &behaviour, &p);
    if (ref.id == 0)
        stop(t, &p);
    for (unsigned i = 0; ref.id != 0 && i < sizeof(joins) / sizeof(*joins);
         i++) {
        joins[i].system = ref;
        rt_tell(t, s->registry, REGISTRY_JOIN, &joins[i], sizeof(joins[i]));
    }
    return ref;
}
