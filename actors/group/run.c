/* SPDX-License-Identifier: MIT */
/*
 * From an order to running agents. Slots are asked first; once they accept,
 * the agents exist (queued) and the order is answered; each is started when a
 * place is granted. A batch of agents that ask together has one ticket, the
 * serial number of its first.
 */
#include "actors/group/inside.h"

#include <stdlib.h>

#include "actors/group/magentic.h"
#include "runtime/text/array.h"
#include "runtime/text/bytes.h"
#include "runtime/text/json.h"

#define PORTION 8 /* agents started in a turn */

/* ---- asking ------------------------------------------------------------ */

unsigned *group_stage_sizes(const struct order *o)
{
    unsigned *sizes = bytes_zalloc((o->stages + 1) * sizeof(*sizes));

    for (unsigned i = 0; i < o->count; i++)
        sizes[o->tasks[i].stage]++;
    return sizes;
}

void group_ask(struct rt_turn *t, const struct group *g,
               const struct slots_ask *a)
{
    rt_tell(t, g->setup.slots, SLOTS_ASK, a, sizeof(*a));
}

void group_on_run(struct rt_turn *t, struct group *g, struct order *o)
{
    unsigned *sizes = group_stage_sizes(o);
    struct slots_ask a = {.ticket = o->first, .count = sizes[0]};
    struct asked *entry = bytes_zalloc(sizeof(*entry));

    a.kind =
        g->setup.mode == GROUP_MAGENTIC ? SLOTS_ORCHESTRATORS : SLOTS_AGENTS;
    for (unsigned i = 0; i < o->stages; i++)
        a.largest = sizes[i] > a.largest ? sizes[i] : a.largest;
    free(sizes);
    entry->order = RT_KEEP(o);
    LIST_APPEND(&g->asked, entry, link);
    group_ask(t, g, &a);
}

/* The order that asked under this ticket, which is now the caller's; NULL if
 * a later stage did. */
static struct order *answered(struct group *g, uint64_t ticket)
{
    LIST_EACH (asked, &g->asked, link) {
        struct order *o = asked->order;

        if (o->first != ticket)
            continue;
        LIST_REMOVE(&g->asked, asked, link);
        free(asked);
        return o;
    }
    return NULL;
}

/* One that asks for more than all there are would wait in vain. */
static void refuse_places(struct rt_turn *t, struct order *o,
                          const struct slots_refusal *no, unsigned wanted)
{
    const char *key = o->kind == ORDER_RUN_MAGENTIC ? "agent.maxOrchestrators"
                                                    : "agent.maxConcurrent";
    unsigned running = no->busy - no->waiting;
    unsigned free_now = no->max > no->busy ? no->max - no->busy : 0;

    if (wanted > no->max)
        ORDER_REFUSE(t, o, CODE_MAX_CONCURRENT_REACHED, RUN_MORE_THAN_LIMIT,
                     wanted, key, no->max, no->max);
    else
        ORDER_REFUSE(t, o, CODE_MAX_CONCURRENT_REACHED, RUN_TOO_FEW_PLACES,
                     wanted, no->max, key, running, no->waiting, free_now);
}

void group_on_refused(struct rt_turn *t, struct group *g,
                      const struct slots_refusal *no)
{
    struct order *o = answered(g, no->ticket);
    unsigned wanted, *sizes;

    if (o == NULL)
        return;
    sizes = group_stage_sizes(o);
    wanted = sizes[0];
    for (unsigned i = 0; i < o->stages; i++)
        wanted = sizes[i] > wanted ? sizes[i] : wanted;
    free(sizes);
    refuse_places(t, o, no, wanted);
    rt_obj_drop(&o->obj);
}

/* ---- agents come to be ------------------------------------------------- */

struct rt_ref group_spawn_agent(struct rt_turn *t, const struct group *g,
                                const struct order *o, unsigned i)
{
    const struct config_agent *c = &o->roster->settings->config->agent;
    const struct order_task *task = &o->tasks[i];
    struct agent_def *def = agent_def_create(
        &(struct agent_def){.id = task->id,
                            .serial = o->first + i,
                            .backend = task->role->backend,
                            .processes = g->setup.processes,
                            .listener = rt_self(t),
                            .watcher = g->setup.registry,
                            .created_at = o->created_at,
                            .timeout_ms = task->timeout_ms,
                            .exit_grace_ms = (uint64_t)c->exit_grace_ms,
                            .report_grace_ms = (uint64_t)c->report_grace_ms,
                            .stall_warn_ms = (uint64_t)c->stall_warn_ms,
                            .line_limit = (size_t)c->line_limit_bytes,
                            .is_english = order_is_english(o)});
    struct rt_ref ref = agent_spawn(t, def);

    rt_obj_drop(&def->obj);
    return ref;
}

/* Two orders may be accepted in another order than their agents were
 * numbered in; the list stays sorted. */
void group_add_member(struct group *g, const struct member *m)
{
    size_t at = g->member_count;

    ARRAY_GROW(g->members, g->member_count);
    while (at > 0 && g->members[at - 1].serial > m->serial)
        at--;
    memmove(g->members + at + 1, g->members + at,
            (g->member_count - at) * sizeof(*g->members));
    g->members[at] = *m;
    g->member_count++;
    if (g->first_later > at)
        g->first_later = at;
}

static void add_members(struct rt_turn *t, struct group *g, struct order *o)
{
    for (unsigned i = 0; i < o->count; i++)
        group_add_member(
            g,
            &(struct member){.serial = o->first + i,
                             .agent = group_spawn_agent(t, g, o, i),
                             .order = RT_KEEP(o),
                             .task = &o->tasks[i],
                             .ticket = o->first,
                             .place = o->tasks[i].stage == 0 ? MEMBER_IN_LINE
                                                             : MEMBER_LATER});
}

void group_begin_magentic(struct rt_turn *t, struct group *g,
                          const struct order *o, struct slice ledger)
{
    struct magentic_setup setup = {.registry = g->setup.registry,
                                   .group = g->setup.serial,
                                   .group_id = g->setup.id,
                                   .max_iterations = order_max_iterations(o),
                                   .past = ledger};

    g->magentic = magentic_spawn(t, &setup);
}

/* ---- the answers ------------------------------------------------------- */

static void put_agents(struct bytes *out, struct order *o)
{
    bool has_stages = o->kind == ORDER_RUN_SEQUENTIAL;

    JSON_KEY(out, "agents");
    JSON_RAW(out, "[");
    for (unsigned i = 0; i < o->count; i++) {
        const struct order_task *task = &o->tasks[i];

        json_raw(out, i > 0 ? SLICE(",{") : SLICE("{"));
        JSON_TEXT(out, "agentId", slice_cstr(task->id));
        JSON_TEXT(out, "groupId", slice_cstr(o->group_id));
        JSON_TEXT(out, "role", slice_cstr(task->role->role->id));
        JSON_TEXT(out, "model", slice_cstr(task->role->role->model));
        JSON_TEXT(out, "status", SLICE("queued"));
        if (has_stages)
            JSON_UINT(out, "stageIndex", task->stage);
        if (task->retry.of.len > 0)
            JSON_TEXT(out, "retryOf", task->retry.of);
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
    JSON_UINT(out, "total", o->count);
}

static void put_stages(struct bytes *out, struct order *o)
{
    unsigned i = 0;

    JSON_TEXT(out, "groupId", slice_cstr(o->group_id));
    JSON_UINT(out, "totalStages", o->stages);
    JSON_UINT(out, "currentStageIndex", 0);
    JSON_KEY(out, "stages");
    JSON_RAW(out, "[");
    for (unsigned stage = 0; stage < o->stages; stage++) {
        json_raw(out, stage > 0 ? SLICE(",{") : SLICE("{"));
        JSON_UINT(out, "stageIndex", stage);
        JSON_KEY(out, "agentIds");
        JSON_RAW(out, "[");
        for (bool is_first = true; i < o->count && o->tasks[i].stage == stage;
             i++, is_first = false) {
            if (!is_first)
                JSON_RAW(out, ",");
            json_string(out, slice_cstr(o->tasks[i].id));
        }
        JSON_RAW(out, "]}");
    }
    JSON_RAW(out, "]");
}

static void answer_run(struct rt_turn *t, struct order *o)
{
    struct answer *a = answer_create(o->ticket);
    struct bytes *out = &a->json;

    JSON_RAW(out, "{");
    if (o->kind == ORDER_RUN_MAGENTIC) {
        JSON_TEXT(out, "groupId", slice_cstr(o->group_id));
        JSON_TEXT(out, "orchestratorAgentId", slice_cstr(o->tasks[0].id));
        JSON_TEXT(out, "status", SLICE("started"));
        if (o->tasks[0].retry.of.len > 0)
            JSON_TEXT(out, "retryOf", o->tasks[0].retry.of);
    } else {
        if (o->kind == ORDER_RUN_SEQUENTIAL)
            put_stages(out, o);
        put_agents(out, o);
    }
    JSON_RAW(out, "}");
    answer_send(t, o, a);
}

/* Slots have put its first stage into the line: there it is not yet to be. */
static void withdraw(struct rt_turn *t, const struct group *g,
                     const struct order *o)
{
    unsigned *sizes = group_stage_sizes(o);
    struct slots_grant all = {.ticket = o->first, .count = sizes[0]};

    free(sizes);
    rt_tell(t, g->setup.slots, SLOTS_WITHDRAW, &all, sizeof(all));
}

static void accept_plan(struct rt_turn *t, struct group *g, struct order *o)
{
    if (!group_is_held_up(g, o->first)) {
        group_begin_plan(t, g, o);
        return;
    }
    group_hold_plan(g, o);
    withdraw(t, g, o);
}

void group_on_accepted(struct rt_turn *t, struct group *g, uint64_t ticket)
{
    struct order *o = answered(g, ticket);

    if (o == NULL)
        return;
    add_members(t, g, o);
    if (o->kind == ORDER_RUN_SEQUENTIAL)
        accept_plan(t, g, o);
    else if (o->kind == ORDER_RUN_MAGENTIC)
        group_begin_magentic(t, g, o, SLICE_EMPTY);
    answer_run(t, o);
    rt_obj_drop(&o->obj);
}

/* ---- starting ---------------------------------------------------------- */

static void start(struct rt_turn *t, struct group *g, struct member *m)
{
    struct process_spec *spec = group_spec(g, m);

    m->place = MEMBER_HOLDS;
    rt_pass_take(t, m->agent, AGENT_RUN, &spec->obj);
}

/* The first that may be in the line: those before it never will be again. */
static size_t first_later(struct group *g)
{
    while (g->first_later < g->member_count &&
           g->members[g->first_later].place >= MEMBER_HOLDS)
        g->first_later++;
    return g->first_later;
}

/* Starts so many at the most; how many were there. */
static uint32_t start_some(struct rt_turn *t, struct group *g, uint64_t ticket,
                           uint32_t count)
{
    uint32_t started = 0;

    for (size_t i = first_later(g); i < g->member_count && started < count;
         i++) {
        struct member *m = &g->members[i];

        if (m->ticket != ticket || m->place != MEMBER_IN_LINE)
            continue;
        start(t, g, m);
        started++;
    }
    return started;
}

/* A portion, so that the first are under way while the prompts of the others
 * are built. The place of an agent that was cancelled in the line goes back:
 * slots may have granted it before they heard. */
void group_on_granted(struct rt_turn *t, struct group *g,
                      const struct slots_grant *grant)
{
    uint32_t count = grant->count < PORTION ? grant->count : PORTION;
    uint32_t started = start_some(t, g, grant->ticket, count);
    struct slots_grant rest = {.ticket = grant->ticket,
                               .count = grant->count - started};
    struct slots_change back = {.kind = group_kind(g), .count = rest.count};

    if (rest.count == 0)
        return;
    if (started == count)
        rt_tell(t, rt_self(t), SLOTS_GRANTED, &rest, sizeof(rest));
    else
        rt_tell(t, g->setup.slots, SLOTS_GIVE, &back, sizeof(back));
}

void group_on_next_stage(struct rt_turn *t, struct group *g,
                         struct stage_handover *h)
{
    struct slots_ask a = {.kind = SLOTS_AGENTS, .is_entitled = true};

    if (g->before != NULL)
        rt_obj_drop(&g->before->obj);
    g->before = RT_KEEP(h);
    for (size_t i = 0; i < g->member_count; i++) {
        struct member *m = &g->members[i];

        if (m->place != MEMBER_LATER || m->order->first != h->at.plan ||
            m->task->stage != h->at.stage)
            continue;
        if (a.count++ == 0)
            a.ticket = m->serial;
        m->ticket = a.ticket;
        m->place = MEMBER_IN_LINE;
    }
    if (a.count > 0)
        group_ask(t, g, &a);
}
