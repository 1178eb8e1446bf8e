/*
 * The checked face of runtime/atomic.h; include that one.
 *
 * Three things in ck need more than new verbs: ck_ring copies its slots with
 * memcpy, and a thief may read a slot that the owner overwrites (its compare
 * and swap then fails, so the value is never used); ck_stack_pop_mpmc reads
 * `next` of a node another thread may have popped (the generation then makes
 * its swap fail). Both are races by the letter, so here they are atomic.
 */
#ifndef RUNTIME_ATOMIC_CHECKED_H
#define RUNTIME_ATOMIC_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef RT_SIM
void os_sim_point(void);
void os_sim_stall(void);
#else
#define os_sim_point() ((void)0)
#define os_sim_stall() ((void)0)
#endif

#define CHECKED(expr)                                                          \
    ({                                                                         \
        os_sim_point();                                                        \
        expr;                                                                  \
    })
#define CHECKED_LOAD(p) CHECKED(__atomic_load_n((p), __ATOMIC_SEQ_CST))
#define CHECKED_STORE(p, v)                                                    \
    CHECKED(__atomic_store_n((p), (v), __ATOMIC_SEQ_CST))
#define CHECKED_CAS(p, old, new, seen)                                         \
    CHECKED(__atomic_compare_exchange_n((p), (seen), (new), false,             \
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))

#undef ck_pr_load_ptr
#undef ck_pr_load_uint
#undef ck_pr_load_32
#undef ck_pr_load_64
#undef ck_pr_store_ptr
#undef ck_pr_store_uint
#undef ck_pr_store_32
#undef ck_pr_store_64
#define ck_pr_load_ptr(p) CHECKED_LOAD(p)
#define ck_pr_load_uint(p) CHECKED_LOAD(p)
#define ck_pr_load_32(p) CHECKED_LOAD(p)
#define ck_pr_load_64(p) CHECKED_LOAD(p)
#define ck_pr_store_ptr(p, v) CHECKED_STORE(p, v)
#define ck_pr_store_uint(p, v) CHECKED_STORE(p, v)
#define ck_pr_store_32(p, v) CHECKED_STORE(p, v)
#define ck_pr_store_64(p, v) CHECKED_STORE(p, v)
#define ck_pr_stall() os_sim_stall()

#define ck_pr_fas_ptr(p, v)                                                    \
    CHECKED(__atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST))
#define ck_pr_fas_32(p, v) ck_pr_fas_ptr(p, v)
#define ck_pr_faa_32(p, v)                                                     \
    CHECKED(__atomic_fetch_add((p), (v), __ATOMIC_SEQ_CST))
#define ck_pr_faa_64(p, v)                                                     \
    CHECKED(__atomic_fetch_add((p), (v), __ATOMIC_SEQ_CST))
#define ck_pr_inc_32(p)                                                        \
    ((void)CHECKED(__atomic_fetch_add((p), 1, __ATOMIC_SEQ_CST)))
#define ck_pr_dec_32(p)                                                        \
    ((void)CHECKED(__atomic_fetch_sub((p), 1, __ATOMIC_SEQ_CST)))
#define ck_pr_or_64(p, v)                                                      \
    ((void)CHECKED(__atomic_fetch_or((p), (v), __ATOMIC_SEQ_CST)))

#define ck_pr_cas_ptr_value(p, o, n, r)                                        \
    ({                                                                         \
        *(r) = (o);                                                            \
        CHECKED_CAS(p, o, n, r);                                               \
    })
#define ck_pr_cas_uint_value(p, o, n, r) ck_pr_cas_ptr_value(p, o, n, r)
#define ck_pr_cas_64_value(p, o, n, r) ck_pr_cas_ptr_value(p, o, n, r)
#define ck_pr_cas_ptr(p, o, n)                                                 \
    ({                                                                         \
        __typeof__(*(p)) seen_ = (o);                                          \
        CHECKED_CAS(p, seen_, n, &seen_);                                      \
    })
#define ck_pr_cas_32(p, o, n) ck_pr_cas_ptr(p, o, n)
#define ck_pr_cas_uint(p, o, n) ck_pr_cas_ptr(p, o, n)

static inline void checked_copy(void *to, const void *from, size_t size)
{
    (void)size; /* slots of ck_ring hold one pointer */
    __atomic_store_n((uintptr_t *)to,
                     __atomic_load_n((const uintptr_t *)from, __ATOMIC_RELAXED),
                     __ATOMIC_RELAXED);
}

#define memcpy checked_copy
#include <ck_ring.h>
#undef memcpy

#include <ck_stack.h>

static inline void checked_push(struct ck_stack *target,
                                struct ck_stack_entry *entry)
{
    struct ck_stack_entry *head = ck_pr_load_ptr(&target->head);

    do
        __atomic_store_n(&entry->next, head, __ATOMIC_RELAXED);
    while (!ck_pr_cas_ptr_value(&target->head, head, entry, &head));
}

/* The wide swap stays ck's: pushes publish by a swap that is seen. */
static inline struct ck_stack_entry *checked_pop(struct ck_stack *target)
{
    struct ck_stack seen, next;

    do {
        seen.generation = ck_pr_load_ptr(&target->generation);
        seen.head = ck_pr_load_ptr(&target->head);
        if (seen.head == NULL)
            return NULL;
        next.generation = seen.generation + 1;
        next.head = ck_pr_load_ptr(&seen.head->next);
        os_sim_point();
    } while (!ck_pr_cas_ptr_2(target, &seen, &next));
    return seen.head;
}

#define ck_stack_push_upmc checked_push
#define ck_stack_push_mpmc checked_push
#define ck_stack_pop_mpmc checked_pop

#endif
