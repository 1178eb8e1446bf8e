/* SPDX-License-Identifier: MIT */
#include "actors/registry/retry.h"

#include <stdlib.h>

#include "actors/registry/inside.h"
#include "actors/registry/judge.h"
#include "runtime/text/array.h"

/* Of an error, what the next agent is told. */
#define ERROR_BYTES 4096

/* What is to be run again: agents of one group, by age. */
struct again {
    struct group_entry *group;
    struct agent_entry **agents;
    size_t count;
};

static bool has_failed(const struct agent_entry *agent)
{
    return agent_entry_has_status(agent, SLICE("failed"));
}

/* ---- which agents ------------------------------------------------------- */

static bool refuse_running(struct rt_turn *t, struct order *o,
                           const struct agent_entry *agent)
{
    ORDER_REFUSE(t, o, CODE_RETRY_REFUSED, RETRY_NOT_ENDED, agent->task->id);
    return false;
}

static bool add(struct rt_turn *t, struct order *o, struct again *again,
                struct agent_entry *agent)
{
    if (!agent_entry_is_done(agent))
        return refuse_running(t, o, agent);
    if (again->group != NULL && agent->group != again->group) {
        ORDER_REFUSE(t, o, CODE_RETRY_REFUSED, RETRY_ANOTHER_GROUP,
                     agent->task->id, agent->group->id);
        return false;
    }
    again->group = agent->group;
    ARRAY_GROW(again->agents, again->count);
    again->agents[again->count++] = agent;
    return true;
}

static bool find_named(struct rt_turn *t, struct registry *r, struct order *o,
                       struct again *again)
{
    yyjson_val *id;
    size_t i, max;

    yyjson_arr_foreach(FIELD(o->args, "agentIds"), i, max, id)
    {
        struct agent_entry *agent = agent_entry_find(r, field_text(id));

        if (agent == NULL) {
            order_refuse_agent(t, o, field_text(id));
            return false;
        }
        if (!add(t, o, again, agent))
            return false;
    }
    return true;
}

/* One that was retried has another in its place. */
static bool is_replaced(const struct agent_entry *agent)
{
    for (const struct agent_entry *x = agent->after; x != NULL; x = x->after)
        if (slice_eq(x->task->retry.of, slice_cstr(agent->task->id)))
            return true;
    return false;
}

static bool is_newest_plan(const struct agent_entry *agent)
{
    return agent->order == agent->group->last->order;
}

static bool refuse_nothing(struct rt_turn *t, struct order *o,
                           const struct group_entry *group)
{
    ORDER_REFUSE(t, o, CODE_RETRY_REFUSED, RETRY_GROUP_EMPTY, group->id);
    return false;
}

static bool find_in_group(struct rt_turn *t, struct registry *r,
                          struct order *o, struct again *again)
{
    struct slice id = FIELD_TEXT(o->args, "groupId");
    struct group_entry *group = group_entry_find(r, id);
    bool wants_failed = yyjson_is_true(FIELD(o->args, "failed"));
    bool is_plan, found = false;

    if (group == NULL) {
        order_refuse_group(t, o, id);
        return false;
    }
    again->group = group;
    is_plan = group->mode == GROUP_SEQUENTIAL;
    for (struct agent_entry *agent = group->first; agent != NULL;
         agent = agent->after) {
        if (agent->is_hidden || (is_plan && !is_newest_plan(agent)) ||
            is_replaced(agent))
            continue;
        found |= !wants_failed || has_failed(agent);
        if ((is_plan || !wants_failed || has_failed(agent)) &&
            !add(t, o, again, agent))
            return false;
    }
    return found || refuse_nothing(t, o, group);
}

/* A stage alone would lack what the stages before have found, and those after
 * it have used what it said. */
static bool is_fit(struct rt_turn *t, struct order *o,
                   const struct again *again)
{
    bool is_named = FIELD(o->args, "agentIds") != NULL;

    if (again->count == 0) {
        ORDER_REFUSE(t, o, CODE_EMPTY_AGENT_IDS, RETRY_AGENTS_REQUIRED,
                     "agentIds");
        return false;
    }
    if (is_named && again->group->mode == GROUP_SEQUENTIAL) {
        ORDER_REFUSE(t, o, CODE_RETRY_REFUSED, RETRY_WHOLE_PLAN,
                     again->agents[0]->task->id, again->group->id);
        return false;
    }
    return true;
}

/* ---- the new order ------------------------------------------------------ */

static struct slice error_of(const struct agent_entry *agent)
{
    const struct agent_result *result = agent->view->result;

    if (result == NULL || !has_failed(agent))
        return SLICE_EMPTY;
    return result->error.len > 0 ? result->error : result->summary;
}

static void set_text(yyjson_mut_doc *doc, yyjson_mut_val *obj, const char *key,
                     struct slice text)
{
    yyjson_mut_obj_remove_key(obj, key);
    yyjson_mut_obj_add(obj, yyjson_mut_strcpy(doc, key),
                       yyjson_mut_strncpy(doc, text.ptr, text.len));
}

/* What the words of one agent need to be the next one's. */
static void mark(yyjson_mut_doc *doc, yyjson_mut_val *item,
                 const struct agent_entry *agent)
{
    struct bytes error = {0};

    bytes_append_capped(&error, slice_trim(error_of(agent)), ERROR_BYTES);
    set_text(doc, item, "workingDirectory", slice_cstr(agent->task->directory));
    set_text(doc, item, "retryOf", slice_cstr(agent->task->id));
    set_text(doc, item, "retryError", bytes_slice(&error));
    bytes_finish(&error);
}

/* Its place among the tasks of its order is its place in the words. */
static size_t place_of(const struct agent_entry *agent)
{
    return (size_t)(agent->task - agent->order->tasks);
}

static void put_agents(yyjson_mut_doc *doc, yyjson_mut_val *root,
                       const struct again *again)
{
    yyjson_mut_val *list = yyjson_mut_arr(doc);

    for (size_t i = 0; i < again->count; i++) {
        const struct agent_entry *agent = again->agents[i];
        yyjson_mut_val *item = yyjson_val_mut_copy(
            doc, yyjson_arr_get(FIELD(agent->order->args, "agents"),
                                place_of(agent)));

        mark(doc, item, agent);
        yyjson_mut_arr_append(list, item);
    }
    yyjson_mut_obj_add_val(doc, root, "agents", list);
}

static void mark_stages(yyjson_mut_doc *doc, yyjson_mut_val *root,
                        const struct again *again)
{
    yyjson_mut_val *stage, *task;
    size_t i, j, stages, tasks, n = 0;

    yyjson_mut_arr_foreach(yyjson_mut_obj_get(root, "stages"), i, stages, stage)
    {
        yyjson_mut_arr_foreach(yyjson_mut_obj_get(stage, "tasks"), j, tasks,
                               task)
        {
            if (n < again->count)
                mark(doc, task, again->agents[n++]);
        }
    }
}

static enum order_kind kind_of(const struct again *again)
{
    return again->group->mode == GROUP_CONCURRENT   ? ORDER_RUN_AGENTS
           : again->group->mode == GROUP_SEQUENTIAL ? ORDER_RUN_SEQUENTIAL
                                                    : ORDER_RUN_MAGENTIC;
}

static yyjson_doc *words_of(const struct again *again)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    bool is_concurrent = again->group->mode == GROUP_CONCURRENT;
    yyjson_mut_val *root =
        is_concurrent ? yyjson_mut_obj(doc)
                      : yyjson_val_mut_copy(doc, again->agents[0]->order->args);
    yyjson_doc *words;

    yyjson_mut_doc_set_root(doc, root);
    if (again->group->mode != GROUP_MAGENTIC)
        set_text(doc, root, "groupId", slice_cstr(again->group->id));
    set_text(doc, root, "description", bytes_slice(&again->group->description));
    if (is_concurrent)
        put_agents(doc, root, again);
    else if (again->group->mode == GROUP_SEQUENTIAL)
        mark_stages(doc, root, again);
    else
        mark(doc, root, again->agents[0]);
    words = yyjson_mut_doc_imut_copy(doc, NULL);
    yyjson_mut_doc_free(doc);
    if (words == NULL)
        abort();
    return words;
}

/* They run with the environment of who first ordered them, for the keys are
 * there that they need; who may is judged by who orders now. */
static void take_over(struct order *o, const struct again *again)
{
    const struct order *was = again->agents[again->count - 1]->order;
    struct caller *caller =
        caller_create(o->caller->agent_id, o->caller->cwd, was->caller->env);
    yyjson_doc *words = words_of(again);

    caller->named = o->caller->named;
    caller->locale = o->caller->locale;

    rt_obj_drop(&o->caller->obj);
    o->caller = caller;
    yyjson_doc_free(o->doc);
    o->doc = words;
    o->args = yyjson_doc_get_root(words);
    o->kind = kind_of(again);
    o->has_own_group =
        o->kind == ORDER_RUN_MAGENTIC || again->group->is_deleted;
}

/* Those that only the store knows, by what was read there: in a group of their
 * own, with the environment of who orders now, for nobody has the first. */
static void retry_past(struct rt_turn *t, struct registry *r, struct order *o)
{
    o->args = FIELD(o->args, "past");
    o->kind = ORDER_RUN_AGENTS;
    o->has_own_group = true;
    judge_run(t, r, o, false);
}

void retry_order(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct again again = {0};

    if (FIELD(o->args, "past") != NULL) {
        retry_past(t, r, o);
        return;
    }
    bool is_good = FIELD(o->args, "groupId") != NULL
                       ? find_in_group(t, r, o, &again)
                       : find_named(t, r, o, &again);

    if (is_good && is_fit(t, o, &again)) {
        take_over(o, &again);
        judge_run(t, r, o, false);
    }
    free(again.agents);
}
