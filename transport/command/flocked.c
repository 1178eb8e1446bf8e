/* SPDX-License-Identifier: MIT */
#include "transport/command/flocked.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/text/warden_file.h"

/* The kernel tells its list a page at a time, and a lock given back between
 * two pages moves those behind it, one of them over the edge unseen. Of some
 * sixty locks on, one look in seventy missed a lock that was held all along
 * while others were taken and given back; five in a row do not. */
#define LOOKS 5

/*
 * "1: FLOCK  ADVISORY  WRITE 4242 08:02:1234567 0 EOF". The device is not
 * compared: on some file systems stat tells another one than this list. A
 * file that has the number elsewhere errs to the safe side.
 */
static pid_t look(ino_t file)
{
    FILE *locks = fopen("/proc/locks", "re");
    char line[256];
    pid_t holder = 0;

    if (!locks)
        return 0;
    while (!holder && fgets(line, sizeof(line), locks)) {
        long pid;
        unsigned long inode;
        if (sscanf(line, "%*s FLOCK %*s WRITE %ld %*x:%*x:%lu", &pid, &inode) ==
                2 &&
            inode == file)
            holder = pid > 0 ? (pid_t)pid : -1;
    }
    fclose(locks);
    return holder;
}

pid_t flocked_by(const char *path)
{
    return flocked_in(AT_FDCWD, path);
}

pid_t flocked_in(int dir, const char *name)
{
    struct stat st;
    pid_t holder = 0;

    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
        return 0;
    for (int i = 0; i < LOOKS && !holder; i++)
        holder = look(st.st_ino);
    return holder;
}

pid_t flocked_agent(int dir)
{
    pid_t warden = flocked_in(dir, WARDEN_FILE);

    return warden != 0 ? warden : flocked_in(dir, WARDEN_FILE_LOCK);
}
