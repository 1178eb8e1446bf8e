/*
 * A command is one word that people say to `kuromajutsu`: what it does, its
 * manual, and how it is called. Commands ask a running hub; none starts one.
 */
#ifndef TRANSPORT_COMMAND_COMMAND_H
#define TRANSPORT_COMMAND_COMMAND_H

#include "transport/command/console.h"

struct command {
    const char *name;
    const char *words;   /* what follows it, for the usage line */
    struct message what; /* what it does, in one line */
    struct message more; /* the rest of its manual */
    bool needs_home;     /* is not called without one */
    /* argv[0] is its name. Returns the exit code. */
    int (*run)(struct console *con, int argc, char **argv);
};

extern const struct command command_status, command_agents, command_show,
    command_wait, command_logs, command_cancel, command_retry, command_start,
    command_hubs, command_groups, command_roles, command_stop, command_history,
    command_usage, command_phases, command_pm, command_export, command_report,
    command_replay, command_gc, command_doctor, command_mcp_config,
    command_trust, command_help, command_version;

/* In the order of the manual; NULL after the last. */
const struct command *command_at(size_t i);
/* NULL if there is none of that name. */
const struct command *command_find(const char *name);
/* The name that was meant by a wrong one, or NULL. */
const char *command_near(const char *name);
/*
 * Does what the words after the program's name say and returns the exit code.
 * --help, -h, --version and -V are words too; `--config FILE`, `--project
 * DIR` and `--db FILE` may stand anywhere. For the main program, which knows
 * mcp and serve by itself.
 */
int command_main(int argc, char **argv);

#endif
