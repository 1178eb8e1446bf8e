/*
 * Ids are drawn at random within a second of the clock that they carry.
 * Seconds never go back, whatever the clock does, and a new hub begins after
 * those of the one before: so it is enough to know which of one second were
 * given away for no id to be given twice.
 */
#ifndef ACTORS_REGISTRY_IDS_H
#define ACTORS_REGISTRY_IDS_H

#include "actors/order/order.h"

struct registry;

struct ids {
    uint64_t second;
    unsigned count;
    uint64_t given[65536 / 64];
};

/* `grp-seconds-xxxx`, or the role's id instead of grp; no other group or agent
 * has it. */
void ids_draw_group(struct rt_turn *t, struct registry *r, char id[ORDER_ID]);
void ids_draw_agent(struct rt_turn *t, struct registry *r, const char *role,
                    char id[ORDER_ID]);

#endif
