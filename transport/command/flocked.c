/* SPDX-License-Identifier: MIT */
#include "transport/command/flocked.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/*
 * "1: FLOCK  ADVISORY  WRITE 4242 08:02:1234567 0 EOF". The device is not
 * compared: on some file systems stat tells another one than this list. A
 * file that has the number elsewhere errs to the safe side.
 */
pid_t flocked_by(const char *path)
{
    FILE *locks = fopen("/proc/locks", "re");
    struct stat st;
    char line[256];
    pid_t holder = 0;

    if (!locks || stat(path, &st))
        goto done;
    while (!holder && fgets(line, sizeof(line), locks)) {
        long pid;
        unsigned long inode;
        if (sscanf(line, "%*s FLOCK %*s WRITE %ld %*x:%*x:%lu", &pid, &inode) ==
                2 &&
            inode == st.st_ino)
            holder = pid > 0 ? (pid_t)pid : -1;
    }
done:
    if (locks)
        fclose(locks);
    return holder;
}
