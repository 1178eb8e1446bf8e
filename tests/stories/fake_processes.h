/*
 * The processes of a story: an actor that obeys runtime/process/process.h, in
 * virtual time and with scripts (script.h) in the place of processes. Starts,
 * output, reports and ends come at moments that the seed decides, and its
 * owners' credits are counted.
 */
#ifndef TESTS_STORIES_FAKE_PROCESSES_H
#define TESTS_STORIES_FAKE_PROCESSES_H

#include "runtime/rt.h"

struct world;

/* Starts it as a child of the current actor, who is the world's root. */
struct rt_ref fake_spawn(struct rt_turn *t, unsigned home, struct world *w);

#endif
