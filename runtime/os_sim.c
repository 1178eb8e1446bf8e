/* SPDX-License-Identifier: MIT */
/*
 * A machine made of fibers on one thread, where every choice comes from a seed.
 * The runtime above it is the real one, scheduler and all: in this build each
 * atomic step (atomic_checked.h) is a point where another fiber may go on, and
 * time stands still until every fiber sleeps; then it jumps to the next
 * deadline. When all sleep and no deadline is left, a wake-up was forgotten,
 * and the run fails with its seed.
 *
 * Its memory is weak: atomic stores are seen late and out of order where no
 * order forbids it (sim_stores.h), and a plain store that is not released is a
 * race for whoever touches it (sim_races.h). Under ThreadSanitizer, which keeps
 * books of its own about who has seen what, all stores are seen at once.
 */
#include "runtime/os_sim.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "runtime/os.h"
#include "runtime/sanitizer.h"
#include "runtime/sim_races.h"
#include "runtime/sim_stores.h"

#define STACK (256 * 1024)
#define FIBERS SIM_RACES_FIBERS
/* Switches after which a story is taken for one that never ends. */
#define PATIENCE 5000000

struct os_thread {
    const char *name;
    unsigned number; /* for sim_races.h */
    void (*run)(void *);
    void *arg;
    ucontext_t context;
    void *stack;
    struct sanitizer_fiber sanitizer;
    uint32_t *word;    /* what it sleeps on, or NULL */
    uint64_t deadline; /* when it wakes by itself */
    uint32_t ended;
};

/* One simulation at a time: the fibers share the program's one thread. */
static struct {
    uint64_t seed, random;
    uint64_t now;
    unsigned fuse;  /* steps until the next switch */
    unsigned hurry; /* the mean of it */
    unsigned haste; /* how likely a store is seen at once, in four */
    uint64_t switches;
    bool running;
    struct os_thread main;
    struct os_thread *fiber[FIBERS]; /* the first is main */
    unsigned count;
    unsigned started; /* ever */
    struct os_thread *current;
} sim;

static uint64_t draw(void)
{
    sim.random ^= sim.random << 13;
    sim.random ^= sim.random >> 7;
    sim.random ^= sim.random << 17;
    return sim.random;
}

void os_sim_begin(uint64_t seed)
{
    static const unsigned hurries[] = {2, 5, 20, 100, 1000};

    sim.seed = seed;
    sim.random = (seed + 1) * 0x9e3779b97f4a7c15ull | 1;
    sim.now = 1000000000;
    sim.switches = 0;
    sim.hurry = hurries[draw() % (sizeof(hurries) / sizeof(*hurries))];
    sim.fuse = 1 + (unsigned)(draw() % sim.hurry);
    sim.haste = SANITIZER_KNOWS_ORDER ? 4 : 1 + (unsigned)(draw() % 4);
    sim.main = (struct os_thread){.name = "main"};
    sim.fiber[0] = sim.current = &sim.main;
    sim.count = 1;
    sim.started = 0;
    sim.running = true;
    sim_races_begin();
    sim_races_run(0, NULL, 0);
    sanitizer_fiber_adopt(&sim.main.sanitizer);
}

/* What this fiber has stored is for all to see. */
static void settle(void)
{
    sim_stores_leave(sim.current);
    sim_races_release();
}

void os_sim_end(void)
{
    settle();
    if (sim.count != 1)
        os_panic("%u fibers were never joined", sim.count - 1);
    sim.running = false;
    sim_races_end();
}

/* ---- switching ------------------------------------------------------- */

/* A bit for each store; of all in four, this many are set. */
static uint64_t draw_luck(void)
{
    if (sim.haste == 4)
        return UINT64_MAX;
    if (sim.haste == 2)
        return draw();
    return sim.haste == 1 ? draw() & draw() : draw() | draw();
}

static void switch_to(struct os_thread *next)
{
    struct os_thread *before = sim.current;

    if (next == before)
        return;
    sim_stores_switch(before, next, draw_luck());
    sim_races_run(next->number, next->stack, next->stack ? STACK : 0);
    sim.current = next;
    sanitizer_switch_begin(&before->sanitizer, &next->sanitizer, next->stack,
                           STACK, before->ended);
    swapcontext(&before->context, &next->context);
    sanitizer_switch_end(&sim.current->sanitizer);
}

static struct os_thread *pick_awake(void)
{
    struct os_thread *awake[FIBERS];
    unsigned n = 0;

    for (unsigned i = 0; i < sim.count; i++)
        if (sim.fiber[i]->word == NULL && !sim.fiber[i]->ended)
            awake[n++] = sim.fiber[i];
    return n == 0 ? NULL : awake[draw() % n];
}

/* No fiber is awake: lets time pass. */
static struct os_thread *pick_next_deadline(void)
{
    struct os_thread *first = NULL;

    for (unsigned i = 0; i < sim.count; i++) {
        struct os_thread *f = sim.fiber[i];
        if (f->word != NULL && !f->ended &&
            (first == NULL || f->deadline < first->deadline))
            first = f;
    }
    if (first == NULL || first->deadline == OS_NEVER)
        os_panic("stuck: every thread sleeps and nothing will wake one");
    if (first->deadline > sim.now)
        sim.now = first->deadline;
    first->word = NULL;
    return first;
}

static void yield(void)
{
    struct os_thread *next = pick_awake();

    sim.fuse = 1 + (unsigned)(draw() % sim.hurry);
    if (++sim.switches > PATIENCE)
        os_panic("stuck: it goes on and on");
    switch_to(next != NULL ? next : pick_next_deadline());
}

void os_sim_point(void)
{
    if (sim.running && --sim.fuse == 0)
        yield();
}

void os_sim_stall(void)
{
    if (sim.running)
        yield();
}

void os_sim_write(void *at, size_t size, bool releases)
{
    os_sim_point();
    if (!sim.running)
        return;
    if (sim.haste < 4)
        sim_stores_add(sim.current, at, size, releases);
    if (releases)
        sim_races_release();
}

void os_sim_swap(void *at, size_t size)
{
    os_sim_point();
    sim_stores_meet(sim.current, at, size);
}

void os_sim_fence(void)
{
    os_sim_point();
    if (sim.running)
        settle();
}

/* Which of several sleepers wakes is for the seed to say. */
static void wake_sleeper(uint32_t *word)
{
    unsigned start = (unsigned)(draw() % sim.count);

    for (unsigned i = 0; i < sim.count; i++) {
        struct os_thread *f = sim.fiber[(start + i) % sim.count];
        if (f->word == word) {
            f->word = NULL;
            return;
        }
    }
}

/* ---- the machine ----------------------------------------------------------
 */

static void fiber_main(void)
{
    struct os_thread *self = sim.current;

    sanitizer_switch_end(&self->sanitizer);
    sanitizer_acquire(self);
    self->run(self->arg);
    sanitizer_release(self);
    os_sim_fence();
    self->ended = 1;
    wake_sleeper(&self->ended);
    yield();
    os_panic("a fiber that had ended was run");
}

struct os_thread *os_thread_start(const char *name, void (*run)(void *),
                                  void *arg)
{
    struct os_thread *thread = os_alloc(sizeof(*thread), 16);

    if (!sim.running || sim.count == FIBERS)
        os_panic("no simulation, or too many threads in it");
    *thread = (struct os_thread){
        .name = name, .number = ++sim.started % FIBERS, .run = run, .arg = arg};
    thread->stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (thread->stack == MAP_FAILED)
        os_panic("no memory for a fiber");
    getcontext(&thread->context);
    thread->context.uc_stack.ss_sp = thread->stack;
    thread->context.uc_stack.ss_size = STACK;
    thread->context.uc_link = NULL;
    sanitizer_fiber_create(&thread->sanitizer);
    makecontext(&thread->context, fiber_main, 0);
    sim.fiber[sim.count++] = thread;
    sanitizer_release(thread);
    settle();
    os_sim_point();
    return thread;
}

void os_thread_join(struct os_thread *thread)
{
    unsigned i = 0;

    while (!thread->ended)
        os_sleep(&thread->ended, 0, OS_NEVER);
    sanitizer_acquire(thread);
    while (sim.fiber[i] != thread)
        i++;
    sim.fiber[i] = sim.fiber[--sim.count];
    sanitizer_fiber_destroy(&thread->sanitizer);
    munmap(thread->stack, STACK);
    free(thread);
}

void os_sleep(uint32_t *word, uint32_t seen, uint64_t deadline)
{
    os_sim_fence();
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != seen || deadline <= sim.now)
        return;
    sim.current->word = word;
    sim.current->deadline = deadline;
    yield();
}

void os_wake(uint32_t *word)
{
    os_sim_fence();
    wake_sleeper(word);
}

uint64_t os_now(void)
{
    return sim.now;
}

uint64_t os_wall_ms(void)
{
    return 1700000000000 + sim.now / 1000000;
}

uint64_t os_random(void)
{
    return draw();
}

unsigned os_cores(void)
{
    return 2;
}

unsigned os_spin(void)
{
    return 0;
}

_Noreturn void os_panic(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    printf("# seed %llu: ", (unsigned long long)sim.seed);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    fflush(stdout);
    _Exit(OS_SIM_FAILED);
}

/* ---- memory that is given back ---------------------------------------------
 * Another fiber may be given it next, and has nothing to do with what was
 * stored there. Under ThreadSanitizer nothing is kept that could be.
 */

#ifndef SANITIZER_THREAD
static void before_free(void)
{
    if (sim.running)
        settle();
}

#ifdef SANITIZER_ADDRESS
void __sanitizer_free_hook(const volatile void *memory);
void __sanitizer_free_hook(const volatile void *memory)
{
    (void)memory;
    before_free();
}
#else
void __libc_free(void *memory);
void *__libc_realloc(void *memory, size_t size);

void free(void *memory)
{
    before_free();
    __libc_free(memory);
}

void *realloc(void *memory, size_t size)
{
    before_free();
    return __libc_realloc(memory, size);
}
#endif
#endif
