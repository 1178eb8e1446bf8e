/*
 * Ids as people type them: whole, or a piece that only one of them begins or
 * ends with.
 */
#ifndef TRANSPORT_COMMAND_IDS_H
#define TRANSPORT_COMMAND_IDS_H

#include "transport/command/records.h"

enum ids_kind { IDS_AGENT = 1, IDS_GROUP = 2, IDS_EITHER = 3 };

/* A shorter piece is not enough to change something by. */
#define IDS_LEAST 4

/*
 * The whole id of what is meant, heap, in *id; a piece of nothing is returned
 * as it is, for the hub to say that there is no such thing. CONSOLE_FAILED:
 * told; a piece of less than `least` characters is refused, and of several
 * candidates all are named.
 */
int ids_find(struct records *r, const char *piece, enum ids_kind kind,
             size_t least, char **id);
/* The same of something to be asked once, by a link of its own; NULL stays
 * NULL. */
int ids_look_up(struct console *con, const char *piece, enum ids_kind kind,
                size_t least, char **id);
bool ids_is_group(const char *id);

#endif
