/*
 * A check is one short process under a warden: started, read to its end,
 * ended when it takes too long. It is an actor because the processes actor
 * knows a process by its owner.
 */
#ifndef ACTORS_HEALTH_CHECK_H
#define ACTORS_HEALTH_CHECK_H

#include "runtime/process/process.h"
#include "runtime/text/slice.h"

enum {
    CHECK_DONE = 0x648, /* carries struct check_result; to the parent */
    CHECK_END           /* to the check: its time is up now */
};

/* Bytes of its output that are kept; the rest is read and dropped. */
#define CHECK_OUTPUT_MAX ((size_t)256 * 1024)

struct check_result {
    struct rt_obj obj;
    bool is_late;              /* it was ended for taking too long */
    struct process_exit *exit; /* how it ended */
    struct slice output;       /* without blanks at its ends */
    char bytes[];
};

/* Starts it as a child of the current actor, which hears CHECK_DONE once; the
 * check ends then. Stopped before, its process is ended. spec is kept. */
struct rt_ref check_spawn(struct rt_turn *t, struct rt_ref processes,
                          struct process_spec *spec, uint64_t limit_ms);
/* Exit 0, in time. */
bool check_has_succeeded(const struct check_result *r);

#endif
