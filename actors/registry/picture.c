/* SPDX-License-Identifier: MIT */
/*
 * The whole picture, for whoever comes to the feed. It is said like an event,
 * behind all that was written before: so events with a greater number follow
 * it, and it can be had while the disk refuses.
 */
#include "actors/registry/inside.h"

#include <unistd.h>

#include "actors/order/args.h"
#include "runtime/text/json.h"

/* "0.1.0" of "0.1.0+a hash". */
static struct slice version_of(const struct registry *r)
{
    return slice_of(r->context->build, strcspn(r->context->build, "+"));
}

void registry_put_server(struct bytes *out, const struct registry *r)
{
    JSON_KEY(out, "startedAt");
    json_time(out, r->started_at);
    JSON_TEXT(out, "version", version_of(r));
    JSON_TEXT(out, "build", slice_cstr(r->context->build));
    JSON_UINT(out, "pid", (uint64_t)getpid());
    if (r->url[0] != 0)
        JSON_TEXT(out, "url", slice_cstr(r->url));
    if (r->roster->model_count > 0)
        registry_put_models(out, r->roster);
}

static void put_groups(struct bytes *out, const struct registry *r)
{
    bool is_first = true;

    JSON_KEY(out, "groups");
    JSON_RAW(out, "[");
    for (struct group_entry *x = r->oldest_group; x != NULL; x = x->newer) {
        if (x->is_hidden)
            continue;
        if (!is_first)
            JSON_RAW(out, ",");
        is_first = false;
        group_entry_put_line(out, x);
        if (x->ledger != NULL && !x->is_deleted) {
            JSON_KEY(out, "ledger");
            json_raw(out, bytes_slice(&x->ledger->json));
        }
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
}

/* The oldest of the newest that there is group for. */
static struct agent_entry *first_shown(const struct registry *r, size_t *total)
{
    struct agent_entry *first = NULL;

    *total = 0;
    for (struct agent_entry *c = r->newest; c != NULL; c = c->older) {
        if (c->is_hidden)
            continue;
        if (++*total <= REGISTRY_LIST)
            first = c;
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
    for (struct agent_entry *c = first; c != NULL; c = c->newer) {
        if (c->is_hidden)
            continue;
        if (c != first)
            JSON_RAW(out, ",");
        agent_entry_put_line(t, out, c);
        agent_entry_put_live(out, r, c);
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
    JSON_UINT(out, "totalAgents", total);
}

void registry_snapshot(struct rt_turn *t, struct registry *r, struct order *o)
{
    static const struct arg none[] = {{NULL, ARG_BOOL, NULL, 0, 0}};
    struct answer *a;
    struct bytes *out;

    if (!args_read(t, o, none))
        return;
    a = answer_create(o->ticket);
    a->order = RT_KEEP(o);
    out = &a->json;
    JSON_RAW(out, "{");
    JSON_UINT(out, "seq", r->seq);
    registry_put_server(out, r);
    registry_put_language(out, r);
    registry_put_roles(out, r);
    put_groups(out, r);
    put_agents(t, out, r);
    registry_put_health(out, r);
    registry_put_places(out, r);
    JSON_KEY(out, "config");
    registry_put_config(out, r);
    JSON_RAW(out, "}");
    registry_say(t, r, o->asker, ORDER_ANSWER, &a->obj);
    rt_obj_drop(&a->obj);
}
