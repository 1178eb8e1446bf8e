/* SPDX-License-Identifier: MIT */
#include "config/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct mark top = {0};

size_t source_decode(const char *text, size_t len, unsigned *code)
{
    const unsigned char *p = (const unsigned char *)text;
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = p[0] < 0x80           ? 1
               : (p[0] >> 5) == 0x6  ? 2
               : (p[0] >> 4) == 0xe  ? 3
               : (p[0] >> 3) == 0x1e ? 4
                                     : 0;

    if (n == 0 || n > len)
        return 0;
    *code = n == 1 ? p[0] : p[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (p[i] & 0x3f);
    }
    bool is_surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < least[n] || *code > 0x10ffff || is_surrogate ? 0 : n;
}

bool source_is_printable(unsigned c)
{
    if (c < 0x20)
        return c == '\t' || c == '\n' || c == '\r';
    return (c < 0x7f || c > 0x9f || c == 0x85) && c != 0xfffe && c != 0xffff;
}

static int check(const struct source *s, struct config_error *e)
{
    const unsigned char *p = (const unsigned char *)s->text;
    struct mark at = {.byte = s->bom};

    while (at.byte < s->len) {
        unsigned code = 0;
        size_t n = source_decode(s->text + at.byte, s->len - at.byte, &code);
        if (n == 0)
            return error_at(e, s->name, at,
                            "expected UTF-8, found the byte 0x%02X",
                            p[at.byte]);
        if (!source_is_printable(code))
            return error_at(e, s->name, at,
                            "expected text, found the character U+%04X", code);
        at.byte += n;
        at.column++;
        if (code == '\n' || (code == '\r' && p[at.byte] != '\n')) {
            at.line++;
            at.column = 0;
        }
    }
    return 0;
}

int source_take(struct source *s, const char *name, char *text, size_t len,
                struct config_error *e)
{
    *s = (struct source){.name = name, .text = text, .len = len};
    if (len > SOURCE_LIMIT)
        return error_at(e, name, top, "expected at most %d bytes, found %zu",
                        SOURCE_LIMIT, len);
    if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        s->bom = 3;
    return check(s, e);
}

/* The size is not to be trusted: the file may grow while it is read. */
static int read_all(int fd, char **text, size_t *len)
{
    size_t cap = SOURCE_LIMIT + 2;
    char *buf = malloc(cap);

    *len = 0;
    if (!buf)
        return -ENOMEM;
    while (*len < cap - 1) {
        ssize_t n = read(fd, buf + *len, cap - 1 - *len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int rc = -errno;
            free(buf);
            return rc;
        }
        if (n == 0)
            break;
        *len += (size_t)n;
    }
    buf[*len] = '\0';
    *text = buf;
    return 0;
}

int source_read(struct source *s, const char *path, struct config_error *e)
{
    char *text = NULL;
    size_t len = 0;
    struct stat st;

    *s = (struct source){.name = path};
    /* A FIFO would block the opening: everything here is to end. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return error_os(e, path, -errno);
    int rc = fstat(fd, &st) < 0 ? -errno : 0;
    if (!rc && !S_ISREG(st.st_mode)) {
        close(fd);
        return error_plain(e, "%s: expected a regular file", path);
    }
    if (!rc)
        rc = read_all(fd, &text, &len);
    close(fd);
    if (rc)
        return error_os(e, path, rc);
    rc = source_take(s, path, text, len, e);
    s->stat = st;
    return rc;
}

void source_finish(struct source *s)
{
    free(s->text);
    *s = (struct source){0};
}

uint64_t source_hash(const char *text, size_t len)
{
    uint64_t h = 1469598103934665603ull;

    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * 1099511628211ull;
    return h;
}
