/*
 * Ancestry tells which agent a process belongs to, by what only the kernel
 * can say: what its parents are. The environment of the process itself is not
 * asked, since clients drop variables and any program can set them.
 */
#ifndef TRANSPORT_SESSION_ANCESTRY_H
#define TRANSPORT_SESSION_ANCESTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * The id of the agent whose tree pid is in, under a warden of the hub at this
 * socket; "" and false if there is none, or the process has gone meanwhile.
 */
bool ancestry_agent(pid_t pid, const char *socket, char *id, size_t size);

#endif
