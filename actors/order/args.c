/* SPDX-License-Identifier: MIT */
#include "actors/order/args.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ---- times ------------------------------------------------------------- */

/* Reads `digits` digits, and moves on. */
static bool take(struct slice *in, unsigned digits, int *number)
{
    *number = 0;
    if (in->len < digits)
        return false;
    for (unsigned i = 0; i < digits; i++) {
        if (in->ptr[i] < '0' || in->ptr[i] > '9')
            return false;
        *number = *number * 10 + (in->ptr[i] - '0');
    }
    *in = slice_of(in->ptr + digits, in->len - digits);
    return true;
}

static bool take_char(struct slice *in, char c)
{
    if (in->len == 0 || in->ptr[0] != c)
        return false;
    *in = slice_of(in->ptr + 1, in->len - 1);
    return true;
}

/* ".5" is 500 ms; what is finer is cut. */
static int take_fraction(struct slice *in)
{
    int ms = 0, unit = 100, digit;

    if (!take_char(in, '.'))
        return 0;
    for (; take(in, 1, &digit); unit /= 10)
        ms += digit * unit;
    return ms;
}

static bool take_zone(struct slice *in, int *minutes)
{
    int sign, hour, minute;

    *minutes = 0;
    if (take_char(in, 'Z') || in->len == 0)
        return true;
    sign = in->ptr[0] == '-' ? -1 : 1;
    if (!take_char(in, '+') && !take_char(in, '-'))
        return false;
    if (!take(in, 2, &hour) || hour > 14)
        return false;
    take_char(in, ':');
    if (!take(in, 2, &minute) || minute > 59)
        return false;
    *minutes = sign * (hour * 60 + minute);
    return true;
}

static bool take_clock(struct slice *in, struct tm *tm, int *ms)
{
    if (!take(in, 2, &tm->tm_hour) || tm->tm_hour > 23 || !take_char(in, ':') ||
        !take(in, 2, &tm->tm_min) || tm->tm_min > 59)
        return false;
    if (take_char(in, ':') && (!take(in, 2, &tm->tm_sec) || tm->tm_sec > 60))
        return false;
    *ms = take_fraction(in);
    return true;
}

bool args_time(struct slice text, int64_t *ms)
{
    struct tm tm = {0};
    int fraction = 0, minutes = 0, day;

    if (!take(&text, 4, &tm.tm_year) || !take_char(&text, '-') ||
        !take(&text, 2, &tm.tm_mon) || tm.tm_mon < 1 || tm.tm_mon > 12 ||
        !take_char(&text, '-') || !take(&text, 2, &tm.tm_mday))
        return false;
    if ((take_char(&text, 'T') || take_char(&text, ' ')) &&
        (!take_clock(&text, &tm, &fraction) || !take_zone(&text, &minutes)))
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    day = tm.tm_mday;
    *ms = ((int64_t)timegm(&tm) - (int64_t)minutes * 60) * 1000 + fraction;
    /* timegm makes the 1st of March of a 30th of February. */
    return text.len == 0 && tm.tm_mday == day;
}

/* ---- the table --------------------------------------------------------- */

static bool read_text(yyjson_val *val, const struct arg *arg)
{
    struct slice text = field_text(val);

    if (!yyjson_is_str(val) || text.len > (size_t)arg->max ||
        (text.len > 0 && memchr(text.ptr, 0, text.len) != NULL))
        return false;
    *(struct slice *)arg->out = text;
    return true;
}

static bool read_count(yyjson_val *val, const struct arg *arg)
{
    if (!yyjson_is_uint(val) ||
        unsafe_yyjson_get_uint(val) < (uint64_t)arg->min ||
        unsafe_yyjson_get_uint(val) > (uint64_t)arg->max)
        return false;
    *(int64_t *)arg->out = (int64_t)unsafe_yyjson_get_uint(val);
    return true;
}

static bool read_time(yyjson_val *val, const struct arg *arg)
{
    const struct arg any = {arg->name, arg->type, arg->out, 0, INT64_MAX};

    return yyjson_is_str(val) ? args_time(field_text(val), arg->out)
                              : read_count(val, &any);
}

static bool read_arg(yyjson_val *val, const struct arg *arg)
{
    switch (arg->type) {
    case ARG_TEXT:
        return read_text(val, arg);
    case ARG_COUNT:
        return read_count(val, arg);
    case ARG_TIME:
        return read_time(val, arg);
    case ARG_BOOL:
        if (yyjson_is_bool(val))
            *(bool *)arg->out = unsafe_yyjson_get_bool(val);
        return yyjson_is_bool(val);
    }
    return false;
}

static void say_expected(const struct arg *arg, bool is_english, char *out,
                         size_t size)
{
    switch (arg->type) {
    case ARG_TEXT:
        snprintf(out, size,
                 is_english ? "a text of at most %lld bytes"
                            : "%lld バイト以下の文字列",
                 (long long)arg->max);
        break;
    case ARG_COUNT:
        snprintf(out, size,
                 is_english ? "an integer from %lld to %lld"
                            : "%lld から %lld までの整数",
                 (long long)arg->min, (long long)arg->max);
        break;
    case ARG_TIME:
        snprintf(out, size, "%s",
                 is_english ? "milliseconds since 1970 or an ISO 8601 time"
                            : "1970年からのミリ秒または ISO 8601 の時刻");
        break;
    case ARG_BOOL:
        snprintf(out, size, "%s",
                 is_english ? "true or false" : "true または false");
        break;
    }
}

static const struct arg *find(const struct arg *args, struct slice name)
{
    while (args->name != NULL && !slice_eq(slice_cstr(args->name), name))
        args++;
    return args;
}

static bool take_arg(struct rt_turn *t, struct order *o, struct slice name,
                     yyjson_val *val, const struct arg *arg)
{
    char expected[120];

    if (arg->name == NULL) {
        ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR,
                     "'%.*s' という引数はありません",
                     "there is no argument '%.*s'", (int)name.len, name.ptr);
        return false;
    }
    if (yyjson_is_null(val) || read_arg(val, arg))
        return true;
    say_expected(arg, order_is_english(o), expected, sizeof(expected));
    ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, "'%s' は%sでなければなりません",
                 "'%s' must be %s", arg->name, expected);
    return false;
}

bool args_read(struct rt_turn *t, struct order *o, const struct arg *args)
{
    yyjson_obj_iter iter = yyjson_obj_iter_with(o->args);
    yyjson_val *key;

    while ((key = yyjson_obj_iter_next(&iter)) != NULL)
        if (!take_arg(t, o, field_text(key), yyjson_obj_iter_get_val(key),
                      find(args, field_text(key))))
            return false;
    return true;
}
