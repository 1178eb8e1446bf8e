/*
 * Reading is what a hub's program does for the command line where no hub runs:
 * it answers questions of the past, on the wire, from the state directory as
 * it lies there. It takes no lock, makes nothing, runs no check, and leaves
 * with its one client.
 */
#ifndef TRANSPORT_HUB_READING_H
#define TRANSPORT_HUB_READING_H

#include <stdbool.h>

/* Serves the socket until its other end is closed. The database is the one in
 * the state directory, unless another was named. The exit code. */
int reading_run(const char *state_dir, const char *database, int socket,
                bool is_english);

#endif
