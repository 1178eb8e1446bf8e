/* What an order wants to be changed in a role, as the configuration takes it. */
#ifndef ACTORS_HEALTH_ROLE_EDITS_H
#define ACTORS_HEALTH_ROLE_EDITS_H

#include "actors/order/order.h"
#include "config/edit.h"

/* Points into the order, and into itself: not to be copied. */
struct role_edits {
    struct role_change change;
    struct config_edit edits[EDIT_LIMIT];
    char timeout[24];
    const char **tools;
};

/* Of update_role, create_role or delete_role. A new role that is like another
 * has of it what the order does not say. */
void role_edits_read(struct role_edits *e, const struct order *o,
                     const struct config *c);
void role_edits_finish(struct role_edits *e);

#endif
