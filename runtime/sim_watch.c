/* SPDX-License-Identifier: MIT */
/*
 * What the compiler calls before every load and store of code that it compiles
 * for ThreadSanitizer: here in its place.
 */
#include "runtime/sim_races.h"

#define READ(name, size)                                                       \
    void __tsan_##name(const void *at);                                        \
    void __tsan_##name(const void *at)                                         \
    {                                                                          \
        sim_races_touch(at, size, false, __builtin_return_address(0));         \
    }
#define WRITE(name, size)                                                      \
    void __tsan_##name(const void *at);                                        \
    void __tsan_##name(const void *at)                                         \
    {                                                                          \
        sim_races_touch(at, size, true, __builtin_return_address(0));          \
    }
#define SIZES(call, prefix)                                                    \
    call(prefix##1, 1) call(prefix##2, 2) call(prefix##4, 4)                   \
        call(prefix##8, 8) call(prefix##16, 16)

SIZES(READ, read)
SIZES(READ, unaligned_read)
SIZES(WRITE, write)
SIZES(WRITE, unaligned_write)

void __tsan_read_range(const void *at, size_t size);
void __tsan_read_range(const void *at, size_t size)
{
    sim_races_touch(at, size, false, __builtin_return_address(0));
}

void __tsan_write_range(const void *at, size_t size);
void __tsan_write_range(const void *at, size_t size)
{
    sim_races_touch(at, size, true, __builtin_return_address(0));
}

void __tsan_init(void);
void __tsan_init(void)
{
}
