/* SPDX-License-Identifier: MIT */
/*
 * A line is the newest progress of one agent. Lines are kept in the order of
 * their last change, each change has a stamp, and a client that is behind
 * remembers one stamp: whatever changed after it is what he is owed, however
 * often it changed meanwhile. Nothing is kept while nobody is behind.
 */
#include <stdlib.h>

#include "transport/feed/hall_inside.h"

struct line {
    struct index_link link;
    struct line *older, *newer;
    uint64_t stamp;
    uint64_t group;
    struct framing_frame *frame;
    char agent[ORDER_ID];
};

static struct line *find(const struct hall *h, const char *agent)
{
    struct index_link *l = index_find(&h->lines, hall_hash(slice_cstr(agent)));

    while (l != NULL && strcmp(((struct line *)l)->agent, agent) != 0)
        l = index_next(l);
    return (struct line *)l;
}

static void unlink_line(struct hall *h, struct line *l)
{
    *(l->older != NULL ? &l->older->newer : &h->oldest) = l->newer;
    *(l->newer != NULL ? &l->newer->older : &h->newest) = l->older;
}

static void append(struct hall *h, struct line *l)
{
    l->older = h->newest;
    l->newer = NULL;
    *(l->older != NULL ? &l->older->newer : &h->oldest) = l;
    h->newest = l;
}

static void destroy(struct hall *h, struct line *l)
{
    unlink_line(h, l);
    index_remove(&h->lines, &l->link);
    framing_drop(l->frame);
    free(l);
}

static struct line *create(struct hall *h, const struct feed_event *e)
{
    struct line *l = bytes_zalloc(sizeof(*l));

    memcpy(l->agent, e->agent, sizeof(l->agent));
    l->group = hall_hash(slice_cstr(e->group));
    index_add(&h->lines, &l->link, hall_hash(slice_cstr(e->agent)));
    append(h, l);
    return l;
}

void line_set(struct hall *h, const struct feed_event *e,
              struct framing_frame *f)
{
    struct line *l;

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

void line_forget(struct hall *h, const char *agent)
{
    struct line *l = h->behind > 0 ? find(h, agent) : NULL;

    if (l != NULL)
        destroy(h, l);
}

void client_owe(struct client *c)
{
    if (c->is_behind)
        return;
    c->is_behind = true;
    c->owed = c->hall->stamp;
    c->hall->behind++;
}

void client_acquit(struct client *c)
{
    struct hall *h = c->hall;

    if (!c->is_behind)
        return;
    c->is_behind = false;
    if (--h->behind > 0)
        return;
    while (h->oldest != NULL)
        destroy(h, h->oldest);
}

static struct line *first_owed(const struct client *c)
{
    struct line *first = NULL;

    for (struct line *l = c->hall->newest; l != NULL && l->stamp > c->owed;
         l = l->older)
        first = l;
    return first;
}

void client_pay(struct client *c)
{
    if (!c->is_behind)
        return;
    for (struct line *l = first_owed(c); l != NULL; l = l->newer) {
        if (client_is_slow(c))
            return;
        c->owed = l->stamp;
        if (client_minds(c, l->group))
            client_send(c, l->frame);
    }
    client_acquit(c);
}
