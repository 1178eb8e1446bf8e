/* SPDX-License-Identifier: MIT */
#include "runtime/sim_races.h"

#include <stdint.h>

#include "runtime/os.h"

#define NOBODY SIM_RACES_FIBERS
/* A power of two. When half of the table is full, all is forgotten: by count
 * and not by address, so that a seed is one run wherever memory lies. */
#define NOTES (1u << 15)

/* The last store into eight bytes: which of them, by whom, and where. */
struct note {
    uintptr_t word;
    uint64_t epoch;
    uintptr_t place;
    uint8_t fiber;
    uint8_t bytes; /* a bit for each */
};

/* A fiber's epoch lasts from one release to the next; no two are the same. */
static struct {
    struct note note[NOTES];
    unsigned count;
    unsigned fiber; /* which runs */
    uintptr_t stack, stack_size;
    uint64_t epoch[SIM_RACES_FIBERS];
    uint64_t epochs;    /* so many there were */
    uint64_t forgotten; /* notes of these are none */
} races = {.fiber = NOBODY};

extern char __executable_start[];

static void forget(void)
{
    races.forgotten = races.epochs;
    races.count = 0;
    for (unsigned i = 0; i < SIM_RACES_FIBERS; i++)
        races.epoch[i] = ++races.epochs;
}

void sim_races_begin(void)
{
    forget();
}

void sim_races_run(unsigned fiber, const void *stack, size_t size)
{
    races.fiber = fiber;
    races.stack = (uintptr_t)stack;
    races.stack_size = size;
}

void sim_races_release(void)
{
    races.epoch[races.fiber] = ++races.epochs;
}

void sim_races_end(void)
{
    races.fiber = NOBODY;
}

/* The note of this word, or the place for it. Those of a line lie together. */
static struct note *find(uintptr_t word)
{
    uint64_t line = (word >> 6) * 0x9e3779b97f4a7c15ull >> 40;
    uint64_t i = line << 3 | (word >> 3 & 7);

    while (races.note[i % NOTES].epoch > races.forgotten &&
           races.note[i % NOTES].word != word)
        i++;
    return &races.note[i % NOTES];
}

static void store(struct note *n, uintptr_t word, uint8_t bytes,
                  uintptr_t place)
{
    uint64_t epoch = races.epoch[races.fiber];

    if (n->epoch == epoch) {
        n->bytes |= bytes;
        return;
    }
    if (n->epoch <= races.forgotten && ++races.count > NOTES / 2) {
        forget();
        return;
    }
    *n = (struct note){.word = word,
                       .epoch = epoch,
                       .place = place,
                       .fiber = (uint8_t)races.fiber,
                       .bytes = bytes};
}

static _Noreturn void fail(const struct note *n, bool is_store, uintptr_t place)
{
    uintptr_t program = (uintptr_t)__executable_start;

    os_panic("race: what was stored at %#lx and not released is %s at %#lx",
             (unsigned long)(n->place - program), is_store ? "stored" : "read",
             (unsigned long)(place - program));
}

static void touch_word(uintptr_t word, uint8_t bytes, bool is_store,
                       uintptr_t place)
{
    struct note *n = find(word);

    if (n->bytes & bytes && n->fiber != races.fiber &&
        n->epoch == races.epoch[n->fiber])
        fail(n, is_store, place);
    if (is_store)
        store(n, word, bytes, place);
}

void sim_races_touch(const void *at, size_t size, bool is_store,
                     const void *place)
{
    uintptr_t first = (uintptr_t)at, end = first + size;

    if (races.fiber == NOBODY || first - races.stack < races.stack_size)
        return;
    while (first < end) {
        uintptr_t word = first & ~(uintptr_t)7, next = word + 8;
        unsigned bytes = 0xffu << (first - word) & 0xff;

        if (end < next)
            bytes &= 0xffu >> (next - end);
        touch_word(word, (uint8_t)bytes, is_store, (uintptr_t)place);
        first = next;
    }
}
