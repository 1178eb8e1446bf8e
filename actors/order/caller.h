/*
 * A caller is who placed an order: which sub-agent, if it is one, and the
 * directory and environment that agents started for it shall have. Constant,
 * shared, held in memory only: the environment has keys in it.
 */
#ifndef ACTORS_ORDER_CALLER_H
#define ACTORS_ORDER_CALLER_H

#include "config/config.h"
#include "runtime/rt.h"

struct caller {
    struct rt_obj obj;
    const char *agent_id;   /* "": no agent of this hub */
    const char *cwd;        /* absolute */
    const char *const *env; /* ended by NULL */
    /* What it speaks: by its own word, or else by its locale; CONFIG_AUTO where
     * it has not said. Set before it is shared. */
    enum config_language named, locale;
};

/* Copies all of it. The caller owns the one reference. */
struct caller *caller_create(const char *agent_id, const char *cwd,
                             const char *const *env);
/*
 * In which language it is answered: its own by name, else by its locale where
 * the hub's language is auto, else the hub's. The second asks a configuration
 * what the hub's is.
 */
enum config_language caller_speaks(const struct caller *c,
                                   enum config_language hubs, bool is_auto);
enum config_language caller_language(const struct caller *c,
                                     const struct config *config);
/* The value of a variable, or NULL. */
const char *caller_variable(const struct caller *c, const char *name);

#endif
