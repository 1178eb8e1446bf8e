/*
 * Health finds out which roles can be hired: it asks each back-end's CLI for
 * its models and tries each role's model once, under wardens, in the
 * background, and tells the registry what it knows at every step.
 */
#ifndef ACTORS_HEALTH_HEALTH_H
#define ACTORS_HEALTH_HEALTH_H

#include "actors/order/hub_context.h"
#include "actors/order/roster.h"

struct health_setup {
    struct hub_context *context; /* kept */
    struct settings *settings;   /* kept */
    struct rt_ref processes, registry;
    struct rt_ref store; /* RT_NOBODY: a pass is forgotten at the end */
    uint64_t limit_ms;   /* for one check; 0: a minute */
    uint64_t retry_ms;   /* from a failure to the next try; 0: a minute */
};

/* Starts it as a child of the current actor. The first roster, all pending,
 * is told at once. HEALTH_LEAVE is how it ends while the processes actor is
 * there. */
struct rt_ref health_spawn(struct rt_turn *t, const struct health_setup *s);

#endif
