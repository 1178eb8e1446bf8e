/*
 * Edits are changes of the configuration. The registry judges who may and
 * which role it is, the config writer does it; an edit is told and answered
 * when the roster shows it, so that a client that has the answer finds the
 * role as it made it.
 */
#ifndef ACTORS_REGISTRY_CONFIG_ORDERS_H
#define ACTORS_REGISTRY_CONFIG_ORDERS_H

#include "actors/order/order.h"

struct config_writer_change;
struct edit;
struct registry;

struct edits {
    struct rt_ref writer; /* RT_NOBODY: nothing can be edited */
    struct edit *first;   /* whose roster is to come, in order */
};

/* There is a writer. */
void edit_on_ready(struct registry *r, struct rt_ref writer);
/* update_role and revalidate. */
void edit_order(struct rt_turn *t, struct registry *r, struct order *o);
/* The file has been written; answered when the roster shows it. */
void edit_on_changed(struct registry *r, struct config_writer_change *change);
/* There is a new roster. */
void edit_complete(struct rt_turn *t, struct registry *r);
/* At the end: forgets those that are not complete. */
void edit_drop(struct registry *r);

#endif
