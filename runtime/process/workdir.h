/*
 * A process's directory and what it finds there when it starts: files written
 * for it and copies of the user's. It is made by the spawner, whose thread may
 * stall on a disk.
 */
#ifndef RUNTIME_PROCESS_WORKDIR_H
#define RUNTIME_PROCESS_WORKDIR_H

#include "runtime/process/process.h"

/* Writes all of a file anew, 0600. 0 or a negative errno. */
int workdir_write(const char *path, const void *bytes, size_t len);
/* Makes a directory 0700, and the one it is to lie in. 0 or -errno. */
int workdir_folder(const char *path);
/* Puts everything into spec->dir, which is there. 0, or a negative errno and
 * what it was about: "files" or "copies". */
int workdir_make(const struct process_spec *spec, const char **stage);
/* Removes the copies, when the process has gone. */
void workdir_clear(const struct process_spec *spec);
/* Removes a file, or a folder with all that is in it, as far as it can. */
void workdir_remove(const char *path);

#endif
