/* A boss is what an orchestrator's model would be: it plans, delegates and
 * keeps the ledgers through the hub's tools, as the client it is given. */
#ifndef TESTS_STORIES_BOSS_H
#define TESTS_STORIES_BOSS_H

#include "tests/stories/client.h"

/* The one of that name, on a thread of its own; `kind` with the number is told
 * to `tell` when it is done, unless it was hung up. */
void boss_hire(struct client *c, const char *name, struct rt_ref tell,
               uint16_t kind, uint64_t number);

#endif
