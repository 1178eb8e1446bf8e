/* SPDX-License-Identifier: MIT */
#include "actors/registry/progress.h"

#include <stdlib.h>

#include "actors/registry/inside.h"
#include "actors/registry/views.h"
#include "runtime/text/json.h"

#define MS 1000000ull

/* ---- in JSON ----------------------------------------------------------- */

static void put_live(struct bytes *out, const struct registry *r,
                     const struct agent_entry *agent)
{
    if (agent->said.len > 0)
        JSON_TEXT(out, "lastAssistantMessage", bytes_slice(&agent->said));
    JSON_TEXT(out, "tool", slice_cstr(agent->live->tool));
    JSON_TEXT(out, "toolTitle", slice_cstr(agent->live->title));
    JSON_KEY(out, "toolAt");
    json_time(out, agent->live->tool_at);
    JSON_UINT(out, "editedFileCount", agent->live->edited);
    JSON_UINT(out, "createdFileCount", agent->live->created);
    view_put_usage(out, r, agent, &agent->live->usage);
}

static void put(struct rt_turn *t, const struct registry *r, struct bytes *out,
                const struct agent_entry *agent)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", slice_cstr(agent->task->id));
    JSON_TEXT(out, "groupId", slice_cstr(agent->group->id));
    JSON_TEXT(out, "status",
              slice_cstr(agent_state_name(agent_entry_state(agent))));
    if (agent_entry_is_done(agent))
        JSON_TEXT(out, "outcome", agent_entry_outcome(agent));
    JSON_UINT(out, "elapsed_ms", agent_entry_elapsed_ms(t, agent));
    JSON_UINT(out, "toolCallCount", agent->tool_calls);
    if (agent->live != NULL)
        put_live(out, r, agent);
    JSON_RAW(out, "}");
}

/* ---- marks ------------------------------------------------------------- */

static void tell_progress(struct rt_turn *t, struct registry *r,
                          const struct agent_entry *agent)
{
    const struct feed_event what = {.at = rt_wall_ms(t),
                                    .type = "agent:status_update"};
    struct bytes data = {0};

    put(t, r, &data, agent);
    subscribers_tell(t, r, &what, agent->group, agent, bytes_slice(&data));
    bytes_finish(&data);
}

static void unmark(struct registry *r, struct agent_entry *agent)
{
    if (agent->is_marked)
        LIST_REMOVE(&r->progress.marked, agent, marked);
    agent->is_marked = false;
}

static void unmark_all(struct registry *r)
{
    LIST_EACH (agent, &r->progress.marked, marked)
        unmark(r, agent);
}

void progress_unmark(struct rt_turn *t, struct registry *r)
{
    unmark_all(r);
    if (r->progress.tick != 0)
        rt_cancel(t, r->progress.tick);
    r->progress.tick = 0;
}

void progress_on_tick(struct rt_turn *t, struct registry *r, uint64_t timer)
{
    if (timer != r->progress.tick)
        return;
    r->progress.tick = 0;
    r->progress.ticked = rt_now(t);
    LIST_EACH (agent, &r->progress.marked, marked)
        tell_progress(t, r, agent);
    unmark_all(r);
}

static void mark(struct rt_turn *t, struct registry *r,
                 struct agent_entry *agent)
{
    struct progress *p = &r->progress;
    uint64_t due = p->ticked + FEED_PERIOD_MS * MS, now = rt_now(t), wait = 0;

    if (r->subscribers.count == 0 || agent->is_marked)
        return;
    agent->is_marked = true;
    LIST_PREPEND(&p->marked, agent, marked);
    if (p->ticked != 0 && due > now)
        wait = (due - now + MS - 1) / MS;
    if (p->tick == 0)
        p->tick = rt_after(t, wait, REGISTRY_TICK);
}

void progress_take(struct rt_turn *t, struct registry *r,
                   struct agent_entry *agent, const struct agent_step *step)
{
    if (agent->is_gone)
        return;
    if (agent->live == NULL)
        agent->live = bytes_zalloc(sizeof(*agent->live));
    r->progress.total.lines +=
        step->live.progress.lines - agent->live->progress.lines;
    r->progress.total.bytes +=
        step->live.progress.bytes - agent->live->progress.bytes;
    *agent->live = step->live;
    line_times_take(t, r, agent, step->live.progress.bytes, step->past);
    if (step->has_said) {
        agent->said.len = 0;
        bytes_append(&agent->said, step->said, step->said_len);
    }
    mark(t, r, agent);
}

void progress_stop(struct registry *r, struct agent_entry *agent)
{
    unmark(r, agent);
    free(agent->live);
    agent->live = NULL;
}
