/* How a notification gets to each channel: as a process. */
#ifndef ACTORS_NOTIFY_DELIVERY_H
#define ACTORS_NOTIFY_DELIVERY_H

#include "actors/order/hub_context.h"
#include "actors/registry/notice.h"
#include "runtime/process/process.h"

struct delivery {
    const struct hub_context *context;
    const char *poster; /* see notifier.h */
    const struct notice_raised *raised;
    const char *dir; /* the process's own */
    const char *id;
};

/*
 * What is to be run, or NULL with *why: nothing can be, and "" if nothing needs
 * to be. What agents have written is a word, a variable or a line of stdin in
 * it: no shell reads it, and no program takes it for an option. The caller
 * owns the one reference.
 */
struct process_spec *delivery_spec(const struct delivery *d,
                                   enum config_channel channel,
                                   const char **why);

#endif
