/*
 * The database is the file that a hub was told to have its store in. Only one
 * hub has it open, under whatever name: flock on it, held for life.
 *
 * Which file it was is noted in the state directory. One that is another (it
 * was copied, moved here, or came with a checkout) may be read and written, but
 * what it has waiting is not begun: agents are started by who asked for them
 * here.
 */
#ifndef TRANSPORT_HUB_HUB_DATABASE_H
#define TRANSPORT_HUB_HUB_DATABASE_H

#include <stdbool.h>

struct hub_database {
    int fd; /* -1: it is not held */
};

/* Makes it if there is none. False: told on stderr. */
bool hub_database_take(struct hub_database *d, const char *path,
                       const char *state_dir, bool is_english);
/* Accepts one that is not held. */
void hub_database_close(struct hub_database *d);

#endif
