/* SPDX-License-Identifier: MIT */
/* What the hub has to say of those it has started, in the log. */
#include "transport/hub/hub_inside.h"
#include "transport/wire/cgroup_text.h"

void hub_say_condition(const struct hub *h, const struct store_condition *c)
{
    if (c->is_good && c->why.en[0] == 0)
        LOG_INFO(h->setup->log, "store.well", LOG_STORE_FINE_AGAIN);
    else if (c->is_good)
        log_say(h->setup->log, CONFIG_LOG_ERROR, "store.refused", "%s",
                store_why_in(&c->why, h->setup->log->is_english));
    else
        LOG_ERROR(h->setup->log, "store.trouble", LOG_STORE_TROUBLE,
                  store_why_in(&c->why, h->setup->log->is_english));
}

void hub_say_memory(const struct hub *h, const struct process_memory *m)
{
    if (m->verdict == CGROUP_FIT)
        LOG_INFO(h->setup->log, "agent.memory", LOG_MEMORY_ENFORCED);
    else
        LOG_WARN(h->setup->log, "agent.memory", LOG_MEMORY_NOT_ENFORCED,
                 cgroup_why(m->verdict, h->setup->log->is_english),
                 cgroup_remedy(m->verdict, h->setup->log->is_english));
}

void hub_say_trouble(const struct hub *h,
                     const struct notifier_trouble *trouble)
{
    const char *channel = trouble->channel == CONFIG_DESKTOP   ? "desktop"
                          : trouble->channel == CONFIG_COMMAND ? "command"
                                                               : "webhook";

    LOG_WARN(h->setup->log, "notification.undelivered", LOG_NOT_DELIVERED,
             channel, trouble->why);
}

void hub_say_left(const struct hub *h, const struct process_left *left)
{
    LOG_WARN(h->setup->log, "agent.left", LOG_PROCESSES_NOT_KILLED, left->id,
             left->count);
}
