/* All stories, by subject. */
#ifndef TESTS_STORIES_STORIES_H
#define TESTS_STORIES_STORIES_H

#include "tests/stories/world.h"

/* Each ended by one without a name. */
extern const struct story flow_stories[];
extern const struct story place_stories[];
extern const struct story end_stories[];
extern const struct story wait_stories[];
extern const struct story magentic_stories[];
extern const struct story hub_stories[];
extern const struct story conflict_stories[];
extern const struct story feed_stories[];
extern const struct story storm_stories[];

#endif
