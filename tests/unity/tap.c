/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <stdbool.h>
#include <stdio.h>

#include "only.h"

static bool at_line_start = true;
static int count;

void tap_putc(int c)
{
    if (c == '\r')
        return;
    if (at_line_start)
        fputs("# ", stdout);
    at_line_start = c == '\n';
    putchar(c);
}

/* For the many that have nothing to prepare and nothing to clear away. */
__attribute__((weak)) void setUp(void)
{
}

__attribute__((weak)) void tearDown(void)
{
}

void tap_run(tap_fn fn, const char *name, int line)
{
    unsigned failures = (unsigned)Unity.TestFailures;
    unsigned ignores = (unsigned)Unity.TestIgnores;

    if (!only_chosen(name))
        return;
    UnityDefaultTestRun(fn, name, line);
    if (!at_line_start) {
        putchar('\n');
        at_line_start = true;
    }
    printf("%s %d - %s%s\n",
           (unsigned)Unity.TestFailures != failures ? "not ok" : "ok", ++count,
           name, (unsigned)Unity.TestIgnores != ignores ? " # SKIP" : "");
    fflush(stdout);
}

int tap_end(void)
{
    UNITY_END();
    printf("1..%d\n", count);
    fflush(stdout);
    /* TAP carries the verdict: a non-zero exit would show as a crash. */
    return 0;
}
