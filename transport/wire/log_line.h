/*
 * A log line, as people read it and as programs do. Pure: the same line gives
 * the same bytes.
 */
#ifndef TRANSPORT_WIRE_LOG_LINE_H
#define TRANSPORT_WIRE_LOG_LINE_H

#include "config/config.h"
#include "runtime/text/bytes.h"

/* Whom it is about, for programs: people find it in the message. NULL or "":
 * nobody of that kind. */
struct log_about {
    const char *agent, *group, *role;
    bool has_duration;
    uint64_t duration_ms;
};

struct log_line {
    uint64_t at; /* wall clock, ms */
    enum config_log_level level;
    const char *event;
    struct log_about about;
    struct slice message; /* of any origin */
};

/* The level's name, and back; false: there is none of that name. */
const char *log_level_name(enum config_log_level level);
bool log_level_find(struct slice name, enum config_log_level *level);

/* Appends one object and a newline. */
void log_line_json(struct bytes *out, const struct log_line *l);
/* Appends "11-17 12:34:56  warn   what happened" in local time and a newline.
 * Whatever a terminal would obey is written out. */
void log_line_text(struct bytes *out, const struct log_line *l, bool has_color);

#endif
