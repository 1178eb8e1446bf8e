/* SPDX-License-Identifier: MIT */
#include "actors/order/house.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/bytes.h"

static void free_house(struct rt_obj *o)
{
    struct house *h = (struct house *)o;

    rt_obj_drop(&h->self->obj);
    seal_finish(&h->seal);
    free(h);
}

struct house *house_create(const struct house *from)
{
    size_t text = strlen(from->state_dir) + strlen(from->socket) +
                  strlen(from->warden) + strlen(from->relay) +
                  strlen(from->build) + 5;
    struct house *h = bytes_alloc(sizeof(*h) + text);
    char *at = (char *)(h + 1);

    rt_obj_init(&h->obj, free_house);
    h->state_dir = bytes_lay(&at, from->state_dir);
    h->socket = bytes_lay(&at, from->socket);
    h->warden = bytes_lay(&at, from->warden);
    h->relay = bytes_lay(&at, from->relay);
    h->build = bytes_lay(&at, from->build);
    h->self = (struct caller *)rt_obj_keep(&from->self->obj);
    h->seal = from->seal;
    return h;
}
