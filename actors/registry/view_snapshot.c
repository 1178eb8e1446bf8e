/* SPDX-License-Identifier: MIT */
/*
 * The whole picture, for a client that comes to the feed. It is said like an
 * event, behind all that was written before: so events with a greater number
 * follow it, and it can be had while the disk refuses.
 */
#include "actors/registry/views.h"

#include "actors/registry/inside.h"
#include "runtime/text/json.h"

/* What is deleted is of the past. */
static bool is_shown(const struct agent_entry *agent)
{
    return !agent->is_hidden && !agent->group->is_deleted;
}

static void put_groups(struct bytes *out, const struct registry *r)
{
    JSON_KEY(out, "groups");
    JSON_RAW(out, "[");
    for (struct group_entry *x = r->groups.oldest; x != NULL; x = x->newer) {
        if (x->is_hidden || x->is_deleted)
            continue;
        json_raw(out, out->ptr[out->len - 1] == '[' ? SLICE("") : SLICE(","));
        view_put_group_entry(out, r, x);
        if (x->ledger != NULL) {
            JSON_KEY(out, "ledger");
            json_raw(out, bytes_slice(&x->ledger->json));
        }
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
}

static size_t count_shown(const struct registry *r)
{
    size_t total = 0;

    for (struct agent_entry *x = r->agents.oldest; x != NULL; x = x->newer)
        total += is_shown(x);
    return total;
}

/* The newest that there is space for, and whatever else may still change. */
static void put_agents(struct rt_turn *t, struct bytes *out,
                       const struct registry *r)
{
    size_t total = count_shown(r), left = total;

    JSON_KEY(out, "agents");
    JSON_RAW(out, "[");
    for (struct agent_entry *x = r->agents.oldest; x != NULL; x = x->newer) {
        if (!is_shown(x) || (left-- > VIEW_LIST && x->is_gone))
            continue;
        json_raw(out, out->ptr[out->len - 1] == '[' ? SLICE("") : SLICE(","));
        view_put_entry(t, r, out, x);
    }
    JSON_RAW(out, "]");
    JSON_UINT(out, "totalAgents", total);
}

void view_put_picture(struct rt_turn *t, struct registry *r, struct bytes *out)
{
    JSON_RAW(out, "{");
    JSON_UINT(out, "seq", r->seq);
    JSON_KEY(out, "at");
    json_time(out, rt_wall_ms(t));
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
}

void view_answer_snapshot(struct rt_turn *t, struct registry *r,
                          struct order *o)
{
    struct answer *a;

    if (FIELD(o->args, "at") != NULL && !yyjson_is_null(FIELD(o->args, "at"))) {
        durable_ask(t, r, o);
        return;
    }
    a = answer_create(o->ticket);
    a->order = RT_KEEP(o);
    a->seq = r->seq;
    view_put_picture(t, r, &a->json);
    durable_say(t, r, o->asker, ORDER_ANSWER, &a->obj);
    rt_obj_drop(&a->obj);
}
