/* SPDX-License-Identifier: MIT */
#include "actors/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/hmac.h>

/* ---- the secret --------------------------------------------------------- */

void seal_draw(struct seal *s)
{
    if (getrandom(s->secret, sizeof(s->secret), 0) != sizeof(s->secret))
        abort(); /* never of so few bytes */
}

static int read_secret(struct seal *s, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t n;

    if (fd < 0)
        return -errno;
    n = read(fd, s->secret, sizeof(s->secret));
    close(fd);
    return n == sizeof(s->secret) ? 0 : -EINVAL;
}

static int write_secret(const struct seal *s, const char *path)
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

int seal_load(struct seal *s, const char *path)
{
    if (read_secret(s, path) == 0)
        return 0;
    seal_draw(s);
    return write_secret(s, path);
}

void seal_finish(struct seal *s)
{
    OPENSSL_cleanse(s->secret, sizeof(s->secret));
}

/* ---- marks -------------------------------------------------------------- */

void seal_mark(const struct seal *s, const void *what, size_t len,
               uint8_t mark[SEAL_MARK])
{
    uint8_t whole[EVP_MAX_MD_SIZE];
    unsigned size = sizeof(whole);

    HMAC(EVP_sha256(), s->secret, sizeof(s->secret), what, len, whole, &size);
    memcpy(mark, whole, SEAL_MARK);
}

bool seal_is_mark(const struct seal *s, const void *what, size_t len,
                  const uint8_t mark[SEAL_MARK])
{
    uint8_t right[SEAL_MARK];

    seal_mark(s, what, len, right);
    return CRYPTO_memcmp(right, mark, SEAL_MARK) == 0;
}

void seal_write_hex(char *out, const uint8_t *in, size_t len)
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

bool seal_read_hex(uint8_t *out, const char *in, size_t len)
{
    for (size_t i = 0; i < len; i++, in += 2) {
        int high = digit(in[0]), low = digit(in[1]);

        if (high < 0 || low < 0)
            return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* ---- sealed texts ------------------------------------------------------- */

void seal_put(struct bytes *out, const struct seal *s, struct slice text)
{
    uint8_t mark[SEAL_MARK];
    char hex[2 * SEAL_MARK];

    seal_mark(s, text.ptr, text.len, mark);
    seal_write_hex(hex, mark, sizeof(mark));
    bytes_append(out, text.ptr, text.len);
    bytes_append(out, ".", 1);
    bytes_append(out, hex, sizeof(hex));
}

bool seal_open(const struct seal *s, struct slice sealed, struct slice *text)
{
    uint8_t mark[SEAL_MARK];
    size_t tail = 2 * SEAL_MARK + 1;

    if (sealed.len < tail || sealed.ptr[sealed.len - tail] != '.' ||
        !seal_read_hex(mark, sealed.ptr + sealed.len - tail + 1, SEAL_MARK))
        return false;
    *text = slice_of(sealed.ptr, sealed.len - tail);
    return seal_is_mark(s, text->ptr, text->len, mark);
}
