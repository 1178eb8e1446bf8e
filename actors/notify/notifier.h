/*
 * The notifier tells a person what happens. It gathers notices
 * (registry/notice.h), so that what happens at once, or again and again, is one
 * notification that counts; and it delivers what was raised to the desktop, the
 * trusted command and the webhook. Browsers have the feed.
 *
 * Each delivery is a short process under a warden, with a time limit, so that
 * nothing waits for a name server, a peer or a program.
 */
#ifndef ACTORS_NOTIFY_NOTIFIER_H
#define ACTORS_NOTIFY_NOTIFIER_H

#include "actors/order/hub_context.h"
#include "config/config.h"
#include "runtime/rt.h"

enum {
    NOTIFIER_TROUBLE = 0x560 /* struct notifier_trouble; to the parent */
};

/* What was not delivered. */
struct notifier_trouble {
    enum config_channel channel;
    char why[200]; /* in words of programs and errors; never the address */
};

struct notifier_setup {
    struct hub_context *context; /* kept */
    struct rt_ref registry, processes;
    const char *poster; /* program that posts, see transport/hub/post.h; kept */
};

/* Starts it on HUB_LOOP_SPAWN as a child of the current actor: it looks for
 * programs and removes directories. */
struct rt_ref notifier_spawn(struct rt_turn *t, const struct notifier_setup *s);

#endif
