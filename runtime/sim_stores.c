/* SPDX-License-Identifier: MIT */
#include "runtime/sim_stores.h"

#include <string.h>

/* As many as `luck` has bits. Where there are more, the oldest leaves. */
#define STORES 64

/* In the order they were made. No two are in the same word. */
static struct store {
    const void *fiber;
    char *at;
    /* What is not in memory: the old value while its fiber runs, else the new
     */
    uint64_t other;
    uint8_t size;
    bool is_release;
} stores[STORES];
static unsigned count;

static void exchange(struct store *s)
{
    uint64_t other = 0;

    memcpy(&other, s->at, s->size);
    memcpy(s->at, &s->other, s->size);
    s->other = other;
}

static void forget(unsigned i)
{
    count--;
    memmove(&stores[i], &stores[i + 1], (count - i) * sizeof(*stores));
}

static bool is_behind_another(unsigned i)
{
    for (unsigned j = 0; j < i; j++)
        if (stores[j].fiber == stores[i].fiber)
            return true;
    return false;
}

static void show(unsigned i, const void *running)
{
    if (stores[i].fiber != running)
        exchange(&stores[i]);
    forget(i);
}

/* The store at `i` leaves, and whatever must leave before it does. */
static void leave(unsigned i, const void *running)
{
    const struct store s = stores[i];
    unsigned j = 0;

    while (s.is_release && j < i)
        if (stores[j].fiber == s.fiber) {
            show(j, running);
            i--;
        } else {
            j++;
        }
    show(i, running);
}

static bool has_release_behind(unsigned i)
{
    for (unsigned j = i + 1; j < count; j++)
        if (stores[j].fiber == stores[i].fiber && stores[j].is_release)
            return true;
    return false;
}

/* Which of them is in these bytes, or `count`. */
static unsigned find(const char *at, size_t size)
{
    unsigned i = 0;

    while (i < count &&
           (at + size <= stores[i].at || stores[i].at + stores[i].size <= at))
        i++;
    return i;
}

/*
 * Two stores of one fiber into one word are one, made when the first was; but
 * if a release stands between them, or is the second, the first leaves.
 */
void sim_stores_add(const void *fiber, void *at, size_t size, bool is_release)
{
    unsigned i = find(at, size);

    if (i < count) {
        if (stores[i].fiber == fiber && !is_release && !has_release_behind(i))
            return;
        leave(i, fiber);
    }
    if (count == STORES)
        leave(0, fiber);
    stores[count] = (struct store){.fiber = fiber,
                                   .at = at,
                                   .size = (uint8_t)size,
                                   .is_release = is_release};
    memcpy(&stores[count++].other, at, size);
}

void sim_stores_meet(const void *fiber, void *at, size_t size)
{
    unsigned i;

    while ((i = find(at, size)) < count)
        leave(i, fiber);
}

void sim_stores_leave(const void *fiber)
{
    for (unsigned i = 0; i < count; i++)
        if (stores[i].fiber == fiber)
            forget(i--);
}

void sim_stores_switch(const void *from, const void *to, uint64_t luck)
{
    for (unsigned i = 0; i < count; i++, luck >>= 1) {
        if (stores[i].fiber == from && luck & 1 &&
            !(stores[i].is_release && is_behind_another(i)))
            forget(i--);
        else if (stores[i].fiber == from || stores[i].fiber == to)
            exchange(&stores[i]);
    }
}
