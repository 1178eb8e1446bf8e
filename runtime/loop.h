/*
 * A loop: a thread that sleeps in poller.h and is the home of pinned actors.
 * Blocking worlds (descriptors, timers, libraries with loops of their own)
 * join the runtime here: what happens there enters as messages.
 */
#ifndef RUNTIME_LOOP_H
#define RUNTIME_LOOP_H

#include "runtime/actor.h"

/* Queues an actor on its home; any seat. */
void loop_submit(struct rt_seat *seat, struct rt_actor *actor);

/*
 * In a turn on this loop: sends SYS_TICK to the current actor at the
 * deadline. A loop has one alarm; setting it again moves it.
 */
void loop_alarm(struct rt_turn *t, uint64_t deadline);

/* In a turn on this loop: whether what was ready is watched still. Readiness
 * waits in the owner's inbox, and may be of a descriptor that was closed there,
 * or twice of one; another may have its number by now. */
bool loop_watches(struct rt_turn *t, const struct rt_ready *ready);

void loop_start(struct rt *rt);
/* After rt->stopping is set: rings every loop, joins and frees. */
void loop_finish(struct rt *rt);

#endif
