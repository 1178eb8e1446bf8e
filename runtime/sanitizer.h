/*
 * Tells the sanitizers about the simulator's fibers: without it they take a
 * switch of stacks for an overflow (ASan) or know only one thread (TSan).
 * TSan is told not to count a switch as synchronisation, so it finds races
 * between fibers as it would between threads; what does synchronise, starting
 * and joining, is said with release and acquire. Nothing in other builds.
 */
#ifndef RUNTIME_SANITIZER_H
#define RUNTIME_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

struct sanitizer_fiber {
    void *fake_stack;
    const void *bottom; /* of a stack not ours: the main one */
    size_t size;
    void *tsan;
};

/* ThreadSanitizer takes a store for seen by all who look at it later. */
#ifdef SANITIZER_THREAD
#define SANITIZER_KNOWS_ORDER 1
#else
#define SANITIZER_KNOWS_ORDER 0
#endif

#ifdef SANITIZER_ADDRESS
#include <sanitizer/common_interface_defs.h>

static inline void sanitizer_switch_begin(struct sanitizer_fiber *from,
                                          const struct sanitizer_fiber *to,
                                          const void *stack, size_t size,
                                          bool ended)
{
    __sanitizer_start_switch_fiber(ended ? NULL : &from->fake_stack,
                                   stack != NULL ? stack : to->bottom,
                                   stack != NULL ? size : to->size);
}

static struct sanitizer_fiber *sanitizer_main;

static inline void sanitizer_switch_end(struct sanitizer_fiber *now)
{
    const void *bottom;
    size_t size;

    __sanitizer_finish_switch_fiber(now->fake_stack, &bottom, &size);
    /* The first to leave the main stack learns where it lies. */
    if (sanitizer_main != NULL && sanitizer_main->bottom == NULL) {
        sanitizer_main->bottom = bottom;
        sanitizer_main->size = size;
    }
}

static inline void sanitizer_fiber_adopt(struct sanitizer_fiber *fiber)
{
    sanitizer_main = fiber;
}

static inline void sanitizer_fiber_create(struct sanitizer_fiber *fiber)
{
    (void)fiber;
}

static inline void sanitizer_fiber_destroy(struct sanitizer_fiber *fiber)
{
    (void)fiber;
}

#elif defined(SANITIZER_THREAD)
#include <sanitizer/tsan_interface.h>

static inline void sanitizer_switch_begin(struct sanitizer_fiber *from,
                                          const struct sanitizer_fiber *to,
                                          const void *stack, size_t size,
                                          bool ended)
{
    (void)from;
    (void)stack;
    (void)size;
    (void)ended;
    __tsan_switch_to_fiber(to->tsan, __tsan_switch_to_fiber_no_sync);
}

static inline void sanitizer_switch_end(struct sanitizer_fiber *now)
{
    (void)now;
}

static inline void sanitizer_fiber_adopt(struct sanitizer_fiber *fiber)
{
    fiber->tsan = __tsan_get_current_fiber();
}

static inline void sanitizer_fiber_create(struct sanitizer_fiber *fiber)
{
    fiber->tsan = __tsan_create_fiber(0);
}

static inline void sanitizer_fiber_destroy(struct sanitizer_fiber *fiber)
{
    __tsan_destroy_fiber(fiber->tsan);
}

#define sanitizer_release(address) __tsan_release(address)
#define sanitizer_acquire(address) __tsan_acquire(address)

#else

static inline void sanitizer_switch_begin(struct sanitizer_fiber *from,
                                          const struct sanitizer_fiber *to,
                                          const void *stack, size_t size,
                                          bool ended)
{
    (void)from;
    (void)to;
    (void)stack;
    (void)size;
    (void)ended;
}

static inline void sanitizer_switch_end(struct sanitizer_fiber *now)
{
    (void)now;
}

static inline void sanitizer_fiber_adopt(struct sanitizer_fiber *fiber)
{
    (void)fiber;
}

static inline void sanitizer_fiber_create(struct sanitizer_fiber *fiber)
{
    (void)fiber;
}

static inline void sanitizer_fiber_destroy(struct sanitizer_fiber *fiber)
{
    (void)fiber;
}

#endif

#ifndef sanitizer_release
#define sanitizer_release(address) ((void)(address))
#define sanitizer_acquire(address) ((void)(address))
#endif

#endif
