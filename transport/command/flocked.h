/* flocked looks which process holds a lock without touching it: to try it would
 * make another that tries at that moment believe that its owner is alive. */
#ifndef TRANSPORT_COMMAND_FLOCKED_H
#define TRANSPORT_COMMAND_FLOCKED_H

#include <sys/types.h>

/* The process that holds flock on the file; 0: none, or no such file; -1: one
 * whose number cannot be seen from here. */
pid_t flocked_by(const char *path);
/* The same of a file of a directory; the name is not followed. */
pid_t flocked_in(int dir, const char *name);
/* The same of the agent's directory: its warden. */
pid_t flocked_agent(int dir);

#endif
