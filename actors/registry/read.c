/* SPDX-License-Identifier: MIT */
/* Answers to questions. */
#include "actors/registry/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "actors/order/args.h"
#include "actors/store/transcript_pages.h"
#include "runtime/text/json.h"

/* ---- agents ------------------------------------------------------------ */

static struct agent_entry *next_older(const struct agent_entry *c,
                                      const struct group_entry *group)
{
    return group != NULL ? c->before : c->older;
}

/* The newest there is group for, newest first; the number of all. */
static size_t find_listed(struct registry *r, const struct group_entry *group,
                          struct slice status, struct agent_entry **found)
{
    size_t total = 0;

    for (struct agent_entry *c = group != NULL ? group->last : r->newest;
         c != NULL; c = next_older(c, group)) {
        if (c->is_hidden || !agent_entry_is_wanted(c, status))
            continue;
        if (total < REGISTRY_LIST)
            found[total] = c;
        total++;
    }
    return total;
}

static void list_agents(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct slice id = FIELD_TEXT(o->args, "groupId");
    struct group_entry *group = id.len > 0 ? group_entry_find(r, id) : NULL;
    struct agent_entry **found;
    size_t total, shown;
    struct answer *a;

    if (id.len > 0 && group == NULL) {
        order_refuse_group(t, o, id);
        return;
    }
    found = bytes_alloc(REGISTRY_LIST * sizeof(*found));
    total = find_listed(r, group, FIELD_TEXT(o->args, "status"), found);
    shown = total < REGISTRY_LIST ? total : REGISTRY_LIST;
    a = answer_create(o->ticket);
    bytes_reserve(&a->json, 64 + 256 * shown);
    JSON_RAW(&a->json, "{\"agents\":[");
    while (shown-- > 0) {
        agent_entry_put_line(t, &a->json, found[shown]);
        json_raw(&a->json, shown > 0 ? SLICE("},") : SLICE("}"));
    }
    JSON_RAW(&a->json, "]");
    JSON_UINT(&a->json, "total", total);
    JSON_RAW(&a->json, "}");
    registry_tell(t, r, o, a);
    free(found);
}

static void get_agent(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct slice id = FIELD_TEXT(o->args, "agentId");
    struct agent_entry *c = agent_entry_find(r, id);
    struct answer *a;

    if (c == NULL && r->store.id != 0) {
        registry_ask_store(t, r, o); /* it may be one of long ago */
        return;
    }
    if (c == NULL) {
        order_refuse_agent(t, o, id);
        return;
    }
    a = answer_create(o->ticket);
    agent_entry_put_status(t, &a->json, c);
    if (o->kind == ORDER_SHOW_AGENT)
        agent_entry_put_all(&a->json, r, c);
    JSON_RAW(&a->json, "}");
    registry_tell(t, r, o, a);
}

static void read_transcript(struct rt_turn *t, struct registry *r,
                            struct order *o)
{
    int64_t from = 0, limit = TRANSCRIPT_PAGES_LINES;
    struct slice id = SLICE_EMPTY;
    const struct arg args[] = {
        {"agentId", ARG_TEXT, &id, 0, ORDER_ID - 1},
        {"from", ARG_COUNT, &from, 0, INT64_MAX},
        {"limit", ARG_COUNT, &limit, 1, TRANSCRIPT_PAGES_LINES_MAX},
        {NULL, ARG_TEXT, NULL, 0, 0}};
    struct transcript_page page = {.order = o}, *wanted;
    const struct agent_entry *c;

    if (!args_read(t, o, args))
        return;
    if (id.len == 0) {
        ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, "'%s' は必須です: 文字列",
                     "'%s' is required: a string", "agentId");
        return;
    }
    c = agent_entry_find(r, id);
    slice_keep(page.id, sizeof(page.id), id);
    page.from = (uint64_t)from;
    page.limit = (unsigned)limit;
    page.is_known = c != NULL;
    page.is_gone = c == NULL || c->is_gone;
    wanted = transcript_page_create(&page);
    rt_pass_take(t, r->pages, TRANSCRIPT_PAGES_READ, &wanted->obj);
}

static void list_roles(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct answer *a = answer_create(o->ticket);

    JSON_RAW(&a->json, "{");
    registry_put_roles(&a->json, r);
    JSON_RAW(&a->json, "}");
    answer_send(t, o, a);
}

/* ---- groups and the hub ------------------------------------------------ */

static void put_counts(struct bytes *out, const struct group_entry *group)
{
    unsigned counts[AGENT_STATES] = {0}, total = 0, done = 0, failed = 0;

    for (struct agent_entry *c = group->first; c != NULL; c = c->after) {
        if (c->is_hidden)
            continue;
        total++;
        counts[agent_entry_state(c)]++;
        done += agent_entry_is_done(c);
        failed += agent_entry_is_wanted(c, SLICE("failed"));
    }
    JSON_KEY(out, "agents");
    JSON_RAW(out, "{");
    JSON_UINT(out, "total", total);
    JSON_UINT(out, "queued", counts[AGENT_QUEUED]);
    JSON_UINT(out, "running", counts[AGENT_RUNNING]);
    JSON_UINT(out, "done", done);
    JSON_UINT(out, "failed", failed);
    JSON_RAW(out, "}");
}

static void put_magentic(struct bytes *out, const struct group_entry *group)
{
    if (group->orchestrator != NULL)
        JSON_TEXT(out, "orchestratorAgentId",
                  slice_cstr(group->orchestrator->task->id));
    JSON_UINT(out, "iteration",
              group->ledger != NULL ? group->ledger->iteration : 0);
    JSON_UINT(out, "maxIterations", order_max_iterations(group->order));
    if (group->ledger != NULL && group->ledger->is_stalled)
        JSON_RAW(out, ",\"stalled\":true");
}

void group_entry_put_line(struct bytes *out, const struct group_entry *group)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "groupId", slice_cstr(group->id));
    JSON_TEXT(out, "description", bytes_slice(&group->description));
    JSON_TEXT(out, "mode", group_mode_name(group->mode));
    JSON_TEXT(out, "status",
              group->is_deleted ? SLICE("deleted") : SLICE("active"));
    JSON_KEY(out, "createdAt");
    json_time(out, group->created_at);
    if (group->parent != NULL)
        JSON_TEXT(out, "parentGroupId", slice_cstr(group->parent->id));
    if (group->mode == GROUP_MAGENTIC)
        put_magentic(out, group);
    put_counts(out, group);
    if (group->stages > 0) {
        JSON_KEY(out, "stage");
        JSON_RAW(out, "{");
        JSON_UINT(out, "index", group->stage);
        JSON_UINT(out, "total", group->stages);
        JSON_RAW(out, "}");
    }
}

static void list_groups(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct answer *a = answer_create(o->ticket);
    unsigned total = 0;

    JSON_RAW(&a->json, "{\"groups\":[");
    for (struct group_entry *x = r->oldest_group; x != NULL; x = x->newer) {
        if (x->is_hidden)
            continue;
        if (total++ > 0)
            JSON_RAW(&a->json, ",");
        group_entry_put_line(&a->json, x);
        JSON_RAW(&a->json, "}");
    }
    JSON_RAW(&a->json, "]");
    JSON_UINT(&a->json, "total", total);
    JSON_RAW(&a->json, "}");
    registry_tell(t, r, o, a);
}

static void put_agent_counts(struct bytes *out, struct registry *r)
{
    unsigned by_state[AGENT_STATES] = {0}, leaving = 0, total = 0;

    for (struct agent_entry *c = r->oldest; c != NULL; c = c->newer) {
        if (c->is_hidden)
            continue;
        total++;
        by_state[agent_entry_state(c)]++;
        leaving += agent_entry_state(c) > AGENT_RUNNING && !c->is_gone;
    }
    JSON_KEY(out, "agents");
    JSON_RAW(out, "{");
    JSON_UINT(out, "queued", by_state[AGENT_QUEUED]);
    JSON_UINT(out, "running", by_state[AGENT_RUNNING]);
    JSON_UINT(out, "leaving", leaving);
    JSON_UINT(out, "total", total);
    JSON_KEY(out, "byState");
    JSON_RAW(out, "{");
    for (int i = 0; i < AGENT_STATES; i++) {
        json_key(out, slice_cstr(agent_state_name((enum agent_state)i)));
        json_uint(out, by_state[i]);
    }
    JSON_RAW(out, "}}");
}

static void put_group_counts(struct bytes *out, struct registry *r)
{
    unsigned active = 0, total = 0;

    for (struct group_entry *x = r->oldest_group; x != NULL; x = x->newer) {
        total += !x->is_hidden;
        active += !x->is_hidden && !x->is_deleted;
    }
    JSON_KEY(out, "groups");
    JSON_RAW(out, "{");
    JSON_UINT(out, "active", active);
    JSON_UINT(out, "total", total);
    JSON_RAW(out, "}");
}

void registry_put_places(struct bytes *out, const struct registry *r)
{
    const struct slots_places *p = &r->places;

    JSON_KEY(out, "places");
    JSON_RAW(out, "{");
    JSON_UINT(out, "max", p->limits.max[SLOTS_AGENTS]);
    JSON_UINT(out, "held", p->held[SLOTS_AGENTS]);
    JSON_UINT(out, "waiting", p->waiting[SLOTS_AGENTS]);
    JSON_UINT(out, "maxQueued", p->limits.queued);
    JSON_UINT(out, "maxOrchestrators", p->limits.max[SLOTS_ORCHESTRATORS]);
    JSON_UINT(out, "orchestrators", p->held[SLOTS_ORCHESTRATORS]);
    JSON_RAW(out, "}");
}

static void put_streams(struct bytes *out, const struct registry *r)
{
    JSON_KEY(out, "streams");
    JSON_RAW(out, "{");
    JSON_UINT(out, "started", r->streams.started);
    JSON_UINT(out, "lines", r->streams.lines);
    JSON_UINT(out, "bytes", r->streams.bytes);
    JSON_RAW(out, "}");
}

void registry_put_language(struct bytes *out, const struct registry *r)
{
    JSON_TEXT(out, "language",
              registry_config(r)->language == CONFIG_EN ? SLICE("en")
                                                        : SLICE("ja"));
}

static void hub_status(struct rt_turn *t, struct registry *r, struct order *o)
{
    const struct config *config = registry_config(r);
    struct answer *a = answer_create(o->ticket);
    struct bytes *out = &a->json;

    JSON_RAW(out, "{");
    JSON_UINT(out, "pid", (uint64_t)getpid());
    JSON_TEXT(out, "build", slice_cstr(r->context->build));
    JSON_KEY(out, "startedAt");
    json_time(out, r->started_at);
    if (r->url[0] != 0)
        JSON_TEXT(out, "url", slice_cstr(r->url));
    JSON_UINT(out, "uptime_ms", (rt_now(t) - r->started) / 1000000);
    put_agent_counts(out, r);
    put_group_counts(out, r);
    registry_put_places(out, r);
    put_streams(out, r);
    JSON_TEXT(out, "stateDir", slice_cstr(r->context->state_dir));
    JSON_TEXT(out, "config", slice_cstr(config->file));
    JSON_BOOL(out, "hasConfig", config->has_file);
    registry_put_language(out, r);
    JSON_RAW(out, "}");
    answer_send(t, o, a);
}

void registry_read(struct rt_turn *t, struct registry *r, struct order *o)
{
    if (o->kind == ORDER_LIST_AGENTS)
        list_agents(t, r, o);
    else if (o->kind == ORDER_LIST_ROLES)
        list_roles(t, r, o);
    else if (o->kind == ORDER_LIST_GROUPS)
        list_groups(t, r, o);
    else if (o->kind == ORDER_HUB_STATUS)
        hub_status(t, r, o);
    else if (o->kind == ORDER_SNAPSHOT)
        registry_snapshot(t, r, o);
    else if (o->kind == ORDER_TRANSCRIPT)
        read_transcript(t, r, o);
    else
        get_agent(t, r, o);
}
