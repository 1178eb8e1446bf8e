/*
 * The log of a program: levelled lines, each written whole, by any thread. To
 * a terminal they are for people, elsewhere for programs, unless the
 * configuration says which. Nobody waits for who reads it: a line that a full
 * pipe or a stopped terminal does not take is dropped and counted, and the
 * next one that is taken says how many were.
 */
#ifndef TRANSPORT_WIRE_LOG_H
#define TRANSPORT_WIRE_LOG_H

#include "config/messages.h"
#include "transport/wire/log_line.h"

struct log_sink; /* where it goes */

struct log {
    struct log_sink *sink;
    enum config_log_level level; /* what is below is not written */
    bool is_text, has_color, is_english;
};

/* On a descriptor, which stays the caller's. */
void log_open(struct log *log, const struct config *config, int fd);
/*
 * In a file, of which stderr becomes a duplicate: what a library says goes
 * there too. At max_bytes it is renamed to `path`.1, in the place of the one
 * before, and begun anew. 0 or a negative errno.
 */
int log_open_file(struct log *log, const struct config *config,
                  const char *path, uint64_t max_bytes);
/* Accepts one that was not opened. */
void log_close(struct log *log);

/* event names what has happened, for programs; the rest is for people. */
void log_say(const struct log *log, enum config_log_level level,
             const char *event, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same with whom it is about; the message may be of any origin. */
void log_tell(const struct log *log, enum config_log_level level,
              const char *event, const struct log_about *about,
              struct slice message);

/* One of messages.h, in the language of this log. */
#define LOG_AT(log, level, event, name, ...)                                   \
    log_say(log, level, event, MESSAGE((log)->is_english, name), ##__VA_ARGS__)
#define LOG_INFO(log, event, ...)                                              \
    LOG_AT(log, CONFIG_LOG_INFO, event, __VA_ARGS__)
#define LOG_WARN(log, event, ...)                                              \
    LOG_AT(log, CONFIG_LOG_WARN, event, __VA_ARGS__)
#define LOG_ERROR(log, event, ...)                                             \
    LOG_AT(log, CONFIG_LOG_ERROR, event, __VA_ARGS__)

#endif
