/* SPDX-License-Identifier: MIT */
#include "actors/registry/judge.h"

#include <inttypes.h>

#include "actors/registry/events.h"
#include "actors/registry/inside.h"
#include "actors/registry/permission.h"
#include "actors/registry/tasks.h"
#include "actors/registry/views.h"
#include "runtime/text/json.h"

/* ---- groups ------------------------------------------------------------ */

/* The group the order names, or NULL: it has been refused. */
static struct group_entry *named_group(struct rt_turn *t, struct registry *r,
                                       struct order *o, struct slice id)
{
    struct group_entry *group = group_entry_find(r, id);

    if (group == NULL)
        order_refuse_group(t, o, id);
    return group;
}

static struct group_entry *active_group(struct rt_turn *t, struct registry *r,
                                        struct order *o, struct slice id)
{
    struct group_entry *group = named_group(t, r, o, id);

    if (group == NULL || !group->is_deleted)
        return group;
    ORDER_REFUSE(t, o, CODE_GROUP_NOT_ACTIVE, GROUP_NOT_ACTIVE, (int)id.len,
                 id.ptr);
    return NULL;
}

/* A sub-agent whose group was deleted is on its way out: what it makes now
 * would belong to no one. False: it has been refused. */
static bool has_active_home(struct rt_turn *t, struct registry *r,
                            struct order *o)
{
    struct agent_entry *caller = permission_caller(r, o);

    if (o->caller->agent_id[0] == 0 ||
        (caller != NULL && !caller->group->is_deleted))
        return true;
    ORDER_REFUSE(t, o, CODE_GROUP_NOT_ACTIVE, GROUP_OF_AGENT_DELETED,
                 o->caller->agent_id);
    return false;
}

void judge_create_group(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct agent_entry *caller = permission_caller(r, o);
    struct slice parent_id = FIELD_TEXT(o->args, "parentGroupId");
    struct group_entry *parent = caller != NULL ? caller->group : NULL, *group;
    enum group_mode mode =
        slice_eq(FIELD_TEXT(o->args, "mode"), SLICE("sequential"))
            ? GROUP_SEQUENTIAL
            : GROUP_CONCURRENT;
    struct answer *a;

    if (!permission_may_nest(t, r, o, NULL) || !has_active_home(t, r, o) ||
        (parent == NULL && parent_id.len > 0 &&
         (parent = active_group(t, r, o, parent_id)) == NULL))
        return;
    group = group_entry_create(t, r, mode, o, parent);
    a = answer_create(o->ticket);
    JSON_RAW(&a->json, "{");
    JSON_TEXT(&a->json, "groupId", slice_cstr(group->id));
    view_put_description(&a->json, group);
    JSON_TEXT(&a->json, "mode", group_mode_name(mode));
    JSON_KEY(&a->json, "createdAt");
    json_time(&a->json, group->created_at);
    JSON_TEXT(&a->json, "status", SLICE("active"));
    if (parent != NULL)
        JSON_TEXT(&a->json, "parentGroupId", slice_cstr(parent->id));
    JSON_RAW(&a->json, "}");
    durable_group(r, group);
    events_group(t, r, "group:created", group);
    durable_answer(t, r, o, a);
}

static void answer_deleted(struct rt_turn *t, struct registry *r,
                           struct order *o, struct slice id)
{
    struct answer *a = answer_create(o->ticket);

    JSON_RAW(&a->json, "{\"deleted\":true");
    JSON_TEXT(&a->json, "groupId", id);
    JSON_RAW(&a->json, "}");
    durable_answer(t, r, o, a);
}

/* All agents in it are done; trees that have not left are hurried. */
static void close_group(struct rt_turn *t, struct registry *r,
                        struct group_entry *group)
{
    if (group->is_deleted)
        return;
    group->is_deleted = true;
    r->agents.kept += group->agents;
    /* older ones come into the picture, which no event tells */
    if (r->agents.by_id.count > VIEW_LIST)
        r->checkpoints.is_due = true;
    durable_deleted(t, r, group);
    events_group_id(t, r, "group:deleted", group);
    for (struct agent_entry *agent = group->first; agent != NULL;
         agent = agent->after)
        if (!agent->is_gone)
            cancel_agent(t, agent, SLICE("its group was deleted"));
}

/* Names of agents in a message. */
#define NAMES 10

static void put_running(struct bytes *out, struct group_entry *top)
{
    unsigned count = 0;

    for (struct group_entry *x = group_entry_next_of(top, NULL); x != NULL;
         x = group_entry_next_of(top, x))
        for (struct agent_entry *agent = x->first; agent != NULL;
             agent = agent->after) {
            if (agent_entry_is_done(agent) || agent->is_hidden)
                continue;
            if (++count > NAMES) {
                bytes_format(out, ", …");
                return;
            }
            bytes_format(out, "%s%s", count > 1 ? ", " : "", agent->task->id);
        }
}

static void refuse_running(struct rt_turn *t, struct order *o,
                           struct group_entry *group, unsigned running)
{
    struct bytes names = {0};

    put_running(&names, group);
    ORDER_REFUSE(t, o, CODE_GROUP_HAS_RUNNING_AGENTS, GROUP_HAS_RUNNING_AGENTS,
                 group->id, running, (int)names.len,
                 names.ptr != NULL ? names.ptr : "");
    bytes_finish(&names);
}

void judge_delete_group(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct slice id = FIELD_TEXT(o->args, "groupId");
    struct group_entry *group = named_group(t, r, o, id);
    unsigned running;

    if (group == NULL)
        return;
    if (!permission_may_manage(t, r, o, group, group->id))
        return;
    if (group->is_deleted) {
        ORDER_REFUSE(t, o, CODE_GROUP_NOT_FOUND, GROUP_ALREADY_DELETED,
                     group->id);
        return;
    }
    running = group_entry_running(group);
    if (running > 0) {
        refuse_running(t, o, group, running);
        return;
    }
    for (struct group_entry *x = group_entry_next_of(group, NULL); x != NULL;
         x = group_entry_next_of(group, x))
        close_group(t, r, x);
    answer_deleted(t, r, o, id);
    group_entries_trim(t, r);
}

/* ---- run_* ------------------------------------------------------------- */

static bool refuse_mode(struct rt_turn *t, struct order *o,
                        const struct group_entry *group)
{
    struct slice mode = group_mode_name(group->mode);
    const char *wanted =
        o->kind == ORDER_RUN_AGENTS ? "concurrent" : "sequential";

    ORDER_REFUSE(t, o, CODE_MODE_MISMATCH, GROUP_MODE_MISMATCH, group->id,
                 (int)mode.len, mode.ptr, order_name(o->kind).ptr, wanted,
                 wanted);
    return false;
}

/* The next plan is taken when all agents of the last one are done; it begins
 * when they are gone. */
static bool may_plan(struct rt_turn *t, struct order *o,
                     const struct group_entry *group)
{
    unsigned busy = 0;

    for (struct agent_entry *agent = group->first; agent != NULL;
         agent = agent->after)
        busy += !agent_entry_is_done(agent);
    if (busy == 0)
        return true;
    ORDER_REFUSE(t, o, CODE_SEQUENTIAL_START_FAILED, PLAN_NOT_DONE, group->id,
                 busy);
    return false;
}

static bool may_run_in(struct rt_turn *t, struct registry *r, struct order *o,
                       const struct group_entry *group)
{
    enum group_mode wanted =
        o->kind == ORDER_RUN_AGENTS ? GROUP_CONCURRENT : GROUP_SEQUENTIAL;

    if (group->mode != wanted)
        return refuse_mode(t, o, group);
    if (!permission_may_nest(t, r, o, group))
        return false;
    return o->kind != ORDER_RUN_SEQUENTIAL || may_plan(t, o, group);
}

/* ---- with a group of its own
 * -------------------------------------------------- */

static bool may_have_group(struct rt_turn *t, struct registry *r,
                           struct order *o, struct group_entry *parent)
{
    int64_t max = registry_config(r)->magentic.max_depth;

    if (!permission_may_nest(t, r, o, NULL) || !has_active_home(t, r, o))
        return false;
    if (o->kind == ORDER_RUN_MAGENTIC && parent != NULL &&
        (int64_t)parent->depth >= max) {
        ORDER_REFUSE(t, o, CODE_MAX_DEPTH_REACHED, MAGENTIC_NESTED_TOO_DEEP,
                     max);
        return false;
    }
    return true;
}

/* Of an order that has a group of its own; hidden until it is accepted. */
static struct group_entry *begin_group(struct rt_turn *t, struct registry *r,
                                       struct order *o,
                                       struct group_entry *parent)
{
    enum group_mode mode = o->kind == ORDER_RUN_MAGENTIC     ? GROUP_MAGENTIC
                           : o->kind == ORDER_RUN_SEQUENTIAL ? GROUP_SEQUENTIAL
                                                             : GROUP_CONCURRENT;
    struct group_entry *group = group_entry_create(t, r, mode, o, parent);

    group->is_hidden = true;
    if (mode == GROUP_MAGENTIC)
        group->order = RT_KEEP(o);
    return group;
}

/* ---- run_*, together ---------------------------------------------------- */

static void send_run(struct rt_turn *t, struct registry *r,
                     struct group_entry *group, struct order *o)
{
    for (unsigned i = 0; i < o->count; i++)
        o->tasks[i].timeout_ms = tasks_timeout(r, &o->tasks[i]);
    group_entry_expect(t, r, group, o);
    o->via = rt_self(t);
    rt_pass(t, group->actor, GROUP_RUN, &o->obj);
}

void judge_run(struct rt_turn *t, struct registry *r, struct order *o,
               bool is_due)
{
    bool is_magentic = o->kind == ORDER_RUN_MAGENTIC, must_wait = false;
    struct agent_entry *caller = permission_caller(r, o);
    struct group_entry *group = caller != NULL ? caller->group : NULL;

    if (!tasks_read(t, o))
        return;
    o->has_own_group |= is_magentic;
    if (!o->has_own_group) {
        group = active_group(t, r, o, FIELD_TEXT(o->args, "groupId"));
        if (group == NULL || !may_run_in(t, r, o, group))
            return;
    } else if (!may_have_group(t, r, o, group)) {
        return;
    }
    if (!tasks_check_roles(t, o, is_due, &must_wait) && !must_wait)
        return;
    if ((is_magentic && !permission_allow(t, o, group)) ||
        !permission_may_run(t, o, group) || !spend_may(t, r, o, group))
        return;
    if (must_wait) {
        parked_add(t, r, o);
        return;
    }
    if (!tasks_can_start(t, r, o))
        return;
    send_run(t, r, o->has_own_group ? begin_group(t, r, o, group) : group, o);
}

/* ---- the others --------------------------------------------------------- */

void judge_report(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct slice id = FIELD_TEXT(o->args, "agentId");
    struct agent_entry *agent = agent_entry_find(r, id);

    /* An agent may know itself by other names too: it is told which this is. */
    if (o->caller->agent_id[0] != 0 &&
        !slice_eq(slice_cstr(o->caller->agent_id), id)) {
        ORDER_REFUSE(t, o, CODE_REPORT_FAILED, RESULT_OF_ITSELF_ONLY,
                     o->caller->agent_id);
        return;
    }
    if (agent == NULL) {
        order_refuse_agent(t, o, id);
        return;
    }
    o->first = agent->serial;
    o->via = rt_self(t);
    rt_pass(t, agent->group->actor, GROUP_REPORT, &o->obj);
}

void judge_update_ledger(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct group_entry *group =
        active_group(t, r, o, FIELD_TEXT(o->args, "groupId"));

    if (group == NULL)
        return;
    if (group->mode != GROUP_MAGENTIC) {
        ORDER_REFUSE(t, o, CODE_NOT_MAGENTIC_GROUP, LEDGER_GROUP_NOT_MAGENTIC,
                     group->id);
        return;
    }
    if (o->caller->agent_id[0] != 0 &&
        permission_caller(r, o) != group->orchestrator) {
        ORDER_REFUSE(t, o, CODE_NOT_PERMITTED, LEDGER_ORCHESTRATOR_ONLY,
                     group->id);
        return;
    }
    o->via = rt_self(t);
    rt_pass(t, group->actor, GROUP_LEDGER, &o->obj);
}
