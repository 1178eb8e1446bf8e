/* SPDX-License-Identifier: MIT */
#include "transport/http/sessions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/hmac.h>

/* Where in the seed. */
enum { RANDOM = 16, AT_VERSION = RANDOM, AT_CAN };

/* ---- the key ------------------------------------------------------------ */

static void draw(void *to, size_t len)
{
    if (getrandom(to, len, 0) != (ssize_t)len)
        abort(); /* never of so few bytes */
}

static int read_key(struct sessions *s, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t n;

    if (fd < 0)
        return -errno;
    n = read(fd, s->key, sizeof(s->key));
    close(fd);
    return n == sizeof(s->key) ? 0 : -EINVAL;
}

static int write_key(struct sessions *s, const char *path)
{
    int fd;
    ssize_t n;

    draw(s->key, sizeof(s->key));
    unlink(path); /* of a wrong size, if it is there */
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    n = write(fd, s->key, sizeof(s->key));
    close(fd);
    return n == sizeof(s->key) ? 0 : -EIO;
}

int sessions_init(struct sessions *s, const char *key_path, unsigned max)
{
    *s = (struct sessions){.max = max};
    draw(s->key, sizeof(s->key));
    if (!key_path || read_key(s, key_path) == 0)
        return 0;
    return write_key(s, key_path);
}

/* ---- ids ---------------------------------------------------------------- */

static void mark(const struct sessions *s, const uint8_t *seed, uint8_t *out)
{
    uint8_t whole[EVP_MAX_MD_SIZE];
    unsigned len = sizeof(whole);

    HMAC(EVP_sha256(), s->key, sizeof(s->key), seed, SESSION_SEED, whole, &len);
    memcpy(out, whole, SESSION_MARK);
}

static void write_hex(char *out, const uint8_t *in, size_t len)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < len; i++) {
        *out++ = digits[in[i] >> 4];
        *out++ = digits[in[i] & 15];
    }
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

static bool read_hex(uint8_t *out, const char *in, size_t len)
{
    for (size_t i = 0; i < len; i++, in += 2) {
        int high = digit(in[0]), low = digit(in[1]);

        if (high < 0 || low < 0)
            return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* Whether it is an id of ours; then its seed. */
static bool read_id(const struct sessions *s, struct slice id, uint8_t *seed)
{
    uint8_t given[SESSION_MARK], right[SESSION_MARK];

    if (id.len != SESSION_ID || !read_hex(seed, id.ptr, SESSION_SEED) ||
        !read_hex(given, id.ptr + 2 * SESSION_SEED, SESSION_MARK))
        return false;
    mark(s, seed, right);
    return CRYPTO_memcmp(given, right, sizeof(given)) == 0 &&
           seed[AT_VERSION] < MCP_2026_07_28;
}

static uint64_t hash_of(struct slice id)
{
    return slice_hash(SLICE_HASH, id);
}

static bool was_ended(const struct sessions *s, struct slice id)
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

static void link_newest(struct sessions *s, struct session *one)
{
    one->older = s->newest;
    one->newer = NULL;
    if (s->newest)
        s->newest->newer = one;
    else
        s->oldest = one;
    s->newest = one;
}

static void unlink_one(struct sessions *s, struct session *one)
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

static void release(struct session *one)
{
    mcp_client_finish(&one->client);
    for (unsigned i = 0; i < SESSION_EARLY; i++)
        bytes_finish(&one->early[i]);
    free(one);
}

static void take_out(struct sessions *s, struct session *one)
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
static bool make_room(struct sessions *s)
{
    struct session *one = s->oldest;

    if (s->count < s->max)
        return true;
    while (one && one->users > 0)
        one = one->newer;
    if (!one)
        return false;
    take_out(s, one);
    return true;
}

static bool put_in(struct sessions *s, struct session *one)
{
    if (!make_room(s))
        return false;
    index_add(&s->index, &one->link, hash_of(slice_of(one->id, SESSION_ID)));
    link_newest(s, one);
    s->count++;
    return true;
}

void sessions_finish(struct sessions *s)
{
    while (s->oldest) {
        s->oldest->users = 0;
        take_out(s, s->oldest);
    }
    index_finish(&s->index);
    OPENSSL_cleanse(s->key, sizeof(s->key));
}

struct session *session_create(void)
{
    struct session *one = bytes_zalloc(sizeof(*one));

    mcp_client_init(&one->client, MCP_2025_03_26);
    one->users = 1;
    return one;
}

bool sessions_admit(struct sessions *s, struct session *one)
{
    uint8_t seed[SESSION_SEED + SESSION_MARK];

    draw(seed, RANDOM);
    seed[AT_VERSION] = (uint8_t)one->client.version;
    seed[AT_CAN] = (uint8_t)one->client.can;
    mark(s, seed, seed + SESSION_SEED);
    write_hex(one->id, seed, sizeof(seed));
    if (put_in(s, one))
        return true;
    one->id[0] = '\0';
    return false;
}

static struct session *by_id(const struct sessions *s, struct slice id)
{
    struct index_link *link = index_find(&s->index, hash_of(id));

    for (; link; link = index_next(link)) {
        struct session *one =
            (struct session *)((char *)link - offsetof(struct session, link));
        if (slice_eq(slice_of(one->id, SESSION_ID), id))
            return one;
    }
    return NULL;
}

/* One that was forgotten: the handshake is not made again by its client. */
static struct session *revive(struct sessions *s, struct slice id)
{
    uint8_t seed[SESSION_SEED];
    struct session *one;

    if (!read_id(s, id, seed) || was_ended(s, id))
        return NULL;
    one = session_create();
    one->client.version = (enum mcp_version)seed[AT_VERSION];
    one->client.can = seed[AT_CAN];
    one->client.has_handshake = one->client.is_initialized = true;
    memcpy(one->id, id.ptr, id.len);
    if (put_in(s, one))
        return one;
    release(one);
    return NULL;
}

struct session *sessions_find(struct sessions *s, struct slice id)
{
    struct session *one = by_id(s, id);

    if (!one)
        return revive(s, id);
    unlink_one(s, one);
    link_newest(s, one);
    return session_keep(one);
}

void sessions_end(struct sessions *s, struct session *one)
{
    if (one->is_ended)
        return;
    s->ended[s->ended_count++ % SESSIONS_ENDED] =
        hash_of(slice_of(one->id, SESSION_ID));
    take_out(s, one);
}

struct session *session_keep(struct session *one)
{
    one->users++;
    return one;
}

void session_drop(struct session *one)
{
    if (!one || --one->users > 0)
        return;
    if (one->is_ended || one->id[0] == '\0')
        release(one);
}

void session_cancel_early(struct session *one, const struct rpc_message *m)
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

bool session_was_cancelled(struct session *one, struct slice id)
{
    for (unsigned i = 0; one && id.len > 0 && i < SESSION_EARLY; i++) {
        if (!slice_eq(bytes_slice(&one->early[i]), id))
            continue;
        one->early[i].len = 0;
        return true;
    }
    return false;
}
