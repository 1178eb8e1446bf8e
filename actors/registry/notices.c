/* SPDX-License-Identifier: MIT */
#include "actors/registry/notices.h"

#include <inttypes.h>
#include <stdlib.h>

#include "actors/registry/events.h"
#include "actors/registry/inside.h"
#include "runtime/text/json.h"

#define KEEP(field, text) slice_keep(field, sizeof(field), slice_cstr(text))
#define NO_ROLE_TOLD "no_role_told" /* in the store's meta */

/* ---- telling ----------------------------------------------------------- */

static bool is_wanted(const struct registry *r, enum config_notify kind)
{
    return r->notices.to.id != 0 && !r->notices.is_closed &&
           registry_config(r)->notifications.channels[kind] != 0;
}

static void keep(struct registry *r, const struct notice *n)
{
    struct store_write *w = durable_write(r);

    if (w == NULL)
        return;
    store_row(w, STORE_ADD_NOTICE);
    store_int(w, (int64_t)n->number);
    store_text(w, notice_kind_name(n->kind));
    store_int(w, (int64_t)n->at);
    store_text(w, slice_cstr(n->group));
    store_text(w, slice_cstr(n->agent));
    store_text(w, slice_cstr(n->role));
    store_text(w, slice_cstr(n->other));
    store_int(w, (int64_t)n->first);
    store_int(w, (int64_t)n->second);
    store_text(w, bytes_slice(&n->text));
}

static void tell(struct rt_turn *t, struct registry *r, struct notice *from,
                 struct slice text)
{
    struct notice *n;

    from->settings = r->roster->settings;
    from->number = ++r->notices.last;
    from->at = rt_wall_ms(t);
    n = notice_create(from, text);
    keep(r, n);
    durable_say(t, r, r->notices.to, NOTICE_TOLD, &n->obj);
    rt_obj_drop(&n->obj);
}

/* ---- agents ------------------------------------------------------------ */

/* Cancelled is what somebody wanted. */
static bool has_failed(const struct agent_view *v)
{
    if (v == NULL)
        return false;
    return v->state == AGENT_FAILED || v->state == AGENT_TIMED_OUT ||
           (v->state == AGENT_RESULT_REPORTED && v->result != NULL &&
            v->result->outcome != AGENT_SUCCESS);
}

static void tell_agent(struct rt_turn *t, struct registry *r,
                       enum config_notify kind, const struct agent_entry *agent,
                       const struct agent_entry *other, struct slice text)
{
    struct notice n = {.kind = kind};

    if (!is_wanted(r, kind))
        return;
    KEEP(n.agent, agent->task->id);
    KEEP(n.group, agent->group->id);
    KEEP(n.role, agent->task->role->role->id);
    if (other != NULL)
        KEEP(n.other, other->task->id);
    tell(t, r, &n, text);
}

/* A stall that an earlier hub has told of is the same one until the agent has
 * shown life. */
static void mind_stall(struct rt_turn *t, struct registry *r,
                       struct agent_entry *agent)
{
    unsigned news = agent->view->news;

    if ((news & AGENT_NEWS_STALLED) && !agent->is_stall_told) {
        agent->is_stall_told = true;
        tell_agent(t, r, CONFIG_NOTIFY_STALLED, agent, NULL, SLICE_EMPTY);
    }
    if (news & AGENT_NEWS_REVIVED)
        agent->is_stall_told = false;
}

void notices_agent(struct rt_turn *t, struct registry *r,
                   struct agent_entry *agent, const struct agent_view *before)
{
    const struct agent_result *result = agent->view->result;

    if (has_failed(agent->view) && !has_failed(before))
        tell_agent(t, r, CONFIG_NOTIFY_FAILED, agent, NULL,
                   result == NULL          ? SLICE_EMPTY
                   : result->error.len > 0 ? result->error
                                           : result->summary);
    mind_stall(t, r, agent);
}

void notices_conflict(struct rt_turn *t, struct registry *r,
                      const struct agent_entry *agent,
                      const struct agent_entry *other, struct slice path)
{
    tell_agent(t, r, CONFIG_NOTIFY_CONFLICT, agent, other, path);
}

/* ---- groups, budgets, roles -------------------------------------------- */

void notices_group(struct rt_turn *t, struct registry *r,
                   const struct group_entry *group)
{
    struct notice n = {.kind = CONFIG_NOTIFY_GROUP_DONE};

    if (group->parent != NULL || group->is_deleted || !is_wanted(r, n.kind))
        return;
    for (const struct agent_entry *x = group->first; x != NULL; x = x->after)
        if (!x->is_hidden && agent_entry_state(x) != AGENT_CANCELLED)
            ++*(has_failed(x->view) ? &n.second : &n.first);
    if (n.first + n.second == 0) /* somebody has cancelled them all */
        return;
    KEEP(n.group, group->id);
    tell(t, r, &n, bytes_slice(&group->description));
}

void notices_budget(struct rt_turn *t, struct registry *r,
                    const struct group_entry *group, uint64_t spent,
                    int64_t limit)
{
    struct notice n = {.kind = CONFIG_NOTIFY_BUDGET,
                       .first = spent,
                       .second = (uint64_t)limit};

    if (!is_wanted(r, n.kind))
        return;
    if (group != NULL)
        KEEP(n.group, group->id);
    tell(t, r, &n,
         group != NULL ? bytes_slice(&group->description) : SLICE_EMPTY);
}

static void note_no_role(struct registry *r, bool is_told)
{
    struct store_write *w = durable_write(r);

    r->notices.is_no_role_told = is_told;
    if (w == NULL)
        return;
    store_row(w, STORE_SET_META);
    store_text(w, SLICE(NO_ROLE_TOLD));
    store_int(w, is_told);
}

/* Every hub finds it anew; it is told when it has become so. */
void notices_roles(struct rt_turn *t, struct registry *r)
{
    struct notice n = {.kind = CONFIG_NOTIFY_NO_ROLE};
    bool is_usable = false;

    for (size_t i = 0; i < r->roster->role_count; i++)
        is_usable |= roster_is_available(&r->roster->roles[i]);
    if (is_usable == !r->notices.is_no_role_told || !is_wanted(r, n.kind))
        return;
    note_no_role(r, !is_usable);
    if (!is_usable)
        tell(t, r, &n, SLICE_EMPTY);
}

/* ---- notifications ----------------------------------------------------- */

static void put_channels(struct bytes *out, int64_t channels)
{
    static const struct slice names[] = {
        SLICE_INIT("browser"), SLICE_INIT("desktop"), SLICE_INIT("command"),
        SLICE_INIT("webhook")};
    bool is_first = true;

    JSON_KEY(out, "channels");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (channels >> i & 1) {
            if (!is_first)
                JSON_RAW(out, ",");
            is_first = false;
            json_string(out, names[i]);
        }
    JSON_RAW(out, "]");
}

static void put_id(struct bytes *out, struct slice key, const char *id)
{
    json_key(out, key);
    if (*id != 0)
        json_string(out, slice_cstr(id));
    else
        JSON_RAW(out, "null");
}

/* With a number that no other event has, and a time that no other project's
 * hub at the same address has it with. */
static void put_data(struct rt_turn *t, const struct registry *r,
                     struct bytes *out, const struct notification *n)
{
    char id[64];

    snprintf(id, sizeof(id), "notification-%" PRIu64 "-%" PRIu64, rt_wall_ms(t),
             r->seq + 1);
    JSON_RAW(out, "{");
    JSON_TEXT(out, "notificationId", slice_cstr(id));
    JSON_TEXT(out, "kind", notice_kind_name(n->kind));
    JSON_UINT(out, "count", n->count);
    JSON_TEXT(out, "title", bytes_slice(&n->title));
    JSON_TEXT(out, "body", bytes_slice(&n->body));
    put_id(out, SLICE("groupId"), n->group);
    put_id(out, SLICE("agentId"), n->agent);
    JSON_KEY(out, "agentIds");
    JSON_RAW(out, "[");
    for (unsigned i = 0; i < n->agent_count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        json_string(out, slice_cstr(n->agents[i]));
    }
    JSON_RAW(out, "]");
    put_channels(out, n->settings->config->notifications.channels[n->kind]);
    JSON_TEXT(out, "project", slice_cstr(n->settings->config->identity));
    put_id(out, SLICE("url"), r->url);
    JSON_RAW(out, "}");
}

static void free_raised(struct rt_obj *o)
{
    struct notice_raised *raised = (struct notice_raised *)o;

    rt_obj_drop(&raised->what->obj);
    bytes_finish(&raised->json);
    free(raised);
}

static void raise_event(struct rt_turn *t, struct registry *r,
                        struct notification *n)
{
    struct notice_raised *raised = bytes_zalloc(sizeof(*raised));
    struct bytes data = {0};

    rt_obj_init(&raised->obj, free_raised);
    raised->what = RT_KEEP(n);
    put_data(t, r, &data, n);
    bytes_append(&raised->json, data.ptr, data.len);
    events_tell(t, r, NOTICE_TYPE, group_entry_find(r, slice_cstr(n->group)),
                agent_entry_find(r, slice_cstr(n->agent)), &data);
    durable_say(t, r, r->notices.to, NOTICE_RAISED, &raised->obj);
    rt_obj_drop(&raised->obj);
}

/* The event and the end of its notices are one commit. */
static void on_raise(struct rt_turn *t, struct registry *r,
                     struct notification *n)
{
    struct store_write *w = durable_write(r);

    if (w != NULL) {
        store_row(w, STORE_DROP_NOTICES);
        store_text(w, notice_kind_name(n->kind));
        store_int(w, (int64_t)n->up_to);
    }
    if (n->settings->config->notifications.channels[n->kind] != 0)
        raise_event(t, r, n);
}

/* ---- the past ---------------------------------------------------------- */

static void tell_past(struct rt_turn *t, struct registry *r,
                      const struct past_notice *was)
{
    struct notice from = {.settings = r->roster->settings,
                          .number = was->number,
                          .at = was->at,
                          .first = was->first,
                          .second = was->second};
    struct notice *n;

    while (from.kind < CONFIG_NOTIFY_KINDS &&
           !slice_eq(notice_kind_name(from.kind), was->kind))
        from.kind++;
    if (from.kind == CONFIG_NOTIFY_KINDS) /* of a version to come */
        return;
    slice_keep(from.group, sizeof(from.group), was->group);
    slice_keep(from.agent, sizeof(from.agent), was->agent);
    slice_keep(from.role, sizeof(from.role), was->role);
    slice_keep(from.other, sizeof(from.other), was->other);
    n = notice_create(&from, was->text);
    rt_pass_take(t, r->notices.to, NOTICE_TOLD, &n->obj);
}

static void tell_all_past(struct rt_turn *t, struct registry *r)
{
    struct past *p = r->notices.past;

    if (p == NULL || r->notices.to.id == 0)
        return;
    r->notices.past = NULL;
    for (size_t i = 0; i < p->notice_count; i++)
        tell_past(t, r, &p->notices[i]);
    rt_obj_drop(&p->obj);
}

void notices_restore(struct rt_turn *t, struct registry *r, struct past *p)
{
    for (size_t i = 0; i < p->notice_count; i++)
        if (p->notices[i].number > r->notices.last)
            r->notices.last = p->notices[i].number;
    for (size_t i = 0; i < p->stalled_count; i++) {
        struct agent_entry *agent = agent_entry_at(r, p->stalled[i]);

        if (agent != NULL)
            agent->is_stall_told = true;
    }
    r->notices.is_no_role_told = p->is_no_role_told;
    r->notices.past = RT_KEEP(p);
    tell_all_past(t, r);
}

void notices_on_message(struct rt_turn *t, struct registry *r, struct rt_msg *m)
{
    if (m->kind == NOTICE_RAISE) {
        on_raise(t, r, RT_OBJ(m, struct notification));
        return;
    }
    r->notices.to = m->from;
    tell_all_past(t, r);
}

void notices_drop(struct registry *r)
{
    if (r->notices.past != NULL)
        rt_obj_drop(&r->notices.past->obj);
}
