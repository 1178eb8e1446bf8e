/* SPDX-License-Identifier: MIT */
#include "transport/command/humanize.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "runtime/text/moment.h"

struct humanized humanize_duration(uint64_t ms)
{
    struct humanized s;

    snprintf(s.text, sizeof(s.text), "%s", moment_span(ms).text);
    return s;
}

static struct humanized scaled(uint64_t n, uint64_t base,
                               const char *const *units)
{
    struct humanized s;
    double value = (double)n;

    while (value >= (double)base && units[1]) {
        value /= (double)base;
        units++;
    }
    snprintf(s.text, sizeof(s.text),
             n < base        ? "%.0f%s"
             : value < 99.95 ? "%.1f%s"
                             : "%.0f%s",
             value, *units);
    return s;
}

struct humanized humanize_number(uint64_t n)
{
    struct humanized s;
    char digits[24];
    int len = snprintf(digits, sizeof(digits), "%" PRIu64, n), at = 0;

    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            s.text[at++] = ',';
        s.text[at++] = digits[i];
    }
    s.text[at] = '\0';
    return s;
}

struct humanized humanize_count(uint64_t n)
{
    static const char *const units[] = {"", "k", "M", "G", "T", NULL};

    return n < 1000000 ? humanize_number(n) : scaled(n, 1000, units);
}

struct humanized humanize_bytes(uint64_t n)
{
    static const char *const units[] = {" B", " kB", " MB", " GB", " TB", NULL};

    return scaled(n, 1000, units);
}

struct humanized humanize_moment(int64_t ms, const char *format)
{
    struct humanized s = {"-"};
    time_t when = (time_t)(ms / 1000);
    struct tm local;

    if (localtime_r(&when, &local) &&
        !strftime(s.text, sizeof(s.text), format, &local))
        strcpy(s.text, "-");
    return s;
}

struct humanized humanize_time(struct slice iso)
{
    int64_t ms;

    return moment_read(iso, &ms) ? humanize_moment(ms, "%Y-%m-%d %H:%M:%S")
                                 : (struct humanized){"-"};
}

enum term_style humanize_state(struct slice state)
{
    static const struct {
        struct slice name;
        enum term_style style;
    } states[] = {
        {SLICE_INIT("queued"), TERM_DIM},
        {SLICE_INIT("running"), TERM_CYAN},
        {SLICE_INIT("completed"), TERM_GREEN},
        {SLICE_INIT("resultReported"), TERM_GREEN},
        {SLICE_INIT("success"), TERM_GREEN},
        {SLICE_INIT("failed"), TERM_RED},
        {SLICE_INIT("failure"), TERM_RED},
        {SLICE_INIT("timedOut"), TERM_RED},
        {SLICE_INIT("timeout"), TERM_RED},
        {SLICE_INIT("cancelled"), TERM_YELLOW},
        {SLICE_INIT("active"), TERM_CYAN},
        {SLICE_INIT("deleted"), TERM_DIM},
    };

    for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
        if (slice_eq(states[i].name, state))
            return states[i].style;
    return TERM_PLAIN;
}
