/* What wardens write, read back: the lines of a link and the exit record. */
#ifndef RUNTIME_PROCESS_WARDEN_RECORD_H
#define RUNTIME_PROCESS_WARDEN_RECORD_H

#include "runtime/process/process.h"

enum warden_record_kind {
    WARDEN_RECORD_UNKNOWN, /* not JSON, or not from a warden */
    WARDEN_RECORD_HELLO,
    WARDEN_RECORD_STARTED,
    WARDEN_RECORD_ENDED
};

struct warden_record {
    enum warden_record_kind kind;
    char agent[136];
    char build[136];
    int32_t cli, warden; /* pids */
    bool has_ended;      /* a hello that comes after the end */
    uint64_t started_at; /* wall clock, ms; 0: it does not say */
};

/* A moment (wall clock, ms) that the disk says: none is later than now. */
uint64_t warden_record_moment(uint64_t at);

struct warden_record warden_record_parse(const char *line, size_t len);

/*
 * Reads the exit record and the tail of stderr.log of the directory. NULL
 * when there is no (whole) record; the caller owns the one reference.
 */
struct process_exit *warden_record_read_exit(const struct process_spec *spec);

/* An end without a record. `error` is an errno, or 0. */
struct process_exit *warden_record_make_exit(enum process_reason reason,
                                             int error, const char *stage,
                                             const struct process_spec *spec);

#endif
