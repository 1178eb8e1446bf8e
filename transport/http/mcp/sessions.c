/* SPDX-License-Identifier: MIT */
#include "transport/http/mcp/sessions.h"

#include <stdlib.h>
#include <sys/random.h>

#include "runtime/text/hex.h"

/* Where in the seed. */
enum { RANDOM = 16, AT_VERSION = RANDOM, AT_CAN };

void http_sessions_init(struct http_sessions *s,
                        const struct signing_key *signing_key, unsigned max)
{
    *s = (struct http_sessions){.max = max};
    if (signing_key)
        s->signing_key = *signing_key;
    else
        signing_key_draw(&s->signing_key);
}

/* ---- ids ---------------------------------------------------------------- */

/* Whether it is an id of ours; then its seed. */
static bool read_id(const struct http_sessions *s, struct slice id,
                    uint8_t *seed)
{
    uint8_t mark[SIGNING_KEY_MARK];

    return id.len == SESSION_ID && hex_read(seed, id.ptr, SESSION_SEED) &&
           hex_read(mark, id.ptr + 2 * SESSION_SEED, SIGNING_KEY_MARK) &&
           signing_key_is_mark(&s->signing_key, seed, SESSION_SEED, mark) &&
           seed[AT_VERSION] < MCP_2026_07_28;
}

static uint64_t hash_of(struct slice id)
{
    return slice_hash(SLICE_HASH, id);
}

static bool was_ended(const struct http_sessions *s, struct slice id)
{
    unsigned count =
        s->ended_count < SESSIONS_ENDED ? s->ended_count : SESSIONS_ENDED;
    uint64_t hash = hash_of(id);

    for (unsigned i = 0; i < count; i++)
        if (s->ended[i] == hash)
            return true;
    return false;
}

/* ---- the table ---------------------------------------------------------- */

static void link_newest(struct http_sessions *s, struct http_session *one)
{
    one->older = s->newest;
    one->newer = NULL;
    if (s->newest)
        s->newest->newer = one;
    else
        s->oldest = one;
    s->newest = one;
}

static void unlink_one(struct http_sessions *s, struct http_session *one)
{
    if (one->newer)
        one->newer->older = one->older;
    else
        s->newest = one->older;
    if (one->older)
        one->older->newer = one->newer;
    else
        s->oldest = one->newer;
}

static void release(struct http_session *one)
{
    mcp_client_finish(&one->client);
    for (unsigned i = 0; i < SESSION_EARLY; i++)
        bytes_finish(&one->early[i]);
    free(one);
}

static void take_out(struct http_sessions *s, struct http_session *one)
{
    unlink_one(s, one);
    index_remove(&s->index, &one->link);
    s->count--;
    one->is_ended = true;
    if (one->users == 0)
        release(one);
}

/* The one that was not used for the longest time goes; not while anything is
 * going on in it. */
static bool make_room(struct http_sessions *s)
{
    struct http_session *one = s->oldest;

    if (s->count < s->max)
        return true;
    while (one && one->users > 0)
        one = one->newer;
    if (!one)
        return false;
    take_out(s, one);
    return true;
}

static bool put_in(struct http_sessions *s, struct http_session *one)
{
    if (!make_room(s))
        return false;
    index_add(&s->index, &one->link, hash_of(slice_of(one->id, SESSION_ID)));
    link_newest(s, one);
    s->count++;
    return true;
}

void http_sessions_finish(struct http_sessions *s)
{
    while (s->oldest) {
        s->oldest->users = 0;
        take_out(s, s->oldest);
    }
    index_finish(&s->index);
    signing_key_finish(&s->signing_key);
}

struct http_session *http_session_create(void)
{
    struct http_session *one = bytes_zalloc(sizeof(*one));

    mcp_client_init(&one->client, MCP_2025_03_26);
    one->users = 1;
    return one;
}

bool http_sessions_admit(struct http_sessions *s, struct http_session *one)
{
    uint8_t seed[SESSION_SEED + SIGNING_KEY_MARK];

    if (getrandom(seed, RANDOM, 0) != RANDOM)
        abort(); /* never of so few bytes */
    seed[AT_VERSION] = (uint8_t)one->client.version;
    seed[AT_CAN] = (uint8_t)one->client.can;
    signing_key_mark(&s->signing_key, seed, SESSION_SEED, seed + SESSION_SEED);
    hex_write(one->id, seed, sizeof(seed));
    if (put_in(s, one))
        return true;
    one->id[0] = '\0';
    return false;
}

static struct http_session *by_id(const struct http_sessions *s,
                                  struct slice id)
{
    struct index_link *link = index_find(&s->index, hash_of(id));

    for (; link; link = index_next(link)) {
        struct http_session *one =
            (struct http_session *)((char *)link -
                                    offsetof(struct http_session, link));
        if (slice_eq(slice_of(one->id, SESSION_ID), id))
            return one;
    }
    return NULL;
}

/* One that was forgotten: the handshake is not made again by its client. */
static struct http_session *revive(struct http_sessions *s, struct slice id)
{
    uint8_t seed[SESSION_SEED];
    struct http_session *one;

    if (!read_id(s, id, seed) || was_ended(s, id))
        return NULL;
    one = http_session_create();
    one->client.version = (enum mcp_version)seed[AT_VERSION];
    one->client.can = seed[AT_CAN];
    one->client.has_handshake = one->client.is_initialized = true;
    memcpy(one->id, id.ptr, id.len);
    if (put_in(s, one))
        return one;
    release(one);
    return NULL;
}

struct http_session *http_sessions_find(struct http_sessions *s,
                                        struct slice id)
{
    struct http_session *one = by_id(s, id);

    if (!one)
        return revive(s, id);
    unlink_one(s, one);
    link_newest(s, one);
    return http_session_keep(one);
}

void http_sessions_end(struct http_sessions *s, struct http_session *one)
{
    if (one->is_ended)
        return;
    s->ended[s->ended_count++ % SESSIONS_ENDED] =
        hash_of(slice_of(one->id, SESSION_ID));
    take_out(s, one);
}

struct http_session *http_session_keep(struct http_session *one)
{
    one->users++;
    return one;
}

void http_session_drop(struct http_session *one)
{
    if (!one || --one->users > 0)
        return;
    if (one->is_ended || one->id[0] == '\0')
        release(one);
}

void http_session_cancel_early(struct http_session *one,
                               const struct rpc_message *m)
{
    static const struct slice path[] = {
        SLICE_INIT("params"), SLICE_INIT("requestId"), SLICE_INIT("")};
    struct bytes *place = &one->early[one->early_count % SESSION_EARLY];

    if (!slice_eq(m->method, SLICE("notifications/cancelled")))
        return;
    place->len = 0;
    if (rpc_message_token(m, path, place))
        one->early_count++;
}

bool http_session_was_cancelled(struct http_session *one, struct slice id)
{
    for (unsigned i = 0; one && id.len > 0 && i < SESSION_EARLY; i++) {
        if (!slice_eq(bytes_slice(&one->early[i]), id))
            continue;
        one->early[i].len = 0;
        return true;
    }
    return false;
}
