/* SPDX-License-Identifier: MIT */
/* Who hears what: the feed's numbers, its pace, live text, and those who come,
 * leave and die in the middle of it. Hearers find the faults. */
#include <stdio.h>

#include "runtime/os.h"
#include "tests/stories/hearer.h"
#include "tests/stories/stories.h"
#include "tests/stories/tale.h"

static void end(struct client *c, struct hearer *h)
{
    hearer_tell(h, HEARER_END, "");
    hearer_until_over(c, h);
    hearer_destroy(h);
}

/* Some hear it all, some come and go, one dies. */
static void hearers(struct world *w, struct client *c)
{
    struct hearer *all = hearer_create(w), *fickle = hearer_create(w);
    struct hearer *mortal = hearer_create(w);
    const char *group = tale_group(c, "concurrent");
    const struct reply *run;
    unsigned pictures = 0;

    hearer_tell(all, HEARER_SUBSCRIBE, "");
    hearer_tell(mortal, HEARER_SUBSCRIBE, "");
    hearer_until_pictures(c, all, 1);
    run = MUST(tale_run(c, group, 3,
                        "work:200 work:200 work:200 report!:success result"));
    for (unsigned i = 0; i < 3; i++) {
        hearer_tell(fickle, HEARER_SUBSCRIBE, "");
        client_nap(c, 1 + client_random(c) % 150);
        if (client_random(c) % 2 == 0)
            hearer_until_pictures(c, fickle, pictures + 1);
        hearer_tell(fickle, HEARER_UNSUBSCRIBE, "");
        pictures += 2;
        if (client_random(c) % 2 == 0)
            hearer_until_pictures(c, fickle, pictures);
        if (i == 1)
            hearer_tell(mortal, HEARER_END, "");
    }
    tale_wait(c, run);
    for (unsigned i = 0; i < 3; i++)
        tale_until_gone(c, reply_text(run, "/agents/%u/agentId", i));
    hearer_tell(all, HEARER_UNSUBSCRIBE, "");
    hearer_until_pictures(c, all, 2);
    /* Created, running, reported, completed of each, and more. */
    TALE_CHECK(hearer_tally(all).ended == 3);
    TALE_CHECK(hearer_tally(all).numbered >= 3 * 4);
    TALE_CHECK(hearer_tally(all).progress > 0);
    hearer_until_over(c, mortal);
    hearer_destroy(mortal);
    end(c, fickle);
    end(c, all);
}

/* Those that listen before an agent begins hear all of it, each, and nothing
 * of the others. */
static void listening(struct world *w, struct client *c)
{
    struct hearer *h = hearer_create(w), *other = hearer_create(w);
    struct hearer *twin = hearer_create(w);
    const char *group = tale_group(c, "concurrent");
    const struct reply *first = MUST(tale_run(c, group, 1, "work:5 hang"));
    const struct reply *run =
        MUST(tale_run(c, group, 1, "work:20 burst:300 work:20 result"));
    const char *id = reply_text(run, "/agents/0/agentId");
    struct hearer_tally tally;

    hearer_tell(h, HEARER_SUBSCRIBE, "");
    hearer_tell(h, HEARER_LISTEN, id);
    hearer_tell(h, HEARER_LISTEN, id); /* twice is once */
    hearer_tell(h, HEARER_LISTEN, "nobody-1-aaaa");
    hearer_tell(twin, HEARER_LISTEN, id);
    hearer_until_pictures(c, h, 4);
    hearer_until_pictures(c, twin, 1);
    MUST(client_call(c, ORDER_CANCEL_AGENT, "{'agentIds':['%s']}",
                     reply_text(first, "/agents/0/agentId")));
    client_nap(c, 1 + client_random(c) % 60);
    /* One who comes late, and may leave early or die. */
    hearer_tell(other, HEARER_LISTEN, id);
    client_nap(c, 1 + client_random(c) % 40);
    if (client_random(c) % 2 == 0)
        hearer_tell(other, HEARER_UNLISTEN, id);
    hearer_tell(other, HEARER_END, "");
    tale_wait(c, run);
    tale_until_gone(c, id);
    hearer_tell(h, HEARER_LISTEN, id); /* gone: there is nothing to hear */
    hearer_tell(twin, HEARER_LISTEN, id);
    hearer_until_pictures(c, h, 5);
    hearer_until_pictures(c, twin, 2);
    tally = hearer_tally(h);
    TALE_CHECK(tally.started == 1 && tally.results == 1);
    TALE_CHECK(tally.tool_starts == tally.tool_calls);
    TALE_CHECK(hearer_tally(twin).streamed == tally.streamed);
    hearer_until_over(c, other);
    hearer_destroy(other);
    end(c, twin);
    end(c, h);
}

static uint64_t sent(struct world *w)
{
    struct rt_stats stats;

    rt_stats_any(world_rt(w), &stats);
    return stats.sent;
}

/* A hub that has nothing to tell sends nothing, however many would hear it. */
static void idle(struct world *w, struct client *c)
{
    struct hearer *h = hearer_create(w);
    const char *group = tale_group(c, "concurrent");
    const struct reply *run = MUST(tale_run(c, group, 1, "work:50 hang"));
    const char *id = reply_text(run, "/agents/0/agentId");
    uint64_t before;

    hearer_tell(h, HEARER_SUBSCRIBE, "");
    hearer_until_pictures(c, h, 1);
    tale_until_begun(c, id);
    client_sleep(c, 2000);
    before = sent(w);
    client_sleep(c, 30000);
    TALE_CHECK(sent(w) == before);
    MUST(client_call(c, ORDER_CANCEL_AGENT, "{'agentIds':['%s']}", id));
    tale_wait(c, run);
    tale_until_gone(c, id);
    end(c, h);
}

#define FAILING 9
#define HOUR_MS 3600000

/* However they fall together: every failure is told once, and an hour's
 * failures in two at most, the first and what came behind it. */
static void notified(struct world *w, struct client *c)
{
    struct hearer *h = hearer_create(w);
    const char *group = tale_group(c, "concurrent");
    const struct reply *bad, *good;

    hearer_tell(h, HEARER_SUBSCRIBE, "");
    hearer_until_pictures(c, h, 1);
    good = MUST(tale_run(c, group, 2, "work:300 report!:success result"));
    bad = MUST(tale_run(c, group, FAILING, "work:900 exit:1"));
    tale_wait(c, good);
    tale_wait(c, bad);
    for (unsigned i = 0; i < FAILING; i++)
        tale_until_gone(c, reply_text(bad, "/agents/%u/agentId", i));
    while (hearer_tally(h).told < FAILING)
        client_nap(c, HOUR_MS / 4);
    client_nap(c, 2 * HOUR_MS);
    TALE_CHECK(hearer_tally(h).told == FAILING);
    TALE_CHECK(hearer_tally(h).raised <= 2);
    end(c, h);
}

/* Everything that can happen to groups and agents, and what is drawn of it in
 * between: hearers hold it against what they have heard. */
static void drawn(struct world *w, struct client *c)
{
    struct hearer *h = hearer_create(w), *late = hearer_create(w);
    const char *one = tale_group(c, "concurrent");
    const char *two = tale_group(c, "sequential");
    const struct reply *run, *plan, *family;
    char ids[TALE_IDS];

    hearer_tell(h, HEARER_SUBSCRIBE, "");
    hearer_until_pictures(c, h, 1);
    world_tell_roles(w, true);
    run = MUST(tale_run(c, one, 3, "work:40 report:failure result"));
    plan =
        MUST(tale_plan(c, two, "stop", "work:5 result|work:9 result;result"));
    family = MUST(client_call(
        c, ORDER_RUN_MAGENTIC,
        "{'description':'d','task':'story: work:20 lead:replan result',"
        "'completionCriteria':'c','scope':'s'}"));
    client_nap(c, 1 + client_random(c) % 60);
    hearer_tell(late, HEARER_SUBSCRIBE, "");
    MUST(client_call(c, ORDER_CANCEL_AGENT, "{'agentIds':['%s']}",
                     reply_text(run, "/agents/0/agentId")));
    tale_wait(c, run);
    tale_wait(c, plan);
    for (unsigned i = 0; i < 3; i++)
        tale_until_gone(c, reply_text(run, "/agents/%u/agentId", i));
    if (client_random(c) % 2 == 0) /* it goes on, after its end */
        tale_wait(c, MUST(tale_run(c, one, 1, "result")));
    tale_delete(c, one);
    snprintf(ids, sizeof(ids), "'%s'",
             reply_text(family, "/orchestratorAgentId"));
    tale_wait_ids(c, ids);
    tale_delete(c, reply_text(family, "/groupId"));
    tale_delete(c, two);
    hearer_until_pictures(c, late, 1);
    end(c, late);
    end(c, h);
}

const struct story feed_stories[] = {
    {.name = "notified",
     .settings = "agent: {maxConcurrent: 20}\n"
                 "notifications: {failed: [browser], groupDone: [],"
                 " interval_ms: 3600000}\n",
     .tell = notified,
     .has_notifier = true},
    {.name = "hearers",
     .settings = "agent: {maxConcurrent: 3}\n",
     .tell = hearers},
    {.name = "listening",
     .settings = "agent: {maxConcurrent: 1, maxQueued: 9}\n",
     .tell = listening},
    {.name = "drawn and heard",
     .is_unchecked = true,
     .settings = "agent: {maxConcurrent: 3, maxQueued: 20}\n",
     .tell = drawn},
    {.name = "idle feed",
     .settings = "agent: {stallWarn_ms: 0}\n",
     .tell = idle},
    {.name = NULL}};
