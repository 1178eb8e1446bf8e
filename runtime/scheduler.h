/*
 * The scheduler: which actor runs next, on which thread, and who sleeps.
 * Workers share out the actors of the pool; loops run the actors pinned to
 * them.
 */
#ifndef RUNTIME_SCHEDULER_H
#define RUNTIME_SCHEDULER_H

#include "runtime/actor.h"

/* Queues an actor that has just left IDLE; the caller held that duty. */
void scheduler_submit(struct rt_seat *seat, struct rt_actor *actor);

/* Makes workers (seats come with rt->seats) and starts their threads. */
void scheduler_start(struct rt *rt);
/* After rt->stopping is set: wakes every worker and joins. */
void scheduler_join(struct rt *rt);
/* When the loops have ended too: one of them may yet be waking a worker. */
void scheduler_finish(struct rt *rt);

#endif
