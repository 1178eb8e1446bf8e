/*
 * The lock makes a hub the only one of its state directory: flock on a file
 * there, held for life. Only the holder touches what else is in it.
 */
#ifndef TRANSPORT_HUB_HUB_LOCK_H
#define TRANSPORT_HUB_HUB_LOCK_H

#include <stdbool.h>
#include <sys/types.h>

struct hub_lock {
    int fd;
    char *path;
};

/*
 * 0: it is ours, with our pid written into it. -EWOULDBLOCK: another has it,
 * and *holder is its pid, or 0 if it does not say. Else a negative errno.
 */
int hub_lock_take(struct hub_lock *l, const char *path, pid_t *holder);
/* Whether the file at the path is still the one we hold. */
bool hub_lock_is_held(const struct hub_lock *l);
/* Gives it back; the file stays. Accepts one that was not taken. */
void hub_lock_close(struct hub_lock *l);

#endif
