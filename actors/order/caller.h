/*
 * A caller is who placed an order: which sub-agent, if it is one, and the
 * directory and environment that agents started for it shall have. Constant,
 * shared, held in memory only: the environment has keys in it.
 */
#ifndef ACTORS_ORDER_CALLER_H
#define ACTORS_ORDER_CALLER_H

#include "runtime/rt.h"

struct caller {
    struct rt_obj obj;
    const char *agent_id;   /* "": no agent of this hub */
    const char *cwd;        /* absolute */
    const char *const *env; /* ended by NULL */
};

/* Copies all of it. The caller owns the one reference. */
struct caller *caller_create(const char *agent_id, const char *cwd,
                             const char *const *env);
/* The value of a variable, or NULL. */
const char *caller_variable(const struct caller *c, const char *name);

#endif
