/*
 * The editor changes the configuration while the hub runs: it writes what was
 * edited into the file, makes new settings of it and tells health, which
 * judges the roles anew at once. It lives where a file may be waited for.
 *
 *   registry -- EDITOR_UPDATE -->     editor -- HEALTH_SETTINGS --> health
 *   registry <-- EDITOR_CHANGED --    editor                          |
 *   registry <-- HEALTH_ROSTER, of the same settings -----------------'
 *
 * The registry hears of a change before health does, so it can wait for the
 * roster of these settings, and answers when it has it.
 */
#ifndef ACTORS_HEALTH_EDITOR_H
#define ACTORS_HEALTH_EDITOR_H

#include "actors/order/house.h"
#include "actors/order/order.h"

enum {
    /* to the editor */
    EDITOR_UPDATE = 0x6e0, /* carries struct order: update_role */
    EDITOR_REVALIDATE,     /* carries struct order: revalidate; answered */
    /* to the registry */
    EDITOR_READY,  /* at its start: it is there */
    EDITOR_CHANGED /* carries struct editor_change */
};

/* The file has been written. Constant, shared. */
struct editor_change {
    struct rt_obj obj;
    struct settings *settings; /* kept: those in force from now on */
    struct order *order;       /* kept: yet to be answered */
};

struct editor_setup {
    struct house *house;       /* kept */
    struct settings *settings; /* kept: as they were loaded */
    struct rt_ref registry, health;
};

/* Starts it on HOUSE_SPAWN as a child of the current actor. What orders want
 * was judged by the registry before, but for the values. */
struct rt_ref editor_spawn(struct rt_turn *t, const struct editor_setup *s);

#endif
