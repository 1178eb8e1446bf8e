/* SPDX-License-Identifier: MIT */
#include "actors/order/hub_context.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/bytes.h"

static void free_context(struct rt_obj *o)
{
    struct hub_context *h = (struct hub_context *)o;

    rt_obj_drop(&h->self->obj);
    signing_key_finish(&h->signing_key);
    free(h);
}

struct hub_context *hub_context_create(const struct hub_context *from)
{
    size_t text = strlen(from->state_dir) + strlen(from->socket) +
                  strlen(from->warden) + strlen(from->relay) +
                  strlen(from->build) + 5;
    struct hub_context *h = bytes_alloc(sizeof(*h) + text);
    char *at = (char *)(h + 1);

    rt_obj_init(&h->obj, free_context);
    h->state_dir = bytes_lay(&at, from->state_dir);
    h->socket = bytes_lay(&at, from->socket);
    h->warden = bytes_lay(&at, from->warden);
    h->relay = bytes_lay(&at, from->relay);
    h->build = bytes_lay(&at, from->build);
    h->self = RT_KEEP(from->self);
    h->is_language_auto = from->is_language_auto;
    h->signing_key = from->signing_key;
    return h;
}
