/*
 * The hub is the actor at the top of the program: it starts all the others,
 * watches for signals and for the lock, and ends everything in order.
 */
#ifndef TRANSPORT_HUB_HUB_H
#define TRANSPORT_HUB_HUB_H

#include "actors/order/hub_context.h"
#include "actors/order/settings.h"
#include "transport/hub/hub_lock.h"
#include "transport/hub/options.h"
#include "transport/mcp/tools.h"
#include "transport/wire/log.h"

/* All borrowed for the runtime's life. */
struct hub_setup {
    enum options_mode mode;
    bool stays; /* as the options have it */
    struct hub_context *context;
    struct settings *settings;
    const struct tools *tools;
    const struct log *log;
    const struct hub_lock *lock;
    const char *version;
    const char *token; /* the dashboard's; "": none */
    int signals;       /* signalfd of what ends it */
    uint64_t files;    /* as struct process_config has it */
    int *exit_code;    /* set when it cannot go on */
};

/* Starts the runtime with the hub in it and waits until it has left. Returns
 * what rt_join returns. */
uint64_t hub_run(const struct hub_setup *setup);

#endif
