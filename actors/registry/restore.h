/*
 * Restoring is what a hub does first: what an earlier one left, as the store
 * tells it, becomes groups and agents again. Until the store has spoken
 * clients' messages are held.
 */
#ifndef ACTORS_REGISTRY_RESTORE_H
#define ACTORS_REGISTRY_RESTORE_H

#include "actors/agent/agent.h"
#include "actors/store/past.h"

struct registry;
struct order_task;

struct restore {
    bool is_blank; /* the store has not told a past that is known */
    struct rt_msg *first, *last; /* held, oldest first */
};

/* True: it has been taken, for later. */
bool restore_hold(struct rt_turn *t, struct registry *r, struct rt_msg *m);
/* Handles what was held, in order. */
void restore_release(struct rt_turn *t, struct registry *r);
/* At the end: forgets what is held. */
void restore_drop(struct rt_turn *t, struct registry *r);
/* There are groups and agents again; it is not blank any more. */
void restore_past(struct rt_turn *t, struct registry *r, struct past *p);

/* ---- restore_view.c ---- */
enum agent_state restore_state_of(struct slice name);
enum agent_outcome restore_outcome_of(struct slice name);
/* What an agent was, by its record; NULL for one that had not begun. */
struct agent_view *restore_view_of(const struct agent_record *a,
                                   const struct order_task *task);

#endif
