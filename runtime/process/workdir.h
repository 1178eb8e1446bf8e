/*
 * A process's directory and what it finds there when it starts: files written
 * for it and copies of the user's. It is made by the spawner, whose thread may
 * stall on a disk.
 */
#ifndef RUNTIME_PROCESS_WORKDIR_H
#define RUNTIME_PROCESS_WORKDIR_H

#include "runtime/process/process.h"

/* Makes a directory 0700 if it is not there, and the one it is to lie in: its
 * descriptor, or a negative errno. */
int workdir_open(const char *path);
/* Writes all of a file anew, 0600. 0 or a negative errno. */
int workdir_write(int dir, const char *name, const void *bytes, size_t len);
/* Puts everything into its directory. 0, or a negative errno and what it was
 * about: "files" or "copies". */
int workdir_make(int dir, const struct process_spec *spec, const char **stage);
/* Removes the copies, when the process has gone, a portion of them at a time:
 * whether there is more. */
bool workdir_clear(const struct process_spec *spec);

#endif
