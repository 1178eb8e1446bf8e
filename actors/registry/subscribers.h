/*
 * Subscribers are told what happens (feed.h). Numbered events go out behind
 * the rows that keep them; progress goes the same way, so that no subscriber
 * hears how an agent gets on before it has heard that there is one.
 */
#ifndef ACTORS_REGISTRY_SUBSCRIBERS_H
#define ACTORS_REGISTRY_SUBSCRIBERS_H

#include "actors/registry/feed.h"

struct agent_entry;
struct group_entry;
struct registry;

struct subscribers {
    struct rt_ref refs[FEED_SUBSCRIBERS];
    unsigned count;
};

/* FEED_SUBSCRIBE, FEED_UNSUBSCRIBE and FEED_LISTEN. */
void subscribers_on_message(struct rt_turn *t, struct registry *r,
                            struct rt_msg *m);
/* It has died: it hears no more. */
void subscribers_forget(struct rt_turn *t, struct registry *r,
                        struct rt_ref who);
/* Tells all of them once it is safe. Of `what` the number, the time and the
 * type count; group and agent may be NULL; data is the text of a JSON value. */
void subscribers_tell(struct rt_turn *t, struct registry *r,
                      const struct feed_event *what,
                      const struct group_entry *group,
                      const struct agent_entry *agent, struct slice data);

#endif
