/* A moment is a time of the wall clock, in milliseconds since 1970 (UTC). */
#ifndef RUNTIME_TEXT_MOMENT_H
#define RUNTIME_TEXT_MOMENT_H

#include "runtime/text/slice.h"

/* "2026-02-13T12:00:00.000Z" has so many bytes. */
#define MOMENT_LEN 24

uint64_t moment_now(void);
/* Milliseconds of a clock that is never set: for durations, not for texts. */
int64_t moment_monotonic(void);
/* Writes MOMENT_LEN bytes, without a terminator. */
void moment_put(char *to, uint64_t ms);

/*
 * "2026-02-13" and, behind a T or a blank, "12:00", "12:00:30" or
 * "12:00:30.125"; then a zone, "Z", "+09:00" or "-0330". False if it is none.
 */
bool moment_read(struct slice text, int64_t *ms);
/* The same as people type it: in local time unless it has a zone, and
 * "2026-2-3 9:05" is one too. */
bool moment_read_typed(struct slice text, int64_t *ms);

struct moment_span {
    char text[32];
};

/* A duration as people read it: "99 ms", "1.2 s", "42 s", "3m 05s", "2h 10m",
 * "4d 03h". */
struct moment_span moment_span(uint64_t ms);

#endif
