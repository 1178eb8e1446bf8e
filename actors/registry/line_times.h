/*
 * Line times are when the lines of an agent's transcript were read: CLIs do not
 * always say it. A note (up to where, when) is taken at most every 200 ms, or
 * every thousandth of the time that the agent has been at work, so that what
 * is kept of a long run stays small; what was read between two notes was read
 * at the later one, give or take that much.
 *
 * Notes are written with other rows only: they are worth no sync of their own.
 * What an earlier hub has not written, and what came while none was there, is
 * of a time that is not known, which is a note too.
 */
#ifndef ACTORS_REGISTRY_LINE_TIMES_H
#define ACTORS_REGISTRY_LINE_TIMES_H

#include "actors/store/store.h"
#include "actors/stream/story.h"
#include "runtime/list.h"

struct agent_entry;
struct registry;

#define LINE_TIMES_PAUSE_MS 200
/* Of one agent, not written yet; then they are thinned to half of it. */
#define LINE_TIMES_MAX 256

/* Zeroed memory has none. */
struct line_times {
    struct story_time *items; /* not written yet; the last may yet move */
    size_t count;
    uint64_t first_at; /* the first note */
    uint64_t fixed_at; /* the last that will not move */
    uint64_t up_to;    /* what is noted */
    bool has_gap;      /* what was there before this hub is marked */
};

struct line_times_list {
    LIST(struct agent_entry) waiting; /* with something to be written */
};

/* It has been read up to here by now; `past` bytes of it were there before this
 * hub. Pure. */
void line_times_note(struct line_times *l, uint64_t up_to, uint64_t past,
                     uint64_t now);
void line_times_finish(struct line_times *l);

/* The same of an agent of the registry's. */
void line_times_take(struct rt_turn *t, struct registry *r,
                     struct agent_entry *agent, uint64_t up_to, uint64_t past);
/* Adds all that waits, to rows that are written anyway. */
void line_times_put(struct registry *r, struct store_write *w);
/* The agent is gone, or forgotten: adds all of its to w, which may be NULL. */
void line_times_end(struct registry *r, struct agent_entry *agent,
                    struct store_write *w);
/* A copy of what is not written yet. */
struct story_times line_times_copy(const struct agent_entry *agent);

#endif
