/* What /proc says of one process, as far as who is whose child. */
#ifndef TRANSPORT_WIRE_PROC_ENTRY_H
#define TRANSPORT_WIRE_PROC_ENTRY_H

#include <stdbool.h>
#include <sys/types.h>

/* More than any shell, terminal and editor put between two. */
#define PROC_DEPTH_MAX 256

struct proc_entry {
    pid_t parent;            /* 0: it has none */
    unsigned long long born; /* ticks since the boot */
};

/* /proc/PID/NAME, for reading. */
int proc_open(pid_t pid, const char *name);
/* False: it is not there, or not shown to us. */
bool proc_read(pid_t pid, struct proc_entry *e);
/* Whether it runs the warden's program, of whatever build. */
bool proc_is_warden(pid_t pid);
/* Whether this process was started, by way of whomever, in an agent's tree;
 * also true where it cannot be known. */
bool proc_is_agents(void);

#endif
