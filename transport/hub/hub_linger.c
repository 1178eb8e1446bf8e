/* SPDX-License-Identifier: MIT */
/*
 * How long a hub stays that no client needs any more.
 */
#include "transport/hub/hub_inside.h"

/* A relay that is there says so by its connection; a client over HTTP may be
 * thinking between two calls, and nothing would start a hub for it. */
static uint64_t linger_ms(struct rt_turn *t, const struct hub *h)
{
    uint64_t usual = (uint64_t)h->settings->config->hub.linger_ms;
    uint64_t http = (uint64_t)h->settings->config->hub.http_linger_ms;
    uint64_t since = (rt_now(t) - h->last_http) / 1000000;

    if (h->last_http == 0 || since >= http)
        return usual;
    return http - since > usual ? http - since : usual;
}

/* One that a relay started leaves when it has been of no use for a while. Not
 * before it knows of the agents that an earlier hub left: those it has
 * taken over would end with it. */
void hub_mind_lingering(struct rt_turn *t, struct hub *h)
{
    bool is_busy = h->users.sessions > 0 || h->not_gone > 0 ||
                   h->web_users.watchers > 0 || h->web_users.calls > 0;

    if (h->setup->mode != OPTIONS_BACKGROUND || h->setup->stays ||
        h->phase != HUB_SERVING)
        return;
    if (is_busy && h->lingering != 0) {
        rt_cancel(t, h->lingering);
        h->lingering = 0;
    } else if (!is_busy && h->lingering == 0) {
        h->lingering = rt_after(t, linger_ms(t, h), HUB_LINGER);
    }
}

void hub_on_web_users(struct rt_turn *t, struct hub *h,
                      const struct web_users *users)
{
    bool is_call = users->served != h->web_users.served ||
                   (users->calls == 0 && h->web_users.calls > 0);

    h->web_users = *users;
    if (!is_call)
        return;
    h->last_http = rt_now(t);
    if (h->lingering != 0) { /* it is counted anew */
        rt_cancel(t, h->lingering);
        h->lingering = 0;
    }
}

void hub_on_linger(struct rt_turn *t, struct hub *h,
                   const struct rt_alarm *alarm)
{
    if (alarm->id != h->lingering)
        return;
    h->lingering = 0;
    if (!h->knows_past) /* it is counted anew */
        return;
    LOG_INFO(h->setup->log, "hub.idle", LOG_NOBODY_NEEDS_HUB);
    /* Its end was not asked for's end: one that comes to light only now
     * is the next hub's. */
    hub_leave(t, h, true);
}
