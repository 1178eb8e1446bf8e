/* SPDX-License-Identifier: MIT */
#include "runtime/os.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct os_thread {
    pthread_t id;
    const char *name;
    void (*run)(void *);
    void *arg;
};

static void *thread_main(void *arg)
{
    struct os_thread *thread = arg;

    pthread_setname_np(pthread_self(), thread->name);
    thread->run(thread->arg);
    return NULL;
}

/*
 * Signals belong to the program, not to whichever worker happens to run: the
 * runtime's threads block them all.
 */
struct os_thread *os_thread_start(const char *name, void (*run)(void *),
                                  void *arg)
{
    struct os_thread *thread = os_alloc(sizeof(*thread), 16);
    sigset_t all, before;
    int error;

    *thread = (struct os_thread){.name = name, .run = run, .arg = arg};
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    error = pthread_create(&thread->id, NULL, thread_main, thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0)
        os_panic("cannot start thread %s: error %d", name, error);
    return thread;
}

void os_thread_join(struct os_thread *thread)
{
    pthread_join(thread->id, NULL);
    free(thread);
}

/* FUTEX_WAIT_BITSET takes an absolute time of the monotonic clock. */
void os_sleep(uint32_t *word, uint32_t seen, uint64_t deadline)
{
    struct timespec at = {.tv_sec = (time_t)(deadline / 1000000000),
                          .tv_nsec = (long)(deadline % 1000000000)};

    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, seen,
            deadline == OS_NEVER ? NULL : &at, NULL, FUTEX_BITSET_MATCH_ANY);
}

void os_wake(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

uint64_t os_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t os_random(void)
{
    uint64_t bits = os_now();

    /* Short only before the kernel's pool is ready; the clock then serves. */
    while (getrandom(&bits, sizeof(bits), 0) < 0 && errno == EINTR)
        ;
    return bits;
}

unsigned os_cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : (unsigned)n;
}

/* One or two microseconds. A thread that spends more of its time before each
 * sleep is not let in by the kernel when it is woken on the waker's core, but
 * waits until that one sleeps. */
unsigned os_spin(void)
{
    return 30;
}

_Noreturn void os_panic(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("runtime: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}
