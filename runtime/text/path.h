/* Names of files: put together, and as addresses of sockets. */
#ifndef RUNTIME_TEXT_PATH_H
#define RUNTIME_TEXT_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <sys/un.h>

/* dir/name. False when that is too long for the system; then it is cut. */
bool path_join(char to[static PATH_MAX], const char *dir, const char *name);

/* Makes the folders before the last slash of an absolute path that are not
 * there, for us alone. 0 or -errno. */
int path_make_folders(const char *path);

/*
 * The path of the running program, or of the one of that name beside it. When
 * it has been replaced on the disk the kernel says so at the end of its name;
 * what lies beside is then the new one. 0 or -errno.
 */
int path_beside(char to[static PATH_MAX], const char *name);

/*
 * The address of a socket's file. It holds 107 bytes, and state directories may
 * lie deeper: then it goes through *dir, which the caller closes after use
 * unless it is -1, also after an error. 0 or -errno.
 */
int path_address(const char *path, struct sockaddr_un *address, int *dir);

#endif
