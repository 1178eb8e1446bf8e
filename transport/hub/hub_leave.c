/* SPDX-License-Identifier: MIT */
/*
 * The end of a hub. Its agents end first, so that their records are complete
 * and clients that wait for them get their answers; then sessions are told, so
 * that none of them takes us for dead; then the rest. Each step has a bound.
 *
 * When agents are kept, the processes actor goes before them: it would end what
 * its owners leave behind. Health's checks are not kept, nor what the notifier
 * has under way, so both go before the processes actor.
 */
#include <errno.h>

#include "actors/registry/registry.h"
#include "transport/hub/hub_inside.h"
#include "transport/session/standalone.h"

static void tell_clients(struct rt_turn *t, const struct hub *h, bool is_last)
{
    const struct session_leave leave = {.is_last = is_last};

    rt_tell(t, h->sessions, SESSIONS_LEAVE, &leave, sizeof(leave));
    if (h->standalone.id != 0)
        rt_tell(t, h->standalone, STANDALONE_LEAVE, &leave, sizeof(leave));
    if (h->web.id != 0)
        rt_tell(t, h->web, WEB_LEAVE, &leave, sizeof(leave));
}

/* ---- steps ------------------------------------------------------------- */

static void begin_ending(struct rt_turn *t, struct hub *h)
{
    h->phase = HUB_ENDING;
    if (h->not_gone > 0)
        rt_tell(t, h->registry, REGISTRY_CANCEL_ALL, NULL, 0);
}

static void begin_releasing(struct rt_turn *t, struct hub *h)
{
    h->phase = HUB_RELEASING;
    rt_stop(t, h->health);
    rt_stop(t, h->notifier);
    rt_stop(t, h->phases);
}

static void begin_parting(struct rt_turn *t, struct hub *h)
{
    h->phase = HUB_PARTING;
    tell_clients(t, h, true);
    rt_after(t, HUB_FAREWELL_MS, HUB_FAREWELL);
}

static void begin_clearing(struct rt_turn *t, struct hub *h)
{
    h->phase = HUB_CLEARING;
    if (h->health.id != 0)
        rt_stop(t, h->health);
    if (h->notifier.id != 0)
        rt_stop(t, h->notifier);
    if (h->phases.id != 0)
        rt_stop(t, h->phases);
    if (h->projects.id != 0)
        rt_stop(t, h->projects);
    if (h->mail.id != 0)
        rt_stop(t, h->mail);
    if (h->registry.id != 0)
        rt_stop(t, h->registry);
}

static void say_leaving(const struct hub *h, bool keeps)
{
    const struct log *log = h->setup->log;

    if (h->has_census && h->not_gone == 0)
        LOG_INFO(log, "hub.leaving", LOG_HUB_LEAVES);
    else if (keeps)
        LOG_INFO(log, "hub.leaving", LOG_HUB_LEAVES_AGENTS_STAY);
    else
        LOG_INFO(log, "hub.leaving", LOG_HUB_LEAVES_AGENTS_END, h->not_gone);
}

/* Who wants the agents ended knows of them; those of an earlier hub that come
 * to light while this one leaves are the next one's. */
void hub_leave(struct rt_turn *t, struct hub *h, bool keeps_agents)
{
    uint64_t grace = (uint64_t)h->settings->config->agent.exit_grace_ms;
    bool keeps = keeps_agents || !h->has_census;

    if (h->phase == HUB_ENDING || h->phase == HUB_RELEASING) {
        begin_parting(t, h);
        return;
    }
    if (h->phase != HUB_SERVING)
        return;
    say_leaving(h, keeps);
    tell_clients(t, h, false);
    rt_after(t, grace + HUB_ENOUGH_MS, HUB_ENOUGH);
    if (keeps)
        begin_releasing(t, h);
    else
        begin_ending(t, h);
}

/* The processes actor may go when what the others have left behind has ended: a
 * process that was just being started would else live on until its lease ends.
 */
static void dismiss_processes(struct rt_turn *t, struct hub *h)
{
    if (h->is_dismissing || h->processes.id == 0)
        return;
    h->is_dismissing = true;
    rt_tell(t, h->processes, PROCESS_ORPHANS, NULL, 0);
    rt_after(t, HUB_ENOUGH_MS, HUB_ORPHANS);
}

static enum rt_next clear(struct rt_turn *t, struct hub *h)
{
    if (h->health.id != 0 || h->notifier.id != 0 || h->mail.id != 0 ||
        h->phases.id != 0 || h->projects.id != 0 || h->registry.id != 0)
        return RT_OK;
    dismiss_processes(t, h);
    if (h->store.id != 0)
        rt_drain(t, h->store); /* what the registry wrote last is written */
    if (h->narrator.id != 0)
        rt_drain(t, h->narrator);
    return h->processes.id == 0 && h->store.id == 0 && h->narrator.id == 0
               ? RT_STOP
               : RT_OK;
}

enum rt_next hub_leave_on(struct rt_turn *t, struct hub *h)
{
    if (h->phase == HUB_ENDING && h->not_gone == 0)
        begin_parting(t, h);
    if (h->phase == HUB_RELEASING && h->health.id == 0 && h->notifier.id == 0 &&
        h->phases.id == 0)
        dismiss_processes(t, h);
    if (h->phase == HUB_RELEASING && h->processes.id == 0)
        begin_parting(t, h);
    if (h->phase == HUB_PARTING && h->users.sessions == 0 &&
        h->standalone.id == 0 && h->web.id == 0)
        begin_clearing(t, h);
    return h->phase == HUB_CLEARING ? clear(t, h) : RT_OK;
}

enum rt_next hub_leave_late(struct rt_turn *t, struct hub *h, uint16_t kind)
{
    if (kind == HUB_ENOUGH &&
        (h->phase == HUB_ENDING || h->phase == HUB_RELEASING)) {
        LOG_WARN(h->setup->log, "hub.late", LOG_AGENTS_NOT_ENDED, h->not_gone);
        begin_parting(t, h);
    } else if (kind == HUB_FAREWELL && h->phase == HUB_PARTING) {
        begin_clearing(t, h);
    } else if (kind == HUB_ORPHANS && h->processes.id != 0) {
        rt_stop(t, h->processes);
    }
    return hub_leave_on(t, h);
}
