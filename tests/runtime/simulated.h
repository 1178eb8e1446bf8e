/*
 * Runs a root behaviour on the simulated machine, once for each of many seeds.
 * Whatever fails there ends the program with the seed printed (os_panic):
 * Unity's way out, a long jump, would leave the fibers' stacks.
 */
#ifndef TESTS_RUNTIME_SIMULATED_H
#define TESTS_RUNTIME_SIMULATED_H

#include "runtime/os.h"
#include "runtime/rt.h"

#define CHECK(condition)                                                       \
    ((condition) ? (void)0                                                     \
                 : os_panic("%s:%d: %s", __FILE__, __LINE__, #condition))

struct simulated {
    const struct rt_behaviour *root;
    const void *init;
    uint64_t seeds;
    unsigned workers;            /* 0: one to four, by the seed */
    void (*before)(void);        /* optional: resets what is observed */
    void (*during)(struct rt *); /* optional: as a foreign thread */
    void (*after)(void);         /* optional: looks at what was observed */
};

/* Checks that each run ends and that nothing leaks. */
void simulate(const struct simulated *s);

/*
 * What happened, in order: noted by anybody, read when all has ended. A run
 * begins with none.
 */
void note(unsigned what);
unsigned note_count(void);
unsigned noted(unsigned i);
/* Checks that exactly these were noted, in this order. */
void noted_are(const unsigned *what, unsigned count);

#define NOTED(...)                                                             \
    noted_are((const unsigned[]){__VA_ARGS__},                                 \
              sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

#endif
