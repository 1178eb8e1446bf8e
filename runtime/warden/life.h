/*
 * A warden's life, from a process that has let go of its maker's files to the
 * end of the tree: how it takes its directory and becomes a reaper.
 */
#ifndef RUNTIME_WARDEN_LIFE_H
#define RUNTIME_WARDEN_LIFE_H

#include <stdint.h>

#include "runtime/warden/options.h"

/* Gives all signals back to the kernel: once, in the program that becomes a
 * warden or the zygote of all. */
void life_reset_signals(void);

/*
 * Takes the directory and watches over the CLI until all is told. Returns what
 * to exit with: EX_TEMPFAIL says that another warden has the agent or had it,
 * EX_CANTCREAT that no warden could and nothing was started. The ticket is of
 * the order that it was forked for, or NULL.
 */
int life_run(const struct options *o, int dir_fd, const uint64_t *ticket);

#endif
