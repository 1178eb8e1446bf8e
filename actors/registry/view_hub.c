/* SPDX-License-Identifier: MIT */
#include "actors/registry/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "actors/registry/inside.h"
#include "runtime/text/json.h"

static void free_counts(struct rt_obj *obj)
{
    free(obj);
}

static struct registry_counts *count(struct rt_turn *t, struct registry *r)
{
    struct registry_counts *n = bytes_zalloc(sizeof(*n));

    rt_obj_init(&n->obj, free_counts);
    for (struct agent_entry *x = r->agents.oldest; x != NULL; x = x->newer) {
        n->agents[agent_entry_state(x)] += !x->is_hidden;
        n->leaving += !x->is_hidden && !x->is_gone &&
                      agent_entry_state(x) > AGENT_RUNNING;
    }
    for (struct group_entry *x = r->groups.oldest; x != NULL; x = x->newer) {
        n->groups += !x->is_hidden;
        n->groups_active += !x->is_hidden && !x->is_deleted;
    }
    n->places = r->places;
    n->streams.started = r->progress.total.started;
    n->streams.lines = r->progress.total.lines;
    n->streams.bytes = r->progress.total.bytes;
    n->uptime_ms = (rt_now(t) - r->started) / 1000000;
    return n;
}

static void put_agent_counts(struct bytes *out, const struct registry_counts *n)
{
    unsigned total = 0;

    for (int i = 0; i < AGENT_STATES; i++)
        total += n->agents[i];
    JSON_KEY(out, "agents");
    JSON_RAW(out, "{");
    JSON_UINT(out, "queued", n->agents[AGENT_QUEUED]);
    JSON_UINT(out, "running", n->agents[AGENT_RUNNING]);
    JSON_UINT(out, "leaving", n->leaving);
    JSON_UINT(out, "total", total);
    JSON_KEY(out, "byState");
    JSON_RAW(out, "{");
    for (int i = 0; i < AGENT_STATES; i++) {
        json_key(out, slice_cstr(agent_state_name((enum agent_state)i)));
        json_uint(out, n->agents[i]);
    }
    JSON_RAW(out, "}}");
}

static void put_group_counts(struct bytes *out, const struct registry_counts *n)
{
    JSON_KEY(out, "groups");
    JSON_RAW(out, "{");
    JSON_UINT(out, "active", n->groups_active);
    JSON_UINT(out, "total", n->groups);
    JSON_RAW(out, "}");
}

void view_put_places(struct bytes *out, const struct registry *r)
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

/* Dollars, as the configuration has them. */
static void put_budget(struct rt_turn *t, struct bytes *out, struct registry *r)
{
    const struct config *c = registry_config(r);

    JSON_KEY(out, "budget");
    JSON_RAW(out, "{");
    JSON_KEY(out, "dayUsd");
    json_number(out, (double)c->budget.day_usd / 1e6);
    JSON_KEY(out, "groupUsd");
    json_number(out, (double)c->budget.group_usd / 1e6);
    JSON_KEY(out, "spentTodayUsd");
    json_number(out, (double)spend_today(t, r) / 1e6);
    JSON_RAW(out, "}");
}

static void put_streams(struct bytes *out, const struct registry_counts *n)
{
    JSON_KEY(out, "streams");
    JSON_RAW(out, "{");
    JSON_UINT(out, "started", n->streams.started);
    JSON_UINT(out, "lines", n->streams.lines);
    JSON_UINT(out, "bytes", n->streams.bytes);
    JSON_RAW(out, "}");
}

void view_put_language(struct bytes *out, const struct registry *r)
{
    JSON_TEXT(out, "language",
              registry_config(r)->language == CONFIG_EN ? SLICE("en")
                                                        : SLICE("ja"));
}

/* What the hub occupies, in memory and on the disk. */
static void put_sizes(struct bytes *out, const struct registry *r)
{
    unsigned long long size = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "re");

    if (f != NULL) {
        if (fscanf(f, "%llu %llu", &size, &resident) != 2)
            resident = 0;
        fclose(f);
    }
    JSON_KEY(out, "memory");
    JSON_RAW(out, "{");
    JSON_UINT(out, "resident_bytes",
              resident * (uint64_t)sysconf(_SC_PAGESIZE));
    JSON_RAW(out, "}");
    JSON_KEY(out, "store");
    JSON_RAW(out, "{");
    JSON_UINT(out, "bytes", r->durable.bytes);
    JSON_RAW(out, "}");
}

/* "0.1.0" of "0.1.0+a hash". */
static struct slice version_of(const struct registry *r)
{
    return slice_of(r->context->build, strcspn(r->context->build, "+"));
}

void view_put_server(struct bytes *out, const struct registry *r)
{
    JSON_KEY(out, "startedAt");
    json_time(out, r->started_at);
    JSON_TEXT(out, "version", version_of(r));
    JSON_TEXT(out, "build", slice_cstr(r->context->build));
    JSON_UINT(out, "pid", (uint64_t)getpid());
    if (r->url[0] != 0)
        JSON_TEXT(out, "url", slice_cstr(r->url));
    if (r->roster->model_count > 0)
        view_put_models(out, r->roster);
}

void view_answer_hub(struct rt_turn *t, struct registry *r, struct order *o)
{
    const struct config *config = registry_config(r);
    struct registry_counts *n = count(t, r);
    struct answer *a = answer_create(o->ticket);
    struct bytes *out = &a->json;

    JSON_RAW(out, "{");
    JSON_UINT(out, "pid", (uint64_t)getpid());
    JSON_TEXT(out, "build", slice_cstr(r->context->build));
    JSON_KEY(out, "startedAt");
    json_time(out, r->started_at);
    if (r->url[0] != 0)
        JSON_TEXT(out, "url", slice_cstr(r->url));
    JSON_UINT(out, "uptime_ms", n->uptime_ms);
    put_agent_counts(out, n);
    put_group_counts(out, n);
    view_put_places(out, r);
    put_streams(out, n);
    put_budget(t, out, r);
    put_sizes(out, r);
    JSON_UINT(out, "seq", r->seq);
    JSON_TEXT(out, "stateDir", slice_cstr(r->context->state_dir));
    if (config->database != NULL)
        JSON_TEXT(out, "database", slice_cstr(config->database));
    JSON_TEXT(out, "config", slice_cstr(config->file));
    JSON_BOOL(out, "hasConfig", config->has_file);
    view_put_withheld(out, config);
    view_put_trouble(out, r);
    view_put_language(out, r);
    JSON_RAW(out, "}");
    rt_obj_drop(&n->obj);
    answer_send(t, o, a);
}

void view_answer_counts(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct answer *a = answer_create(o->ticket);

    a->with = &count(t, r)->obj;
    answer_send(t, o, a);
}

void view_answer_health(struct rt_turn *t, struct registry *r, struct order *o)
{
    struct answer *a = answer_create(o->ticket);

    health_events_put(&a->json, r);
    answer_send(t, o, a);
}
