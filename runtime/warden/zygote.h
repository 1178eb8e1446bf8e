/*
 * The zygote: a process that forks wardens for its hub, and ends with it. What
 * the two say to each other is in order.h.
 */
#ifndef RUNTIME_WARDEN_ZYGOTE_H
#define RUNTIME_WARDEN_ZYGOTE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Serves the hub at its sockets, with nothing else open above descriptor 2.
 * Returns when the hub has gone, and in each warden when its life is over:
 * what to exit with. argv[2] is a format that it knows.
 */
int zygote_run(char **argv);
/* Of that format, the first descriptor behind its sockets; 0: not known. */
unsigned zygote_free_files(const char *format);

/* In a warden, once: the news that its CLI runs; false: it could not be told.
 */
bool zygote_tell_start(uint64_t ticket, pid_t cli, uint64_t started_at);

#endif
