/* SPDX-License-Identifier: MIT */
#include "actors/registry/subscribers.h"

#include <stdlib.h>

#include "actors/registry/inside.h"
#include "runtime/text/json.h"

/* ---- events ------------------------------------------------------------ */

static void free_event(struct rt_obj *o)
{
    struct feed_event *e = (struct feed_event *)o;

    bytes_finish(&e->json);
    free(e);
}

/* The caller owns the one reference. */
static struct feed_event *create_event(const struct feed_event *from,
                                       uint64_t follows, struct slice data)
{
    struct feed_event *e = bytes_alloc(sizeof(*e));
    struct bytes *out = &e->json;

    *e = *from;
    rt_obj_init(&e->obj, free_event);
    *out = (struct bytes){0};
    bytes_reserve(out, data.len + 128);
    JSON_RAW(out, "{");
    JSON_TEXT(out, "type", slice_cstr(e->type));
    if (e->seq != 0)
        JSON_UINT(out, "seq", e->seq);
    else
        JSON_UINT(out, "follows", follows);
    JSON_KEY(out, "at");
    json_time(out, e->at);
    JSON_KEY(out, "data");
    json_raw(out, data);
    JSON_RAW(out, "}");
    return e;
}

void subscribers_tell(struct rt_turn *t, struct registry *r,
                      const struct feed_event *what,
                      const struct group_entry *group,
                      const struct agent_entry *agent, struct slice data)
{
    struct feed_event about = *what, *e;

    if (r->subscribers.count == 0)
        return;
    if (group != NULL)
        slice_keep(about.group, sizeof(about.group), slice_cstr(group->id));
    if (agent != NULL)
        slice_keep(about.agent, sizeof(about.agent),
                   slice_cstr(agent->task->id));
    e = create_event(&about, r->seq, data);
    for (unsigned i = 0; i < r->subscribers.count; i++)
        durable_say(t, r, r->subscribers.refs[i], FEED_EVENT, &e->obj);
    rt_obj_drop(&e->obj);
}

/* ---- subscribers ------------------------------------------------------- */

static unsigned find(const struct registry *r, struct rt_ref who)
{
    unsigned i = 0;

    while (i < r->subscribers.count && !rt_same(r->subscribers.refs[i], who))
        i++;
    return i;
}

static void on_subscribe(struct rt_turn *t, struct registry *r,
                         struct rt_ref who)
{
    unsigned i = find(r, who);

    if (i < r->subscribers.count || i == FEED_SUBSCRIBERS)
        return;
    r->subscribers.refs[r->subscribers.count++] = who;
    rt_monitor(t, who);
}

void subscribers_forget(struct rt_turn *t, struct registry *r,
                        struct rt_ref who)
{
    unsigned i = find(r, who);

    if (i == r->subscribers.count)
        return;
    r->subscribers.refs[i] = r->subscribers.refs[--r->subscribers.count];
    if (r->subscribers.count == 0)
        progress_unmark(t, r);
}

static void on_unsubscribe(struct rt_turn *t, struct registry *r,
                           struct rt_ref who)
{
    if (find(r, who) < r->subscribers.count)
        rt_demonitor(t, who);
    subscribers_forget(t, r, who);
}

static void on_listen(struct rt_turn *t, struct registry *r,
                      const struct feed_listen *m)
{
    struct agent_entry *agent = agent_entry_find(r, slice_cstr(m->agent));
    struct group_listen l = {
        .what = {.listener = m->listener, .is_on = m->is_on}};

    if (agent == NULL || agent->is_gone)
        return;
    l.serial = agent->serial;
    rt_tell(t, agent->group->actor, GROUP_LISTEN, &l, sizeof(l));
}

void subscribers_on_message(struct rt_turn *t, struct registry *r,
                            struct rt_msg *m)
{
    if (m->kind == FEED_SUBSCRIBE)
        on_subscribe(t, r, m->from);
    else if (m->kind == FEED_UNSUBSCRIBE)
        on_unsubscribe(t, r, m->from);
    else
        on_listen(t, r, rt_body(m));
}
