/* env reads variables from an array like environ. */
#ifndef CONFIG_ENV_H
#define CONFIG_ENV_H

/* NULL if it is not there or empty; env itself may be NULL. */
const char *env_get(char *const *env, const char *name);

#endif
