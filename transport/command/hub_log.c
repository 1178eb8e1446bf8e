/* SPDX-License-Identifier: MIT */
#include "transport/command/hub_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/text/field.h"
#include "runtime/text/moment.h"
#include "transport/command/options.h"
#include "transport/wire/log_line.h"

#define TAIL 100
#define TAIL_MOST 1000000
#define LOOK_MS 200

struct hub_log {
    struct console *console;
    bool is_following, is_raw, is_hub;
    char *path, *old;
    struct bytes text; /* read, and not shown yet */
};

bool hub_log_is_wanted(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        if (!strcmp(argv[i], "--hub"))
            return true;
    return false;
}

/* ---- lines ------------------------------------------------------------- */

/* What a library has said there, or a hub of an earlier build, is shown as it
 * is. */
static bool put_line(struct bytes *out, struct slice line, bool has_color)
{
    yyjson_doc *doc = yyjson_read(line.ptr, line.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    struct log_line l = {.message = FIELD_TEXT(root, "message")};
    int64_t at;
    bool is_ours = moment_read(FIELD_TEXT(root, "time"), &at) &&
                   log_level_find(FIELD_TEXT(root, "level"), &l.level);

    if (is_ours) {
        l.at = (uint64_t)at;
        log_line_text(out, &l, has_color);
    }
    yyjson_doc_free(doc);
    return is_ours;
}

static void show_line(struct hub_log *x, struct slice line)
{
    struct term *term = &x->console->out;
    struct bytes out = {0};

    if (x->is_raw) {
        fwrite(line.ptr, 1, line.len, term->out);
        fputc('\n', term->out);
    } else if (put_line(&out, line, term->has_color)) {
        fwrite(out.ptr, 1, out.len, term->out);
    } else {
        term_line(term, TERM_PLAIN, line);
        fputc('\n', term->out);
    }
    bytes_finish(&out);
}

/* Shows whole lines and keeps the rest. */
static void show_lines(struct hub_log *x)
{
    size_t at = 0;
    char *end;

    while ((end = memchr(x->text.ptr + at, '\n', x->text.len - at))) {
        size_t len = (size_t)(end - x->text.ptr) - at;

        show_line(x, slice_of(x->text.ptr + at, len));
        at += len + 1;
    }
    memmove(x->text.ptr, x->text.ptr + at, x->text.len - at);
    x->text.len -= at;
}

/* ---- files ------------------------------------------------------------- */

static int read_on(struct hub_log *x, int fd)
{
    char chunk[65536];
    ssize_t n;

    while ((n = read(fd, chunk, sizeof(chunk))) > 0 ||
           (n < 0 && errno == EINTR))
        if (n > 0)
            bytes_append(&x->text, chunk, (size_t)n);
    return n < 0 ? -errno : 0;
}

/* Of what is there only the last lines. */
static void cut_to(struct bytes *text, uint64_t lines)
{
    size_t at = text->len;

    if (at > 0 && text->ptr[at - 1] == '\n')
        at--;
    for (; at > 0 && lines > 0; at--)
        if (text->ptr[at - 1] == '\n' && --lines == 0)
            break;
    memmove(text->ptr, text->ptr + at, text->len - at);
    text->len -= at;
}

static int open_log(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/* A hub in the foreground writes to its terminal, and there is no file. */
static int missing(struct hub_log *x)
{
    struct console *con = x->console;

    COMPLAIN(con, LOGS_NO_HUB_LOG, x->path);
    return CONSOLE_FAILED;
}

/* Until Ctrl-C, or who reads has left. When it is begun anew, so are we. */
static void follow(struct hub_log *x, int fd)
{
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000};
    struct stat ours, there;

    while (!ferror(x->console->out.out)) {
        read_on(x, fd);
        show_lines(x);
        fflush(x->console->out.out);
        if (fstat(fd, &ours) == 0 && stat(x->path, &there) == 0 &&
            ours.st_ino != there.st_ino) {
            int next = open_log(x->path);

            read_on(x, fd);
            if (next >= 0) {
                close(fd);
                fd = next;
                continue;
            }
        }
        nanosleep(&pause, NULL);
    }
    close(fd);
}

static int show(struct hub_log *x, uint64_t tail)
{
    int fd = open_log(x->path), old = open_log(x->old);

    if (fd < 0)
        return missing(x);
    if (old >= 0) {
        read_on(x, old);
        close(old);
    }
    read_on(x, fd);
    cut_to(&x->text, tail);
    show_lines(x);
    if (x->is_following)
        follow(x, fd);
    else
        close(fd);
    return CONSOLE_FINE;
}

int hub_log_run(struct console *con, int argc, char **argv)
{
    struct hub_log x = {.console = con};
    const char *tail = NULL;
    const struct option options[] = {{"--hub", 0, &x.is_hub, NULL},
                                     {"--follow", 'f', &x.is_following, NULL},
                                     {"--json", 0, &x.is_raw, NULL},
                                     {"--tail", 'n', NULL, &tail},
                                     {NULL}};
    uint64_t lines;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, "") ||
        options_number(con, argv[0], "--tail", tail, 1, TAIL_MOST, &lines))
        return CONSOLE_USAGE;
    x.path = bytes_text("%s/hub.log", con->state_dir);
    x.old = bytes_text("%s.1", x.path);
    int code = show(&x, tail ? lines : TAIL);
    bytes_finish(&x.text);
    free(x.path);
    free(x.old);
    return code;
}
