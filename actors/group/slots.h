/*
 * Slots are the places agents run in, and the line of those who wait for one.
 * Agents and orchestrators have places of their own, so that one that waits
 * for its children cannot starve them.
 *
 * A place is held from the grant until the process tree is gone. One whose
 * agent is done but not gone counts as free when places are asked for, but not
 * when one is granted: what was accepted waits until the tree has left. Grants
 * go out first come, first served, one place at a time: no group waits for
 * another place before it uses the one it has, so the line always moves.
 */
#ifndef ACTORS_GROUP_SLOTS_H
#define ACTORS_GROUP_SLOTS_H

#include "runtime/rt.h"

enum {
    /* to slots */
    SLOTS_ASK = 0x480, /* struct slots_ask; ACCEPTED or REFUSED, then grants */
    SLOTS_WITHDRAW,    /* struct slots_grant: that many are wanted no more */
    SLOTS_DONE,        /* struct slots_change: these places' agents are done */
    SLOTS_GIVE,        /* struct slots_change: these places are free again */
    SLOTS_HELD,        /* struct slots_change: these are held already, by
                          agents of an earlier hub, whatever the limit */
    SLOTS_LIMITS,      /* struct slots_limits */
    /* from slots */
    SLOTS_ACCEPTED, /* struct slots_grant, its count 0 */
    SLOTS_REFUSED,  /* struct slots_refusal */
    SLOTS_GRANTED,  /* struct slots_grant */
    SLOTS_PLACES    /* struct slots_places, to the parent at every change */
};

enum slots_kind { SLOTS_AGENTS, SLOTS_ORCHESTRATORS, SLOTS_KINDS };

struct slots_ask {
    uint64_t ticket; /* the asker's own, no two the same while one waits */
    uint32_t kind;
    uint32_t count;   /* places wanted now */
    uint32_t largest; /* what must fit for the whole to be accepted */
    bool is_entitled; /* accepted already: a later stage */
};

struct slots_grant {
    uint64_t ticket;
    uint32_t count;
};

struct slots_refusal {
    uint64_t ticket;
    uint32_t max, busy; /* busy: held by agents not done, and waited for */
    uint32_t waiting;   /* of them: waited for */
};

struct slots_change {
    uint32_t kind;
    uint32_t count;
    bool was_done; /* of SLOTS_GIVE: SLOTS_DONE was said of them */
};

struct slots_limits {
    uint32_t max[SLOTS_KINDS];
    uint32_t queued; /* agents accepted beyond the places */
};

struct slots_places {
    struct slots_limits limits;
    uint32_t held[SLOTS_KINDS], done[SLOTS_KINDS], waiting[SLOTS_KINDS];
};

/* Starts them as a child of the current actor. An asker that ends by itself
 * gives back all it has; the places of one that is stopped stay taken. */
struct rt_ref slots_spawn(struct rt_turn *t, const struct slots_limits *limits);

#endif
