/*
 * The moment that a question to a system is of, which its argument `at` says:
 * the number of an event, or a time. What a system's tables have of it is what
 * has not been touched since; the rest is in the events up to it.
 */
#ifndef ACTORS_STORE_WORK_MOMENT_H
#define ACTORS_STORE_WORK_MOMENT_H

#include "actors/store/work.h"

struct work_moment {
    bool is_past; /* false: it is now, and both numbers are the greatest */
    int64_t seq;  /* of the last event up to it */
    int64_t at;   /* its time, ms */
};

/* In run. False: there is no such moment, and the order was refused. */
bool work_moment_read(struct work *w, struct work_moment *m);

#endif
