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
#include "runtime/text/json.h"
#include "transport/feed/inside.h"

#define PAGE 200

static void ask_picture(struct subscriber *c);

/* ---- the recent --------------------------------------------------------- */

static void ask_page(struct subscriber *c);

static void follow(struct subscriber *c)
{
    struct feed *h = c->feed;

    c->state = SUBSCRIBER_FOLLOWS;
    while (!subscriber_is_slow(c)) {
        const struct recent_event *e;

        if (!recent_covers(&h->recent, c->seq)) {
            ask_page(c);
            return;
        }
        e = recent_after(&h->recent, c->seq);
        if (e == NULL) {
            c->state = SUBSCRIBER_LIVE;
            subscriber_pay(c);
            return;
        }
        c->seq = e->seq;
        if (subscriber_minds(c, e->group))
            subscriber_send(c, e->frame);
    }
}

/* ---- pages of the store ------------------------------------------------- */

static uint64_t group_of(yyjson_val *event)
{
    yyjson_val *data = FIELD(event, "data");
    struct slice group = FIELD_TEXT(data, "groupId");

    if (group.len == 0 &&
        slice_starts(FIELD_TEXT(event, "type"), SLICE("group:")))
        group = FIELD_TEXT(data, "id");
    return feed_hash(group);
}

static void send_event(struct subscriber *c, yyjson_val *event)
{
    struct bytes out = {0};

    JSON_RAW(&out, "{");
    JSON_TEXT(&out, "type", FIELD_TEXT(event, "type"));
    JSON_UINT(&out, "seq", c->seq);
    JSON_TEXT(&out, "at", FIELD_TEXT(event, "at"));
    JSON_KEY(&out, "data");
    json_val(&out, FIELD(event, "data"));
    JSON_RAW(&out, "}");
    subscriber_say(c, bytes_slice(&out));
    bytes_finish(&out);
}

/* False: it does not begin with what the subscriber says it has. */
static bool read_page(struct subscriber *c, yyjson_val *events)
{
    size_t i, max;
    yyjson_val *event;
    uint64_t first = FIELD_COUNT(yyjson_arr_get_first(events), "seq");

    if (c->is_proving && first != (c->seq > 0 ? c->seq : 1))
        return false;
    c->is_proving = false;
    yyjson_arr_foreach(events, i, max, event)
    {
        if (FIELD_COUNT(event, "seq") <= c->seq)
            continue;
        c->seq = FIELD_COUNT(event, "seq");
        if (subscriber_minds(c, group_of(event)))
            send_event(c, event);
    }
    return true;
}

/* What the store does not have yet will be told to us, for we subscribed
 * before it was asked: after the last page the recent begin. */
static void on_page(struct rt_turn *t, void *ctx, uint64_t handle,
                    const struct answer *a)
{
    struct subscriber *c = ctx;
    yyjson_doc *doc = yyjson_read(a->json.ptr, a->json.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);

    (void)t, (void)handle;
    c->call = 0;
    websocket_grant(c->socket, a->json.len);
    if (a->is_error || !read_page(c, FIELD(root, "events"))) {
        ask_picture(c);
    } else if (FIELD(root, "next") == NULL) {
        recent_begin(&c->feed->recent, c->seq);
        follow(c);
    } else if (!subscriber_is_slow(c)) {
        ask_page(c);
    }
    yyjson_doc_free(doc);
}

static const struct calls_client page_client = {.on_answer = on_page};

static void ask_page(struct subscriber *c)
{
    struct feed *h = c->feed;
    struct bytes args = {0};
    yyjson_doc *doc;
    uint64_t call, since = c->seq;

    c->state = SUBSCRIBER_PAGES;
    if (websocket_is_closing(c->socket))
        return;
    if (c->is_proving && since > 0)
        since--;
    JSON_RAW(&args, "{");
    JSON_UINT(&args, "since", since);
    JSON_UINT(&args, "limit", PAGE);
    JSON_RAW(&args, "}");
    doc = yyjson_read(args.ptr, args.len, 0);
    call = calls_place(h->setup.site->turn, h->setup.calls,
                       &(struct call){.client = &page_client,
                                      .ctx = c,
                                      .name = SLICE("events"),
                                      .doc = doc,
                                      .args = yyjson_doc_get_root(doc)});
    if (call != 0)
        c->call = call;
    bytes_finish(&args);
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
    struct feed *h = ctx;
    struct slice json = bytes_slice(&a->json);
    bool is_error = a->is_error;
    yyjson_doc *doc = yyjson_read(json.ptr, json.len, 0);
    uint64_t seq = FIELD_COUNT(yyjson_doc_get_root(doc), "seq");
    struct framing_frame *f = frame_picture(json, seq);

    (void)t, (void)handle;
    yyjson_doc_free(doc);
    h->picture = 0;
    if (!is_error)
        recent_begin(&h->recent, seq);
    for (struct subscriber *c = h->subscribers; c != NULL; c = c->after) {
        if (c->state != SUBSCRIBER_WAITS)
            continue;
        if (is_error) {
            websocket_close(c->socket, WEBSOCKET_TROUBLE,
                            SLICE("no picture can be had"));
            continue;
        }
        websocket_grant(c->socket, f->len);
        subscriber_send(c, f);
        c->seq = seq;
        follow(c);
    }
    framing_drop(f);
}

static const struct calls_client picture_client = {.on_answer = on_picture};

static void ask_picture(struct subscriber *c)
{
    struct feed *h = c->feed;
    uint64_t call;

    c->state = SUBSCRIBER_WAITS;
    c->is_proving = false;
    subscriber_acquit(c); /* the picture is newer than what it was owed */
    if (h->picture != 0)
        return;
    call = calls_place(h->setup.site->turn, h->setup.calls,
                       &(struct call){.client = &picture_client,
                                      .ctx = h,
                                      .name = SLICE("snapshot")});
    if (call != 0)
        h->picture = call;
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
