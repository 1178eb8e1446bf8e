/*
 * Edits are changes of the configuration. The registry judges who may and
 * which role it is, the config writer does it; an edit is told and answered
 * when the roster shows it, so that a client that has the answer finds the
 * role as it made it. What the file's user has changed in it is an edit
 * without an order.
 */
#ifndef ACTORS_REGISTRY_CONFIG_ORDERS_H
#define ACTORS_REGISTRY_CONFIG_ORDERS_H

#include "actors/order/order.h"

struct config_writer_change;
struct config_writer_trouble;
struct edit;
struct registry;

struct edits {
    struct rt_ref writer; /* RT_NOBODY: nothing can be edited */
    struct edit *first;   /* whose roster is to come, in order */
    struct config_writer_trouble *trouble; /* kept; NULL: none */
    struct settings *begun; /* kept: those the hub has begun with */
};

/* There is a writer. */
void edit_on_ready(struct registry *r, struct rt_ref writer);
/* update_role and revalidate. */
void edit_order(struct rt_turn *t, struct registry *r, struct order *o);
/* The file has been written, or read; told when the roster shows it. */
void edit_on_changed(struct registry *r, struct config_writer_change *change);
/* Something keeps the file from being read, or does no more. */
void edit_on_trouble(struct rt_turn *t, struct registry *r,
                     struct config_writer_trouble *trouble);
/* There is a new roster. */
void edit_complete(struct rt_turn *t, struct registry *r);
/* At the end: forgets those that are not complete. */
void edit_drop(struct registry *r);

#endif
