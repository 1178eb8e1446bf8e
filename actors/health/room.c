/* SPDX-License-Identifier: MIT */
/* Where checks run: state_dir/health/<life>-<number>, one for each, for a
 * warden never starts twice in one directory. */
#include "actors/health/inside.h"

#include <stdlib.h>

#include "runtime/process/workdir.h"

char *health_room(struct health *h)
{
    return bytes_text("%s/health/%llx-%u", h->setup.context->state_dir,
                      (unsigned long long)h->life, ++h->asked);
}

/* What cannot be removed now is tried again at the next start. */
void health_room_leave(const char *dir)
{
    workdir_remove(dir);
}

void health_room_clear(const struct health *h)
{
    char *dir = bytes_text("%s/health", h->setup.context->state_dir);

    health_room_leave(dir);
    free(dir);
}
