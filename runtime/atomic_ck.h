/*
 * The ordinary face of runtime/atomic.h; include that one.
 *
 * Swaps are ck's, with the order that the machine gives them: all of it on x86,
 * where the fences below only hold the compiler, and none on AArch64. Loads and
 * stores are the compiler's, which has an instruction for each order: around
 * ck's it would have to forget all it knows of memory, and the counters of a
 * message cost a twentieth of it that way.
 */
#ifndef RUNTIME_ATOMIC_CK_H
#define RUNTIME_ATOMIC_CK_H

#include <ck_pr.h>

#define ATOMIC_BEFORE_relaxed ((void)0)
#define ATOMIC_BEFORE_acquire ((void)0)
#define ATOMIC_BEFORE_release ck_pr_fence_release()
#define ATOMIC_BEFORE_acq_rel ck_pr_fence_release()
#define ATOMIC_AFTER_relaxed ((void)0)
#define ATOMIC_AFTER_acquire ck_pr_fence_acquire()
#define ATOMIC_AFTER_release ((void)0)
#define ATOMIC_AFTER_acq_rel ck_pr_fence_acquire()

#define LOAD(S, order)                                                         \
    static inline uint##S##_t atomic_load_##order##_##S(const uint##S##_t *p)  \
    {                                                                          \
        return __atomic_load_n(p, ATOMIC_C11_##order);                         \
    }
#define STORE(S, order)                                                        \
    static inline void atomic_store_##order##_##S(uint##S##_t *p,              \
                                                  uint##S##_t value)           \
    {                                                                          \
        __atomic_store_n(p, value, ATOMIC_C11_##order);                        \
    }
#define ATOMIC_CK_swap(S) ck_pr_fas_##S
#define ATOMIC_CK_add(S) ck_pr_faa_##S
#define RMW(S, verb, order)                                                    \
    static inline uint##S##_t atomic_##verb##_##order##_##S(uint##S##_t *p,    \
                                                            uint##S##_t value) \
    {                                                                          \
        ATOMIC_BEFORE_##order;                                                 \
        value = ATOMIC_CK_##verb(S)(p, value);                                 \
        ATOMIC_AFTER_##order;                                                  \
        return value;                                                          \
    }
#define CAS(S, order)                                                          \
    static inline bool atomic_cas_##order##_##S(                               \
        uint##S##_t *p, uint##S##_t *seen, uint##S##_t value)                  \
    {                                                                          \
        bool done;                                                             \
                                                                               \
        ATOMIC_BEFORE_##order;                                                 \
        done = ck_pr_cas_##S##_value(p, *seen, value, seen);                   \
        ATOMIC_AFTER_##order;                                                  \
        return done;                                                           \
    }

#define atomic_fence() ck_pr_fence_memory()
#define atomic_stall() ck_pr_stall()

#endif
