/* SPDX-License-Identifier: MIT */
/*
 * Who is told what happens. Numbered events go out behind the rows that keep
 * them; progress goes the same way, so that nobody hears how an agent gets on
 * before he has heard that there is one.
 *
 * Progress costs nothing while nobody wants it: agents are marked only for
 * subscribers, and the one timer runs only while somebody is marked. The first
 * mark after a pause is told at once, the next ones a period later.
 */
#include "actors/registry/inside.h"

#include <stdlib.h>

#include "runtime/text/json.h"

#define MS 1000000ull

/* ---- subscribers ------------------------------------------------------- */

void subscribers_tell(struct rt_turn *t, struct registry *r,
                      const struct feed_event *what,
                      const struct group_entry *group,
                      const struct agent_entry *c, struct slice data)
{
    struct feed_event about = *what, *e;

    if (r->subscriber_count == 0)
        return;
    if (group != NULL)
        slice_keep(about.group, sizeof(about.group), slice_cstr(group->id));
    if (c != NULL)
        slice_keep(about.agent, sizeof(about.agent), slice_cstr(c->task->id));
    e = feed_event_create(&about, data);
    for (unsigned i = 0; i < r->subscriber_count; i++)
        registry_say(t, r, r->subscribers[i], FEED_EVENT, &e->obj);
    rt_obj_drop(&e->obj);
}

static unsigned find(const struct registry *r, struct rt_ref who)
{
    unsigned i = 0;

    while (i < r->subscriber_count && !rt_same(r->subscribers[i], who))
        i++;
    return i;
}

static void on_subscribe(struct rt_turn *t, struct registry *r,
                         struct rt_ref who)
{
    unsigned i = find(r, who);

    if (i < r->subscriber_count || i == FEED_SUBSCRIBERS)
        return;
    r->subscribers[r->subscriber_count++] = who;
    rt_monitor(t, who);
}

static void unmark_all(struct registry *r)
{
    while (r->marked != NULL) {
        r->marked->is_marked = false;
        r->marked = r->marked->next_marked;
    }
}

void subscribers_forget(struct rt_turn *t, struct registry *r,
                        struct rt_ref who)
{
    unsigned i = find(r, who);

    if (i == r->subscriber_count)
        return;
    r->subscribers[i] = r->subscribers[--r->subscriber_count];
    if (r->subscriber_count > 0)
        return;
    unmark_all(r);
    if (r->tick != 0)
        rt_cancel(t, r->tick);
    r->tick = 0;
}

static void on_unsubscribe(struct rt_turn *t, struct registry *r,
                           struct rt_ref who)
{
    if (find(r, who) < r->subscriber_count)
        rt_demonitor(t, who);
    subscribers_forget(t, r, who);
}

static void on_listen(struct rt_turn *t, struct registry *r,
                      const struct feed_listen *m)
{
    struct agent_entry *c = agent_entry_find(r, slice_cstr(m->agent));
    struct group_listen l = {
        .what = {.listener = m->listener, .is_on = m->is_on}};

    if (c == NULL || c->is_gone)
        return;
    l.serial = c->serial;
    rt_tell(t, c->group->actor, GROUP_LISTEN, &l, sizeof(l));
}

/* ---- progress ---------------------------------------------------------- */

void agent_entry_put_live(struct bytes *out, const struct registry *r,
                          const struct agent_entry *c)
{
    const struct agent_live *now;

    if (c->live == NULL)
        return;
    now = &c->live->now;
    if (c->live->said.len > 0)
        JSON_TEXT(out, "lastAssistantMessage", bytes_slice(&c->live->said));
    JSON_TEXT(out, "tool", slice_cstr(now->tool));
    JSON_UINT(out, "editedFileCount", now->edited);
    JSON_UINT(out, "createdFileCount", now->created);
    agent_entry_put_usage(out, r, c, &now->usage);
}

void agent_entry_put_progress(struct rt_turn *t, const struct registry *r,
                              struct bytes *out, const struct agent_entry *c)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", slice_cstr(c->task->id));
    JSON_TEXT(out, "groupId", slice_cstr(c->group->id));
    JSON_TEXT(out, "status",
              slice_cstr(agent_state_name(agent_entry_state(c))));
    JSON_UINT(out, "elapsed_ms", agent_entry_elapsed_ms(t, c));
    JSON_UINT(out, "toolCallCount", c->tool_calls);
    agent_entry_put_live(out, r, c);
    JSON_RAW(out, "}");
}

static void tell_progress(struct rt_turn *t, struct registry *r,
                          const struct agent_entry *c)
{
    const struct feed_event what = {.at = rt_wall_ms(t),
                                    .type = "agent:status_update"};
    struct bytes data = {0};

    agent_entry_put_progress(t, r, &data, c);
    subscribers_tell(t, r, &what, c->group, c, bytes_slice(&data));
    bytes_finish(&data);
}

static void on_tick(struct rt_turn *t, struct registry *r, uint64_t timer)
{
    if (timer != r->tick)
        return;
    r->tick = 0;
    r->ticked = rt_now(t);
    for (const struct agent_entry *c = r->marked; c != NULL; c = c->next_marked)
        tell_progress(t, r, c);
    unmark_all(r);
}

static void mark(struct rt_turn *t, struct registry *r, struct agent_entry *c)
{
    uint64_t due = r->ticked + FEED_PERIOD_MS * MS, now = rt_now(t);

    if (r->subscriber_count == 0 || c->is_marked)
        return;
    c->is_marked = true;
    c->next_marked = r->marked;
    r->marked = c;
    if (r->tick == 0)
        r->tick = rt_after(
            t, r->ticked != 0 && due > now ? (due - now + MS - 1) / MS : 0,
            REGISTRY_TICK);
}

void agent_entry_take_step(struct rt_turn *t, struct registry *r,
                           struct agent_entry *c, const struct agent_step *step)
{
    if (c->is_gone)
        return;
    if (c->live == NULL)
        c->live = bytes_zalloc(sizeof(*c->live));
    r->streams.lines += step->live.progress.lines - c->live->now.progress.lines;
    r->streams.bytes += step->live.progress.bytes - c->live->now.progress.bytes;
    c->live->now = step->live;
    if (step->has_said) {
        c->live->said.len = 0;
        bytes_append(&c->live->said, step->said, step->said_len);
    }
    mark(t, r, c);
}

void agent_entry_be_still(struct registry *r, struct agent_entry *c)
{
    struct agent_entry **link = &r->marked;

    while (c->is_marked && *link != c)
        link = &(*link)->next_marked;
    if (c->is_marked)
        *link = c->next_marked;
    c->is_marked = false;
    if (c->live != NULL)
        bytes_finish(&c->live->said);
    free(c->live);
    c->live = NULL;
}

/* ---- messages ---------------------------------------------------------- */

void subscribers_on_message(struct rt_turn *t, struct registry *r,
                            struct rt_msg *m)
{
    if (m->kind == FEED_SUBSCRIBE)
        on_subscribe(t, r, m->from);
    else if (m->kind == FEED_UNSUBSCRIBE)
        on_unsubscribe(t, r, m->from);
    else if (m->kind == FEED_LISTEN)
        on_listen(t, r, rt_body(m));
    else
        on_tick(t, r, ((struct rt_alarm *)rt_body(m))->id);
}
