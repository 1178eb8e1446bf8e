/* SPDX-License-Identifier: MIT */
#include "actors/group/magentic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/text/json.h"

#define HISTORY 20
/* Ledgers in a row without progress that make a group stalled. */
#define PATIENCE 3

struct magentic {
    struct rt_ref registry;
    uint64_t group;
    char id[ORDER_ID];
    uint64_t max_iterations;
    uint64_t counted; /* iterations so far */
    uint64_t number;  /* the last one's, as the orchestrator has it */
    bool has_number;
    unsigned idle; /* ledgers in a row without progress */
    bool is_exhausted;
    struct bytes task, progress; /* JSON objects; empty: none yet */
    struct bytes history[HISTORY];
    unsigned history_count; /* oldest first */
};

/* ---- what is told ------------------------------------------------------ */

static void free_ledger(struct rt_obj *o)
{
    bytes_finish(&((struct ledger *)o)->json);
    free(o);
}

static void put_ledgers(struct bytes *out, const struct magentic *g)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "groupId", slice_cstr(g->id));
    if (g->task.len > 0) {
        JSON_KEY(out, "taskLedger");
        json_raw(out, bytes_slice(&g->task));
    }
    if (g->progress.len > 0) {
        JSON_KEY(out, "progressLedger");
        json_raw(out, bytes_slice(&g->progress));
    }
    JSON_UINT(out, "iteration", g->counted);
    if (g->is_exhausted)
        JSON_RAW(out, ",\"exhausted\":true");
    JSON_KEY(out, "progressHistory");
    JSON_RAW(out, "[");
    for (unsigned i = 0; i < g->history_count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        json_raw(out, bytes_slice(&g->history[i]));
    }
    JSON_RAW(out, "]}");
}

struct ledger *ledger_create(struct slice json)
{
    struct ledger *l = bytes_zalloc(sizeof(*l));

    rt_obj_init(&l->obj, free_ledger);
    bytes_append(&l->json, json.ptr, json.len);
    return l;
}

static struct ledger *ledger_of(const struct magentic *g)
{
    struct ledger *l = ledger_create(SLICE_EMPTY);

    l->group = g->group;
    l->iteration = g->counted;
    l->is_stalled = g->idle >= PATIENCE;
    l->is_exhausted = g->is_exhausted;
    put_ledgers(&l->json, g);
    return l;
}

static void answer(struct rt_turn *t, const struct magentic *g, struct order *o)
{
    struct answer *a = answer_create(o->ticket);

    JSON_RAW(&a->json, "{");
    JSON_TEXT(&a->json, "groupId", slice_cstr(g->id));
    JSON_TEXT(&a->json, "type", FIELD_TEXT(o->args, "type"));
    JSON_TEXT(&a->json, "status", SLICE("updated"));
    JSON_UINT(&a->json, "iteration", g->counted);
    JSON_UINT(&a->json, "maxIterations", g->max_iterations);
    if (g->idle >= PATIENCE)
        JSON_RAW(&a->json, ",\"stalled\":true");
    JSON_RAW(&a->json, "}");
    a->with = &ledger_of(g)->obj;
    answer_send(t, o, a);
}

/* ---- update_ledger ----------------------------------------------------- */

static const char *const of_task[] = {"facts", "plan", NULL};
static const char *const of_progress[] = {"isRequestSatisfied",  "isInLoop",
                                          "isProgressBeingMade", "nextAction",
                                          "instruction",         NULL};

/* True if all the fields of its type are there, else it has been refused. */
static bool is_complete(struct rt_turn *t, struct order *o,
                        const char *const *fields, const char *type)
{
    for (; *fields != NULL; fields++)
        if (yyjson_obj_get(o->args, *fields) == NULL) {
            ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, LEDGER_FIELD_REQUIRED,
                         *fields, type);
            return false;
        }
    return true;
}

static void put_fields(struct bytes *out, struct order *o,
                       const char *const *fields)
{
    JSON_RAW(out, "{");
    for (; *fields != NULL; fields++) {
        json_key(out, slice_cstr(*fields));
        json_val(out, yyjson_obj_get(o->args, *fields));
    }
}

static void close_fields(struct rt_turn *t, struct bytes *out)
{
    JSON_KEY(out, "updatedAt");
    json_time(out, rt_wall_ms(t));
    JSON_RAW(out, "}");
}

static void update_task(struct rt_turn *t, struct magentic *g, struct order *o)
{
    if (!is_complete(t, o, of_task, "task"))
        return;
    g->task.len = 0;
    put_fields(&g->task, o, of_task);
    close_fields(t, &g->task);
    answer(t, g, o);
}

static void push_history(struct magentic *g)
{
    if (g->progress.len == 0)
        return;
    if (g->history_count == HISTORY) {
        bytes_finish(&g->history[0]);
        memmove(g->history, g->history + 1,
                (HISTORY - 1) * sizeof(g->history[0]));
        g->history_count--;
    }
    g->history[g->history_count++] = g->progress;
    g->progress = (struct bytes){0};
}

static bool answer_of(struct order *o, const char *field)
{
    return yyjson_is_true(
        yyjson_obj_get(yyjson_obj_get(o->args, field), "answer"));
}

/* False: that is one iteration too many, and it was refused. */
static bool count_iteration(struct rt_turn *t, struct magentic *g,
                            struct order *o)
{
    yyjson_val *given = yyjson_obj_get(o->args, "iteration");
    uint64_t number = given != NULL ? field_count(given) : g->number + 1;

    if (g->has_number && number == g->number)
        return true;
    if (g->counted == g->max_iterations) {
        struct ledger *l;

        g->is_exhausted = true;
        l = ledger_of(g);
        rt_pass_take(t, g->registry, MAGENTIC_LEDGER, &l->obj);
        ORDER_REFUSE(t, o, CODE_MAX_ITERATIONS_REACHED,
                     LEDGER_ITERATIONS_USED_UP, g->max_iterations);
        return false;
    }
    g->counted++;
    g->number = number;
    g->has_number = true;
    return true;
}

static void update_progress(struct rt_turn *t, struct magentic *g,
                            struct order *o)
{
    if (!is_complete(t, o, of_progress, "progress") ||
        !count_iteration(t, g, o))
        return;
    push_history(g);
    put_fields(&g->progress, o, of_progress);
    JSON_UINT(&g->progress, "iteration", g->number);
    close_fields(t, &g->progress);
    g->idle = answer_of(o, "isInLoop") || !answer_of(o, "isProgressBeingMade")
                  ? g->idle + 1
                  : 0;
    answer(t, g, o);
}

/* ---- an earlier hub's -------------------------------------------------- */

static bool is_idle(yyjson_val *ledger)
{
    yyjson_val *loop = FIELD(FIELD(ledger, "isInLoop"), "answer");
    yyjson_val *moves = FIELD(FIELD(ledger, "isProgressBeingMade"), "answer");

    return yyjson_is_true(loop) || !yyjson_is_true(moves);
}

static void take_progress(struct magentic *g, yyjson_val *ledger)
{
    uint64_t number = FIELD_COUNT(ledger, "iteration");

    push_history(g);
    json_val(&g->progress, ledger);
    if (!g->has_number || number != g->number)
        g->counted++;
    g->number = number;
    g->has_number = true;
    g->idle = is_idle(ledger) ? g->idle + 1 : 0;
}

static void take_past(struct magentic *g, struct slice past)
{
    yyjson_doc *doc = past.len > 0 ? yyjson_read(past.ptr, past.len, 0) : NULL;
    yyjson_val *root = yyjson_doc_get_root(doc), *item;
    size_t i, max;

    if (FIELD(root, "taskLedger") != NULL)
        json_val(&g->task, FIELD(root, "taskLedger"));
    yyjson_arr_foreach(FIELD(root, "progressHistory"), i, max, item)
    {
        take_progress(g, item);
    }
    if (FIELD(root, "progressLedger") != NULL)
        take_progress(g, FIELD(root, "progressLedger"));
    if (FIELD(root, "iteration") != NULL)
        g->counted = FIELD_COUNT(root, "iteration");
    g->is_exhausted = yyjson_is_true(FIELD(root, "exhausted"));
    yyjson_doc_free(doc);
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct magentic *g = state;
    struct order *o;

    if (m->kind != MAGENTIC_UPDATE)
        return RT_OK;
    o = RT_OBJ(m, struct order);
    if (slice_eq(FIELD_TEXT(o->args, "type"), SLICE("task")))
        update_task(t, g, o);
    else
        update_progress(t, g, o);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct magentic *g = state;

    (void)t;
    bytes_finish(&g->task);
    bytes_finish(&g->progress);
    for (unsigned i = 0; i < g->history_count; i++)
        bytes_finish(&g->history[i]);
}

static const struct rt_behaviour behaviour = {.name = "magentic",
                                              .size = sizeof(struct magentic),
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref magentic_spawn(struct rt_turn *t,
                             const struct magentic_setup *setup)
{
    struct magentic g = {.registry = setup->registry,
                         .group = setup->group,
                         .max_iterations = setup->max_iterations};

    snprintf(g.id, sizeof(g.id), "%s", setup->group_id);
    take_past(&g, setup->past);
    return rt_spawn(t, &behaviour, &g);
}
