/*
 * The atomics of the runtime: verbs that say their order, and ck's containers.
 *
 *   relaxed  the word alone is whole; nothing follows for any other
 *   acquire  who reads a value sees what was done before its release
 *   release  what this thread has done before is seen by who acquires it
 *   acq_rel  both
 *
 * A value that was released stays so through the swaps and additions of
 * others, whatever their order: only a store ends it.
 *
 *   atomic_fence   all that was stored before it is seen by others before
 *                  anything is read behind it: for two threads that each
 *                  write one word and then look at the other's
 *
 * Words are pointers, uint32_t or uint64_t. `swap` and `add` return what was
 * there; `cas` returns whether it was *seen, and puts what is there into
 * *seen if not. On x86 an order costs nothing but what the compiler may not
 * move, and only the fence is an instruction of its own.
 *
 * Two faces: atomic_ck.h has ck's inline assembly, into which neither
 * ThreadSanitizer nor the simulator can look; atomic_checked.h has for both of
 * them the compiler's atomics, each with the order of its name and no other.
 * Everything below runtime/ includes this header and no ck header directly.
 */
#ifndef RUNTIME_ATOMIC_H
#define RUNTIME_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(RT_SIM) || defined(__SANITIZE_THREAD__)
#define RT_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RT_CHECKED 1
#endif
#endif

#define ATOMIC_C11_relaxed __ATOMIC_RELAXED
#define ATOMIC_C11_acquire __ATOMIC_ACQUIRE
#define ATOMIC_C11_release __ATOMIC_RELEASE
#define ATOMIC_C11_acq_rel __ATOMIC_ACQ_REL

#ifdef RT_CHECKED
#include "runtime/atomic_checked.h"
#else
#include "runtime/atomic_ck.h"
#endif

/* Made by the face: a function for each verb, order and size. */
#define VERBS(S)                                                               \
    LOAD(S, relaxed)                                                           \
    LOAD(S, acquire)                                                           \
    STORE(S, relaxed)                                                          \
    STORE(S, release)                                                          \
    RMW(S, swap, acquire)                                                      \
    RMW(S, swap, release)                                                      \
    RMW(S, add, relaxed)                                                       \
    RMW(S, add, acquire)                                                       \
    RMW(S, add, release)                                                       \
    RMW(S, add, acq_rel)                                                       \
    CAS(S, relaxed)                                                            \
    CAS(S, acquire)                                                            \
    CAS(S, release)                                                            \
    CAS(S, acq_rel)

VERBS(32)
VERBS(64)

#undef VERBS
#undef LOAD
#undef STORE
#undef RMW
#undef CAS

/* The function for a word of this size, which is told whole words. */
#define ATOMIC_OF(verb, p)                                                     \
    _Generic((char(*)[sizeof(*(p))])NULL, char(*)[4]                           \
             : verb##_32, char(*)[8]                                           \
             : verb##_64)
#define ATOMIC_GET(verb, p) ((__typeof__(*(p)))ATOMIC_OF(verb, p)((void *)(p)))
#define ATOMIC_PUT(verb, p, v)                                                 \
    ((void)sizeof(*(p) = (v)), ATOMIC_OF(verb, p)((void *)(p), (uintptr_t)(v)))
#define ATOMIC_RMW(verb, p, v) ((__typeof__(*(p)))ATOMIC_PUT(verb, p, v))
#define ATOMIC_CAS(verb, p, seen, v)                                           \
    ((void)sizeof(*(p) = *(seen) = (v)),                                       \
     ATOMIC_OF(verb, p)((void *)(p), (void *)(seen), (uintptr_t)(v)))

#define atomic_load_relaxed(p) ATOMIC_GET(atomic_load_relaxed, p)
#define atomic_load_acquire(p) ATOMIC_GET(atomic_load_acquire, p)
#define atomic_store_relaxed(p, v) ATOMIC_PUT(atomic_store_relaxed, p, v)
#define atomic_store_release(p, v) ATOMIC_PUT(atomic_store_release, p, v)
#define atomic_swap_acquire(p, v) ATOMIC_RMW(atomic_swap_acquire, p, v)
#define atomic_swap_release(p, v) ATOMIC_RMW(atomic_swap_release, p, v)
#define atomic_add_relaxed(p, v) ATOMIC_RMW(atomic_add_relaxed, p, v)
#define atomic_add_acquire(p, v) ATOMIC_RMW(atomic_add_acquire, p, v)
#define atomic_add_release(p, v) ATOMIC_RMW(atomic_add_release, p, v)
#define atomic_add_acq_rel(p, v) ATOMIC_RMW(atomic_add_acq_rel, p, v)
#define atomic_cas_relaxed(p, s, v) ATOMIC_CAS(atomic_cas_relaxed, p, s, v)
#define atomic_cas_acquire(p, s, v) ATOMIC_CAS(atomic_cas_acquire, p, s, v)
#define atomic_cas_release(p, s, v) ATOMIC_CAS(atomic_cas_release, p, s, v)
#define atomic_cas_acq_rel(p, s, v) ATOMIC_CAS(atomic_cas_acq_rel, p, s, v)

#ifdef RT_CHECKED
#include "runtime/atomic_ck_checked.h"
#else
/*
 * ck's containers keep stores behind stores and loads behind loads. What goes
 * through ours has also been read by who gives it away and will be written by
 * who takes it: so these fences are a release and an acquire here. On x86 they
 * are the same nothing.
 */
#define ck_pr_fence_store ck_pr_fence_release
#define ck_pr_fence_store_atomic ck_pr_fence_release
#define ck_pr_fence_load ck_pr_fence_acquire
#include <ck_ring.h>
#include <ck_stack.h>
#undef ck_pr_fence_store
#undef ck_pr_fence_store_atomic
#undef ck_pr_fence_load
#endif

#endif
