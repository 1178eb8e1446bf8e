/*
 * What the runtime uses of ck_ring and ck_stack, in the verbs of
 * runtime/atomic.h; include that one. The steps are ck's, and each fence of
 * ck's is the order of the step next to it.
 *
 * Two of these steps are races by the letter, so here they are atomic: a thief
 * may read a slot of a ring that the owner overwrites (its swap then fails, and
 * the value is never used), and who pops may read `next` of an entry that
 * another has popped (the generation then makes its swap fail).
 */
#ifndef RUNTIME_ATOMIC_CK_CHECKED_H
#define RUNTIME_ATOMIC_CK_CHECKED_H

#include <ck_ring.h>
#include <ck_stack.h>

static inline bool checked_enqueue(struct ck_ring *ring,
                                   struct ck_ring_buffer *slot, void *value)
{
    unsigned consumer = atomic_load_relaxed(&ring->c_head);
    unsigned producer = ring->p_tail;

    if (((producer + 1) & ring->mask) == (consumer & ring->mask))
        return false;
    atomic_store_relaxed(&slot[producer & ring->mask].value, value);
    atomic_store_release(&ring->p_tail, producer + 1);
    return true;
}

/* One try: false when there is nothing, and when another has taken it. */
static inline bool checked_try(struct ck_ring *ring,
                               const struct ck_ring_buffer *slot, void *value,
                               bool *is_empty)
{
    unsigned consumer = atomic_load_acquire(&ring->c_head);
    unsigned producer = atomic_load_acquire(&ring->p_tail);

    *is_empty = consumer == producer;
    if (*is_empty)
        return false;
    *(void **)value = atomic_load_relaxed(&slot[consumer & ring->mask].value);
    return atomic_cas_release(&ring->c_head, &consumer, consumer + 1);
}

static inline bool checked_trydequeue(struct ck_ring *ring,
                                      const struct ck_ring_buffer *slot,
                                      void *value)
{
    bool is_empty;

    return checked_try(ring, slot, value, &is_empty);
}

static inline bool checked_dequeue(struct ck_ring *ring,
                                   const struct ck_ring_buffer *slot,
                                   void *value)
{
    bool is_empty;

    while (!checked_try(ring, slot, value, &is_empty))
        if (is_empty)
            return false;
    return true;
}

static inline unsigned checked_size(const struct ck_ring *ring)
{
    unsigned consumer = atomic_load_relaxed(&ring->c_head);

    return (atomic_load_relaxed(&ring->p_tail) - consumer) & ring->mask;
}

#define ck_ring_enqueue_spmc checked_enqueue
#define ck_ring_dequeue_spmc checked_dequeue
#define ck_ring_trydequeue_spmc checked_trydequeue
#define ck_ring_size checked_size

static inline void checked_push(struct ck_stack *stack,
                                struct ck_stack_entry *entry)
{
    struct ck_stack_entry *head = atomic_load_relaxed(&stack->head);

    do
        atomic_store_relaxed(&entry->next, head);
    while (!atomic_cas_release(&stack->head, &head, entry));
}

/* The wide swap stays ck's: it publishes nothing, and acquires no more than
 * the look at the head before it. */
static inline struct ck_stack_entry *checked_pop(struct ck_stack *stack)
{
    struct ck_stack seen, next;

    do {
        seen.generation = atomic_load_acquire(&stack->generation);
        seen.head = atomic_load_acquire(&stack->head);
        if (seen.head == NULL)
            return NULL;
        next.generation = seen.generation + 1;
        next.head = atomic_load_relaxed(&seen.head->next);
        os_sim_swap(stack, sizeof(*stack));
    } while (!ck_pr_cas_ptr_2(stack, &seen, &next));
    return seen.head;
}

static inline struct ck_stack_entry *checked_pop_all(struct ck_stack *stack)
{
    return atomic_swap_acquire(&stack->head, NULL);
}

#define ck_stack_push_upmc checked_push
#define ck_stack_push_mpmc checked_push
#define ck_stack_pop_mpmc checked_pop
#define ck_stack_batch_pop_upmc checked_pop_all

#endif
