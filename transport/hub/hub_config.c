/* SPDX-License-Identifier: MIT */
#include "actors/health/config_writer.h"
#include "transport/hub/hub_inside.h"

static void on_settings(struct hub *h, const struct config_writer_change *c)
{
    const struct config *now = c->settings->config;
    char name[CONFIG_KEY_BYTES];
    size_t i = 0;

    rt_obj_keep(&c->settings->obj);
    rt_obj_drop(&h->settings->obj);
    h->settings = c->settings;
    for (size_t k = 0; k < now->warning_count; k++)
        log_say(h->setup->log, CONFIG_LOG_WARN, "config.warning", "%s",
                now->warnings[k]);
    while (config_next_at_restart(h->setup->settings->config, now, &i, name))
        LOG_WARN(h->setup->log, "config.restart", LOG_CONFIG_AT_RESTART, name);
}

static void on_trouble(const struct hub *h,
                       const struct config_writer_trouble *trouble)
{
    if (trouble->text[0] != 0)
        LOG_ERROR(h->setup->log, "config.wrong", LOG_CONFIG_WRONG,
                  trouble->text);
    else
        LOG_INFO(h->setup->log, "config.well", LOG_CONFIG_FINE_AGAIN);
}

void hub_on_config(struct hub *h, struct rt_msg *m)
{
    if (m->kind == CONFIG_WRITER_CHANGED)
        on_settings(h, RT_OBJ(m, struct config_writer_change));
    else
        on_trouble(h, RT_OBJ(m, struct config_writer_trouble));
}
