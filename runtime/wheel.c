/* SPDX-License-Identifier: MIT */
/*
 * A timer sits on the level of the highest digit (base 64) in which its
 * deadline differs from now, in the slot of that digit. When time reaches a
 * slot of a higher level its timers move down; on level 0 they fire. One word
 * per level tells which slots hold anything, so the next deadline is a count
 * of trailing zeroes.
 */
#include "runtime/wheel.h"

#include <string.h>

#define BITS 6
#define SPAN (1ull << (BITS * WHEEL_LEVELS)) /* beyond it: 2.2 years */

void wheel_init(struct wheel *wheel, uint64_t now)
{
    memset(wheel, 0, sizeof(*wheel));
    wheel->now = now;
}

/* A deadline past the top level waits there, and is looked at again. */
static uint64_t reachable(const struct wheel *wheel, uint64_t deadline)
{
    if (deadline <= wheel->now)
        return wheel->now;
    if (deadline - wheel->now >= SPAN)
        return wheel->now + SPAN - 1;
    return deadline;
}

static void insert(struct wheel *wheel, struct wheel_timer *timer)
{
    uint64_t at = reachable(wheel, timer->deadline);
    unsigned highest = 63 - (unsigned)__builtin_clzll((at ^ wheel->now) | 1);
    unsigned level = highest / BITS;
    unsigned digit;

    /* A carry can set a digit above the top: it wraps round the top level. */
    if (level >= WHEEL_LEVELS)
        level = WHEEL_LEVELS - 1;
    digit = (unsigned)(at >> (level * BITS)) % WHEEL_SLOTS;
    timer->slot = (uint16_t)(level * WHEEL_SLOTS + digit);
    LIST_APPEND(&wheel->slot[level][digit].timers, timer, link);
    wheel->occupied[level] |= 1ull << digit;
}

void wheel_add(struct wheel *wheel, struct wheel_timer *timer,
               uint64_t deadline)
{
    timer->deadline = deadline;
    insert(wheel, timer);
}

void wheel_remove(struct wheel *wheel, struct wheel_timer *timer)
{
    unsigned level = timer->slot / WHEEL_SLOTS;
    unsigned digit = timer->slot % WHEEL_SLOTS;
    struct wheel_slot *slot = &wheel->slot[level][digit];

    LIST_REMOVE(&slot->timers, timer, link);
    if (slot->timers.first == NULL)
        wheel->occupied[level] &= ~(1ull << digit);
}

/* When time enters the next occupied slot of a level. */
static uint64_t level_next(const struct wheel *wheel, unsigned level,
                           unsigned *digit)
{
    uint64_t occupied = wheel->occupied[level];
    uint64_t width = 1ull << (level * BITS);
    unsigned here = (unsigned)(wheel->now >> (level * BITS)) % WHEEL_SLOTS;
    uint64_t turned, start;
    unsigned ahead;

    if (occupied == 0)
        return WHEEL_NEVER;
    turned = occupied >> here;
    if (here != 0)
        turned |= occupied << (WHEEL_SLOTS - here);
    /*
     * Below the top only what is due is found in the slot time stands in:
     * the slot has just been entered, or a deadline had passed. The top is
     * where deadlines wrap: it is emptied first (find_next), and what is there
     * then is a round away, behind all its other slots.
     */
    if (level == WHEEL_LEVELS - 1 && turned != 1)
        turned &= ~1ull;
    ahead = (unsigned)__builtin_ctzll(turned);
    *digit = (here + ahead) % WHEEL_SLOTS;
    if (ahead == 0 && level == WHEEL_LEVELS - 1)
        ahead = WHEEL_SLOTS;
    start = wheel->now & ~(width - 1);
    return start + ahead * width;
}

/* Of levels that are due together the highest comes first. */
static uint64_t find_next(const struct wheel *wheel, unsigned *level,
                          unsigned *digit)
{
    uint64_t best = WHEEL_NEVER;

    for (unsigned i = 0; i < WHEEL_LEVELS; i++) {
        unsigned d = 0;
        uint64_t at = level_next(wheel, i, &d);
        if (at <= best && at != WHEEL_NEVER) {
            best = at;
            *level = i;
            *digit = d;
        }
    }
    return best;
}

uint64_t wheel_next(const struct wheel *wheel)
{
    unsigned level, digit;

    return find_next(wheel, &level, &digit);
}

void wheel_advance(struct wheel *wheel, uint64_t now,
                   void (*fire)(void *arg, struct wheel_timer *), void *arg)
{
    unsigned level = 0, digit = 0;
    uint64_t at;

    while ((at = find_next(wheel, &level, &digit)) <= now) {
        struct wheel_slot due = wheel->slot[level][digit];

        /* Emptied first: one of the top level may be put there again. */
        wheel->slot[level][digit] = (struct wheel_slot){0};
        wheel->occupied[level] &= ~(1ull << digit);
        if (at > wheel->now)
            wheel->now = at;
        LIST_EACH (timer, &due.timers, link) {
            if (timer->deadline <= wheel->now)
                fire(arg, timer);
            else
                insert(wheel, timer);
        }
    }
    if (now > wheel->now)
        wheel->now = now;
}
