/* SPDX-License-Identifier: MIT */
#include "actors/health/aside.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/text/bytes.h"
#include "runtime/text/folder.h"

void aside_put(struct aside *a, const char *dir)
{
    char *aside = bytes_text("%s/%s", a->state_dir, a->name);
    char *to = bytes_text("%s/%llx-%u", aside, (unsigned long long)a->life,
                          a->count++);

    mkdir(aside, 0700);
    rename(dir, to);
    free(aside);
    free(to);
}

bool aside_clear(const struct aside *a)
{
    int state = folder_open(a->state_dir);
    bool is_more = state >= 0 && folder_remove(state, a->name) == 1;

    if (state >= 0)
        close(state);
    return is_more;
}
