/*
 * A group record is what the agents of a group come to: how many there are in
 * which state, and what they have used. The registry adds its agents up, the
 * picture of a past moment takes the sums of a checkpoint and goes on from
 * there; the words are written here alone.
 */
#ifndef ACTORS_STORE_GROUP_RECORD_H
#define ACTORS_STORE_GROUP_RECORD_H

#include <yyjson.h>

#include "actors/store/agent_record.h"

#define GROUP_RECORD_STATES 7
/* Agents that a group names: the newest. */
#define GROUP_RECORD_IDS 1000

/* What one agent adds. */
struct group_record_part {
    struct slice state;
    struct slice outcome; /* empty: it is not done */
    struct agent_record_usage usage;
};

/* Zeroed memory is no agent. */
struct group_record {
    uint64_t states[GROUP_RECORD_STATES];
    uint64_t total, done, failed;
    struct agent_record_usage usage; /* has_cost: of one at least */
    uint64_t priced;                 /* agents whose cost is known */
    uint64_t unpriced;               /* tokens of those whose cost is not */
};

void group_record_add(struct group_record *g,
                      const struct group_record_part *part);
/* Takes back what was added. */
void group_record_remove(struct group_record *g,
                         const struct group_record_part *part);
/* Reads what was written by the two below. */
void group_record_read(struct group_record *g, yyjson_val *group);
/* `"agents":{...}`. */
void group_record_put_counts(struct bytes *out, const struct group_record *g);
/* The same for a model, without what follows from the rest. */
void group_record_put_brief_counts(struct bytes *out,
                                   const struct group_record *g);
/* `"usage":{...}`. */
void group_record_put_usage(struct bytes *out, const struct group_record *g);

#endif
