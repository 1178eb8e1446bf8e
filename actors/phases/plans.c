/* SPDX-License-Identifier: MIT */
/*
 * A plan is the phases as stages of a sequential group, an agent each. It is
 * made step by step, each when the one before is answered:
 *
 *   prompts, one after the other -> create_group -> noted -> run_sequential
 *
 * From then on what happens in its group has its stages entered (plan_work.c).
 */
#include <stdlib.h>
#include <string.h>

#include "actors/phases/inside.h"
#include "actors/registry/feed.h"
#include "actors/registry/registry.h"
#include "runtime/text/json.h"

#define LOAD_MS 1000 /* until it is asked again */

struct plan {
    struct plan *next;
    uint64_t number; /* while it is made */
    struct order *order;
    char *project;
    int first, asked; /* phases; asked: whose prompt is under way */
    struct bytes prompts[PHASES];
    char group[ORDER_ID];
};

/* ---- their life -------------------------------------------------------- */

static void free_plan(struct plan *plan)
{
    for (int i = 0; i < PHASES; i++)
        bytes_finish(&plan->prompts[i]);
    if (plan->order != NULL)
        rt_obj_drop(&plan->order->obj);
    free(plan->project);
    free(plan);
}

static struct plan *find(struct phases *p, uint64_t number)
{
    struct plan *plan = p->making;

    while (plan != NULL && plan->number != number)
        plan = plan->next;
    return plan;
}

static void take_out(struct plan **list, struct plan *plan)
{
    while (*list != plan)
        list = &(*list)->next;
    *list = plan->next;
}

static void drop_making(struct phases *p, struct plan *plan)
{
    take_out(&p->making, plan);
    free_plan(plan);
}

static void drop_all(struct plan **list)
{
    while (*list != NULL) {
        struct plan *plan = *list;

        *list = plan->next;
        free_plan(plan);
    }
}

void plans_drop(struct phases *p)
{
    drop_all(&p->making);
    drop_all(&p->open);
}

/* ---- prompts ----------------------------------------------------------- */

/* False: its order has been refused. */
static bool ask_prompt(struct rt_turn *t, struct phases *p, struct plan *plan)
{
    struct phase_work *w =
        phase_work_create(t, p->setup.context, plan->order, prompt_inject);

    if (w == NULL)
        return false;
    w->phase = plan->asked;
    w->plan = plan->number;
    if (!phases_find_source(t, p, w)) {
        rt_obj_drop(&w->work.obj);
        return false;
    }
    if (plan->project == NULL)
        plan->project = bytes_text("%s", w->project);
    phases_order_work(t, p, w);
    return true;
}

void plans_begin(struct rt_turn *t, struct phases *p, struct order *o)
{
    int first = phase_find(FIELD_TEXT(o->args, "from"));
    struct plan *plan;

    if (o->caller->agent_id[0] != 0) {
        ORDER_REFUSE(t, o, CODE_NESTING_NOT_ALLOWED, PHASE_NO_PLAN_BY_AGENTS,
                     o->caller->agent_id);
        return;
    }
    plan = bytes_zalloc(sizeof(*plan));
    plan->number = ++p->last_plan;
    plan->order = RT_KEEP(o);
    plan->first = plan->asked = first < 0 ? 0 : first;
    plan->next = p->making;
    p->making = plan;
    if (!ask_prompt(t, p, plan))
        drop_making(p, plan);
}

/* ---- its group --------------------------------------------------------- */

static void place(struct rt_turn *t, const struct phases *p,
                  const struct plan *plan, enum order_kind kind,
                  const struct bytes *args)
{
    yyjson_doc *doc = yyjson_read(args->ptr, args->len, 0);
    struct order *o =
        order_create_take(kind, doc, yyjson_doc_get_root(doc),
                          plan->order->caller, rt_self(t), plan->number);

    registry_place(t, p->setup.registry, o);
}

static void create_group(struct rt_turn *t, const struct phases *p,
                         const struct plan *plan)
{
    const char *name = strrchr(plan->project, '/') + 1;
    struct bytes args = {0}, about = {0};

    bytes_format(&about, MESSAGE(order_is_english(plan->order), PHASE_PLAN_OF),
                 name);
    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "description", bytes_slice(&about));
    JSON_TEXT(&args, "mode", SLICE("sequential"));
    JSON_RAW(&args, "}");
    place(t, p, plan, ORDER_CREATE_GROUP, &args);
    bytes_finish(&about);
    bytes_finish(&args);
}

void plans_on_prompt(struct rt_turn *t, struct phases *p,
                     const struct phase_work *w)
{
    struct plan *plan = find(p, w->plan);

    if (plan == NULL)
        return;
    if (w->work.answer != NULL) { /* refused, and told so */
        drop_making(p, plan);
        return;
    }
    bytes_append(&plan->prompts[plan->asked], w->text.ptr, w->text.len);
    if (++plan->asked == PHASES)
        create_group(t, p, plan);
    else if (!ask_prompt(t, p, plan))
        drop_making(p, plan);
}

/* ---- its stages -------------------------------------------------------- */

static const char *role_of(const struct order *o, int phase)
{
    static const char *const usual[PHASES] = {
        "research", "impl-code", "impl-code", "impl-code", "code-review"};
    const char *const *given = o->roster->settings->config->phases.roles;

    for (int i = 0; *given != NULL; given++, i++)
        if (i == phase)
            return *given;
    return usual[phase];
}

static void put_task(struct bytes *out, const struct plan *plan, int phase)
{
    bool is_english = order_is_english(plan->order);
    struct slice text = FIELD_TEXT(plan->order->args, "text");
    struct bytes prompt = {0};

    bytes_append(&prompt, plan->prompts[phase].ptr, plan->prompts[phase].len);
    bytes_format(&prompt, MESSAGE(is_english, PHASE_PLAN_TASK), (int)text.len,
                 text.ptr, plan->project, phase_name(phase).ptr, plan->project);
    JSON_RAW(out, "{\"tasks\":[{");
    JSON_TEXT(out, "role", slice_cstr(role_of(plan->order, phase)));
    JSON_TEXT(out, "prompt", bytes_slice(&prompt));
    JSON_TEXT(out, "workingDirectory", slice_cstr(plan->project));
    JSON_RAW(out, "}]}");
    bytes_finish(&prompt);
}

/* `tools` is no argument that a client may give: see group/spec.c. */
static void run_stages(struct rt_turn *t, const struct phases *p,
                       const struct plan *plan)
{
    struct bytes args = {0};

    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "groupId", slice_cstr(plan->group));
    JSON_TEXT(&args, "onFailure", SLICE("stop"));
    JSON_TEXT(&args, "tools", SLICE("phases"));
    JSON_KEY(&args, "stages");
    JSON_RAW(&args, "[");
    for (int i = plan->first; i < PHASES; i++) {
        if (i > plan->first)
            JSON_RAW(&args, ",");
        put_task(&args, plan, i);
    }
    JSON_RAW(&args, "]}");
    place(t, p, plan, ORDER_RUN_SEQUENTIAL, &args);
    bytes_finish(&args);
}

static void order_own(struct rt_turn *t, const struct phases *p,
                      const struct plan *plan, void (*run)(struct work *w),
                      uint16_t then)
{
    struct phase_work *w = phase_work_own(t, plan->project, run);

    memcpy(w->group, plan->group, sizeof(w->group));
    w->first = plan->first;
    w->plan = plan->number;
    w->work.then = then;
    w->work.system = rt_self(t);
    rt_pass_take(t, p->setup.registry, REGISTRY_WORK, &w->work.obj);
}

void plans_on_noted(struct rt_turn *t, struct phases *p,
                    const struct phase_work *w)
{
    struct plan *plan = find(p, w->plan);

    if (plan != NULL)
        run_stages(t, p, plan);
}

/* ---- answers ----------------------------------------------------------- */

static void pass_on(struct rt_turn *t, const struct plan *plan,
                    const struct answer *from)
{
    struct answer *a = answer_create_error(plan->order->ticket, from->code);

    json_raw(&a->json, bytes_slice(&from->json));
    answer_send(t, plan->order, a);
}

static void answer_made(struct rt_turn *t, const struct plan *plan,
                        const struct answer *from)
{
    struct answer *a = answer_create(plan->order->ticket);

    JSON_RAW(&a->json, "{");
    JSON_TEXT(&a->json, "groupId", slice_cstr(plan->group));
    JSON_TEXT(&a->json, "projectPath", slice_cstr(plan->project));
    JSON_TEXT(&a->json, "from", phase_name(plan->first));
    JSON_KEY(&a->json, "plan");
    json_raw(&a->json, bytes_slice(&from->json));
    JSON_RAW(&a->json, "}");
    answer_send(t, plan->order, a);
}

static void on_group(struct rt_turn *t, struct phases *p, struct plan *plan,
                     const struct answer *a)
{
    yyjson_doc *doc = yyjson_read(a->json.ptr, a->json.len, 0);

    slice_keep(plan->group, sizeof(plan->group),
               FIELD_TEXT(yyjson_doc_get_root(doc), "groupId"));
    yyjson_doc_free(doc);
    order_own(t, p, plan, plan_note, PHASES_NOTED);
}

static void on_run(struct rt_turn *t, struct phases *p, struct plan *plan,
                   const struct answer *a)
{
    take_out(&p->making, plan);
    answer_made(t, plan, a);
    plan->next = p->open;
    p->open = plan;
    plan->number = 0;
    order_own(t, p, plan, plan_settle, PHASES_SETTLED);
}

static void undo(struct rt_turn *t, struct phases *p, struct plan *plan)
{
    struct bytes args = {0};

    if (plan->group[0] == 0)
        return;
    order_own(t, p, plan, plan_end, 0);
    plan->number = 0;
    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "groupId", slice_cstr(plan->group));
    JSON_RAW(&args, "}");
    place(t, p, plan, ORDER_DELETE_GROUP, &args);
    bytes_finish(&args);
}

void plans_on_answer(struct rt_turn *t, struct phases *p,
                     const struct answer *a)
{
    struct plan *plan = a->ticket != 0 ? find(p, a->ticket) : NULL;

    if (plan == NULL)
        return;
    if (a->is_error) {
        pass_on(t, plan, a);
        undo(t, p, plan);
        drop_making(p, plan);
    } else if (plan->group[0] == 0) {
        on_group(t, p, plan, a);
    } else {
        on_run(t, p, plan, a);
    }
}

/* ---- while it runs ----------------------------------------------------- */

static struct plan *find_open(const struct phases *p, const char *group)
{
    struct plan *plan = p->open;

    while (plan != NULL && strcmp(plan->group, group) != 0)
        plan = plan->next;
    return plan;
}

void plans_on_event(struct rt_turn *t, struct phases *p, const char *group)
{
    struct plan *plan = find_open(p, group);

    if (plan != NULL)
        order_own(t, p, plan, plan_settle, PHASES_SETTLED);
}

/* The next stage may have ended too. */
void plans_on_settled(struct rt_turn *t, struct phases *p,
                      const struct phase_work *w)
{
    struct plan *plan = find_open(p, w->group);

    if (w->has_told_all)
        phases_wake_mail(t, p);
    if (plan == NULL || !w->has_moved)
        return;
    if (w->has_failed || w->phase + 1 == PHASES) {
        take_out(&p->open, plan);
        free_plan(plan);
        return;
    }
    order_own(t, p, plan, plan_settle, PHASES_SETTLED);
}

/* ---- plans of earlier hubs --------------------------------------------- */

void plans_load(struct rt_turn *t, struct phases *p)
{
    struct phase_work *w;

    if (p->has_loaded)
        return;
    w = phase_work_own(t, NULL, plan_load);
    w->work.then = PHASES_LOADED;
    w->work.system = rt_self(t);
    w->work.is_question = true;
    rt_pass_take(t, p->setup.registry, REGISTRY_WORK, &w->work.obj);
    rt_after(t, LOAD_MS, PHASES_LOAD);
}

static void reopen(struct rt_turn *t, struct phases *p, yyjson_val *one)
{
    struct slice project = FIELD_TEXT(one, "project");
    struct plan *plan = bytes_zalloc(sizeof(*plan));

    slice_keep(plan->group, sizeof(plan->group), FIELD_TEXT(one, "group"));
    plan->project = bytes_text("%.*s", (int)project.len, project.ptr);
    plan->next = p->open;
    p->open = plan;
    order_own(t, p, plan, plan_settle, PHASES_SETTLED);
}

void plans_on_loaded(struct rt_turn *t, struct phases *p,
                     const struct phase_work *w)
{
    yyjson_doc *doc = yyjson_read(w->text.ptr, w->text.len, 0);
    yyjson_arr_iter it;
    yyjson_val *one;

    if (p->has_loaded || doc == NULL)
        return;
    p->has_loaded = true;
    yyjson_arr_iter_init(yyjson_doc_get_root(doc), &it);
    while ((one = yyjson_arr_iter_next(&it)))
        if (find_open(p, yyjson_get_str(FIELD(one, "group"))) == NULL)
            reopen(t, p, one);
    yyjson_doc_free(doc);
}
