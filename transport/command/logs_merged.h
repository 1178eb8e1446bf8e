/*
 * Logs of several agents in one, by the time of their entries, each with the
 * name of its agent before it; or of one agent, of which only the end or what
 * came after some moment is wanted.
 */
#ifndef TRANSPORT_COMMAND_LOGS_MERGED_H
#define TRANSPORT_COMMAND_LOGS_MERGED_H

#include "transport/command/console.h"

struct logs_merged {
    struct console *console;
    const char *id; /* of an agent or a group, whole */
    uint64_t tail;  /* so many entries at most; 0: all */
    int64_t since;  /* not before this moment, ms; 0: all */
    bool is_following;
};

/* Prints them. The exit code. */
int logs_merged_show(const struct logs_merged *how);

#endif
