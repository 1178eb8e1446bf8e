/* SPDX-License-Identifier: MIT */
/*
 * Where actors live: slabs of slots that are never given back while the
 * runtime runs, so that a stale address can always be looked at safely.
 *
 *   address = generation (36 bits) . index (28 bits)
 *
 * A slot's generation grows each time it is used. A sender compares it before
 * it delivers; when the slot changes hands between the look and the delivery
 * the receiver notices, because a message carries the generation it was meant
 * for (32 bits of it: they only have to tell apart what one slot is within the
 * time of one send). That is why no epoch and no reference count is needed.
 *
 * An address may come by any way, also through a word that orders nothing: so
 * who finds the slab, and in it the generation, has acquired them from the one
 * who made them, and sees an inbox that is at least closed.
 */
#include "runtime/slot.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/inbox.h"

#define SLAB_BITS 10
#define SLAB_SLOTS (1u << SLAB_BITS)
#define SLABS_MAX (1u << (SLOT_INDEX_BITS - SLAB_BITS))
#define INDEX_MASK ((1ull << SLOT_INDEX_BITS) - 1)
#define GENERATION (1ull << SLOT_INDEX_BITS)

/* A seat trades free slots with the others in batches of this many. */
#define BATCH 64

/* The table is address space: its pages come to be as slabs are made. */
void slot_init(struct rt *rt)
{
    rt->slabs =
        mmap(NULL, SLABS_MAX * sizeof(*rt->slabs), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (rt->slabs == MAP_FAILED)
        os_panic("no address space for the table of actors");
}

void slot_finish(struct rt *rt)
{
    for (unsigned i = 0; i < rt->slab_count; i++)
        munmap(rt->slabs[i], SLAB_SLOTS * sizeof(struct rt_actor));
    munmap(rt->slabs, SLABS_MAX * sizeof(*rt->slabs));
}

struct rt_actor *slot_find(const struct rt *rt, struct rt_ref ref)
{
    uint64_t index = ref.id & INDEX_MASK;
    struct rt_actor *slab = atomic_load_acquire(&rt->slabs[index >> SLAB_BITS]);
    struct rt_actor *actor;

    if (slab == NULL || ref.id < GENERATION)
        return NULL;
    actor = &slab[index & (SLAB_SLOTS - 1)];
    return atomic_load_acquire(&actor->exit.from.id) == ref.id ? actor : NULL;
}

/* A slot never used has no generation yet: exit.from holds its bare index. */
static void take_slab(struct rt_seat *seat)
{
    struct rt *rt = seat->rt;
    size_t bytes = SLAB_SLOTS * sizeof(struct rt_actor);
    struct rt_actor *slab = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (slab == MAP_FAILED)
        os_panic("out of memory for actors");
    lock_take(&rt->slot_lock);
    if (rt->slab_count == SLABS_MAX)
        os_panic("more than %u actors", SLABS_MAX * SLAB_SLOTS);
    seat->fresh_index = rt->slab_count * SLAB_SLOTS;
    atomic_store_release(&rt->slabs[rt->slab_count++], slab);
    lock_give(&rt->slot_lock);
    seat->fresh = slab;
    seat->fresh_end = slab + SLAB_SLOTS;
}

static struct rt_actor *take_batch(struct rt *rt)
{
    struct rt_actor *batch;

    lock_take(&rt->slot_lock);
    batch = rt->free_slots;
    if (batch != NULL)
        atomic_store_relaxed(&rt->free_slots, batch->older);
    lock_give(&rt->slot_lock);
    return batch;
}

static struct rt_actor *fresh_slot(struct rt_seat *seat)
{
    struct rt_actor *slot;

    if (seat->fresh == seat->fresh_end)
        take_slab(seat);
    slot = seat->fresh++;
    atomic_store_relaxed(&slot->exit.from.id, seat->fresh_index++);
    atomic_store_relaxed(&slot->inbox, INBOX_CLOSED);
    return slot;
}

struct rt_actor *slot_get(struct rt_seat *seat)
{
    struct rt_actor *slot = seat->free;

    if (slot == NULL && atomic_load_relaxed(&seat->rt->free_slots) != NULL &&
        (slot = take_batch(seat->rt)) != NULL)
        seat->free_count = BATCH;
    if (slot != NULL) {
        seat->free = (struct rt_actor *)slot->exit.next;
        seat->free_count--;
    } else {
        slot = fresh_slot(seat);
    }
    atomic_store_release(&slot->exit.from.id, slot->exit.from.id + GENERATION);
    return slot;
}

void slot_put(struct rt_seat *seat, struct rt_actor *slot)
{
    struct rt *rt = seat->rt;
    struct rt_actor *last;

    slot->exit.next = (struct rt_msg *)seat->free;
    seat->free = slot;
    if (++seat->free_count < 2 * BATCH)
        return;
    for (unsigned i = 1; i < BATCH; i++)
        slot = (struct rt_actor *)slot->exit.next;
    last = slot;
    slot = seat->free;
    seat->free = (struct rt_actor *)last->exit.next;
    last->exit.next = NULL;
    seat->free_count -= BATCH;
    lock_take(&rt->slot_lock);
    slot->older = rt->free_slots;
    atomic_store_relaxed(&rt->free_slots, slot);
    lock_give(&rt->slot_lock);
}
