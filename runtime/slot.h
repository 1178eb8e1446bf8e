/* Slots: the memory of actors, and how an address finds its actor. */
#ifndef RUNTIME_SLOT_H
#define RUNTIME_SLOT_H

#include "runtime/actor.h"

#define SLOT_INDEX_BITS 28

void slot_init(struct rt *rt);
void slot_finish(struct rt *rt);

/* Any thread. The actor behind an address, or NULL when it is stale. */
struct rt_actor *slot_find(const struct rt *rt, struct rt_ref ref);
/* What a message remembers of the address it was sent to. */
static inline uint32_t slot_generation(struct rt_ref ref)
{
    return (uint32_t)(ref.id >> SLOT_INDEX_BITS);
}

/* The address of an earlier (or the same) tenant, by what was remembered. */
static inline struct rt_ref slot_tenant(struct rt_ref now, uint32_t generation)
{
    uint32_t back = slot_generation(now) - generation;

    return (struct rt_ref){now.id - ((uint64_t)back << SLOT_INDEX_BITS)};
}

/* A slot with a new generation in exit.from; its inbox is closed. */
struct rt_actor *slot_get(struct rt_seat *seat);
void slot_put(struct rt_seat *seat, struct rt_actor *slot);

#endif
