/* The end of a story: everybody has had their say, and the hub must come to
 * rest by itself and then be as it was. */
#ifndef TESTS_STORIES_SETTLE_H
#define TESTS_STORIES_SETTLE_H

#include "tests/stories/world.h"

/* How many actors there are in a hub that nobody has used yet. */
uint64_t settle_base(struct world *w, struct client *c);
void settle(struct world *w, struct client *c, uint64_t base);

/* The world's: agents not gone, by the registry's last word. */
uint32_t world_census(const struct world *w);

#endif
