/* SPDX-License-Identifier: MIT */
#include "transport/wire/log_line.h"

#include <string.h>
#include <time.h>

#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

static const struct {
    const char *name, *color;
} levels[] = {[CONFIG_LOG_DEBUG] = {"debug", "\033[2m"},
              [CONFIG_LOG_INFO] = {"info", ""},
              [CONFIG_LOG_WARN] = {"warn", "\033[33m"},
              [CONFIG_LOG_ERROR] = {"error", "\033[31m"}};

enum { LEVELS = sizeof(levels) / sizeof(*levels) };

const char *log_level_name(enum config_log_level level)
{
    return levels[level].name;
}

bool log_level_find(struct slice name, enum config_log_level *level)
{
    for (int i = 0; i < LEVELS; i++) {
        if (!slice_eq(slice_cstr(levels[i].name), name))
            continue;
        *level = (enum config_log_level)i;
        return true;
    }
    return false;
}

/* ---- for programs ------------------------------------------------------ */

static void put_name(struct bytes *out, const char *key, const char *name)
{
    if (name == NULL || *name == 0)
        return;
    JSON_RAW(out, ",");
    json_string(out, slice_cstr(key));
    JSON_RAW(out, ":");
    json_string(out, slice_cstr(name));
}

void log_line_json(struct bytes *out, const struct log_line *l)
{
    JSON_RAW(out, "{\"time\":");
    json_time(out, l->at);
    JSON_TEXT(out, "level", slice_cstr(log_level_name(l->level)));
    JSON_TEXT(out, "event", slice_cstr(l->event));
    JSON_TEXT(out, "message", l->message);
    put_name(out, "agentId", l->about.agent);
    put_name(out, "groupId", l->about.group);
    put_name(out, "role", l->about.role);
    if (l->about.has_duration)
        JSON_UINT(out, "duration_ms", l->about.duration_ms);
    JSON_RAW(out, "}\n");
}

/* ---- for people -------------------------------------------------------- */

/* A terminal obeys control characters, and those that turn the direction of
 * what follows let a text show what it does not say. */
static bool is_obeyed(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c ||
           code == 0x200e || code == 0x200f || code == 0x2028 ||
           code == 0x2029 || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

/* One line of it: breaks and tabs become a space. */
static void put_safe(struct bytes *out, struct slice text)
{
    struct bytes mended = {0};
    uint32_t code;

    utf8_repair(text.ptr, text.len, &mended);
    for (size_t i = 0, n; i < mended.len; i += n) {
        n = utf8_decode(mended.ptr + i, mended.len - i, &code);
        if (code == '\n' || code == '\r' || code == '\t')
            bytes_append(out, " ", 1);
        else if (is_obeyed(code))
            bytes_format(out, "\\u%04x", code);
        else
            bytes_append(out, mended.ptr + i, n);
    }
    bytes_finish(&mended);
}

static void put_time(struct bytes *out, uint64_t at)
{
    time_t seconds = (time_t)(at / 1000);
    struct tm tm;
    char text[32];

    localtime_r(&seconds, &tm);
    bytes_append(out, text,
                 strftime(text, sizeof(text), "%m-%d %H:%M:%S", &tm));
}

void log_line_text(struct bytes *out, const struct log_line *l, bool has_color)
{
    const char *color = has_color ? levels[l->level].color : "";

    bytes_format(out, "%s", has_color ? "\033[2m" : "");
    put_time(out, l->at);
    bytes_format(out, "%s  %s%-5s%s  ", has_color ? "\033[0m" : "", color,
                 levels[l->level].name, *color ? "\033[0m" : "");
    put_safe(out, l->message);
    bytes_append(out, "\n", 1);
}
