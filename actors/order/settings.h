/* Settings are a configuration that actors share: a new one is made when the
 * file is edited, and an actor that keeps the old one goes on reading it. */
#ifndef ACTORS_ORDER_SETTINGS_H
#define ACTORS_ORDER_SETTINGS_H

#include "config/config.h"
#include "runtime/rt.h"

struct settings {
    struct rt_obj obj;
    struct config *config;
};

/* Takes the configuration over. The caller owns the one reference. */
struct settings *settings_create_take(struct config *config);

#endif
