/* program finds programs, and asks one something. */
#ifndef TRANSPORT_COMMAND_PROGRAM_H
#define TRANSPORT_COMMAND_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

#include "runtime/text/bytes.h"

/* By $PATH; a name with a slash stands for itself. False: there is none. */
bool program_on_path(const char *name, char path[PATH_MAX]);

enum { PROGRAM_TIMED_OUT = -1, PROGRAM_NOT_RUN = -2, PROGRAM_SIGNALLED = -3 };

/*
 * Runs it without input and appends the beginning of what it prints on stdout
 * and stderr. Its exit code, or one of the above; after the time-out it is
 * killed, and at its end whatever it has left in its process group.
 */
int program_ask(char *const *argv, int timeout_ms, struct bytes *said);

#endif
