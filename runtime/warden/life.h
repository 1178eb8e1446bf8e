/*
 * A warden's life, from a process that has let go of its maker's files to the
 * end of the tree: how it takes its directory and becomes a reaper.
 */
#ifndef RUNTIME_WARDEN_LIFE_H
#define RUNTIME_WARDEN_LIFE_H

#include "runtime/warden/options.h"

/*
 * Takes the directory and watches over the CLI until all is told. Returns what
 * to exit with: EX_TEMPFAIL says that another warden has the agent or had it,
 * EX_CANTCREAT that no warden could and nothing was started.
 */
int life_run(const struct options *o, int dir_fd);

#endif
