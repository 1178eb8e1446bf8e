/* SPDX-License-Identifier: MIT */
/*
 * Groups and agents become what they were, orders are read again from the
 * words they were given in, and each group is told what it needs to go on.
 */
#include "actors/registry/restore.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "actors/group/recover.h"
#include "actors/registry/inside.h"
#include "actors/registry/news.h"
#include "actors/registry/tasks.h"
#include "runtime/text/folder.h"
#include "runtime/text/warden_file.h"

/* ---- what is held ------------------------------------------------------ */

/* Orders wait until it is known what there is, or that it cannot be known. That
 * the disk refuses may be told before: until there is a store to keep them,
 * orders would be carried out and lost. */
bool restore_hold(struct rt_turn *t, struct registry *r, struct rt_msg *m)
{
    if (!r->restore.is_blank || r->durable.store.id != 0 ||
        (m->kind != ORDER_PLACED && m->kind != WATCH_BEGIN &&
         m->kind != FEED_LISTEN && m->kind != REGISTRY_CANCEL_ALL))
        return false;
    m = rt_take(t, m);
    m->next = NULL;
    *(r->restore.last != NULL ? &r->restore.last->next : &r->restore.first) = m;
    r->restore.last = m;
    return true;
}

void restore_release(struct rt_turn *t, struct registry *r)
{
    struct rt_msg *m = r->restore.first, *next;

    r->restore.first = r->restore.last = NULL;
    for (; m != NULL; m = next) {
        next = m->next;
        registry_on_message(t, r, m);
        rt_free(t, m);
    }
}

void restore_drop(struct rt_turn *t, struct registry *r)
{
    while (r->restore.first != NULL) {
        struct rt_msg *next = r->restore.first->next;

        rt_free(t, r->restore.first);
        r->restore.first = next;
    }
}

/* ---- groups ------------------------------------------------------------- */

static enum group_mode mode_of(struct slice name)
{
    int mode = 0;

    while (mode < GROUP_MODES - 1 &&
           !slice_eq(group_mode_name((enum group_mode)mode), name))
        mode++;
    return (enum group_mode)mode;
}

static struct ledger *ledger_of(const struct past_group *g)
{
    struct ledger *l = ledger_create(g->ledger);

    l->group = g->serial;
    l->iteration = g->iteration;
    l->is_stalled = g->is_stalled;
    l->is_exhausted = g->is_exhausted;
    return l;
}

/* One of a hub that did not note it goes on in ours. */
static enum config_language language_of_group(const struct registry *r,
                                              const struct past_group *g)
{
    if (slice_eq(g->language, SLICE("ja")))
        return CONFIG_JA;
    return slice_eq(g->language, SLICE("en")) ? CONFIG_EN
                                              : registry_config(r)->language;
}

static void restore_group(struct rt_turn *t, struct registry *r,
                          const struct past_group *g)
{
    struct group_entry_setup setup = {.serial = g->serial,
                                      .id = g->id,
                                      .mode = mode_of(g->mode),
                                      .description = g->description,
                                      .parent = group_entry_at(r, g->parent),
                                      .language = language_of_group(r, g),
                                      .created_at = g->created_at};
    struct group_entry *group = group_entry_restore(t, r, &setup);

    group->is_deleted = g->deleted_at != 0;
    group->stage = g->stage;
    group->stages = g->stages;
    group->has_plan = g->has_plan;
    if (g->ledger.len > 0)
        group->ledger = ledger_of(g);
}

/* ---- orders ------------------------------------------------------------ */

static const struct agent_record *agent_at(const struct past *p,
                                           uint64_t serial)
{
    size_t low = 0, high = p->agent_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (p->agents[middle].serial < serial)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->agent_count && p->agents[low].serial == serial
               ? &p->agents[low]
               : NULL;
}

static char *text_of(struct slice s)
{
    char *text = bytes_alloc(s.len + 1);

    memcpy(text, s.ptr, s.len);
    text[s.len] = 0;
    return text;
}

static struct order *read_order(struct registry *r, const struct past_order *p)
{
    yyjson_doc *doc = yyjson_read(p->args.ptr, p->args.len, 0);
    char *caller_id = text_of(p->caller), *cwd = text_of(p->directory);
    struct caller *caller =
        caller_create(caller_id, cwd, r->context->self->env);
    struct order *o =
        order_create_take(order_find(p->kind), doc, yyjson_doc_get_root(doc),
                          caller, RT_NOBODY, 0);

    rt_obj_drop(&caller->obj);
    free(caller_id);
    free(cwd);
    o->roster = RT_KEEP(r->roster);
    o->first = p->first;
    o->group = p->group;
    o->created_at = p->created_at;
    return o;
}

/* An agent is what it was made, whatever its role has become: another model is
 * not the one it was asked of, and another back-end would not understand its
 * stream. One that is yet to be started by a back-end that its role no longer
 * has is started as the role is now. */
static const struct roster_role *role_of(struct order *o,
                                         const struct roster_role *now,
                                         const struct agent_record *a)
{
    bool has_model =
        now != NULL && slice_eq(slice_cstr(now->role->model), a->line.model);
    bool has_backend =
        now != NULL && slice_eq(slice_cstr(now->backend->name), a->backend);
    bool has_begun = !slice_eq(a->line.state, SLICE("queued"));

    if (now != NULL &&
        ((has_model && has_backend) || (!has_backend && !has_begun)))
        return now;
    return order_add_role(o, now, a->line.role, a->line.model, a->backend);
}

/* A role the configuration no longer has stays what it was called. */
static void name_tasks(struct order *o, const struct past *p)
{
    for (unsigned i = 0; i < o->count; i++) {
        const struct agent_record *a = agent_at(p, o->first + i);
        struct order_task *task = &o->tasks[i];

        if (a != NULL) {
            slice_keep(task->id, sizeof(task->id), a->line.id);
            task->role = role_of(o, task->role, a);
            task->timeout_ms = a->timeout_ms;
        } else if (task->role == NULL) {
            task->role = order_add_role(o, NULL, SLICE("?"), SLICE("?"),
                                        SLICE("cursor"));
        }
    }
}

/* The spawn was ordered and a warden may be there, though no word of it had
 * reached the store. */
static bool has_begun(const struct registry *r, const char *id)
{
    char path[4096 + ORDER_ID];
    int dir;
    bool is;

    snprintf(path, sizeof(path), "%s/agents/%s", r->context->state_dir, id);
    dir = folder_open(path);
    if (dir < 0)
        return false;
    is = warden_file_started(dir) != 0;
    close(dir);
    return is;
}

static void restore_agent(struct rt_turn *t, struct registry *r,
                          struct group_entry *group, struct group_past *g,
                          unsigned i, const struct agent_record *a)
{
    struct agent_entry *agent = agent_entry_create(r, group, g->order, i);
    struct agent_view *v = restore_view_of(a, agent->task);

    agent->is_hidden = false;
    agent->view = v;
    agent->tool_calls = a->line.tool_calls;
    agent->cost = a->usage.has_cost ? a->usage.cost : 0;
    agent->is_gone = a->gone_at != 0;
    if (a->line.started_at != 0)
        agent->started = agent_moment(t, a->line.started_at);
    agent->samples.written = SAMPLES_KEPT + 1; /* at most, it is not known */
    r->agents.not_gone += !agent->is_gone;
    group->not_gone += !agent->is_gone;
    r->agents.kept += group->is_deleted;
    if (a->gone_at > group->finished_at)
        group->finished_at = a->gone_at;
    if (g->order->kind == ORDER_RUN_MAGENTIC)
        group->orchestrator = agent;
    g->agents[i].is_known = true;
    g->agents[i].is_started = v != NULL || has_begun(r, agent->task->id);
    if (v != NULL)
        g->agents[i].view = RT_KEEP(v);
}

static void restore_order(struct rt_turn *t, struct registry *r,
                          const struct past *p, const struct past_order *was)
{
    struct group_entry *group = group_entry_at(r, was->group);
    struct order *o = read_order(r, was);
    struct group_past *g;

    if (group == NULL || !tasks_recall(r, o, group)) {
        rt_obj_drop(&o->obj);
        return;
    }
    memcpy(o->group_id, group->id, sizeof(o->group_id));
    name_tasks(o, p);
    if (o->kind == ORDER_RUN_MAGENTIC)
        group->order = RT_KEEP(o);
    g = group_past_create(o, group->ledger != NULL
                                 ? bytes_slice(&group->ledger->json)
                                 : SLICE_EMPTY);
    g->has_plan = o->kind == ORDER_RUN_SEQUENTIAL && group->has_plan &&
                  was->first == group->plan;
    for (unsigned i = 0; i < o->count; i++) {
        const struct agent_record *a = agent_at(p, o->first + i);

        if (a != NULL)
            restore_agent(t, r, group, g, i, a);
    }
    rt_pass_take(t, group->actor, GROUP_PAST, &g->obj);
    rt_obj_drop(&o->obj);
}

/* The newest sequential order of a group is the one its plan is about. */
static void find_plans(struct registry *r, const struct past *p)
{
    for (size_t i = 0; i < p->order_count; i++) {
        struct group_entry *group = group_entry_at(r, p->orders[i].group);

        if (group != NULL &&
            slice_eq(p->orders[i].kind, order_name(ORDER_RUN_SEQUENTIAL)))
            group->plan = p->orders[i].first;
    }
}

/* Those that have something left to do are not finished. */
static void reopen_groups(struct registry *r)
{
    for (struct group_entry *x = r->groups.oldest; x != NULL; x = x->newer)
        if (x->not_gone > 0 || x->has_plan)
            x->finished_at = 0;
}

/* Orchestrators that came to their end leave no agent running. */
static void end_families(struct rt_turn *t, struct registry *r)
{
    for (struct group_entry *x = r->groups.oldest; x != NULL; x = x->newer)
        if (x->orchestrator != NULL &&
            (x->orchestrator->is_gone ||
             agent_entry_state(x->orchestrator) == AGENT_CANCELLED ||
             agent_entry_state(x->orchestrator) == AGENT_TIMED_OUT))
            cancel_family(t, x);
}

void restore_past(struct rt_turn *t, struct registry *r, struct past *p)
{
    r->restore.is_blank = false;
    r->serials = p->last_serial;
    r->seq = p->last_seq;
    if (p->last_second > 0)
        r->ids.second = p->last_second + 1;
    for (size_t i = 0; i < p->group_count; i++)
        restore_group(t, r, &p->groups[i]);
    find_plans(r, p);
    for (size_t i = 0; i < p->order_count; i++)
        restore_order(t, r, p, &p->orders[i]);
    reopen_groups(r);
    spend_restore(t, r, p);
    conflicts_restore(r, p);
    notices_restore(t, r, p);
    end_families(t, r);
    news_tell_census(t, r);
}
