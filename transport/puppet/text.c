/* SPDX-License-Identifier: MIT */
#include "transport/puppet/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void reserve(struct text *t, size_t more)
{
    if (t->cap - t->len > more)
        return;
    size_t cap = t->cap ? t->cap : 64;
    while (cap - t->len <= more)
        cap *= 2;
    char *data = realloc(t->data, cap);
    if (!data) {
        fputs("puppet: out of memory\n", stderr);
        abort();
    }
    t->data = data;
    t->cap = cap;
}

void text_add(struct text *t, const char *data, size_t len)
{
    reserve(t, len);
    if (len)
        memcpy(t->data + t->len, data, len);
    t->len += len;
    t->data[t->len] = '\0';
}

void text_adds(struct text *t, const char *string)
{
    text_add(t, string, strlen(string));
}

void text_addf(struct text *t, const char *format, ...)
{
    char *more = NULL;
    va_list args;

    va_start(args, format);
    int len = vasprintf(&more, format, args);
    va_end(args);
    if (len < 0)
        abort();
    text_add(t, more, (size_t)len);
    free(more);
}

static unsigned lowest_of(size_t len)
{
    return len == 2 ? 0x80 : len == 3 ? 0x800 : 0x10000;
}

size_t text_sequence(const char *data, size_t len)
{
    unsigned char lead = (unsigned char)data[0];
    size_t need = lead < 0x80   ? 1
                  : lead < 0xc2 ? 0
                  : lead < 0xe0 ? 2
                  : lead < 0xf0 ? 3
                  : lead < 0xf5 ? 4
                                : 0;

    if (need <= 1)
        return need;
    if (need > len)
        return 0;
    unsigned code = lead & (0x7fu >> need);
    for (size_t i = 1; i < need; i++) {
        if (((unsigned char)data[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | ((unsigned char)data[i] & 0x3f);
    }
    if (code < lowest_of(need) || code > 0x10ffff || code >> 11 == 0x1b)
        return 0;
    return need;
}

void text_add_utf8(struct text *t, const char *data, size_t len)
{
    for (size_t at = 0; at < len;) {
        size_t step = text_sequence(data + at, len - at);
        if (step)
            text_add(t, data + at, step);
        else
            text_add(t, "\xef\xbf\xbd", 3);
        at += step ? step : 1;
    }
}

const char *text_str(const struct text *t)
{
    return t->data ? t->data : "";
}

int text_read(struct text *t, int fd, size_t limit)
{
    for (;;) {
        reserve(t, 65536);
        ssize_t got = read(fd, t->data + t->len, 65536);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -errno;
        t->len += (size_t)got;
        t->data[t->len] = '\0';
        if (!got)
            return 0;
        if (t->len > limit)
            return -EFBIG;
    }
}

int text_read_file(struct text *t, const char *path, size_t limit)
{
    struct stat st;
    /* O_NONBLOCK: a FIFO given by mistake must not hang the open. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return -errno;
    int rc = fstat(fd, &st) ? -errno : 0;
    if (!rc && !S_ISREG(st.st_mode))
        rc = S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
    if (!rc)
        rc = text_read(t, fd, limit);
    close(fd);
    return rc;
}

void text_clear(struct text *t)
{
    t->len = 0;
    if (t->data)
        t->data[0] = '\0';
}

void text_finish(struct text *t)
{
    free(t->data);
    *t = (struct text){0};
}
