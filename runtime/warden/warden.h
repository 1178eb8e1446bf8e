/*
 * The warden: parent of one agent's process tree from its start until nothing
 * of it is left, whether or not a hub is there to watch.
 */
#ifndef RUNTIME_WARDEN_WARDEN_H
#define RUNTIME_WARDEN_WARDEN_H

#include <stdint.h>

#include "runtime/warden/claim.h"
#include "runtime/warden/options.h"

/*
 * Starts the CLI and stays until its end is recorded and told. The caller has
 * claimed the directory, is a subreaper with nothing above descriptor 2 left
 * to inherit, and has blocked CHLD, TERM and INT, which signal_fd reads. With
 * the ticket of an order who gave it is told of the start at once, and anything
 * else only of a CLI that has not ended soon.
 */
void warden_run(const struct options *o, const struct claim *claim,
                int signal_fd, const uint64_t *ticket);

#endif
