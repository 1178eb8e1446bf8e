/* SPDX-License-Identifier: MIT */
#include "actors/registry/views.h"

#include <string.h>
#include <unistd.h>

#include "actors/registry/inside.h"
#include "runtime/text/json.h"

static void put_agent_counts(struct bytes *out, struct registry *r)
{
    unsigned by_state[AGENT_STATES] = {0}, leaving = 0, total = 0;

    for (struct agent_entry *agent = r->agents.oldest; agent != NULL;
         agent = agent->newer) {
        if (agent->is_hidden)
            continue;
        total++;
        by_state[agent_entry_state(agent)]++;
        leaving += agent_entry_state(agent) > AGENT_RUNNING && !agent->is_gone;
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

    for (struct group_entry *x = r->groups.oldest; x != NULL; x = x->newer) {
        total += !x->is_hidden;
        active += !x->is_hidden && !x->is_deleted;
    }
    JSON_KEY(out, "groups");
    JSON_RAW(out, "{");
    JSON_UINT(out, "active", active);
    JSON_UINT(out, "total", total);
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

static void put_streams(struct bytes *out, const struct registry *r)
{
    JSON_KEY(out, "streams");
    JSON_RAW(out, "{");
    JSON_UINT(out, "started", r->progress.total.started);
    JSON_UINT(out, "lines", r->progress.total.lines);
    JSON_UINT(out, "bytes", r->progress.total.bytes);
    JSON_RAW(out, "}");
}

void view_put_language(struct bytes *out, const struct registry *r)
{
    JSON_TEXT(out, "language",
              registry_config(r)->language == CONFIG_EN ? SLICE("en")
                                                        : SLICE("ja"));
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
    view_put_places(out, r);
    put_streams(out, r);
    JSON_TEXT(out, "stateDir", slice_cstr(r->context->state_dir));
    JSON_TEXT(out, "config", slice_cstr(config->file));
    JSON_BOOL(out, "hasConfig", config->has_file);
    view_put_language(out, r);
    JSON_RAW(out, "}");
    answer_send(t, o, a);
}
