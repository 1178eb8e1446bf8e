/* SPDX-License-Identifier: MIT */
/* Messages on the simulated machine: order, ownership, dead letters. */
#include <stdlib.h>
#include <string.h>

#include "simulated.h"
#include "tap.h"

#define SEEDS 300

enum kind { GO = 1, NUMBER, FIRST, LAST, DONE };

static enum rt_next note_kind(struct rt_turn *t, void *state, struct rt_msg *m)
{
    (void)t;
    (void)state;
    if (m->kind != GO)
        note(m->kind == NUMBER ? *(unsigned *)rt_body(m) : m->kind);
    return m->kind == DONE ? RT_STOP : RT_OK;
}

static const struct rt_behaviour noter = {.name = "noter", .handle = note_kind};

static enum rt_next stop_after_exit(struct rt_turn *t, void *state,
                                    struct rt_msg *m)
{
    (void)t;
    (void)state;
    return m->kind == RT_EXIT ? RT_STOP : RT_OK;
}

static struct rt_msg *number(struct rt_turn *t, unsigned n)
{
    struct rt_msg *m = rt_msg(t, NUMBER, sizeof(n));

    *(unsigned *)rt_body(m) = n;
    return m;
}

/* ---- bodies
 * -------------------------------------------------------------------- */

static const size_t sizes[] = {0, 8, 9, 40, 41, 4072, 4073, 100000};

static enum rt_next sizes_handle(struct rt_turn *t, void *state,
                                 struct rt_msg *m)
{
    const unsigned char *body = rt_body(m);
    size_t size = sizes[m->kind - 1];

    (void)t;
    (void)state;
    for (size_t i = 0; i < size; i++)
        CHECK(body[i] == (unsigned char)(i * 7 + m->kind));
    return m->kind == sizeof(sizes) / sizeof(*sizes) ? RT_STOP : RT_OK;
}

static enum rt_next sizes_start(struct rt_turn *t, void *state)
{
    (void)state;
    for (uint16_t k = 1; k <= sizeof(sizes) / sizeof(*sizes); k++) {
        struct rt_msg *m = rt_msg(t, k, sizes[k - 1]);
        unsigned char *body = rt_body(m);
        for (size_t i = 0; i < sizes[k - 1]; i++) {
            CHECK(body[i] == 0);
            body[i] = (unsigned char)(i * 7 + k);
        }
        CHECK(rt_send(t, rt_self(t), m));
    }
    return RT_OK;
}

static void test_bodies_of_every_class(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = sizes_start, .handle = sizes_handle};

    simulate(&(struct simulated){.root = &root, .seeds = 100});
}

/* ---- order
 * ------------------------------------------------------------------- */

/* All is sent to itself: what is there when the turn begins is known. */
static enum rt_next urgent_start(struct rt_turn *t, void *state)
{
    struct rt_msg *m;

    (void)state;
    for (unsigned i = 0; i < 3000; i++)
        rt_send(t, rt_self(t), number(t, i + 100));
    for (uint16_t k = FIRST; k <= DONE; k++) {
        m = rt_msg(t, k, 0);
        m->flags = k == DONE ? 0 : RT_URGENT;
        rt_send(t, rt_self(t), m);
    }
    return RT_OK;
}

static void noted_urgent_first(void)
{
    CHECK(note_count() == 3003);
    CHECK(noted(0) == FIRST && noted(1) == LAST);
    for (unsigned i = 0; i < 3000; i++)
        CHECK(noted(i + 2) == i + 100);
    CHECK(noted(3002) == DONE);
}

static void test_urgent_overtakes_thousands(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = urgent_start, .handle = note_kind};

    simulate(&(struct simulated){
        .root = &root, .seeds = 100, .after = noted_urgent_first});
}

static struct rt_msg *chain(struct rt_turn *t, unsigned first, unsigned count)
{
    struct rt_msg *oldest = NULL, **end = &oldest;

    for (unsigned i = 0; i < count; i++) {
        *end = number(t, first + i);
        end = &(*end)->next;
    }
    *end = NULL;
    return oldest;
}

static enum rt_next chain_start(struct rt_turn *t, void *state)
{
    struct rt_ref to = rt_spawn(t, &noter, NULL);

    (void)state;
    CHECK(rt_send_chain(t, to, chain(t, 100, 50)));
    CHECK(rt_send_chain(t, to, chain(t, 150, 1)));
    CHECK(rt_send_chain(t, to, NULL));
    CHECK(rt_send_chain(t, to, chain(t, 151, 49)));
    CHECK(rt_tell(t, to, DONE, NULL, 0));
    return RT_OK;
}

static void noted_chain(void)
{
    CHECK(note_count() == 101);
    for (unsigned i = 0; i < 100; i++)
        CHECK(noted(i) == 100 + i);
}

static void test_chain_keeps_its_order(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = chain_start, .handle = stop_after_exit};

    simulate(&(struct simulated){
        .root = &root, .seeds = SEEDS, .after = noted_chain});
}

static uint64_t waiting(const struct rt_turn *t)
{
    struct rt_stats stats;

    rt_stats(t, &stats);
    return stats.waiting;
}

/* The others of this runtime rest while the root has its turns. */
static enum rt_next counted_start(struct rt_turn *t, void *state)
{
    (void)state;
    CHECK(rt_send_chain(t, rt_self(t), chain(t, 100, 7)));
    for (uint16_t kind = 107; kind < 110; kind++)
        CHECK(rt_tell(t, rt_self(t), kind, NULL, 0));
    CHECK(!rt_tell(t, RT_NOBODY, 1, NULL, 0));
    note((uint32_t)waiting(t));
    return RT_OK;
}

static enum rt_next counted_handle(struct rt_turn *t, void *state,
                                   struct rt_msg *m)
{
    uint64_t left = waiting(t);

    (void)state, (void)m;
    note((uint32_t)left);
    return left == 3 ? RT_STOP : RT_OK; /* those are never read */
}

static void noted_count(void)
{
    CHECK(note_count() == 8);
    for (unsigned i = 0; i < 8; i++)
        CHECK(noted(i) == 10 - i);
}

static void test_mail_that_waits_is_counted(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = counted_start, .handle = counted_handle};

    simulate(&(struct simulated){
        .root = &root, .seeds = SEEDS, .after = noted_count});
}

/* ---- dead letters ------------------------------------------------------ */

/* Sends to nobody: kinds 1 to 300, of which the last 256 are kept. */
static enum rt_next dead_start(struct rt_turn *t, void *state)
{
    struct rt_ref forged = {rt_self(t).id + (1ull << 28)};
    struct rt_ref wild[] = {RT_NOBODY, forged, {5}, {UINT64_MAX}};

    (void)state;
    for (uint16_t k = 1; k <= 300; k++)
        CHECK(!rt_tell(t, wild[k % 4], k, NULL, 0));
    rt_stop(t, forged);
    rt_drain(t, RT_NOBODY);
    note(1);
    return RT_OK;
}

static void look_at_dead(struct rt *rt)
{
    struct rt_dead_letter letter[300];
    struct rt_stats stats;

    while (note_count() == 0)
        os_sleep(&(uint32_t){0}, 0, os_now() + 1000000);
    rt_stats_any(rt, &stats);
    CHECK(stats.dead[RT_DEAD_STALE] == 300);
    CHECK(rt_dead_letters_any(rt, letter, 300) == 256);
    for (unsigned i = 0; i < 256; i++) {
        CHECK(letter[i].kind == 45 + i && letter[i].reason == RT_DEAD_STALE);
        CHECK(rt_same(letter[i].from, rt_root_any(rt)));
    }
    CHECK(rt_dead_letters_any(rt, letter, 3) == 3);
    CHECK(letter[0].kind == 298 && letter[2].kind == 300);
    CHECK(rt_dead_letters_any(rt, letter, 0) == 0);
    rt_stop_any(rt);
}

static void test_wild_addresses_are_refused_and_listed(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = dead_start, .handle = stop_after_exit};

    simulate(&(struct simulated){
        .root = &root, .seeds = 100, .during = look_at_dead});
}

static enum rt_next refused_start(struct rt_turn *t, void *state)
{
    struct rt_msg *m = rt_msg(t, 1, 0);

    (void)state;
    m->next = rt_msg(t, 2, 0);
    m->next->next = rt_msg(t, 3, 0);
    m->next->next->next = NULL;
    CHECK(!rt_send_chain(t, RT_NOBODY, m));
    note(1);
    return RT_OK;
}

static void look_at_chain(struct rt *rt)
{
    struct rt_dead_letter letter[4];

    while (note_count() == 0)
        os_sleep(&(uint32_t){0}, 0, os_now() + 1000000);
    CHECK(rt_dead_letters_any(rt, letter, 4) == 3);
    for (unsigned i = 0; i < 3; i++)
        CHECK(letter[i].kind == i + 1);
    rt_stop_any(rt);
}

static void test_refused_chain_is_listed_oldest_first(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = refused_start, .handle = stop_after_exit};

    simulate(&(struct simulated){
        .root = &root, .seeds = 100, .during = look_at_chain});
}

/* ---- ownership
 * ------------------------------------------------------------------- */

struct taker {
    struct rt_ref next;
    struct rt_msg *kept;
};

/* Forwards numbers, keeps the first, and gives it on behind the last. */
static enum rt_next taker_handle(struct rt_turn *t, void *state,
                                 struct rt_msg *m)
{
    struct taker *k = state;

    if (m->kind == NUMBER) {
        if (k->kept == NULL)
            k->kept = rt_take(t, m);
        else
            rt_send(t, k->next, rt_take(t, m));
        return RT_OK;
    }
    rt_send(t, k->next, k->kept);
    rt_free(t, rt_take(t, m));
    rt_free(t, NULL);
    rt_tell(t, k->next, DONE, NULL, 0);
    return RT_OK;
}

static enum rt_next taker_start(struct rt_turn *t, void *state)
{
    static const struct rt_behaviour taker = {
        .name = "taker", .size = sizeof(struct taker), .handle = taker_handle};
    struct taker init = {.next = rt_spawn(t, &noter, NULL)};
    struct rt_ref to = rt_spawn_at(t, RT_LOOP(0), &taker, &init);

    (void)state;
    for (unsigned i = 100; i < 110; i++)
        rt_send(t, to, number(t, i));
    rt_tell(t, to, LAST, NULL, 0);
    return RT_OK;
}

static void noted_forwarded(void)
{
    NOTED(101, 102, 103, 104, 105, 106, 107, 108, 109, 100, DONE);
}

static void test_taken_messages_are_forwarded(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = taker_start, .handle = stop_after_exit};

    simulate(&(struct simulated){
        .root = &root, .seeds = SEEDS, .after = noted_forwarded});
}

/* ---- carried objects
 * ---------------------------------------------------------------
 */

#define CARRIED 40

static void obj_free(struct rt_obj *o)
{
    note(1);
    free(o);
}

static bool carry(struct rt_turn *t, struct rt_ref to)
{
    struct rt_msg *m = rt_msg(t, GO, sizeof(struct rt_obj *));
    struct rt_obj *o = malloc(sizeof(*o));

    rt_obj_init(o, obj_free);
    m->flags = RT_CARRIES;
    *(struct rt_obj **)rt_body(m) = o;
    return rt_send(t, to, m);
}

/* Some are handled, some find their receiver stopping, closed or long gone. */
static enum rt_next carry_start(struct rt_turn *t, void *state)
{
    struct rt_ref to = rt_spawn_at(t, RT_LOOP(0), &noter, NULL);

    (void)state;
    for (unsigned i = 0; i < CARRIED - 2; i++) {
        if (i == CARRIED / 2)
            rt_stop(t, to);
        carry(t, to);
    }
    CHECK(!carry(t, RT_NOBODY));
    carry(t, rt_self(t));
    return RT_STOP;
}

static void noted_all_freed(void)
{
    CHECK(note_count() == CARRIED);
}

static void test_carried_objects_are_dropped_once(void)
{
    static const struct rt_behaviour root = {
        .name = "root", .start = carry_start, .handle = stop_after_exit};

    simulate(&(struct simulated){
        .root = &root, .seeds = SEEDS, .after = noted_all_freed});
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_bodies_of_every_class);
    TEST(test_urgent_overtakes_thousands);
    TEST(test_chain_keeps_its_order);
    TEST(test_mail_that_waits_is_counted);
    TEST(test_wild_addresses_are_refused_and_listed);
    TEST(test_refused_chain_is_listed_oldest_first);
    TEST(test_taken_messages_are_forwarded);
    TEST(test_carried_objects_are_dropped_once);
    return TAP_END();
}
