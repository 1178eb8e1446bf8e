/* SPDX-License-Identifier: MIT */
#include "tests/stories/hearer.h"

#include <inttypes.h>
#include <stdlib.h>

#include "actors/agent/stream.h"
#include "actors/registry/feed.h"
#include "actors/registry/registry.h"
#include "runtime/lock.h"
#include "tests/stories/album.h"
#include "tests/stories/client_inside.h"
#include "tests/stories/tale.h"

#define AGENTS 64
#define ASKED 64 /* pictures under way */

struct known {
    char id[ORDER_ID];
    uint64_t told_at; /* wall clock, ms: its last progress */
    bool has_ended;
};

struct hearer {
    struct world *world;
    struct caller *caller;
    struct rt_ref seat; /* the root's */
    struct lock lock;
    struct hearer_tally tally;
    /* its actor's */
    uint64_t last; /* number; 0: none yet */
    uint64_t tickets, answered;
    uint64_t leaving;      /* the picture it was last to leave with */
    uint16_t asked[ASKED]; /* why it asked for pictures, by ticket */
    bool wants;            /* it has subscribed, as it sees it */
    bool is_deaf;          /* and has left, as the registry sees it */
    uint64_t joined;       /* the picture it last subscribed with */
    struct album *album;   /* since then, or NULL */
    struct known agents[AGENTS];
    unsigned agent_count;
};

/* ---- on the story's thread --------------------------------------------- */

struct hearer *hearer_create(struct world *w)
{
    static const char *const env[] = {NULL};
    struct hearer *h = bytes_zalloc(sizeof(*h));
    struct rt *rt = world_rt(w);

    h->world = w;
    h->caller = caller_create("", "/", env);
    rt_tell_any(rt, rt_root_any(rt), WORLD_HEAR, &h, sizeof(h));
    return h;
}

void hearer_destroy(struct hearer *h)
{
    rt_obj_drop(&h->caller->obj);
    free(h);
}

void hearer_tell(struct hearer *h, uint16_t kind, const char *agent)
{
    struct hearer_order o = {.hearer = h, .kind = kind};
    struct rt *rt = world_rt(h->world);

    slice_keep(o.agent, sizeof(o.agent), slice_cstr(agent));
    rt_tell_any(rt, rt_root_any(rt), WORLD_TELL_HEARER, &o, sizeof(o));
}

struct hearer_tally hearer_tally(struct hearer *h)
{
    struct hearer_tally tally;

    lock_take(&h->lock);
    tally = h->tally;
    lock_give(&h->lock);
    return tally;
}

void hearer_until_pictures(struct client *c, struct hearer *h, unsigned count)
{
    while (hearer_tally(h).pictures < count && client_sleep(c, 1))
        ;
}

void hearer_until_over(struct client *c, struct hearer *h)
{
    while (!hearer_tally(h).is_over && client_sleep(c, 1))
        ;
}

/* ---- what it hears ----------------------------------------------------- */

static struct known *know(struct hearer *h, const char *id)
{
    unsigned i = 0;

    while (i < h->agent_count && strcmp(h->agents[i].id, id) != 0)
        i++;
    if (i == AGENTS)
        os_panic("a hearer knows %d agents and no more", AGENTS);
    if (i == h->agent_count) {
        slice_keep(h->agents[i].id, ORDER_ID, slice_cstr(id));
        h->agent_count++;
    }
    return &h->agents[i];
}

static void check_number(struct hearer *h, const struct feed_event *e,
                         yyjson_val *root)
{
    if (yyjson_get_uint(FIELD(root, "seq")) != e->seq)
        os_panic("%s is %" PRIu64 " and says something else", e->type, e->seq);
    if (h->last != 0 && e->seq != h->last + 1)
        os_panic("%" PRIu64 " comes after %" PRIu64, e->seq, h->last);
    h->last = e->seq;
    h->tally.numbered++;
}

static void check_progress(struct hearer *h, const struct feed_event *e,
                           yyjson_val *root)
{
    struct known *agent = know(h, e->agent);

    TALE_CHECK(FIELD(root, "seq") == NULL);
    TALE_CHECK(h->last == 0 || FIELD_COUNT(root, "follows") == h->last);
    TALE_CHECK(strcmp(e->type, "agent:status_update") == 0);
    TALE_CHECK(!agent->has_ended);
    if (agent->told_at != 0 && e->at < agent->told_at + FEED_PERIOD_MS - 1)
        os_panic("progress of %s after %" PRIu64 " ms", e->agent,
                 e->at - agent->told_at);
    agent->told_at = e->at;
    h->tally.progress++;
}

static void on_event(struct hearer *h, const struct feed_event *e)
{
    yyjson_doc *doc = yyjson_read(e->json.ptr, e->json.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc), *data = FIELD(root, "data");

    if (h->is_deaf)
        os_panic("%s is told to one who has left", e->type);
    TALE_CHECK(slice_eq(FIELD_TEXT(root, "type"), slice_cstr(e->type)));
    TALE_CHECK(yyjson_is_obj(data) && FIELD_TEXT(root, "at").len > 0);
    lock_take(&h->lock);
    if (e->seq != 0 && h->album != NULL)
        album_hear(h->album, e, data);
    if (e->seq != 0)
        check_number(h, e, root);
    else
        check_progress(h, e, root);
    if (strcmp(e->type, "agent:completed") == 0) {
        know(h, e->agent)->has_ended = true;
        h->tally.ended++;
        h->tally.tool_calls = FIELD_COUNT(data, "toolCallCount");
    }
    if (strcmp(e->type, "agent:conflict") == 0)
        h->tally.conflicts += (unsigned)yyjson_arr_size(FIELD(data, "with"));
    if (strcmp(e->type, "notification:raised") == 0) {
        h->tally.raised++;
        h->tally.told += (unsigned)FIELD_COUNT(data, "count");
    }
    lock_give(&h->lock);
    yyjson_doc_free(doc);
}

/* What has a greater number comes behind it, so nothing before it has. Of one
 * who has left, it is the last he hears until he comes again. */
static void on_picture(struct hearer *h, const struct answer *a)
{
    yyjson_doc *doc = yyjson_read(a->json.ptr, a->json.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    uint64_t seq = yyjson_get_uint(FIELD(root, "seq"));
    bool has_left = h->asked[a->ticket % ASKED] == HEARER_UNSUBSCRIBE;

    if (a->is_error || doc == NULL || a->ticket != ++h->answered)
        os_panic("no picture: %.*s", (int)a->json.len, a->json.ptr);
    TALE_CHECK(yyjson_is_arr(FIELD(root, "agents")) &&
               yyjson_is_arr(FIELD(root, "groups")) &&
               yyjson_is_obj(FIELD(root, "healthcheck")));
    if (h->last > seq)
        os_panic("%" PRIu64 " before a picture of %" PRIu64, h->last, seq);
    h->last = has_left ? 0 : seq;
    /* One that was asked for before may come while it is on its way out. */
    h->is_deaf = !h->wants && a->ticket >= h->leaving;
    lock_take(&h->lock);
    h->tally.pictures += h->asked[a->ticket % ASKED] != HEARER_LOOK;
    lock_give(&h->lock);
    if (h->album != NULL)
        album_check(h->album, bytes_slice(&a->json));
    else if (h->wants && a->ticket >= h->joined)
        h->album = album_create(bytes_slice(&a->json));
    yyjson_doc_free(doc);
}

static void on_stream(struct hearer *h, const struct agent_stream *s)
{
    /* A message has a reference of its own, as has every other listener's. */
    uint32_t refs = atomic_load_relaxed(&s->obj.refs);

    TALE_CHECK(refs > 0 && refs <= AGENT_LISTENERS + 1);
    TALE_CHECK(s->count > 0 && !know(h, s->def->id)->has_ended);
    lock_take(&h->lock);
    for (size_t i = 0; i < s->count; i++) {
        struct slice line = agent_stream_line(s, i);
        yyjson_doc *doc = yyjson_read(line.ptr, line.len, 0);
        yyjson_val *data = FIELD(yyjson_doc_get_root(doc), "data");

        TALE_CHECK(
            slice_eq(FIELD_TEXT(data, "agentId"), slice_cstr(s->def->id)));
        TALE_CHECK(slice_eq(FIELD_TEXT(FIELD(data, "event"), "kind"),
                            slice_cstr(event_kind_name(s->events[i].kind))));
        h->tally.streamed++;
        h->tally.tool_starts += s->events[i].kind == EVENT_TOOL_START;
        h->tally.started += s->events[i].kind == EVENT_STARTED;
        h->tally.results += s->events[i].kind == EVENT_RESULT;
        yyjson_doc_free(doc);
    }
    lock_give(&h->lock);
}

/* ---- its actor --------------------------------------------------------- */

static void ask_picture(struct rt_turn *t, struct hearer *h, uint16_t why)
{
    h->asked[(h->tickets + 1) % ASKED] = why;
    registry_place(t, world_registry(h->world),
                   order_create(ORDER_SNAPSHOT, NULL, h->caller, rt_self(t),
                                ++h->tickets));
}

static void subscribe(struct rt_turn *t, struct hearer *h, bool is_on)
{
    h->wants = is_on;
    h->is_deaf = false;
    rt_tell(t, world_registry(h->world),
            is_on ? FEED_SUBSCRIBE : FEED_UNSUBSCRIBE, NULL, 0);
    ask_picture(t, h, is_on ? HEARER_SUBSCRIBE : HEARER_UNSUBSCRIBE);
    album_destroy(h->album);
    h->album = NULL;
    h->joined = h->tickets;
    if (!is_on)
        h->leaving = h->tickets;
}

static void listen(struct rt_turn *t, struct hearer *h, const char *agent,
                   bool is_on)
{
    struct feed_listen l = {.listener = rt_self(t), .is_on = is_on};

    slice_keep(l.agent, sizeof(l.agent), slice_cstr(agent));
    rt_tell(t, world_registry(h->world), FEED_LISTEN, &l, sizeof(l));
    ask_picture(t, h, HEARER_LISTEN);
}

/* Now and then: what the registry draws must be what was heard. */
static void look_around(struct rt_turn *t, struct hearer *h)
{
    if (h->wants && h->tickets - h->answered < ASKED / 2 &&
        rt_random(t) % 3 == 0)
        ask_picture(t, h, HEARER_LOOK);
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct hearer *h = *(struct hearer **)state;

    switch (m->kind) {
    case HEARER_SUBSCRIBE:
    case HEARER_UNSUBSCRIBE:
        subscribe(t, h, m->kind == HEARER_SUBSCRIBE);
        break;
    case HEARER_LISTEN:
    case HEARER_UNLISTEN:
        listen(t, h, rt_body(m), m->kind == HEARER_LISTEN);
        break;
    case FEED_EVENT:
        on_event(h, RT_OBJ(m, struct feed_event));
        look_around(t, h);
        break;
    case ORDER_ANSWER:
        on_picture(h, RT_OBJ(m, struct answer));
        break;
    case AGENT_STREAM:
        on_stream(h, RT_OBJ(m, struct agent_stream));
        break;
    case HEARER_END:
        return RT_STOP;
    default:
        os_panic("a hearer is sent %x", m->kind);
    }
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct hearer *h = *(struct hearer **)state;

    (void)t;
    album_destroy(h->album);
    lock_take(&h->lock);
    h->tally.is_over = true;
    lock_give(&h->lock);
}

static const struct rt_behaviour behaviour = {.name = "hearer",
                                              .size = sizeof(struct hearer *),
                                              .handle = handle,
                                              .stop = stop};

void hearer_open(struct rt_turn *t, unsigned home, struct hearer *h)
{
    h->seat = rt_spawn_at(t, home, &behaviour, &h);
}

void hearer_pass(struct rt_turn *t, const struct hearer_order *o)
{
    rt_tell(t, o->hearer->seat, o->kind, o->agent, sizeof(o->agent));
}
