/*
 * The machine below the runtime: threads, sleeping and waking, clocks and
 * randomness. os_linux.c is the real one; os_sim.c is a machine of fibers on
 * one thread whose every choice comes from a seed. Everything the runtime
 * knows of the outside passes through here and through poller.h.
 */
#ifndef RUNTIME_OS_H
#define RUNTIME_OS_H

#include <stdint.h>

#define OS_NEVER UINT64_MAX

struct os_thread;

struct os_thread *os_thread_start(const char *name, void (*run)(void *),
                                  void *arg);
/* Waits for the thread's end and frees it. */
void os_thread_join(struct os_thread *thread);

/*
 * Sleeps while *word == seen, until os_wake(word) or the deadline
 * (os_now's nanoseconds, or OS_NEVER). May return for no reason.
 */
void os_sleep(uint32_t *word, uint32_t seen, uint64_t deadline);
/* Wakes one sleeper on this word. */
void os_wake(uint32_t *word);

uint64_t os_now(void);
uint64_t os_wall_ms(void);
uint64_t os_random(void);
unsigned os_cores(void);
/* How many looks for work are worth taking before a thread sleeps. */
unsigned os_spin(void);

/* Says what is wrong and aborts: for states that cannot be. */
_Noreturn void os_panic(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Memory that is never refused: the program ends where the system has none. */
void *os_alloc(uint64_t size, uint64_t align);

#endif
