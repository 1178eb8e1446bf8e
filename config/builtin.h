/* The roles and tools that are there without any file, in both languages. */
#ifndef CONFIG_BUILTIN_H
#define CONFIG_BUILTIN_H

#include "config/config.h"

#define BUILTIN_ROLES 6
#define BUILTIN_TOOLS 1

extern const struct role builtin_roles_ja[BUILTIN_ROLES];
extern const struct role builtin_roles_en[BUILTIN_ROLES];
extern const struct role_tool builtin_tools_ja[BUILTIN_TOOLS];
extern const struct role_tool builtin_tools_en[BUILTIN_TOOLS];
/* Of the role "orchestrator": how to think. What to call, with which ids, is
 * put after it by actors/launch/prompt.c, so that editing this breaks nothing. */
extern const char builtin_orchestrator_ja[], builtin_orchestrator_en[];
/* The model of a built-in role, as that back-end calls what comes next to it. */
const char *builtin_model(const char *backend, const char *model);

#endif
