/* SPDX-License-Identifier: MIT */
#include "actors/order/settings.h"

#include <stdlib.h>

#include "runtime/text/bytes.h"

static void free_settings(struct rt_obj *o)
{
    config_destroy(((struct settings *)o)->config);
    free(o);
}

struct settings *settings_create_take(struct config *config)
{
    struct settings *s = bytes_alloc(sizeof(*s));

    rt_obj_init(&s->obj, free_settings);
    s->config = config;
    return s;
}
