/*
 * The log of a program: one JSON object a line, levelled, each line written
 * whole. Any thread may write.
 */
#ifndef TRANSPORT_WIRE_LOG_H
#define TRANSPORT_WIRE_LOG_H

#include "config/config.h"

struct log {
    int fd;
    enum config_log_level level; /* what is below is not written */
};

/* event names what has happened, for programs; the rest is for people. */
void log_say(const struct log *log, enum config_log_level level,
             const char *event, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#define LOG_INFO(log, event, ...)                                              \
    log_say(log, CONFIG_LOG_INFO, event, __VA_ARGS__)
#define LOG_WARN(log, event, ...)                                              \
    log_say(log, CONFIG_LOG_WARN, event, __VA_ARGS__)
#define LOG_ERROR(log, event, ...)                                             \
    log_say(log, CONFIG_LOG_ERROR, event, __VA_ARGS__)

#endif
