/*
 * The warden: parent of one agent's process tree from its start until nothing
 * of it is left, whether or not a hub is there to watch.
 */
#ifndef RUNTIME_WARDEN_WARDEN_H
#define RUNTIME_WARDEN_WARDEN_H

#include "runtime/warden/claim.h"
#include "runtime/warden/options.h"

/*
 * Starts the CLI and stays until its end is recorded and told. The caller has
 * claimed the directory, is a subreaper with nothing above descriptor 2 left
 * to inherit, and has blocked CHLD, TERM and INT, which signal_fd reads.
 */
void warden_run(const struct options *o, const struct claim *claim,
                int signal_fd);

#endif
