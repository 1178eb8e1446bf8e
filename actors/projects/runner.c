/* SPDX-License-Identifier: MIT */
/*
 * The runner starts agents for the tasks of projects, if the configuration
 * wants one. A round is what the specification has outside runners do, at once
 * where they ask in turn:
 *
 *   health_check -> look (who is to start, claimed in the same commit)
 *   -> run_agents for each, in a group for its project -> note
 *
 * What is claimed is durable before anything is started, and the order to
 * start it has the instance's id for its key: however often a hub dies on the
 * way, each instance gets one agent. A round follows the one before after
 * runner.interval_ms, or soon after something has happened that may matter.
 */
#include <stdlib.h>

#include "actors/projects/inside.h"
#include "actors/registry/feed.h"
#include "actors/registry/registry.h"

#define FIRST_MS 100
#define SOON_MS 20 /* what happens together is looked at once */

enum start_step { START_GROUP, START_RUN };

/* An instance on its way to an agent. */
struct start {
    struct start *next;
    uint64_t ticket;
    enum start_step step;
    char id[PM_ID], agent[PM_ID], project[PM_ID];
    char group[ORDER_ID];
    char *role, *directory, *prompt; /* heap */
};

struct runner {
    struct hub_context *context; /* kept */
    struct rt_ref registry;
    struct roster *roster; /* kept; of this round */
    struct start *starts;
    uint64_t last_ticket;
    uint64_t checking; /* ticket of the health_check under way, or 0 */
    uint64_t timer;
    bool is_looking; /* a look is under way */
    bool is_soon;    /* the timer is a short one */
    bool is_again;   /* something has happened since the look began */
};

/* ---- starts ------------------------------------------------------------ */

static void free_start(struct start *s)
{
    free(s->role);
    free(s->directory);
    free(s->prompt);
    free(s);
}

static void remove_start(struct runner *r, struct start *s)
{
    struct start **at = &r->starts;

    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    free_start(s);
}

static struct start *find_start(const struct runner *r, uint64_t ticket)
{
    struct start *s = r->starts;

    while (s != NULL && s->ticket != ticket)
        s = s->next;
    return s;
}

static struct start *find_instance(const struct runner *r, struct slice id)
{
    struct start *s = r->starts;

    while (s != NULL && !slice_eq(slice_cstr(s->id), id))
        s = s->next;
    return s;
}

static char *copy(yyjson_val *text)
{
    return bytes_text("%s", yyjson_is_str(text) ? yyjson_get_str(text) : "");
}

/* ---- orders ------------------------------------------------------------ */

static struct order *make_order(struct rt_turn *t, const struct runner *r,
                                enum order_kind kind, struct bytes *args,
                                uint64_t ticket)
{
    yyjson_doc *doc = yyjson_read(args->ptr, args->len, 0);
    struct order *o = order_create_take(kind, doc, yyjson_doc_get_root(doc),
                                        r->context->self, rt_self(t), ticket);

    bytes_finish(args);
    return o;
}

static void create_group(struct rt_turn *t, struct runner *r, struct start *s)
{
    struct bytes args = {0};

    s->step = START_GROUP;
    bytes_format(&args,
                 "{\"description\":\"pm:%s\",\"mode\":"
                 "\"concurrent\"}",
                 s->project);
    registry_place(t, r->registry,
                   make_order(t, r, ORDER_CREATE_GROUP, &args, s->ticket));
}

/* `tools` and `instance` are no arguments that a client may give: see
 * group/spec.c. */
static void run_agent(struct rt_turn *t, struct runner *r, struct start *s)
{
    struct bytes args = {0};
    struct order *o;

    s->step = START_RUN;
    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "groupId", slice_cstr(s->group));
    JSON_TEXT(&args, "tools", SLICE("runner"));
    JSON_KEY(&args, "instance");
    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "id", slice_cstr(s->id));
    JSON_TEXT(&args, "agent", slice_cstr(s->agent));
    JSON_TEXT(&args, "project", slice_cstr(s->project));
    JSON_RAW(&args, "},\"agents\":[{");
    JSON_TEXT(&args, "role", slice_cstr(s->role));
    JSON_TEXT(&args, "prompt", slice_cstr(s->prompt));
    PM_TEXT(&args, "workingDirectory", slice_cstr(s->directory));
    JSON_RAW(&args, "}]}");
    o = make_order(t, r, ORDER_RUN_AGENTS, &args, s->ticket);
    slice_keep(o->key, sizeof(o->key), slice_cstr(s->id));
    o->is_repeated = true; /* an earlier hub may have done it */
    registry_place(t, r->registry, o);
}

/* ---- a round ----------------------------------------------------------- */

static struct pm_work *own_work(struct rt_turn *t, const struct runner *r,
                                void (*run)(struct work *w), uint16_t then)
{
    const struct config *c = r->roster->settings->config;
    struct pm_work *w = pm_work_create(t, NULL, run);

    w->limits = c->runner;
    slice_keep(w->role, sizeof(w->role), slice_cstr(c->runner.role));
    w->limits.role = NULL;
    w->is_english = c->language == CONFIG_EN;
    w->work.then = then;
    w->work.system = rt_self(t);
    return w;
}

static void check_health(struct rt_turn *t, struct runner *r)
{
    r->checking = ++r->last_ticket;
    registry_place(t, r->registry,
                   order_create(ORDER_HEALTH_CHECK, NULL, r->context->self,
                                rt_self(t), r->checking));
}

static void set_timer(struct rt_turn *t, struct runner *r, uint64_t ms)
{
    if (r->timer != 0)
        rt_cancel(t, r->timer);
    r->timer = rt_after(t, ms, RUNNER_LOOK);
    r->is_soon = ms <= SOON_MS;
}

static void on_timer(struct rt_turn *t, struct runner *r)
{
    r->timer = 0;
    r->is_soon = false;
    if (r->checking == 0 && !r->is_looking)
        check_health(t, r);
}

/* Every order has the settings of its moment with it. */
static void on_health(struct rt_turn *t, struct runner *r,
                      const struct answer *a)
{
    const struct config_runner *c;
    struct pm_work *w;

    r->checking = 0;
    if (a->order == NULL || a->order->roster == NULL) {
        set_timer(t, r, FIRST_MS);
        return;
    }
    if (r->roster != NULL)
        rt_obj_drop(&r->roster->obj);
    r->roster = RT_KEEP(a->order->roster);
    c = &r->roster->settings->config->runner;
    set_timer(t, r, (uint64_t)c->interval_ms);
    if (a->is_error || !c->is_enabled)
        return;
    r->is_looking = true;
    r->is_again = false;
    w = own_work(t, r, runner_look, RUNNER_LOOKED);
    rt_pass_take(t, r->registry, REGISTRY_WORK, &w->work.obj);
}

static void begin(struct rt_turn *t, struct runner *r, yyjson_val *one)
{
    struct slice id = FIELD_TEXT(one, "id");
    struct start *s;

    if (find_instance(r, id) != NULL)
        return; /* it is on its way */
    s = bytes_zalloc(sizeof(*s));
    s->ticket = ++r->last_ticket;
    slice_keep(s->id, sizeof(s->id), id);
    slice_keep(s->agent, sizeof(s->agent), FIELD_TEXT(one, "agent"));
    slice_keep(s->project, sizeof(s->project), FIELD_TEXT(one, "project"));
    slice_keep(s->group, sizeof(s->group), FIELD_TEXT(one, "group"));
    s->role = copy(FIELD(one, "role"));
    s->directory = copy(FIELD(one, "directory"));
    s->prompt = copy(FIELD(one, "prompt"));
    s->next = r->starts;
    r->starts = s;
    if (s->group[0] != 0)
        run_agent(t, r, s);
    else
        create_group(t, r, s);
}

static void delete_group(struct rt_turn *t, const struct runner *r,
                         yyjson_val *id)
{
    struct bytes args = {0};

    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "groupId", field_text(id));
    JSON_RAW(&args, "}");
    registry_place(t, r->registry,
                   make_order(t, r, ORDER_DELETE_GROUP, &args, 0));
}

static void on_looked(struct rt_turn *t, struct runner *r,
                      const struct pm_work *w)
{
    yyjson_doc *doc = yyjson_read(w->found.ptr, w->found.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc), *one;
    yyjson_arr_iter it;

    r->is_looking = false;
    yyjson_arr_iter_init(FIELD(root, "starts"), &it);
    while ((one = yyjson_arr_iter_next(&it)))
        begin(t, r, one);
    yyjson_arr_iter_init(FIELD(root, "full"), &it);
    while ((one = yyjson_arr_iter_next(&it)))
        delete_group(t, r, one);
    yyjson_doc_free(doc);
    if (r->is_again)
        set_timer(t, r, SOON_MS);
}

/* ---- what has become of a start ---------------------------------------- */

static void note(struct rt_turn *t, struct runner *r, struct start *s,
                 struct slice run, struct slice why)
{
    struct pm_work *w = own_work(t, r, runner_note, RUNNER_NOTED);

    slice_keep(w->instance, sizeof(w->instance), slice_cstr(s->id));
    slice_keep(w->run, sizeof(w->run), run);
    slice_keep(w->why, sizeof(w->why), why);
    rt_pass_take(t, r->registry, REGISTRY_WORK, &w->work.obj);
    remove_start(r, s);
}

/* All that wait for the same group have it now. */
static void on_group(struct rt_turn *t, struct runner *r, struct start *s,
                     yyjson_val *answer)
{
    slice_keep(s->group, sizeof(s->group), FIELD_TEXT(answer, "groupId"));
    run_agent(t, r, s);
}

static void on_answer(struct rt_turn *t, struct runner *r,
                      const struct answer *a)
{
    struct start *s = find_start(r, a->ticket);
    yyjson_doc *doc;
    yyjson_val *root, *first;

    if (a->ticket != 0 && a->ticket == r->checking) {
        on_health(t, r, a);
        return;
    }
    if (s == NULL)
        return;
    doc = yyjson_read(a->json.ptr, a->json.len, 0);
    root = yyjson_doc_get_root(doc);
    first = yyjson_arr_get_first(FIELD(root, "agents"));
    if (a->is_error)
        note(t, r, s, SLICE_EMPTY, FIELD_TEXT(root, "message"));
    else if (s->step == START_GROUP)
        on_group(t, r, s, root);
    else
        note(t, r, s, FIELD_TEXT(first, "agentId"), SLICE_EMPTY);
    yyjson_doc_free(doc);
}

/* ---- the actor --------------------------------------------------------- */

static bool starts_with(const char *text, const char *prefix)
{
    return slice_starts(slice_cstr(text), slice_cstr(prefix));
}

/* Ends of agents, and whatever happens in projects. */
static void on_event(struct rt_turn *t, struct runner *r,
                     const struct feed_event *e)
{
    if (e->seq == 0 || r->roster == NULL ||
        !(starts_with(e->type, "pm:") || starts_with(e->type, "agent:") ||
          starts_with(e->type, "config:")))
        return;
    r->is_again = true;
    if (!r->is_soon && !r->is_looking && r->checking == 0)
        set_timer(t, r, SOON_MS);
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct runner *r = state;

    rt_tell(t, r->registry, FEED_SUBSCRIBE, NULL, 0);
    set_timer(t, r, FIRST_MS);
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct runner *r = state;

    switch (m->kind) {
    case RUNNER_LOOK:
        on_timer(t, r);
        break;
    case ORDER_ANSWER:
        on_answer(t, r, RT_OBJ(m, struct answer));
        break;
    case RUNNER_LOOKED:
        on_looked(t, r, RT_OBJ(m, struct pm_work));
        break;
    case FEED_EVENT:
        on_event(t, r, RT_OBJ(m, struct feed_event));
        break;
    default:
        break;
    }
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct runner *r = state;

    (void)t;
    while (r->starts != NULL)
        remove_start(r, r->starts);
    if (r->roster != NULL)
        rt_obj_drop(&r->roster->obj);
    rt_obj_drop(&r->context->obj);
}

static const struct rt_behaviour behaviour = {.name = "runner",
                                              .size = sizeof(struct runner),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref runner_spawn(struct rt_turn *t, struct hub_context *context,
                           struct rt_ref registry)
{
    struct runner r = {.context = context, .registry = registry};
    struct rt_ref ref;

    rt_obj_keep(&context->obj);
    ref = rt_spawn_at(t, HUB_LOOP_FRONT, &behaviour, &r);
    if (ref.id == 0)
        rt_obj_drop(&context->obj);
    return ref;
}
