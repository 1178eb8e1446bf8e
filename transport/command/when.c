/* SPDX-License-Identifier: MIT */
#include "transport/command/when.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/moment.h"

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

bool when_read(const char *text, uint64_t now_ms, uint64_t *ms)
{
    int64_t moment;

    if (read_ago(text, now_ms, ms))
        return true;
    if (!moment_read_typed(slice_cstr(text), &moment) || moment <= 0)
        return false;
    *ms = (uint64_t)moment;
    return true;
}

int when_option(struct console *con, const char *command, const char *option,
                const char *text, uint64_t *ms)
{
    *ms = 0;
    if (!text || when_read(text, moment_now(), ms))
        return CONSOLE_FINE;
    COMPLAIN(con, OPTION_NO_TIME, command, option, text);
    return CONSOLE_USAGE;
}
