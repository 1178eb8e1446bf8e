/* SPDX-License-Identifier: MIT */
#include "actors/registry/feed.h"

#include <stdlib.h>

#include "runtime/text/json.h"

static void free_event(struct rt_obj *o)
{
    struct feed_event *e = (struct feed_event *)o;

    bytes_finish(&e->json);
    free(e);
}

struct feed_event *feed_event_create(const struct feed_event *from,
                                     struct slice data)
{
    struct feed_event *e = bytes_alloc(sizeof(*e));
    struct bytes *out = &e->json;

    *e = *from;
    rt_obj_init(&e->obj, free_event);
    *out = (struct bytes){0};
    bytes_reserve(out, data.len + 128);
    JSON_RAW(out, "{");
    JSON_TEXT(out, "type", slice_cstr(e->type));
    if (e->seq != 0)
        JSON_UINT(out, "seq", e->seq);
    JSON_KEY(out, "at");
    json_time(out, e->at);
    JSON_KEY(out, "data");
    json_raw(out, data);
    JSON_RAW(out, "}");
    return e;
}
