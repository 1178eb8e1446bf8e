/* SPDX-License-Identifier: MIT */
/*
 * What becomes of subscribers that do not keep up. One with more than SOFT
 * unsent gets no progress and no live text until it has read; beyond HARD it is
 * closed.
 *
 * Progress that is owed: the newest of each agent, in the order of its last
 * change. Each change has a stamp, and a subscriber that is behind remembers
 * one stamp: whatever changed after it is what it is owed, however often it
 * changed meanwhile. Nothing is kept while none is behind.
 */
#include <stdlib.h>

#include "transport/feed/inside.h"

#define SOFT ((size_t)256 << 10)
#define HARD ((size_t)1 << 20)

/* Within twice ping_ms a peer that has vanished is found. */
const struct websocket_rules subscriber_rules = {
    .ping_ms = 25000, .close_ms = 5000, .limit = HARD};

bool subscriber_is_slow(const struct subscriber *c)
{
    return websocket_unsent(c->socket) > SOFT;
}

struct progress {
    struct index_link link;
    struct progress *older, *newer;
    uint64_t stamp;
    uint64_t group;
    struct framing_frame *frame;
    char agent[ORDER_ID];
};

static struct progress *find(const struct feed *feed, const char *agent)
{
    struct index_link *l =
        index_find(&feed->progress_by_agent, feed_hash(slice_cstr(agent)));

    while (l != NULL && strcmp(((struct progress *)l)->agent, agent) != 0)
        l = index_next(l);
    return (struct progress *)l;
}

static void unlink_line(struct feed *feed, struct progress *l)
{
    *(l->older != NULL ? &l->older->newer : &feed->oldest) = l->newer;
    *(l->newer != NULL ? &l->newer->older : &feed->newest) = l->older;
}

static void append(struct feed *feed, struct progress *l)
{
    l->older = feed->newest;
    l->newer = NULL;
    *(l->older != NULL ? &l->older->newer : &feed->oldest) = l;
    feed->newest = l;
}

static void destroy(struct feed *feed, struct progress *l)
{
    unlink_line(feed, l);
    index_remove(&feed->progress_by_agent, &l->link);
    framing_drop(l->frame);
    free(l);
}

static struct progress *create(struct feed *feed, const struct feed_event *e)
{
    struct progress *l = bytes_zalloc(sizeof(*l));

    memcpy(l->agent, e->agent, sizeof(l->agent));
    l->group = feed_hash(slice_cstr(e->group));
    index_add(&feed->progress_by_agent, &l->link,
              feed_hash(slice_cstr(e->agent)));
    append(feed, l);
    return l;
}

void progress_set(struct feed *feed, const struct feed_event *e,
                  struct framing_frame *f)
{
    struct progress *l;

    if (feed->behind == 0)
        return;
    l = find(feed, e->agent);
    if (l == NULL)
        l = create(feed, e);
    unlink_line(feed, l);
    append(feed, l);
    framing_drop(l->frame);
    l->frame = framing_keep(f);
    l->stamp = ++feed->stamp;
}

void progress_forget(struct feed *feed, const char *agent)
{
    struct progress *l = feed->behind > 0 ? find(feed, agent) : NULL;

    if (l != NULL)
        destroy(feed, l);
}

void subscriber_owe(struct subscriber *c)
{
    if (c->is_behind)
        return;
    c->is_behind = true;
    c->owed = c->feed->stamp;
    c->feed->behind++;
}

void subscriber_acquit(struct subscriber *c)
{
    struct feed *feed = c->feed;

    if (!c->is_behind)
        return;
    c->is_behind = false;
    if (--feed->behind > 0)
        return;
    while (feed->oldest != NULL)
        destroy(feed, feed->oldest);
}

static struct progress *first_owed(const struct subscriber *c)
{
    struct progress *first = NULL;

    for (struct progress *l = c->feed->newest; l != NULL && l->stamp > c->owed;
         l = l->older)
        first = l;
    return first;
}

void subscriber_pay(struct subscriber *c)
{
    if (!c->is_behind)
        return;
    for (struct progress *l = first_owed(c); l != NULL; l = l->newer) {
        if (subscriber_is_slow(c))
            return;
        c->owed = l->stamp;
        if (subscriber_minds(c, l->group, feed_hash(slice_cstr(l->agent))))
            subscriber_send(c, l->frame);
    }
    subscriber_acquit(c);
}
