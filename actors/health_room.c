/* SPDX-License-Identifier: MIT */
/* Where checks run: state_dir/health/<life>-<number>, one for each, for a
 * warden never starts twice in one directory. */
#include "actors/health_inside.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPEN_FOLDERS 16

char *health_room(struct health *h)
{
    char *dir;

    if (asprintf(&dir, "%s/health/%llx-%u", h->setup.house->state_dir,
                 (unsigned long long)h->life, ++h->asked) < 0)
        abort();
    return dir;
}

/* What cannot be removed now is tried again at the next start. */
static int remove_one(const char *path, const struct stat *info, int kind,
                      struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    remove(path);
    return 0;
}

void health_room_leave(const char *dir)
{
    nftw(dir, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

void health_room_clear(const struct health *h)
{
    char *dir;

    if (asprintf(&dir, "%s/health", h->setup.house->state_dir) < 0)
        abort();
    health_room_leave(dir);
    free(dir);
}
