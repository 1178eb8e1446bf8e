/*
 * Health as events. Health tells a roster at every step; what happened is the
 * difference between the one that events were last made of and the newest. So
 * a pass kept from an earlier hub, which takes no step of its own, is told
 * like one that was just had.
 */
#ifndef ACTORS_REGISTRY_HEALTH_EVENTS_H
#define ACTORS_REGISTRY_HEALTH_EVENTS_H

#include <stdbool.h>

struct bytes;
struct registry;
struct roster;
struct rt_turn;

struct health_events {
    struct roster *told; /* kept: events tell of health up to here; or NULL */
    bool is_open;        /* they have not said yet that all is complete */
};

/* Appends what the checks have found, as an object. */
void health_events_put(struct bytes *out, const struct registry *r);
/* Makes events of what the roster has new. */
void health_events_tell(struct rt_turn *t, struct registry *r);
void health_events_drop(struct registry *r);

#endif
