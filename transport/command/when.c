/* SPDX-License-Identifier: MIT */
#include "transport/command/when.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_DIGITS 9

static bool read_ago(const char *text, uint64_t now_ms, uint64_t *ms)
{
    static const char letters[] = "smhdw";
    static const uint64_t units[] = {1000, 60000, 3600000, 86400000,
                                     7ull * 86400000};
    size_t digits = strspn(text, "0123456789");
    const char *unit = text[digits] ? strchr(letters, text[digits]) : NULL;

    if (digits == 0 || digits > MOST_DIGITS || !unit || text[digits + 1])
        return false;
    uint64_t ago = strtoull(text, NULL, 10) * units[unit - letters];
    /* 0 would mean no bound at all. */
    *ms = ago < now_ms ? now_ms - ago : 1;
    return true;
}

/* "", "Z", "+09:00", "-0330": minutes, or that it is local. */
static bool read_zone(const char *text, int *minutes, bool *is_local)
{
    int sign = *text == '-' ? -1 : 1, hour, minute;
    char rest;

    *minutes = 0;
    *is_local = !*text;
    if (!*text || !strcmp(text, "Z"))
        return true;
    if ((*text != '+' && *text != '-') ||
        strspn(text + 1, "0123456789:") != strlen(text + 1))
        return false;
    if (sscanf(text + 1, "%2d:%2d%c", &hour, &minute, &rest) != 2 &&
        sscanf(text + 1, "%2d%2d%c", &hour, &minute, &rest) != 2)
        return false;
    *minutes = sign * (hour * 60 + minute);
    return hour <= 14 && minute <= 59;
}

static const char *read_clock(const char *text, struct tm *tm)
{
    if (*text != 'T' && *text != ' ')
        return text;
    const char *end = strptime(text + 1, "%H:%M:%S", tm);
    return end ? end : strptime(text + 1, "%H:%M", tm);
}

static bool read_moment(const char *text, uint64_t *ms)
{
    struct tm tm = {.tm_isdst = -1};
    bool is_local;
    int minutes;

    if (strspn(text, "0123456789") != 4)
        return false;
    const char *at = strptime(text, "%Y-%m-%d", &tm);
    int day = tm.tm_mday;
    at = at ? read_clock(at, &tm) : NULL;
    if (!at || !read_zone(at, &minutes, &is_local))
        return false;
    time_t when = is_local ? mktime(&tm) : timegm(&tm) - minutes * 60;
    /* A 30th of February becomes a day of March. */
    if (tm.tm_mday != day || when <= 0)
        return false;
    *ms = (uint64_t)when * 1000;
    return true;
}

bool when_read(const char *text, uint64_t now_ms, uint64_t *ms)
{
    return read_ago(text, now_ms, ms) || read_moment(text, ms);
}

int when_option(struct console *con, const char *command, const char *option,
                const char *text, uint64_t *ms)
{
    struct timespec now;

    *ms = 0;
    clock_gettime(CLOCK_REALTIME, &now);
    if (!text ||
        when_read(text,
                  (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000,
                  ms))
        return CONSOLE_FINE;
    COMPLAIN(con,
             "%s: %s に使えない時刻です: '%s'（例: 2h, 3d, 2026-02-13, "
             "2026-02-13T12:00）",
             "%s: %s: '%s' is no time (such as 2h, 3d, 2026-02-13 or "
             "2026-02-13T12:00)",
             command, option, text);
    return CONSOLE_USAGE;
}
