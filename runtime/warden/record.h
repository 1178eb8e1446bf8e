/*
 * The exit record: how an agent's process tree ended, on disk before a hub is
 * told, so that no hub has to be alive to learn of it.
 */
#ifndef RUNTIME_WARDEN_RECORD_H
#define RUNTIME_WARDEN_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/warden/claim.h"
#include "runtime/warden/text.h"

/* Holds any record: names are bounded by OPTIONS_NAME_MAX, escaped 6 times. */
#define RECORD_TEXT_MAX 1536

struct record {
    const char *agent;
    bool has_status; /* false: the program never ran, error says why */
    int status;      /* of the main process, as wait gives it */
    int error;       /* an errno, or 0 */
    const char *stage;
    const char *reason;
    bool lingered;
    int64_t left; /* processes that could not be killed */
    int64_t started_at;
    int64_t ended_at;
    int64_t elapsed_ms;
    int64_t stdout_bytes;
    int64_t stderr_bytes;
    int64_t maxrss_kb; /* these three: of the whole tree */
    int64_t utime_ms;
    int64_t stime_ms;
};

/* Fills in what the children of this process used, all reaped by now. */
void record_measure(struct record *r);

/* Adds the record's fields, without the braces around them. */
void record_write(const struct record *r, struct text *t);

/* Puts the record in its place, whole or not at all. Returns 0 or a negative
 * errno. */
int record_save(const struct record *r, const struct claim *claim);

#endif
