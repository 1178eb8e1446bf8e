/* The settings in force, each with where it comes from, as JSON. */
#ifndef CONFIG_INVENTORY_H
#define CONFIG_INVENTORY_H

#include "config/config.h"
#include "runtime/text/bytes.h"

/* `"keys":[{...},...]`: a member of an object that is open. No secret is in
 * it. */
void inventory_put_keys(struct bytes *out, const struct config *c);
/* `"sources":{"model":"file",...}` of a role, all of its keys. */
void inventory_put_sources(struct bytes *out, const struct role *role);

#endif
