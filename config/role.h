/*
 * A role is what an agent is hired as: its prompt, its model and the tools it
 * is told about. A role tool is text for the prompt; nothing here runs it.
 * All of it is constant and lives as long as its configuration.
 */
#ifndef CONFIG_ROLE_H
#define CONFIG_ROLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/language.h"
#include "config/origin.h"

#define ROLE_ORCHESTRATOR "orchestrator"
#define ROLE_KEYS 9 /* rows of keys_role */

struct config;

/* A value for {{name}} in a tool's instructions. */
struct role_parameter {
    const char *name, *value;
};

struct role_parameters {
    const struct role_parameter *items;
    size_t count;
};

struct role_tool {
    const char *id, *name, *description;
    const char *instructions;          /* Markdown with {{parameters}} */
    const char *health_command;        /* "": there is nothing to check */
    struct role_parameters parameters; /* with their defaults */
    bool is_builtin;
};

/* A role's use of a tool. */
struct role_use {
    const struct role_tool *tool;
    struct role_parameters parameters; /* before the tool's own */
};

struct role {
    const char *id, *name, *description;
    const char *system_prompt, *model, *health_prompt;
    const char *backend; /* never NULL: agent.backend unless given */
    int64_t timeout_ms;  /* 0: as agent.defaultTimeout_ms; below: none */
    bool is_enabled;     /* false: nobody can hire it until it is again */
    bool is_builtin;     /* one of the six, whatever the file changes in it */
    const struct role_use *tools;
    size_t tool_count;
    /* enum config_origin of each key, by its row, and of tools. */
    unsigned char origins[ROLE_KEYS + 1];
};

/* A text of a role or a role tool in that language: that of the built-in one if
 * the configuration has left it as it is, else itself. */
const char *role_text(const char *text, enum config_language language);
/* NULL if there is none. */
const struct role *role_find(const struct config *c, const char *id);
/* The same, also of those that are disabled. */
const struct role *role_find_any(const struct config *c, const char *id);
const struct role_tool *role_tool_find(const struct config *c, const char *id);
/* The health check's prompt of a role that has none of its own. */
const char *role_usual_health_prompt(void);
/* [A-Za-z0-9_-]{1,64}: ids become names of agents and of directories. */
bool role_id_is_valid(const char *id);
/* The value in force for {{name}}, or NULL. name has len bytes. */
const char *role_use_parameter(const struct role_use *use, const char *name,
                               size_t len);
bool role_parameters_equal(const struct role_parameters *a,
                           const struct role_parameters *b);
/* The same tools in the same order with the same parameters. */
bool role_uses_equal(const struct role *a, const struct role *b);

#endif
