/* SPDX-License-Identifier: MIT */
#include "transport/wire/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/text/json.h"
#include "runtime/text/moment.h"

static const char *const levels[] = {[CONFIG_LOG_DEBUG] = "debug",
                                     [CONFIG_LOG_INFO] = "info",
                                     [CONFIG_LOG_WARN] = "warn",
                                     [CONFIG_LOG_ERROR] = "error"};

/* A log that cannot be written is no reason to stop. */
static void write_line(int fd, const struct bytes *line)
{
    size_t done = 0;
    ssize_t n;

    while (done < line->len) {
        n = write(fd, line->ptr + done, line->len - done);
        if (n < 0 && errno != EINTR)
            return;
        done += n > 0 ? (size_t)n : 0;
    }
}

void log_say(const struct log *log, enum config_log_level level,
             const char *event, const char *format, ...)
{
    struct bytes line = {0}, text = {0};
    va_list args;

    if (level < log->level)
        return;
    va_start(args, format);
    bytes_vformat(&text, format, args);
    va_end(args);
    /* To be read by people beside other logs, so by the wall clock. */
    JSON_RAW(&line, "{\"time\":");
    json_time(&line, moment_now());
    JSON_RAW(&line, ",\"level\":");
    json_string(&line, slice_cstr(levels[level]));
    JSON_RAW(&line, ",\"event\":");
    json_string(&line, slice_cstr(event));
    JSON_RAW(&line, ",\"message\":");
    json_string(&line, bytes_slice(&text));
    JSON_RAW(&line, "}\n");
    write_line(log->fd, &line);
    bytes_finish(&line);
    bytes_finish(&text);
}
