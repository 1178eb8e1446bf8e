/* SPDX-License-Identifier: MIT */
/*
 * The inbox by itself: its four states in one thread, then two senders and
 * its owner as fibers of the simulated machine, switched at atomic steps.
 */
#include "runtime/inbox.h"

#include <string.h>

#include "runtime/os_sim.h"
#include "simulated.h"
#include "tap.h"

static void test_idle_wakes_once(void)
{
    struct rt_msg *inbox = INBOX_IDLE, a = {0}, b = {0};

    TEST_ASSERT_EQUAL(INBOX_WOKEN, inbox_push(&inbox, &a, &a));
    TEST_ASSERT_EQUAL(INBOX_QUEUED, inbox_push(&inbox, &b, &b));
    TEST_ASSERT_FALSE(inbox_rest(&inbox));
    TEST_ASSERT_EQUAL_PTR(&b, inbox_take(&inbox));
    TEST_ASSERT_EQUAL_PTR(&a, b.next);
    TEST_ASSERT_NULL(a.next);
    TEST_ASSERT_NULL(inbox_take(&inbox));
    TEST_ASSERT_TRUE(inbox_rest(&inbox));
    TEST_ASSERT_EQUAL_PTR(INBOX_IDLE, inbox);
}

static void test_running_owner_is_not_woken(void)
{
    struct rt_msg *inbox = NULL, a = {0};

    TEST_ASSERT_EQUAL(INBOX_QUEUED, inbox_push(&inbox, &a, &a));
    TEST_ASSERT_EQUAL_PTR(&a, inbox_take(&inbox));
    TEST_ASSERT_NULL(a.next);
}

static void test_chain_lies_before_what_was_there(void)
{
    struct rt_msg *inbox = INBOX_IDLE, old = {0}, m[3] = {0};

    inbox_push(&inbox, &old, &old);
    m[2].next = &m[1];
    m[1].next = &m[0];
    TEST_ASSERT_EQUAL(INBOX_QUEUED, inbox_push(&inbox, &m[2], &m[0]));
    TEST_ASSERT_EQUAL_PTR(&m[2], inbox_take(&inbox));
    TEST_ASSERT_EQUAL_PTR(&old, m[0].next);
}

static void test_closed_refuses_and_gives_the_rest_back(void)
{
    struct rt_msg *inbox = NULL, a = {0}, b = {0};

    inbox_push(&inbox, &a, &a);
    TEST_ASSERT_EQUAL_PTR(&a, inbox_close(&inbox));
    TEST_ASSERT_EQUAL(INBOX_REFUSED, inbox_push(&inbox, &b, &b));
    TEST_ASSERT_EQUAL(INBOX_REFUSED, inbox_push(&inbox, &b, &b));
    TEST_ASSERT_EQUAL_PTR(INBOX_CLOSED, inbox);
}

/* ---- two senders, one owner, every seed another interleaving ---------------
 */

#define SENDERS 2
#define EACH 6

/* `runs` is the run-queue entry: how many hold the right to run the owner. */
static struct {
    struct rt_msg message[SENDERS][EACH];
    unsigned accepted[SENDERS], refused[SENDERS];
    unsigned next[SENDERS]; /* number the owner expects of each */
    unsigned senders_left;
    struct rt_msg *inbox;
    uint32_t runs;
    bool closes; /* the owner closes after half of the mail */
    bool closed;
} race;

/* m->kind is the number, m->generation the sender. */
static void receive(struct rt_msg *newest)
{
    struct rt_msg *oldest = NULL;

    while (newest != NULL) {
        struct rt_msg *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    for (; oldest != NULL; oldest = oldest->next) {
        CHECK(oldest->kind == race.next[oldest->generation]);
        race.next[oldest->generation]++;
    }
}

static unsigned received(void)
{
    return race.next[0] + race.next[1];
}

static void send_all(void *arg)
{
    unsigned id = (unsigned)(uintptr_t)arg;

    for (unsigned i = 0; i < EACH;) {
        struct rt_msg *m = race.message[id];
        unsigned length = 1 + (i + id) % 2; /* one, or a chain of two */
        enum inbox_push pushed;

        if (i + length > EACH)
            length = 1;
        for (unsigned j = 1; j < length; j++)
            m[i + j].next = &m[i + j - 1];
        pushed = inbox_push(&race.inbox, &m[i + length - 1], &m[i]);
        if (pushed == INBOX_REFUSED)
            race.refused[id] += length;
        else
            race.accepted[id] += length;
        if (pushed == INBOX_WOKEN) {
            CHECK(atomic_add_release(&race.runs, 1) == 0);
            os_wake(&race.runs);
        }
        i += length;
    }
}

static void owner_turn(void)
{
    do {
        receive(inbox_take(&race.inbox));
        if (race.closes && received() >= SENDERS * EACH / 2) {
            receive(inbox_close(&race.inbox));
            race.closed = true;
            return;
        }
        /* Given up before resting: a sender may hold it right after. */
        atomic_store_relaxed(&race.runs, 0);
        if (inbox_rest(&race.inbox))
            return;
        atomic_store_relaxed(&race.runs, 1);
    } while (true);
}

static void own(void *arg)
{
    (void)arg;
    while (!race.closed && received() < SENDERS * EACH) {
        while (atomic_load_acquire(&race.runs) == 0)
            os_sleep(&race.runs, 0, OS_NEVER);
        owner_turn();
    }
}

static void race_once(uint64_t seed, bool closes)
{
    struct os_thread *thread[SENDERS + 1];

    memset(&race, 0, sizeof(race));
    race.inbox = INBOX_IDLE;
    race.closes = closes;
    for (unsigned id = 0; id < SENDERS; id++)
        for (unsigned i = 0; i < EACH; i++)
            race.message[id][i] =
                (struct rt_msg){.kind = (uint16_t)i, .generation = id};
    os_sim_begin(seed);
    thread[SENDERS] = os_thread_start("owner", own, NULL);
    for (uintptr_t id = 0; id < SENDERS; id++)
        thread[id] = os_thread_start("sender", send_all, (void *)id);
    for (unsigned i = 0; i <= SENDERS; i++)
        os_thread_join(thread[i]);
    os_sim_end();
    for (unsigned id = 0; id < SENDERS; id++) {
        CHECK(race.accepted[id] + race.refused[id] == EACH);
        CHECK(race.next[id] == race.accepted[id]);
    }
}

static void test_race_loses_and_doubles_nothing(void)
{
    for (uint64_t seed = 1; seed <= 5000; seed++)
        race_once(seed, false);
}

static void test_race_with_closing(void)
{
    for (uint64_t seed = 1; seed <= 5000; seed++)
        race_once(seed, true);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_idle_wakes_once);
    TEST(test_running_owner_is_not_woken);
    TEST(test_chain_lies_before_what_was_there);
    TEST(test_closed_refuses_and_gives_the_rest_back);
    TEST(test_race_loses_and_doubles_nothing);
    TEST(test_race_with_closing);
    return TAP_END();
}
