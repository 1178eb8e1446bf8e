/*
 * Samples are how an agent got on between two events: calls, tokens, files,
 * last words. One is taken when something has changed, at most one a period,
 * and the newest change of a period is the one that is kept. With them past
 * moments can be shown (store/picture.h).
 *
 * They are written with other rows only, like line times: they are worth no
 * sync of their own. A period is a second; of an agent that has many it is
 * doubled, and the store thins those it has.
 */
#ifndef ACTORS_REGISTRY_SAMPLES_H
#define ACTORS_REGISTRY_SAMPLES_H

#include "actors/agent/agent.h"
#include "actors/store/store.h"
#include "runtime/list.h"

struct agent_entry;
struct registry;

#define SAMPLES_PERIOD_MS 1000
/* Of one agent, not written yet; then every second one is dropped. */
#define SAMPLES_WAITING 64
/* Of one agent, written; then the store thins them to half of it. */
#define SAMPLES_WRITTEN 1200
#define SAMPLES_KEPT (SAMPLES_WRITTEN / 2)

struct sample {
    uint64_t at;      /* wall clock, ms */
    uint64_t follows; /* the number of the event before */
    uint64_t tool_calls;
    struct agent_live live;
    struct bytes said;
};

/* Zeroed memory has none. */
struct samples {
    struct sample *items; /* to be written; the last may yet change */
    size_t count;
    uint64_t began;  /* when the last one's period did */
    uint64_t period; /* ms; 0: the usual */
    unsigned written;
};

struct samples_list {
    LIST(struct agent_entry) waiting; /* with something to be written */
};

/* It is like this now. Pure; says whether anything is new. */
bool samples_note(struct samples *s, const struct sample *now);
void samples_finish(struct samples *s);

/* The same of an agent of the registry's. */
void samples_take(struct rt_turn *t, struct registry *r,
                  struct agent_entry *agent);
/* Adds all whose period is over, to rows that are written anyway. */
void samples_put(struct rt_turn *t, struct registry *r, struct store_write *w);
/* The agent is gone, or forgotten: adds all of its to w, which may be NULL. */
void samples_end(struct registry *r, struct agent_entry *agent,
                 struct store_write *w);

#endif
