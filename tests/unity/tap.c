/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Whether TAP_ONLY, a name a line, lets this one run. */
static bool is_chosen(const char *name)
{
    const char *only = getenv("TAP_ONLY");
    size_t len = strlen(name);

    if (only == NULL || *only == '\0')
        return true;
    for (; only != NULL; only = strchr(only, '\n')) {
        only += *only == '\n';
        if (strncmp(only, name, len) == 0 &&
            (only[len] == '\n' || only[len] == '\0'))
            return true;
    }
    return false;
}

void tap_run(tap_fn fn, const char *name, int line)
{
    unsigned failures = (unsigned)Unity.TestFailures;
    unsigned ignores = (unsigned)Unity.TestIgnores;

    if (!is_chosen(name))
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
