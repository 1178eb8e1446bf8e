/* SPDX-License-Identifier: MIT */
#include "config/token.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/reason.h"
#include "runtime/text/bytes.h"

/* A name without a slash at its beginning is looked for beside the
 * configuration: a hub does not know where it will be started. */
static char *find(const struct config *c)
{
    const char *name = c->dashboard.token_file;
    const char *slash = strrchr(c->file ? c->file : "", '/');

    if (*name == '/' || slash == NULL)
        return bytes_text("%s", name);
    return bytes_text("%.*s/%s", (int)(slash - c->file), c->file, name);
}

/* What is open is looked at, and not what had the name a moment ago. */
static int check_file(int fd, const char *path, struct config_error *e)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return error_os(e, path, -errno);
    if (!S_ISREG(st.st_mode))
        return ERROR_PLAIN(e, TOKEN_FILE_IS_NO_FILE, path);
    if (st.st_uid != geteuid())
        return ERROR_PLAIN(e, TOKEN_FILE_IS_ANOTHERS, path);
    if ((st.st_mode & 077) != 0)
        return ERROR_PLAIN(e, TOKEN_FILE_IS_OPEN, path);
    return 0;
}

static int check_text(const char *key, const char *text, struct config_error *e)
{
    size_t len = strlen(text);

    if (len > TOKEN_MAX)
        return ERROR_PLAIN(e, TOKEN_TOO_LONG, key, TOKEN_MAX);
    for (size_t i = 0; i < len; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return ERROR_PLAIN(e, TOKEN_HAS_BLANKS, key);
    return 0;
}

static int read_file(int fd, const char *path, char **out,
                     struct config_error *e)
{
    char text[TOKEN_MAX + 8];
    size_t len = 0;
    ssize_t n;

    while (len < sizeof(text) &&
           (n = read(fd, text + len, sizeof(text) - len)) != 0) {
        if (n < 0)
            return error_os(e, path, -errno);
        len += (size_t)n;
    }
    while (len > 0 && strchr(" \t\r\n", text[len - 1]) != NULL)
        len--;
    if (len == 0)
        return ERROR_PLAIN(e, TOKEN_FILE_IS_EMPTY, path);
    if (len > TOKEN_MAX)
        return ERROR_PLAIN(e, TOKEN_FILE_IS_TOO_LONG, path);
    *out = memchr(text, 0, len) ? NULL : strndup(text, len);
    return *out ? check_text("dashboard.tokenFile", *out, e)
                : ERROR_PLAIN(e, TOKEN_FILE_HAS_NO_TEXT, path);
}

static int refuse_file(struct config_error *e, const char *file, int error)
{
    const struct reason ja = reason_of(error, false),
                        en = reason_of(error, true);
    char *texts[] = {bytes_text(JA_TOKEN_FILE_UNREADABLE, file, ja.text),
                     bytes_text(EN_TOKEN_FILE_UNREADABLE, file, en.text)};
    int rc = error_whole(e, NULL, (struct mark){0},
                         (struct message){texts[0], texts[1]});

    free(texts[0]);
    free(texts[1]);
    return rc;
}

static int load_file(const struct config *c, char **out, struct config_error *e)
{
    char *path = find(c);
    int fd, rc;

    /* A pipe would make it wait; it is refused all the same. */
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        rc = errno;
        free(path);
        return refuse_file(e, c->dashboard.token_file, rc);
    }
    rc = check_file(fd, path, e);
    if (rc == 0)
        rc = read_file(fd, path, out, e);
    close(fd);
    free(path);
    return rc;
}

int token_load(const struct config *c, char **out, struct config_error *e)
{
    const struct config_dashboard *d = &c->dashboard;
    int rc;

    *out = NULL;
    if (*d->token == 0 && *d->token_file != 0) {
        rc = load_file(c, out, e);
    } else {
        *out = bytes_text("%s", d->token);
        rc = check_text("dashboard.token", *out, e);
    }
    if (rc != 0) {
        free(*out);
        *out = NULL;
    }
    return rc;
}
