/* SPDX-License-Identifier: MIT */
#include "config/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/text/utf8.h"

static const struct mark top = {0};

bool source_is_printable(uint32_t c)
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
        uint32_t code = 0;
        size_t n = utf8_decode(s->text + at.byte, s->len - at.byte, &code);
        if (n == 0)
            return ERROR_AT(e, s->name, at, CONFIG_NO_UTF8, p[at.byte]);
        if (!source_is_printable(code))
            return ERROR_AT(e, s->name, at, CONFIG_NO_TEXT, code);
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
        return ERROR_AT(e, name, top, CONFIG_TOO_LARGE, SOURCE_LIMIT, len);
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
        return ERROR_PLAIN(e, CONFIG_NO_REGULAR_FILE, path);
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
