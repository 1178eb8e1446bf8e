/*
 * A launch is how an agent's CLI is started: program, arguments, environment
 * and the files it finds, by its back-end. Pure but for the reading of /proc
 * and PATH: what has to be written is written by the spawner.
 */
#ifndef ACTORS_LAUNCH_LAUNCH_H
#define ACTORS_LAUNCH_LAUNCH_H

#include "actors/launch/prompt.h"
#include "actors/order/hub_context.h"
#include "actors/order/roster.h"
#include "runtime/process/process.h"
#include "runtime/text/slice.h"

/* Of an agent that the runner of projects starts: as whom and where it is to
 * work, and what the key is of by which it shows that. Texts, or NULL. */
struct launch_instance {
    const char *id, *agent, *project;
};

struct launch {
    const struct hub_context *context;
    const struct roster *roster;
    const struct roster_role *role;
    const struct caller *caller; /* its environment and directory */
    const char *agent_id, *group_id;
    const char *directory; /* "": the caller's */
    struct slice prompt;   /* the whole of it, without NUL */
    const char *tools;     /* the set it is offered; NULL: no matter */
    struct launch_instance instance;
    const struct prompt_layers *layers; /* of it; NULL: they are not kept */
    enum config_language language;      /* that the hub speaks to it */
};

/* The caller owns the one reference. */
struct process_spec *launch_agent(const struct launch *l);
/* A role's health check: the same program, `-p --trust`, no MCP, in dir. */
struct process_spec *launch_check(const struct launch *l, const char *dir);
/* `--help`, by which a program's maker is known. */
struct process_spec *launch_help(const struct launch *l, const char *dir);
/* `models`, where the back-end has it; NULL else. */
struct process_spec *launch_models(const struct launch *l, const char *dir);
/* A role tool's health_command, by sh in the caller's directory; l needs no
 * role. */
struct process_spec *launch_tool(const struct launch *l, const char *command,
                                 const char *dir);

/* The path of a program by PATH of this environment, or NULL; heap. A name
 * with a slash stands for itself. */
char *launch_find_program(const char *name, const struct caller *caller);

#endif
