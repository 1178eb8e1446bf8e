/* Where a value of the configuration comes from. */
#ifndef CONFIG_ORIGIN_H
#define CONFIG_ORIGIN_H

enum config_origin {
    CONFIG_BUILT_IN,
    CONFIG_USERS,    /* the user's own file */
    CONFIG_PROJECTS, /* the project's file, or the one that was named */
    CONFIG_ENVIRONMENT
};

/* "builtin", "user", "file", "environment": as clients are told. */
const char *config_origin_name(enum config_origin origin);

#endif
