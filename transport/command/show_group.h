/* What `show` tells of a group: what was asked of it, its plan and ledger, its
 * members and the groups below it. */
#ifndef TRANSPORT_COMMAND_SHOW_GROUP_H
#define TRANSPORT_COMMAND_SHOW_GROUP_H

#include "transport/command/console.h"

/* The exit code. */
int show_group(struct console *con, const char *id, bool is_json);

#endif
