/* SPDX-License-Identifier: MIT */
#include "actors/registry/checkpoints.h"

#include "actors/registry/inside.h"
#include "actors/registry/views.h"

void checkpoints_note(struct registry *r, size_t bytes)
{
    r->checkpoints.bytes += bytes;
}

static void put(struct rt_turn *t, struct registry *r, struct store_write *w,
                bool is_base)
{
    struct bytes json = {0};

    view_put_picture(t, r, &json);
    store_row(w, STORE_ADD_CHECKPOINT);
    store_int(w, (int64_t)r->seq);
    store_int(w, (int64_t)rt_wall_ms(t));
    store_int(w, is_base);
    store_text(w, bytes_slice(&json));
    bytes_finish(&json);
    r->checkpoints = (struct checkpoints){.seq = r->seq};
}

void checkpoints_begin(struct rt_turn *t, struct registry *r)
{
    struct store_write *w = durable_write(r);

    if (w != NULL)
        put(t, r, w, true);
}

static bool is_due(const struct registry *r)
{
    const struct checkpoints *c = &r->checkpoints;
    uint64_t events = r->agents.by_id.count;

    if (events < CHECKPOINTS_EVENTS)
        events = CHECKPOINTS_EVENTS;
    return c->is_due || r->seq - c->seq >= events ||
           c->bytes >= CHECKPOINTS_BYTES;
}

void checkpoints_put(struct rt_turn *t, struct registry *r,
                     struct store_write *w)
{
    if (!r->restore.is_blank && r->seq > r->checkpoints.seq && is_due(r))
        put(t, r, w, false);
}
