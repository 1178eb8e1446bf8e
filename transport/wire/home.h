/*
 * A home is where a program's hub is to be found: by $KUROMAJUTSU_SOCKET inside
 * an agent, else by the configuration. An agent whose client could not hand
 * that on, a path that is no text, is one by its $KUROMAJUTSU_AGENT_ID.
 */
#ifndef TRANSPORT_WIRE_HOME_H
#define TRANSPORT_WIRE_HOME_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

#include "config/reason.h"

struct home {
    char *socket;    /* NULL: not found */
    char *state_dir; /* NULL if the socket was named */
    char *file;      /* the configuration that was named; NULL: none was */
    char *database;  /* the store that was named; NULL: none was */
    char *wrong;     /* what is wrong with the configuration; NULL: nothing */
    /* Inside an agent no hub is ever started: it would die with the agent. */
    bool is_agent;
    bool has_hub_stay; /* one that is started stays until it is told to go */
    enum config_language language; /* that of the environment if there is
                                      nothing to read */
    int64_t lease_ms;
    unsigned toolsets; /* that a client is offered */
};

/*
 * file is what the command line says, or NULL. 0, or a negative errno with the
 * error told: then only language, is_agent, lease_ms and
 * toolsets are set. A home is
 * found though its configuration is wrong, for its hub may run: only none can
 * be started. One that was named and is not there is an error, but not to an
 * agent, whose home is always found.
 */
int home_find(struct home *h, const char *file, char *const *env,
              struct config_error *e);
/* What --project says, for this program and for a hub that it starts. Wins over
 * a configuration that the environment names. */
void home_name_project(const char *dir);
/* What --db says, or NULL: then what the environment does. For this program and
 * for a hub that it starts, wherever they go. */
void home_name_database(const char *file);
/* Goes to the project that was named, if the working directory is not in it: a
 * client may start its server anywhere, and agents work where that is. */
void home_enter_project(void);
/* Accepts zeroed memory. */
void home_finish(struct home *h);
/* Makes the state directory, and what is above it, for us alone. 0, or a
 * negative errno; -EPERM: it is another user's. */
int home_make(const struct home *h);
/* What that error means to a person, and what to do about it. */
struct reason home_why(const struct home *h, int error);

#endif
