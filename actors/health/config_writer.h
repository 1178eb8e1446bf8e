/*
 * The config writer changes the configuration while the hub runs: it writes
 * what was edited into the file, or reads what others have written there,
 * makes new settings of it and tells health, which judges the roles anew at
 * once. It lives where a file may be waited for.
 *
 *   registry -- CONFIG_WRITER_CHANGE --> writer -- HEALTH_SETTINGS --> health
 *   registry <-- CONFIG_WRITER_CHANGED -- writer                         |
 *   registry <-- HEALTH_ROSTER, of the same settings --------------------'
 *
 * The registry hears of a change before health does, so it can wait for the
 * roster of these settings, and answers when it has it. A file that is wrong,
 * empty or gone changes nothing; where it is wrong is told.
 */
#ifndef ACTORS_HEALTH_CONFIG_WRITER_H
#define ACTORS_HEALTH_CONFIG_WRITER_H

#include "actors/order/hub_context.h"
#include "actors/order/order.h"

enum {
    /* to the config writer */
    CONFIG_WRITER_CHANGE = 0x6e0, /* carries struct order: update_role,
                                     create_role, delete_role */
    CONFIG_WRITER_REVALIDATE, /* carries struct order: revalidate; answered */
    /* to the registry */
    CONFIG_WRITER_READY, /* struct rt_ref: it is there */
    /* to the registry and the hub */
    CONFIG_WRITER_CHANGED, /* carries struct config_writer_change */
    CONFIG_WRITER_TROUBLE  /* carries struct config_writer_trouble */
};

/* The file has been written or read. Constant, shared. */
struct config_writer_change {
    struct rt_obj obj;
    struct settings *settings; /* kept: those in force from now on */
    struct order *order;       /* kept: yet to be answered; or NULL */
    char *diff;                /* what was written for it; or NULL */
};

/* What keeps the files from being taken over. Constant, shared. */
struct config_writer_trouble {
    struct rt_obj obj;
    size_t line, column; /* from 1; 0: no place */
    char text[];         /* with the file's name; "": all is well */
};

struct config_writer_setup {
    struct hub_context *context; /* kept */
    struct settings *settings;   /* kept: as they were loaded */
    struct rt_ref registry, health;
    struct rt_ref hub; /* told of changes and trouble */
};

/* Starts it on HUB_LOOP_SPAWN as a child of the current actor. What orders want
 * was judged by the registry before, but for the values. */
struct rt_ref config_writer_spawn(struct rt_turn *t,
                                  const struct config_writer_setup *s);

#endif
