/* SPDX-License-Identifier: MIT */
/*
 * How a subscriber comes to where all others are. With the number of the last
 * event it has, it reads on: from the recent if they reach back so far, else
 * from the store, a page whenever it has read the one before, until the recent
 * are reached. The first page must begin with the very event the subscriber
 * names: if it does not, that one is no longer kept, or never was, and the
 * subscriber gets the picture like one that names none. One picture is drawn
 * for all that wait.
 */
#include "actors/store/event_page.h"
#include "runtime/text/json.h"
#include "transport/feed/inside.h"

#define PAGE 200

static void ask_picture(struct subscriber *c);

/* ---- the recent --------------------------------------------------------- */

static void ask_page(struct subscriber *c);

static void follow(struct subscriber *c)
{
    struct feed *feed = c->feed;

    c->state = SUBSCRIBER_FOLLOWS;
    while (!subscriber_is_slow(c)) {
        const struct recent_event *e;

        if (!recent_covers(&feed->recent, c->seq)) {
            ask_page(c);
            return;
        }
        e = recent_after(&feed->recent, c->seq);
        if (e == NULL) {
            c->state = SUBSCRIBER_LIVE;
            subscriber_pay(c);
            return;
        }
        c->seq = e->seq;
        if (subscriber_minds(c, e->group, e->agent))
            subscriber_send(c, e->frame);
    }
}

/* ---- pages of the store ------------------------------------------------- */

/* False: it does not begin with what the subscriber says it has. */
static bool read_page(struct subscriber *c, const struct event_page *page)
{
    uint64_t first = page->count > 0 ? page->events[0].seq : 0;

    if (c->is_proving && first != (c->seq > 0 ? c->seq : 1))
        return false;
    c->is_proving = false;
    for (size_t i = 0; i < page->count; i++) {
        const struct event_page_line *e = &page->events[i];

        if (e->seq <= c->seq)
            continue;
        c->seq = e->seq;
        if (subscriber_minds(c, feed_hash(slice_cstr(e->group)),
                             feed_hash(slice_cstr(e->agent))))
            subscriber_say(c, event_page_line(page, i));
    }
    return true;
}

/* What the store does not have yet will be told to us, for we subscribed
 * before it was asked: after the last page the recent begin. */
static void on_page(struct rt_turn *t, void *ctx, uint64_t handle,
                    const struct answer *a)
{
    struct subscriber *c = ctx;
    const struct event_page *page = (const struct event_page *)a->with;

    (void)t, (void)handle;
    c->call = 0;
    if (page != NULL)
        websocket_grant(c->socket, page->lines.len);
    if (a->is_error || !read_page(c, page)) {
        ask_picture(c);
    } else if (!page->has_more) {
        recent_begin(&c->feed->recent, c->seq);
        follow(c);
    } else if (!subscriber_is_slow(c)) {
        ask_page(c);
    }
}

static const struct calls_client page_client = {.on_answer = on_page};

static void ask_page(struct subscriber *c)
{
    struct feed *feed = c->feed;
    uint64_t call, since = c->seq;

    c->state = SUBSCRIBER_PAGES;
    if (websocket_is_closing(c->socket))
        return;
    if (c->is_proving && since > 0)
        since--;
    call = calls_place(feed->setup.site->turn, feed->setup.calls,
                       &(struct call){.client = &page_client,
                                      .ctx = c,
                                      .kind = ORDER_EVENT_PAGE,
                                      .page = {since, PAGE}});
    if (call != 0)
        c->call = call;
}

/* ---- the picture -------------------------------------------------------- */

static struct framing_frame *frame_picture(struct slice json, uint64_t seq)
{
    struct bytes out = {0};
    struct framing_frame *f;

    JSON_RAW(&out, "{\"type\":\"server:startup\"");
    JSON_UINT(&out, "seq", seq);
    JSON_KEY(&out, "data");
    json_raw(&out, json);
    JSON_RAW(&out, "}");
    f = framing_text(bytes_slice(&out));
    bytes_finish(&out);
    return f;
}

static void on_picture(struct rt_turn *t, void *ctx, uint64_t handle,
                       const struct answer *a)
{
    struct feed *feed = ctx;
    struct framing_frame *f = frame_picture(bytes_slice(&a->json), a->seq);

    (void)t, (void)handle;
    feed->picture = 0;
    if (!a->is_error)
        recent_begin(&feed->recent, a->seq);
    for (struct subscriber *c = feed->subscribers; c != NULL; c = c->after) {
        if (c->state != SUBSCRIBER_WAITS)
            continue;
        if (a->is_error) {
            websocket_close(c->socket, WEBSOCKET_TROUBLE,
                            SLICE("no picture can be had"));
            continue;
        }
        websocket_grant(c->socket, f->len);
        subscriber_send(c, f);
        c->seq = a->seq;
        follow(c);
    }
    framing_drop(f);
}

static const struct calls_client picture_client = {.on_answer = on_picture};

static void ask_picture(struct subscriber *c)
{
    struct feed *feed = c->feed;
    uint64_t call;

    c->state = SUBSCRIBER_WAITS;
    c->is_proving = false;
    subscriber_acquit(c); /* the picture is newer than what it was owed */
    if (feed->picture != 0)
        return;
    call = calls_place(feed->setup.site->turn, feed->setup.calls,
                       &(struct call){.client = &picture_client,
                                      .ctx = feed,
                                      .kind = ORDER_SNAPSHOT});
    if (call != 0)
        feed->picture = call;
}

/* ---- both --------------------------------------------------------------- */

void subscriber_join(struct subscriber *c, bool has_since, uint64_t since)
{
    if (!has_since) {
        ask_picture(c);
        return;
    }
    c->seq = since;
    subscriber_owe(c); /* what progress there was meanwhile */
    if (recent_has(&c->feed->recent, since)) {
        follow(c);
        return;
    }
    c->is_proving = true;
    ask_page(c);
}

void subscriber_go_on(struct subscriber *c)
{
    switch (c->state) {
    case SUBSCRIBER_WAITS:
        return;
    case SUBSCRIBER_PAGES:
        if (c->call == 0)
            ask_page(c);
        return;
    case SUBSCRIBER_FOLLOWS:
    case SUBSCRIBER_LIVE:
        subscriber_tell_missed(c);
        follow(c);
    }
}
