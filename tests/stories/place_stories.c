/* SPDX-License-Identifier: MIT */
/* Who gets a place, and when. The books count them at every start. */
#include "runtime/os.h"
#include "tests/stories/stories.h"
#include "tests/stories/tale.h"

/* ---- a plan among others ----------------------------------------------- */

struct rival {
    struct world *world;
    struct client *client;
};

/* Takes whatever is free, again and again. */
static void grab(void *arg)
{
    struct client *c = ((struct rival *)arg)->client;
    const char *group = tale_group(c, "concurrent");

    for (unsigned i = 0; i < 8; i++) {
        const struct reply *run =
            tale_run(c, group, 1 + (unsigned)(client_random(c) % 2),
                     "work:60 result stubborn sleep:20");

        if (!run->is_error && client_random(c) % 2 == 0)
            tale_wait(c, run);
        else if (run->is_error)
            MUST_BE(run, "MAX_CONCURRENT_REACHED");
        client_nap(c, 60);
    }
    world_close_client(((struct rival *)arg)->world, c);
}

/* Later stages wait in line, and always get their turn. */
static void contended(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "sequential");
    struct rival rival = {.world = w, .client = world_client(w)};
    const struct reply *run;

    world_thread(w, grab, &rival);
    do {
        run = tale_plan(c, group, "continue",
                        "work:30 result; work:30 result | work:30 result;"
                        "work:30 result | report:success result");
        if (!run->is_error)
            break;
        MUST_BE(run, "MAX_CONCURRENT_REACHED");
    } while (client_sleep(c, 20));
    tale_wait(c, run);
    world_join(w);
}

/* ---- the line ---------------------------------------------------------- */

/* Two places, two may wait: the fifth is refused, and with it all that come
 * in the same order. */
static void queued(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    const struct reply *first, *second, *third;
    char ids[TALE_IDS];

    (void)w;
    first = MUST(tale_run(c, group, 2, "work:20 hang"));
    second = MUST(tale_run(c, group, 2, "work:50 report!:success result"));
    MUST_BE(tale_run(c, group, 1, "result"), "MAX_CONCURRENT_REACHED");
    client_sleep(c, 500);
    for (unsigned i = 0; i < 2; i++)
        TALE_CHECK(
            tale_is(tale_look(c, reply_text(second, "/agents/%u/agentId", i)),
                    "queued"));
    /* A report of somebody who has not begun is none. */
    MUST_BE(client_call(c, ORDER_REPORT_RESULT,
                        "{'agentId':'%s','status':'success','summary':'s',"
                        "'response':'r'}",
                        reply_text(second, "/agents/0/agentId")),
            "REPORT_FAILED");
    /* One leaves the line: there is room for one. */
    MUST(client_call(c, ORDER_CANCEL_AGENT, "{'agentIds':['%s']}",
                     reply_text(second, "/agents/1/agentId")));
    third = MUST(tale_run(c, group, 1, "work:20 result"));
    MUST_BE(tale_run(c, group, 1, "result"), "MAX_CONCURRENT_REACHED");
    MUST(client_call(c, ORDER_CANCEL_AGENT, "{'agentIds':[%s]}",
                     tale_ids(first, ids)));
    tale_wait(c, third);
    tale_wait(c, second);
    tale_wait(c, first);
}

/* Those in line are cancelled while places become free. */
static void impatient(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    const struct reply *runs[4];
    uint64_t tickets[4];

    (void)w;
    runs[0] = MUST(tale_run(c, group, 2, "work:60 result"));
    for (unsigned i = 1; i < 4; i++)
        runs[i] = MUST(tale_run(c, group, 2, "work:30 result"));
    for (unsigned i = 0; i < 4; i++) {
        client_nap(c, 60);
        tickets[i] = client_begin(c, ORDER_CANCEL_AGENT, "{'agentIds':['%s']}",
                                  reply_text(runs[client_random(c) % 4],
                                             "/agents/%u/agentId",
                                             (unsigned)(client_random(c) % 2)));
    }
    for (unsigned i = 0; i < 4; i++)
        MUST(client_finish(c, tickets[i]));
    for (unsigned i = 0; i < 4; i++)
        tale_wait(c, runs[i]);
    /* All places are free again: the whole line fits. */
    tale_wait(c, MUST(tale_run(c, group, 8, "work:10 result")));
}

/* First come, first served, whatever group they are of. */
static void in_order(struct world *w, struct client *c)
{
    const char *groups[2] = {tale_group(c, "concurrent"),
                             tale_group(c, "concurrent")};
    const struct reply *runs[6];
    unsigned last = 0, now;

    for (unsigned i = 0; i < 6; i++) {
        runs[i] = MUST(
            tale_run(c, groups[client_random(c) % 2], 1, "work:20 result"));
        if (client_random(c) % 2 == 0)
            client_nap(c, 30);
    }
    for (unsigned i = 0; i < 6; i++) {
        tale_wait(c, runs[i]);
        now = books_started_as(world_books(w),
                               reply_text(runs[i], "/agents/0/agentId"));
        TALE_CHECK(now > last);
        last = now;
    }
}

/* All are cancelled together, those in line and those that run: places become
 * free for some who are just then leaving, and must not be lost with them. */
static void cleared(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    const struct reply *runs[3];

    (void)w;
    for (unsigned i = 0; i < 3; i++)
        runs[i] = MUST(tale_run(c, group, 3, "hang"));
    client_nap(c, 60);
    MUST(client_call(c, ORDER_CANCEL_AGENT, "{'groupId':'%s'}", group));
    for (unsigned i = 0; i < 3; i++)
        tale_wait(c, runs[i]);
}

/* ---- refusals ---------------------------------------------------------- */

/* One who is done counts as free, but its place is taken until it has gone. */
static void lingering(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    const struct reply *first, *second;

    (void)w;
    first = MUST(
        tale_run(c, group, 2, "work:20 report!:success sleep:4000 result"));
    MUST_BE(tale_run(c, group, 1, "result"), "MAX_CONCURRENT_REACHED");
    tale_wait(c, first);
    second = MUST(tale_run(c, group, 2, "work:20 result"));
    MUST_BE(tale_run(c, group, 1, "result"), "MAX_CONCURRENT_REACHED");
    tale_wait(c, second);
    TALE_CHECK(tale_is(tale_look(c, reply_text(first, "/agents/0/agentId")),
                       "resultReported"));
}

const struct story place_stories[] = {
    {.name = "contended plan",
     .settings = "agent: {maxConcurrent: 2}\n",
     .tell = contended},
    {.name = "line",
     .settings = "agent: {maxConcurrent: 2, maxQueued: 2}\n",
     .tell = queued},
    {.name = "impatient line",
     .settings = "agent: {maxConcurrent: 2, maxQueued: 6}\n",
     .tell = impatient},
    {.name = "order",
     .settings = "agent: {maxConcurrent: 1, maxQueued: 5}\n",
     .tell = in_order},
    {.name = "cleared",
     .settings = "agent: {maxConcurrent: 3, maxQueued: 6}\n",
     .tell = cleared},
    {.name = "lingering",
     .settings = "agent: {maxConcurrent: 2}\n",
     .tell = lingering},
    {.name = NULL}};
