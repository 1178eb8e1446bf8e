/* SPDX-License-Identifier: MIT */
/*
 * The whole picture, for a client that comes to the feed. It is said like an
 * event, behind all that was written before: so events with a greater number
 * follow it, and it can be had while the disk refuses.
 */
#include "actors/registry/views.h"

#include "actors/registry/inside.h"
#include "runtime/text/json.h"

static void put_groups(struct bytes *out, const struct registry *r)
{
    bool is_first = true;

    JSON_KEY(out, "groups");
    JSON_RAW(out, "[");
    for (struct group_entry *x = r->groups.oldest; x != NULL; x = x->newer) {
        if (x->is_hidden)
            continue;
        if (!is_first)
            JSON_RAW(out, ",");
        is_first = false;
        view_put_group(out, x);
        if (x->ledger != NULL && !x->is_deleted) {
            JSON_KEY(out, "ledger");
            json_raw(out, bytes_slice(&x->ledger->json));
        }
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
}

/* The oldest of the newest that there is space for. */
static struct agent_entry *first_shown(const struct registry *r, size_t *total)
{
    struct agent_entry *first = NULL;

    *total = 0;
    for (struct agent_entry *agent = r->agents.newest; agent != NULL;
         agent = agent->older) {
        if (agent->is_hidden)
            continue;
        if (++*total <= VIEW_LIST)
            first = agent;
    }
    return first;
}

static void put_agents(struct rt_turn *t, struct bytes *out,
                       const struct registry *r)
{
    size_t total;
    struct agent_entry *first = first_shown(r, &total);

    JSON_KEY(out, "agents");
    JSON_RAW(out, "[");
    for (struct agent_entry *agent = first; agent != NULL;
         agent = agent->newer) {
        if (agent->is_hidden)
            continue;
        if (agent != first)
            JSON_RAW(out, ",");
        view_put_line(t, out, agent);
        progress_put_live(out, r, agent);
        if (!agent_entry_is_done(agent))
            conflicts_put(out, agent);
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
    JSON_UINT(out, "totalAgents", total);
}

void view_answer_snapshot(struct rt_turn *t, struct registry *r,
                          struct order *o)
{
    struct answer *a = answer_create(o->ticket);
    struct bytes *out = &a->json;

    a->order = RT_KEEP(o);
    a->seq = r->seq;
    JSON_RAW(out, "{");
    JSON_UINT(out, "seq", r->seq);
    view_put_server(out, r);
    view_put_language(out, r);
    view_put_roles(out, r, registry_config(r)->language);
    put_groups(out, r);
    put_agents(t, out, r);
    JSON_KEY(out, "healthcheck");
    health_events_put(out, r);
    view_put_places(out, r);
    JSON_KEY(out, "config");
    view_put_config(out, r);
    JSON_RAW(out, "}");
    durable_say(t, r, o->asker, ORDER_ANSWER, &a->obj);
    rt_obj_drop(&a->obj);
}
