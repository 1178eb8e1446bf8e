/* SPDX-License-Identifier: MIT */
/*
 * Answers to questions. A list of a thousand agents is asked for often, so
 * what never changes of an agent's entry is kept as text.
 */
#include "actors/registry_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "actors/json.h"

/* ---- agents ------------------------------------------------------------ */

uint64_t card_elapsed_ms(struct rt_turn *t, const struct card *c)
{
    if (c->view == NULL || c->started == 0)
        return 0;
    return c->view->is_done ? c->view->elapsed_ms
                            : (rt_now(t) - c->started) / 1000000;
}

/* The eight fields that a list has; the object stays open. Of one that is
 * done nothing changes any more, until it reports again. */
static void put_card(struct rt_turn *t, struct bytes *out, struct card *c)
{
    size_t from = out->len;

    if (c->line.len > 0) {
        json_raw(out, bytes_slice(&c->line));
        return;
    }
    json_raw(out, bytes_slice(&c->head));
    JSON_RAW(out, "\"");
    json_raw(out, slice_cstr(agent_state_name(card_state(c))));
    JSON_RAW(out, "\",\"startedAt\":");
    json_time(out, c->view != NULL ? c->view->started_at : 0);
    JSON_UINT(out, "elapsed_ms", card_elapsed_ms(t, c));
    JSON_UINT(out, "toolCallCount", c->tool_calls);
    if (card_is_done(c))
        bytes_append(&c->line, out->ptr + from, out->len - from);
}

/* The seeds' words are wider than the states of the same name. */
static bool is_wanted(const struct card *c, struct slice status)
{
    enum agent_state state = card_state(c);
    bool is_reported = state == AGENT_RESULT_REPORTED;
    bool is_good = is_reported && c->view->result != NULL &&
                   c->view->result->outcome == AGENT_SUCCESS;

    if (status.len == 0 || slice_eq(status, SLICE("all")))
        return true;
    if (slice_eq(status, SLICE("completed")))
        return state == AGENT_COMPLETED || is_good;
    if (slice_eq(status, SLICE("failed")))
        return state == AGENT_FAILED || state == AGENT_TIMED_OUT ||
               state == AGENT_CANCELLED || (is_reported && !is_good);
    return slice_eq(status, slice_cstr(agent_state_name(state)));
}

static struct card *next_older(const struct card *c, const struct room *room)
{
    return room != NULL ? c->before : c->older;
}

/* The newest there is room for, newest first; the number of all. */
static size_t find_listed(struct registry *r, const struct room *room,
                          struct slice status, struct card **found)
{
    size_t total = 0;

    for (struct card *c = room != NULL ? room->last : r->newest; c != NULL;
         c = next_older(c, room)) {
        if (c->is_hidden || !is_wanted(c, status))
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
    struct room *room = id.len > 0 ? room_find(r, id) : NULL;
    struct card **found;
    size_t total, shown;
    struct answer *a;

    if (id.len > 0 && room == NULL) {
        order_refuse_group(t, o, id);
        return;
    }
    found = bytes_alloc(REGISTRY_LIST * sizeof(*found));
    total = find_listed(r, room, FIELD_TEXT(o->args, "status"), found);
    shown = total < REGISTRY_LIST ? total : REGISTRY_LIST;
    a = answer_create(o->ticket);
    bytes_reserve(&a->json, 64 + 256 * shown);
    JSON_RAW(&a->json, "{\"agents\":[");
    while (shown-- > 0) {
        put_card(t, &a->json, found[shown]);
        json_raw(&a->json, shown > 0 ? SLICE("},") : SLICE("}"));
    }
    JSON_RAW(&a->json, "]");
    JSON_UINT(&a->json, "total", total);
    JSON_RAW(&a->json, "}");
    answer_send(t, o, a);
    free(found);
}

void card_put_result(struct bytes *out, const struct card *c)
{
    const struct agent_result *result = c->view->result;
    const struct role *role = c->task->role->role;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", slice_cstr(c->task->id));
    JSON_TEXT(out, "groupId", slice_cstr(c->room->id));
    JSON_TEXT(out, "status", agent_outcome_name(result->outcome));
    JSON_TEXT(out, "summary", result->summary);
    JSON_TEXT(out, "response", result->response);
    JSON_KEY(out, "editedFiles");
    agent_paths_put(out, &result->edited);
    JSON_KEY(out, "createdFiles");
    agent_paths_put(out, &result->created);
    JSON_UINT(out, "duration_ms", result->duration_ms);
    JSON_TEXT(out, "model", slice_cstr(role->model));
    JSON_TEXT(out, "role", slice_cstr(role->id));
    JSON_UINT(out, "toolCallCount", result->tool_calls);
    if (result->error.len > 0)
        JSON_TEXT(out, "errorMessage", result->error);
    JSON_KEY(out, "timestamp");
    json_time(out, result->finished_at);
    if (c->room->orchestrator == c && c->room->ledger != NULL) {
        JSON_KEY(out, "finalLedger");
        json_raw(out, bytes_slice(&c->room->ledger->json));
    }
    JSON_RAW(out, "}");
}

static void put_status(struct rt_turn *t, struct bytes *out, struct card *c)
{
    put_card(t, out, c);
    JSON_KEY(out, "result");
    if (c->view != NULL && c->view->result != NULL)
        card_put_result(out, c);
    else
        JSON_RAW(out, "null");
    JSON_KEY(out, "createdAt");
    json_time(out, c->order->created_at);
    if (c->view != NULL && c->view->is_stalled)
        JSON_RAW(out, ",\"stalled\":true");
}

static void put_bool(struct bytes *out, bool value)
{
    json_raw(out, value ? SLICE("true") : SLICE("false"));
}

static void put_usage(struct bytes *out, const struct registry *r,
                      const struct card *c, const struct transcript_usage *u)
{
    uint64_t cost;

    JSON_KEY(out, "usage");
    JSON_RAW(out, "{");
    JSON_UINT(out, "inputTokens", u->input);
    JSON_UINT(out, "outputTokens", u->output);
    JSON_UINT(out, "cacheReadTokens", u->cache_read);
    JSON_UINT(out, "cacheWriteTokens", u->cache_write);
    if (card_cost(r, c, &cost)) {
        JSON_KEY(out, "costUsd");
        json_number(out, (double)cost / 1e6);
    }
    JSON_RAW(out, "}");
}

static void put_view(struct bytes *out, const struct registry *r,
                     const struct card *c)
{
    static const struct agent_view nothing;
    const struct agent_view *v = c->view != NULL ? c->view : &nothing;

    JSON_UINT(out, "pid", (uint64_t)v->pid);
    JSON_TEXT(out, "sessionId", slice_cstr(v->session_id));
    JSON_TEXT(out, "cliModel", slice_cstr(v->model));
    JSON_TEXT(out, "tool", slice_cstr(v->tool));
    put_usage(out, r, c, &v->usage);
    JSON_UINT(out, "messages", v->progress.messages);
    JSON_UINT(out, "lines", v->progress.lines);
    JSON_UINT(out, "bytes", v->progress.bytes);
    JSON_UINT(out, "unknownLines", v->unknown_lines);
    JSON_UINT(out, "skippedLines", v->skipped_lines);
}

/* For people: all that is known. */
static void put_all(struct bytes *out, const struct registry *r,
                    const struct card *c)
{
    JSON_TEXT(out, "backend", slice_cstr(c->task->role->backend->name));
    JSON_TEXT(out, "prompt", c->task->prompt);
    JSON_TEXT(out, "workingDirectory", slice_cstr(c->task->directory));
    if (c->order->kind == ORDER_RUN_SEQUENTIAL)
        JSON_UINT(out, "stageIndex", c->task->stage);
    put_view(out, r, c);
    JSON_KEY(out, "gone");
    put_bool(out, c->is_gone);
    JSON_KEY(out, "dir");
    JSON_RAW(out, "\"");
    json_escaped(out, slice_cstr(r->house->state_dir));
    JSON_RAW(out, "/agents/");
    json_escaped(out, slice_cstr(c->task->id));
    JSON_RAW(out, "\"");
}

void card_put_state(struct rt_turn *t, struct registry *r, struct bytes *out,
                    struct card *c)
{
    put_status(t, out, c);
    put_all(out, r, c);
    JSON_RAW(out, "}");
}

static void get_agent(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct slice id = FIELD_TEXT(o->args, "agentId");
    struct card *c = card_find(r, id);
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
    put_status(t, &a->json, c);
    if (o->kind == ORDER_SHOW_AGENT)
        put_all(&a->json, r, c);
    JSON_RAW(&a->json, "}");
    answer_send(t, o, a);
}

/* ---- roles ------------------------------------------------------------- */

static void put_validation(struct bytes *out, const struct roster_role *role)
{
    JSON_KEY(out, "modelValidation");
    JSON_RAW(out, "{");
    JSON_TEXT(out, "status",
              role->is_model_pending ? SLICE("pending")
              : role->is_model_valid ? SLICE("valid")
                                     : SLICE("invalid"));
    if (role->model_message[0] != 0)
        JSON_TEXT(out, "message", slice_cstr(role->model_message));
    if (role->model_checked_at != 0) {
        JSON_KEY(out, "checkedAt");
        json_time(out, role->model_checked_at);
    }
    JSON_RAW(out, "}");
}

static void put_check(struct bytes *out, const struct roster_role *role)
{
    static const struct slice names[] = {
        SLICE_INIT("pending"), SLICE_INIT("passed"), SLICE_INIT("failed"),
        SLICE_INIT("skipped")};

    JSON_KEY(out, "healthCheck");
    JSON_RAW(out, "{");
    JSON_TEXT(out, "status", names[role->check]);
    if (role->reason[0] != 0)
        JSON_TEXT(out, "reason", slice_cstr(role->reason));
    if (role->check == ROSTER_PASSED)
        JSON_UINT(out, "responseTime_ms", role->response_ms);
    if (role->checked_at != 0) {
        JSON_KEY(out, "checkedAt");
        json_time(out, role->checked_at);
    }
    JSON_RAW(out, "}");
}

static void put_role(struct bytes *out, const struct roster_role *role)
{
    const struct role *def = role->role;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", slice_cstr(def->id));
    JSON_TEXT(out, "name", slice_cstr(def->name));
    JSON_TEXT(out, "description", slice_cstr(def->description));
    JSON_TEXT(out, "model", slice_cstr(def->model));
    JSON_KEY(out, "available");
    put_bool(out, roster_is_available(role));
    put_check(out, role);
    put_validation(out, role);
    JSON_KEY(out, "tools");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < def->tool_count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        json_string(out, slice_cstr(def->tools[i].tool->id));
    }
    JSON_RAW(out, "]");
    JSON_TEXT(out, "backend", slice_cstr(def->backend));
    JSON_RAW(out, "}");
}

static void list_roles(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct answer *a = answer_create(o->ticket);

    JSON_RAW(&a->json, "{\"roles\":[");
    for (size_t i = 0; i < r->roster->role_count; i++) {
        if (i > 0)
            JSON_RAW(&a->json, ",");
        put_role(&a->json, &r->roster->roles[i]);
    }
    JSON_RAW(&a->json, "]}");
    answer_send(t, o, a);
}

/* ---- groups and the hub ------------------------------------------------ */

static void put_counts(struct bytes *out, const struct room *room)
{
    unsigned counts[AGENT_STATES] = {0}, total = 0, done = 0, failed = 0;

    for (struct card *c = room->first; c != NULL; c = c->after) {
        if (c->is_hidden)
            continue;
        total++;
        counts[card_state(c)]++;
        done += card_is_done(c);
        failed += is_wanted(c, SLICE("failed"));
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

static void put_magentic(struct bytes *out, const struct room *room)
{
    yyjson_val *max = FIELD(room->order->args, "maxIterations");

    if (room->orchestrator != NULL)
        JSON_TEXT(out, "orchestratorAgentId",
                  slice_cstr(room->orchestrator->task->id));
    JSON_UINT(out, "iteration",
              room->ledger != NULL ? room->ledger->iteration : 0);
    JSON_UINT(out, "maxIterations", max != NULL ? field_count(max) : 10);
    if (room->ledger != NULL && room->ledger->is_stalled)
        JSON_RAW(out, ",\"stalled\":true");
}

static void put_room(struct bytes *out, const struct room *room)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "groupId", slice_cstr(room->id));
    JSON_TEXT(out, "description", bytes_slice(&room->description));
    JSON_TEXT(out, "mode", group_mode_name(room->mode));
    JSON_TEXT(out, "status",
              room->is_deleted ? SLICE("deleted") : SLICE("active"));
    JSON_KEY(out, "createdAt");
    json_time(out, room->created_at);
    if (room->parent != NULL)
        JSON_TEXT(out, "parentGroupId", slice_cstr(room->parent->id));
    if (room->mode == GROUP_MAGENTIC)
        put_magentic(out, room);
    put_counts(out, room);
    if (room->stages > 0) {
        JSON_KEY(out, "stage");
        JSON_RAW(out, "{");
        JSON_UINT(out, "index", room->stage);
        JSON_UINT(out, "total", room->stages);
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "}");
}

static void list_groups(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct answer *a = answer_create(o->ticket);
    unsigned total = 0;

    JSON_RAW(&a->json, "{\"groups\":[");
    for (struct room *x = r->oldest_room; x != NULL; x = x->newer) {
        if (x->is_hidden)
            continue;
        if (total++ > 0)
            JSON_RAW(&a->json, ",");
        put_room(&a->json, x);
    }
    JSON_RAW(&a->json, "]");
    JSON_UINT(&a->json, "total", total);
    JSON_RAW(&a->json, "}");
    answer_send(t, o, a);
}

static void put_agent_counts(struct bytes *out, struct registry *r)
{
    unsigned queued = 0, running = 0, leaving = 0, total = 0;

    for (struct card *c = r->oldest; c != NULL; c = c->newer) {
        if (c->is_hidden)
            continue;
        total++;
        queued += card_state(c) == AGENT_QUEUED;
        running += card_state(c) == AGENT_RUNNING;
        leaving += card_state(c) > AGENT_RUNNING && !c->is_gone;
    }
    JSON_KEY(out, "agents");
    JSON_RAW(out, "{");
    JSON_UINT(out, "queued", queued);
    JSON_UINT(out, "running", running);
    JSON_UINT(out, "leaving", leaving);
    JSON_UINT(out, "total", total);
    JSON_RAW(out, "}");
}

static void put_group_counts(struct bytes *out, struct registry *r)
{
    unsigned active = 0, total = 0;

    for (struct room *x = r->oldest_room; x != NULL; x = x->newer) {
        total += !x->is_hidden;
        active += !x->is_hidden && !x->is_deleted;
    }
    JSON_KEY(out, "groups");
    JSON_RAW(out, "{");
    JSON_UINT(out, "active", active);
    JSON_UINT(out, "total", total);
    JSON_RAW(out, "}");
}

static void put_places(struct bytes *out, const struct slots_places *p)
{
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

static void hub_status(struct rt_turn *t, struct registry *r, struct order *o)
{
    const struct config *config = registry_config(r);
    struct answer *a = answer_create(o->ticket);
    struct bytes *out = &a->json;

    JSON_RAW(out, "{");
    JSON_UINT(out, "pid", (uint64_t)getpid());
    JSON_TEXT(out, "build", slice_cstr(r->house->build));
    JSON_KEY(out, "startedAt");
    json_time(out, r->started_at);
    JSON_UINT(out, "uptime_ms", (rt_now(t) - r->started) / 1000000);
    put_agent_counts(out, r);
    put_group_counts(out, r);
    put_places(out, &r->places);
    JSON_TEXT(out, "stateDir", slice_cstr(r->house->state_dir));
    JSON_TEXT(out, "config", slice_cstr(config->file));
    JSON_KEY(out, "hasConfig");
    put_bool(out, config->has_file);
    JSON_TEXT(out, "language",
              config->language == CONFIG_EN ? SLICE("en") : SLICE("ja"));
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
    else
        get_agent(t, r, o);
}
