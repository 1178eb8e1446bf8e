/* flocked looks who holds a lock without touching it: to try it would make
 * whoever else tries at that moment believe that its owner is alive. */
#ifndef TRANSPORT_COMMAND_FLOCKED_H
#define TRANSPORT_COMMAND_FLOCKED_H

#include <sys/types.h>

/* The process that holds flock on the file; 0: nobody, or no such file; -1:
 * somebody whose number cannot be seen from here. */
pid_t flocked_by(const char *path);

#endif
