/*
 * A picture is all that a client of the feed is told of one moment: groups,
 * agents, roles, health, the configuration. The registry draws that of now; a
 * past one is an earlier picture, kept as a checkpoint, with the events since.
 *
 *   checkpoint -- picture_fold(event) ... --> the picture after that event
 *
 * That they come to the same rests on what events carry (registry/events.c):
 * one of an agent has all that the picture has of the agent, one of a group all
 * but its ledger, one of a ledger the ledger. Only sums are made here, by the
 * writer that the registry has (group_record.h). What has no event, the places
 * in use, is not in a past picture; between events an agent's progress is that
 * of its newest sample.
 */
#ifndef ACTORS_STORE_PICTURE_H
#define ACTORS_STORE_PICTURE_H

#include "actors/store/group_record.h"

/* Agents of a picture, the newest; beside them all that may still change. */
#define PICTURE_AGENTS 1000

struct picture;

struct picture_event {
    uint64_t seq, at;
    struct slice type, data;
};

/* How an agent got on, at one moment. */
struct picture_sample {
    uint64_t tool_calls, edited, created;
    uint64_t tool_at; /* when the tool began, ms; 0: not known */
    struct agent_record_usage usage;
    struct slice tool, title, said;
};

/* Which moment is to be told. */
struct picture_moment {
    uint64_t at; /* wall clock, ms */
    /* The newest sample of an agent that is not older than `since`, and is of
     * that moment; false: there is none. May be NULL. */
    bool (*sample_of)(void *ctx, struct slice agent, uint64_t since,
                      struct picture_sample *out);
    void *ctx;
};

/* Out of one that was written; NULL: it is none. The text is not kept. */
struct picture *picture_create(struct slice json);
/* Accepts NULL. */
void picture_destroy(struct picture *p);
uint64_t picture_seq(const struct picture *p);
uint64_t picture_at(const struct picture *p);
/* The next event; one that is in the picture already changes nothing. */
void picture_fold(struct picture *p, const struct picture_event *e);
/* The members of an object that say how an agent got on. */
void picture_put_sample(struct bytes *out, const struct picture_sample *s);
/* As an object. */
void picture_put(struct bytes *out, struct picture *p,
                 const struct picture_moment *m);

#endif
