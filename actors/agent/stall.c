/* SPDX-License-Identifier: MIT */
/*
 * An agent that has stalled prints nothing and uses no CPU. It is said, and
 * nothing is done about it: the client decides. One that is done has no work
 * to stall in.
 */
#include "actors/agent/inside.h"

void agent_watch_stall(struct rt_turn *t, struct agent *a)
{
    if (a->def->stall_warn_ms != 0)
        agent_arm(t, &a->stall_look, a->def->stall_warn_ms, STALL_LOOK);
}

void agent_stall_is_over(struct rt_turn *t, struct agent *a)
{
    if (!a->is_stalled)
        return;
    a->is_stalled = false;
    agent_tell(t, a, AGENT_NEWS_REVIVED);
}

/* Silence alone is no stall: a compiler may run. So the tree's use of the CPU
 * is asked for, and only two equal answers a whole period apart count. */
void agent_on_stall_look(struct rt_turn *t, struct agent *a)
{
    uint64_t silent = (rt_now(t) - a->last_event) / MS;

    if (a->is_done)
        return;
    if (silent >= a->def->stall_warn_ms)
        rt_tell(t, a->def->processes, PROCESS_CPU, NULL, 0);
    else
        agent_arm(t, &a->stall_look, a->def->stall_warn_ms - silent,
                  STALL_LOOK);
}

void agent_on_cpu_used(struct rt_turn *t, struct agent *a,
                       const struct process_cpu *used)
{
    uint64_t now = rt_now(t);
    bool idle =
        a->cpu_at >= a->last_event && a->cpu_ms == used->ms && a->cpu_at != 0;

    if (a->is_done)
        return;
    if (idle && !a->is_stalled) {
        a->is_stalled = true;
        agent_tell(t, a, AGENT_NEWS_STALLED);
    }
    a->cpu_ms = used->ms;
    a->cpu_at = now;
    agent_arm(t, &a->stall_look, a->def->stall_warn_ms, STALL_LOOK);
}
