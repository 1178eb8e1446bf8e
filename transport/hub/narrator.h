/*
 * The narrator writes what happens to the log, a line each: what the registry
 * notes (registry/note.h). An actor of its own, so that nobody waits while it
 * writes.
 */
#ifndef TRANSPORT_HUB_NARRATOR_H
#define TRANSPORT_HUB_NARRATOR_H

#include "actors/registry/registry.h"
#include "transport/wire/log.h"

/* The log is borrowed for its life. */
struct rt_ref narrator_spawn(struct rt_turn *t, const struct log *log,
                             struct rt_ref registry);

#endif
