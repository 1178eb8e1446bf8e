/* SPDX-License-Identifier: MIT */
#include "transport/wire/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/text/moment.h"

/* What a pipe takes whole or not at all; and so much of a message fits into it
 * whatever has to be escaped. */
#define PIPE_BYTES 4096
#define PIPE_MESSAGE 512
#define MESSAGE_BYTES 16384

struct log_sink {
    int fd;
    bool is_own;    /* to be closed */
    bool is_socket; /* of a service manager, say */
    char *path;     /* NULL: no file of ours */
    uint64_t max;
    atomic_uint_least64_t written; /* since it was begun */
    atomic_uint_least64_t lost;    /* lines, since one was taken */
};

/* ---- opening ----------------------------------------------------------- */

static void init(struct log *log, const struct config *config, int fd)
{
    bool is_terminal = isatty(fd);
    const char *term = getenv("TERM");

    *log = (struct log){.sink = bytes_zalloc(sizeof(*log->sink)),
                        .level = config->log.level,
                        .is_english = config->language == CONFIG_EN};
    log->is_text = config->log.format == CONFIG_LOG_TEXT ||
                   (config->log.format == CONFIG_LOG_AUTO && is_terminal);
    log->has_color = is_terminal && getenv("NO_COLOR") == NULL &&
                     (term == NULL || strcmp(term, "dumb") != 0);
    log->sink->fd = fd;
}

/*
 * A pipe or terminal is opened once more, for whether writing waits is noted
 * with the opening, which we share with whoever started us. A regular file is
 * not: two openings have two positions, and overwrite each other.
 */
void log_open(struct log *log, const struct config *config, int fd)
{
    struct stat st;
    char path[32];
    int own = -1;

    init(log, config, fd);
    if (fstat(fd, &st) != 0)
        return;
    log->sink->is_socket = S_ISSOCK(st.st_mode);
    if (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode)) {
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        own = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    }
    if (own >= 0) {
        log->sink->fd = own;
        log->sink->is_own = true;
    }
}

static int open_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

    return fd < 0 ? -errno : fd;
}

/* Whoever wrote the line that crossed the bound does it, so one at a time. The
 * number of the descriptor stays the same: others may be writing to it. */
static void begin_anew(struct log_sink *s)
{
    char *old = bytes_text("%s.1", s->path);
    int fd;

    rename(s->path, old);
    fd = open_file(s->path);
    if (fd >= 0) {
        dup3(fd, s->fd, O_CLOEXEC);
        dup2(fd, STDERR_FILENO);
        close(fd);
    }
    atomic_store(&s->written, 0);
    free(old);
}

int log_open_file(struct log *log, const struct config *config,
                  const char *path, uint64_t max_bytes)
{
    int fd = open_file(path);
    struct stat st;

    if (fd < 0)
        return fd;
    init(log, config, fd);
    log->sink->is_own = true;
    log->sink->path = bytes_text("%s", path);
    log->sink->max = max_bytes;
    if (fstat(fd, &st) == 0)
        atomic_store(&log->sink->written, (uint64_t)st.st_size);
    if (atomic_load(&log->sink->written) >= max_bytes)
        begin_anew(log->sink);
    dup2(fd, STDERR_FILENO);
    return 0;
}

void log_close(struct log *log)
{
    if (log->sink == NULL)
        return;
    if (log->sink->is_own)
        close(log->sink->fd);
    free(log->sink->path);
    free(log->sink);
    log->sink = NULL;
}

/* ---- writing ----------------------------------------------------------- */

static bool is_writable(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};

    return poll(&p, 1, 0) == 1 && (p.revents & POLLOUT);
}

/* A file takes all of it, unless the disk is full. */
static bool put(struct log_sink *s, const struct bytes *line)
{
    ssize_t n;

    if (s->path == NULL && !is_writable(s->fd))
        return false;
    do
        n = s->is_socket
                ? send(s->fd, line->ptr, line->len, MSG_DONTWAIT | MSG_NOSIGNAL)
                : write(s->fd, line->ptr, line->len);
    while (n < 0 && errno == EINTR);
    return n > 0;
}

static void count(struct log_sink *s, uint64_t bytes)
{
    uint64_t before = atomic_fetch_add(&s->written, bytes);

    if (s->path != NULL && before < s->max && before + bytes >= s->max)
        begin_anew(s);
}

static void render(const struct log *log, const struct log_line *l, size_t cap,
                   struct bytes *text)
{
    struct bytes cut = {0};
    struct log_line line = *l;

    bytes_append_capped(&cut, l->message, cap);
    line.message = bytes_slice(&cut);
    text->len = 0;
    if (log->is_text)
        log_line_text(text, &line, log->has_color);
    else
        log_line_json(text, &line);
    bytes_finish(&cut);
}

static void write_line(const struct log *log, const struct log_line *l)
{
    struct bytes text = {0};

    render(log, l, MESSAGE_BYTES, &text);
    if (log->sink->path == NULL && text.len > PIPE_BYTES)
        render(log, l, PIPE_MESSAGE, &text);
    if (put(log->sink, &text))
        count(log->sink, text.len);
    else
        atomic_fetch_add(&log->sink->lost, 1);
    bytes_finish(&text);
}

static void tell_lost(const struct log *log)
{
    uint64_t lost;
    struct bytes text = {0};

    if (atomic_load(&log->sink->lost) == 0 ||
        (log->sink->path == NULL && !is_writable(log->sink->fd)))
        return;
    lost = atomic_exchange(&log->sink->lost, 0);
    bytes_format(&text, MESSAGE(log->is_english, LOG_LINES_LOST),
                 (unsigned long long)lost);
    write_line(log, &(struct log_line){.at = moment_now(),
                                       .level = CONFIG_LOG_WARN,
                                       .event = "log.lost",
                                       .message = bytes_slice(&text)});
    bytes_finish(&text);
}

/* To be read by people beside other logs, so by the wall clock. */
void log_tell(const struct log *log, enum config_log_level level,
              const char *event, const struct log_about *about,
              struct slice message)
{
    if (log->sink == NULL || level < log->level)
        return;
    tell_lost(log);
    write_line(log, &(struct log_line){.at = moment_now(),
                                       .level = level,
                                       .event = event,
                                       .about = *about,
                                       .message = message});
}

void log_say(const struct log *log, enum config_log_level level,
             const char *event, const char *format, ...)
{
    struct bytes text = {0};
    va_list args;

    if (level < log->level)
        return;
    va_start(args, format);
    bytes_vformat(&text, format, args);
    va_end(args);
    log_tell(log, level, event, &(struct log_about){0}, bytes_slice(&text));
    bytes_finish(&text);
}
