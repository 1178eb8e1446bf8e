/* SPDX-License-Identifier: MIT */
#include "runtime/text/moment.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

static int64_t now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

uint64_t moment_now(void)
{
    return (uint64_t)now(CLOCK_REALTIME);
}

int64_t moment_monotonic(void)
{
    return now(CLOCK_MONOTONIC);
}

/* ---- writing ----------------------------------------------------------- */

static void put_digits(char *to, unsigned number, unsigned digits)
{
    for (unsigned i = digits; i-- > 0; number /= 10)
        to[i] = (char)('0' + number % 10);
}

struct date {
    unsigned year, month, day;
};

/*
 * The Gregorian date of a day since 1970, counted in eras of 400 years that
 * begin in March, so that the leap day is the last of a year (H. Hinnant,
 * chrono-compatible low-level date algorithms). gmtime_r and printf took half
 * the time of a list of agents.
 */
static struct date date_of(uint64_t day)
{
    uint64_t since = day + 719468, era = since / 146097, rest = since % 146097;
    unsigned of_era = (unsigned)rest;
    unsigned year =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    unsigned of_year = of_era - (365 * year + year / 4 - year / 100);
    unsigned month = (5 * of_year + 2) / 153;

    return (struct date){.year = (unsigned)(era * 400) + year + (month >= 10),
                         .month = month < 10 ? month + 3 : month - 9,
                         .day = of_year - (153 * month + 2) / 5 + 1};
}

/* The last moment of the year 9999: four digits are all there is. */
#define LAST_MS UINT64_C(253402300799999)

void moment_put(char *to, uint64_t ms)
{
    ms = ms < LAST_MS ? ms : LAST_MS;
    unsigned of_day = (unsigned)(ms % 86400000);
    struct date date = date_of(ms / 86400000);

    memcpy(to, "0000-00-00T00:00:00.000Z", MOMENT_LEN);
    put_digits(to, date.year, 4);
    put_digits(to + 5, date.month, 2);
    put_digits(to + 8, date.day, 2);
    put_digits(to + 11, of_day / 3600000, 2);
    put_digits(to + 14, of_day / 60000 % 60, 2);
    put_digits(to + 17, of_day / 1000 % 60, 2);
    put_digits(to + 20, of_day % 1000, 3);
}

/* ---- reading ----------------------------------------------------------- */

struct reading {
    struct slice in; /* what is left */
    bool is_typed;
};

static bool take_char(struct reading *r, char c)
{
    if (r->in.len == 0 || r->in.ptr[0] != c)
        return false;
    r->in = slice_of(r->in.ptr + 1, r->in.len - 1);
    return true;
}

static bool take_digit(struct reading *r, int *digit)
{
    char c = r->in.len > 0 ? r->in.ptr[0] : ' ';

    *digit = c - '0';
    return c >= '0' && c <= '9' && take_char(r, c);
}

/* A number of so many digits; of two, people may leave out the first. */
static bool take(struct reading *r, unsigned digits, int most, int *number)
{
    unsigned n = 0;
    int digit;

    for (*number = 0; n < digits && take_digit(r, &digit); n++)
        *number = *number * 10 + digit;
    return *number <= most &&
           (n == digits || (r->is_typed && n == 1 && digits == 2));
}

/* ".5" is 500 ms; what is finer is cut. */
static int take_fraction(struct reading *r)
{
    int ms = 0, unit = 100, digit;

    if (take_char(r, '.'))
        for (; take_digit(r, &digit); unit /= 10)
            ms += digit * unit;
    return ms;
}

static bool take_zone(struct reading *r, int *minutes, bool *is_local)
{
    bool is_west = r->in.len > 0 && r->in.ptr[0] == '-';
    int hour, minute;

    *minutes = 0;
    *is_local = r->is_typed && r->in.len == 0;
    if (r->in.len == 0 || take_char(r, 'Z'))
        return true;
    if ((!take_char(r, '+') && !take_char(r, '-')) || !take(r, 2, 14, &hour))
        return false;
    take_char(r, ':');
    if (!take(r, 2, 59, &minute))
        return false;
    *minutes = (is_west ? -1 : 1) * (hour * 60 + minute);
    return true;
}

static bool take_clock(struct reading *r, struct tm *tm, int *ms)
{
    if (!take(r, 2, 23, &tm->tm_hour) || !take_char(r, ':') ||
        !take(r, 2, 59, &tm->tm_min))
        return false;
    if (take_char(r, ':') && !take(r, 2, 60, &tm->tm_sec))
        return false;
    *ms = take_fraction(r);
    return true;
}

static bool read_moment(struct reading r, int64_t *ms)
{
    struct tm tm = {.tm_isdst = -1};
    int fraction = 0, minutes, day;
    bool is_local;

    if (!take(&r, 4, 9999, &tm.tm_year) || !take_char(&r, '-') ||
        !take(&r, 2, 12, &tm.tm_mon) || tm.tm_mon == 0 || !take_char(&r, '-') ||
        !take(&r, 2, 31, &tm.tm_mday))
        return false;
    if ((take_char(&r, 'T') || take_char(&r, ' ')) &&
        !take_clock(&r, &tm, &fraction))
        return false;
    if (!take_zone(&r, &minutes, &is_local) || r.in.len > 0)
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    day = tm.tm_mday;
    *ms =
        (int64_t)(is_local ? mktime(&tm) : timegm(&tm) - minutes * 60) * 1000 +
        fraction;
    /* Either makes a day of March of a 30th of February. */
    return tm.tm_mday == day;
}

bool moment_read(struct slice text, int64_t *ms)
{
    return read_moment((struct reading){.in = text}, ms);
}

bool moment_read_typed(struct slice text, int64_t *ms)
{
    return read_moment((struct reading){.in = text, .is_typed = true}, ms);
}

struct moment_span moment_span(uint64_t ms)
{
    struct moment_span s;
    uint64_t sec = ms / 1000, min = sec / 60, hours = min / 60;

    if (sec < 1)
        snprintf(s.text, sizeof(s.text), "%" PRIu64 " ms", ms);
    else if (sec < 10)
        snprintf(s.text, sizeof(s.text), "%" PRIu64 ".%" PRIu64 " s", sec,
                 ms / 100 % 10);
    else if (sec < 60)
        snprintf(s.text, sizeof(s.text), "%" PRIu64 " s", sec);
    else if (min < 60)
        snprintf(s.text, sizeof(s.text), "%" PRIu64 "m %02" PRIu64 "s", min,
                 sec % 60);
    else if (hours < 24)
        snprintf(s.text, sizeof(s.text), "%" PRIu64 "h %02" PRIu64 "m", hours,
                 min % 60);
    else
        snprintf(s.text, sizeof(s.text), "%" PRIu64 "d %02" PRIu64 "h",
                 hours / 24, hours % 24);
    return s;
}
