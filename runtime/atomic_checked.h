/*
 * The checked face of runtime/atomic.h; include that one.
 *
 * ThreadSanitizer reads the order of a verb from the compiler's atomics; the
 * simulator is told by os_sim_point and os_sim_write, before each.
 */
#ifndef RUNTIME_ATOMIC_CHECKED_H
#define RUNTIME_ATOMIC_CHECKED_H

#ifdef RT_SIM
#include "runtime/os_sim.h"
#define atomic_fence() os_sim_fence()
#define atomic_stall() os_sim_stall()
#else
/*
 * A fence in assembly: ThreadSanitizer knows none, and nothing that it must
 * know rests on this one.
 */
#include <ck_pr.h>
#define os_sim_point() ((void)0)
#define os_sim_write(p, size, releases) ((void)0)
#define os_sim_swap(p, size) ((void)0)
#define atomic_fence() ck_pr_fence_memory()
#define atomic_stall() ck_pr_stall()
#endif

/* Where the simulator watches plain words, these are not among them. */
#ifdef RT_WATCHED
#define ATOMIC_UNWATCHED __attribute__((no_sanitize_thread))
#else
#define ATOMIC_UNWATCHED
#endif

#define ATOMIC_RELEASES(order)                                                 \
    (ATOMIC_C11_##order == __ATOMIC_RELEASE ||                                 \
     ATOMIC_C11_##order == __ATOMIC_ACQ_REL)
#define ATOMIC_C11_swap __atomic_exchange_n
#define ATOMIC_C11_add __atomic_fetch_add

#define LOAD(S, order)                                                         \
    ATOMIC_UNWATCHED static inline uint##S##_t atomic_load_##order##_##S(      \
        const uint##S##_t *p)                                                  \
    {                                                                          \
        os_sim_point();                                                        \
        return __atomic_load_n(p, ATOMIC_C11_##order);                         \
    }
#define STORE(S, order)                                                        \
    ATOMIC_UNWATCHED static inline void atomic_store_##order##_##S(            \
        uint##S##_t *p, uint##S##_t value)                                     \
    {                                                                          \
        os_sim_write(p, sizeof(*p), ATOMIC_RELEASES(order));                   \
        __atomic_store_n(p, value, ATOMIC_C11_##order);                        \
    }
#define RMW(S, verb, order)                                                    \
    ATOMIC_UNWATCHED static inline uint##S##_t atomic_##verb##_##order##_##S(  \
        uint##S##_t *p, uint##S##_t value)                                     \
    {                                                                          \
        os_sim_write(p, sizeof(*p), ATOMIC_RELEASES(order));                   \
        return ATOMIC_C11_##verb(p, value, ATOMIC_C11_##order);                \
    }
#define CAS(S, order)                                                          \
    ATOMIC_UNWATCHED static inline bool atomic_cas_##order##_##S(              \
        uint##S##_t *p, uint##S##_t *seen, uint##S##_t value)                  \
    {                                                                          \
        os_sim_write(p, sizeof(*p), ATOMIC_RELEASES(order));                   \
        return __atomic_compare_exchange_n(                                    \
            p, seen, value, false, ATOMIC_C11_##order, __ATOMIC_RELAXED);      \
    }

#endif
