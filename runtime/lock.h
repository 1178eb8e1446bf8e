/*
 * A small lock for the slow paths: foreign threads, dead letters, new slabs.
 * It sleeps through os.h, so the simulator can switch away from its holder.
 */
#ifndef RUNTIME_LOCK_H
#define RUNTIME_LOCK_H

#include "runtime/atomic.h"
#include "runtime/os.h"

/* 0 free, 1 taken, 2 taken and perhaps awaited. */
struct lock {
    uint32_t word;
};

static inline void lock_take(struct lock *lock)
{
    uint32_t free = 0;

    if (atomic_cas_acquire(&lock->word, &free, 1))
        return;
    while (atomic_swap_acquire(&lock->word, 2) != 0)
        os_sleep(&lock->word, 2, OS_NEVER);
}

static inline void lock_give(struct lock *lock)
{
    if (atomic_swap_release(&lock->word, 0) == 2)
        os_wake(&lock->word);
}

#endif
