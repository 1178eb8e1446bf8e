/* SPDX-License-Identifier: MIT */
#include "transport/feed/recent.h"

#include <stdlib.h>

static struct recent_event *at(const struct recent *r, size_t i)
{
    return &r->ring[(r->head + i) % RECENT_EVENTS];
}

static void forget_oldest(struct recent *r)
{
    struct recent_event *e = at(r, 0);

    r->since = e->seq;
    r->bytes -= e->frame->len;
    framing_drop(e->frame);
    r->head++;
    r->count--;
}

static void forget(struct recent *r)
{
    while (r->count > 0)
        forget_oldest(r);
}

void recent_finish(struct recent *r)
{
    forget(r);
    free(r->ring);
    *r = (struct recent){0};
}

void recent_begin(struct recent *r, uint64_t since)
{
    if (r->is_known)
        return;
    r->is_known = true;
    r->since = since;
}

static uint64_t newest(const struct recent *r)
{
    return r->count > 0 ? at(r, r->count - 1)->seq : r->since;
}

void recent_add(struct recent *r, const struct recent_event *e)
{
    recent_begin(r, e->seq - 1);
    if (e->seq <= newest(r))
        return;
    if (e->seq != newest(r) + 1) {
        forget(r);
        r->since = e->seq - 1;
    }
    if (r->ring == NULL)
        r->ring = bytes_alloc(RECENT_EVENTS * sizeof(*r->ring));
    if (r->count == RECENT_EVENTS)
        forget_oldest(r);
    *at(r, r->count++) = *e;
    framing_keep(e->frame);
    r->bytes += e->frame->len;
    while (r->bytes > RECENT_BYTES && r->count > 1)
        forget_oldest(r);
}

bool recent_covers(const struct recent *r, uint64_t since)
{
    return r->is_known && r->since <= since;
}

bool recent_has(const struct recent *r, uint64_t seq)
{
    return recent_covers(r, seq) && seq <= newest(r);
}

const struct recent_event *recent_after(const struct recent *r, uint64_t seq)
{
    size_t low = 0, high = r->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (at(r, middle)->seq > seq)
            high = middle;
        else
            low = middle + 1;
    }
    return low < r->count ? at(r, low) : NULL;
}
