/* SPDX-License-Identifier: MIT */
#include "actors/order/signing_key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "runtime/text/hex.h"

/* ---- the secret --------------------------------------------------------- */

void signing_key_draw(struct signing_key *s)
{
    if (getrandom(s->secret, sizeof(s->secret), 0) != sizeof(s->secret))
        abort(); /* never of so few bytes */
}

static int read_secret(struct signing_key *s, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t n;

    if (fd < 0)
        return -errno;
    n = read(fd, s->secret, sizeof(s->secret));
    close(fd);
    return n == sizeof(s->secret) ? 0 : -EINVAL;
}

static int write_secret(const struct signing_key *s, const char *path)
{
    int fd;
    ssize_t n;

    unlink(path); /* of a wrong size, if it is there */
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    n = write(fd, s->secret, sizeof(s->secret));
    close(fd);
    return n == sizeof(s->secret) ? 0 : -EIO;
}

int signing_key_load(struct signing_key *s, const char *path)
{
    if (read_secret(s, path) == 0)
        return 0;
    signing_key_draw(s);
    return write_secret(s, path);
}

void signing_key_finish(struct signing_key *s)
{
    explicit_bzero(s->secret, sizeof(s->secret));
}

/* ---- marks -------------------------------------------------------------- */

static uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static void rounds(uint64_t v[4], unsigned count)
{
    while (count-- > 0) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotate(v[1], 13) ^ v[0];
        v[3] = rotate(v[3], 16) ^ v[2];
        v[0] = rotate(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = rotate(v[1], 17) ^ v[2];
        v[3] = rotate(v[3], 21) ^ v[0];
        v[2] = rotate(v[2], 32);
    }
}

/* The first byte is the lowest, on every machine. */
static uint64_t read_word(const uint8_t *from, size_t len)
{
    uint64_t word = 0;

    for (size_t i = 0; i < len; i++)
        word |= (uint64_t)from[i] << 8 * i;
    return word;
}

static void take_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    rounds(v, 2);
    v[0] ^= word;
}

static void write_word(uint8_t *to, const uint64_t v[4])
{
    uint64_t word = v[0] ^ v[1] ^ v[2] ^ v[3];

    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(word >> 8 * i);
}

void signing_key_mark(const struct signing_key *s, const void *what, size_t len,
                      uint8_t mark[SIGNING_KEY_MARK])
{
    uint64_t low = read_word(s->secret, 8), high = read_word(s->secret + 8, 8);
    uint64_t v[4] = {
        low ^ UINT64_C(0x736f6d6570736575),
        high ^ UINT64_C(0x646f72616e646f6d) ^ 0xee,
        low ^ UINT64_C(0x6c7967656e657261),
        high ^ UINT64_C(0x7465646279746573),
    };
    const uint8_t *at = what;
    size_t rest = len;

    for (; rest >= 8; rest -= 8, at += 8)
        take_word(v, read_word(at, 8));
    take_word(v, read_word(at, rest) | (uint64_t)len << 56);
    v[2] ^= 0xee;
    rounds(v, 4);
    write_word(mark, v);
    v[1] ^= 0xdd;
    rounds(v, 4);
    write_word(mark + 8, v);
}

bool signing_key_is_mark(const struct signing_key *s, const void *what,
                         size_t len, const uint8_t mark[SIGNING_KEY_MARK])
{
    uint8_t right[SIGNING_KEY_MARK], difference = 0;

    signing_key_mark(s, what, len, right);
    for (unsigned i = 0; i < SIGNING_KEY_MARK; i++)
        difference |= right[i] ^ mark[i];
    return difference == 0;
}

/* ---- sealed texts ------------------------------------------------------- */

void signing_key_put(struct bytes *out, const struct signing_key *s,
                     struct slice text)
{
    uint8_t mark[SIGNING_KEY_MARK];
    char hex[2 * SIGNING_KEY_MARK];

    signing_key_mark(s, text.ptr, text.len, mark);
    hex_write(hex, mark, sizeof(mark));
    bytes_append(out, text.ptr, text.len);
    bytes_append(out, ".", 1);
    bytes_append(out, hex, sizeof(hex));
}

bool signing_key_open(const struct signing_key *s, struct slice sealed,
                      struct slice *text)
{
    uint8_t mark[SIGNING_KEY_MARK];
    size_t tail = 2 * SIGNING_KEY_MARK + 1;

    if (sealed.len < tail || sealed.ptr[sealed.len - tail] != '.' ||
        !hex_read(mark, sealed.ptr + sealed.len - tail + 1, SIGNING_KEY_MARK))
        return false;
    *text = slice_of(sealed.ptr, sealed.len - tail);
    return signing_key_is_mark(s, text->ptr, text->len, mark);
}
