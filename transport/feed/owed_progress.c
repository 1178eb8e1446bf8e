/* SPDX-License-Identifier: MIT */
/*
 * Progress here is the newest of one agent. It is kept in the order of
 * their last change, each change has a stamp, and a subscriber that is behind
 * remembers one stamp: whatever changed after it is what it is owed, however
 * often it changed meanwhile. Nothing is kept while none is behind.
 */
#include <stdlib.h>

#include "transport/feed/inside.h"

struct progress {
    struct index_link link;
    struct progress *older, *newer;
    uint64_t stamp;
    uint64_t group;
    struct framing_frame *frame;
    char agent[ORDER_ID];
};

static struct progress *find(const struct feed *h, const char *agent)
{
    struct index_link *l =
        index_find(&h->progress_by_agent, feed_hash(slice_cstr(agent)));

    while (l != NULL && strcmp(((struct progress *)l)->agent, agent) != 0)
        l = index_next(l);
    return (struct progress *)l;
}

static void unlink_line(struct feed *h, struct progress *l)
{
    *(l->older != NULL ? &l->older->newer : &h->oldest) = l->newer;
    *(l->newer != NULL ? &l->newer->older : &h->newest) = l->older;
}

static void append(struct feed *h, struct progress *l)
{
    l->older = h->newest;
    l->newer = NULL;
    *(l->older != NULL ? &l->older->newer : &h->oldest) = l;
    h->newest = l;
}

static void destroy(struct feed *h, struct progress *l)
{
    unlink_line(h, l);
    index_remove(&h->progress_by_agent, &l->link);
    framing_drop(l->frame);
    free(l);
}

static struct progress *create(struct feed *h, const struct feed_event *e)
{
    struct progress *l = bytes_zalloc(sizeof(*l));

    memcpy(l->agent, e->agent, sizeof(l->agent));
    l->group = feed_hash(slice_cstr(e->group));
    index_add(&h->progress_by_agent, &l->link, feed_hash(slice_cstr(e->agent)));
    append(h, l);
    return l;
}

void progress_set(struct feed *h, const struct feed_event *e,
                  struct framing_frame *f)
{
    struct progress *l;

    if (h->behind == 0)
        return;
    l = find(h, e->agent);
    if (l == NULL)
        l = create(h, e);
    unlink_line(h, l);
    append(h, l);
    framing_drop(l->frame);
    l->frame = framing_keep(f);
    l->stamp = ++h->stamp;
}

void progress_forget(struct feed *h, const char *agent)
{
    struct progress *l = h->behind > 0 ? find(h, agent) : NULL;

    if (l != NULL)
        destroy(h, l);
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
    struct feed *h = c->feed;

    if (!c->is_behind)
        return;
    c->is_behind = false;
    if (--h->behind > 0)
        return;
    while (h->oldest != NULL)
        destroy(h, h->oldest);
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
        if (subscriber_minds(c, l->group))
            subscriber_send(c, l->frame);
    }
    subscriber_acquit(c);
}
