/* SPDX-License-Identifier: MIT */
/* Agents as a person wants to see them in a list: also what each is about,
 * what it does at this moment, and whether it has stalled. */
#include "actors/registry/views.h"

#include "actors/registry/inside.h"
#include "actors/store/agent_record.h"
#include "runtime/text/json.h"

static struct agent_entry *first_of(const struct registry *r,
                                    const struct group_entry *group)
{
    return group != NULL ? group->first : r->agents.oldest;
}

static struct agent_entry *next_of(const struct agent_entry *agent,
                                   const struct group_entry *group)
{
    return group != NULL ? agent->after : agent->newer;
}

static bool is_listed(const struct agent_entry *agent, struct slice status)
{
    return !agent->is_hidden && agent_entry_has_status(agent, status);
}

static size_t count(const struct registry *r, const struct group_entry *group,
                    struct slice status)
{
    size_t total = 0;

    for (struct agent_entry *x = first_of(r, group); x != NULL;
         x = next_of(x, group))
        total += is_listed(x, status);
    return total;
}

static void put_agent(struct rt_turn *t, struct bytes *out,
                      struct agent_entry *agent)
{
    view_put_line(t, out, agent);
    agent_record_put_about(out, view_asked_of(agent));
    if (agent->live != NULL && !agent_entry_is_done(agent) &&
        agent->live->tool[0] != 0)
        JSON_TEXT(out, "tool", slice_cstr(agent->live->tool));
    if (agent->view != NULL && agent->view->is_stalled)
        JSON_RAW(out, ",\"stalled\":true");
    JSON_RAW(out, "}");
}

/* The newest VIEW_LIST, oldest first. */
void view_answer_overview(struct rt_turn *t, struct registry *r,
                          struct order *o)
{
    struct slice id = FIELD_TEXT(o->args, "groupId");
    struct slice status = FIELD_TEXT(o->args, "status");
    struct group_entry *group = id.len > 0 ? group_entry_find(r, id) : NULL;
    size_t total, left;
    struct answer *a;

    if (id.len > 0 && group == NULL) {
        order_refuse_group(t, o, id);
        return;
    }
    a = answer_create(o->ticket);
    total = left = count(r, group, status);
    JSON_RAW(&a->json, "{\"agents\":[");
    for (struct agent_entry *x = first_of(r, group); x != NULL;
         x = next_of(x, group)) {
        if (!is_listed(x, status) || left-- > VIEW_LIST)
            continue;
        put_agent(t, &a->json, x);
        json_raw(&a->json, left > 0 ? SLICE(",") : SLICE(""));
    }
    JSON_RAW(&a->json, "]");
    JSON_UINT(&a->json, "total", total);
    JSON_RAW(&a->json, "}");
    durable_tell(t, r, o, a);
}
