/* A fleet: agents run by an embedded hub, and what they cost it. */
#ifndef BENCH_FLEET_H
#define BENCH_FLEET_H

#include <stddef.h>
#include <stdint.h>

struct fleet_order {
    unsigned agents;
    const char *const *argv; /* of every agent, ended by NULL */
    const char *warden;      /* path of kuromajutsu-warden */
    size_t line_limit;       /* of their streams; 0: the usual */
};

struct fleet_report {
    double seconds;     /* from the first order to the last tree's end */
    double cpu_seconds; /* of this process meanwhile */
    uint64_t lines, bytes;
    unsigned completed;
    uint64_t peak_bytes; /* resident memory of this process */
};

/* Runs them all at once in a directory of their own, which is then removed.
 * 0, or -1 after saying on stderr what is wrong. */
int fleet_run(const struct fleet_order *order, struct fleet_report *report);

#endif
