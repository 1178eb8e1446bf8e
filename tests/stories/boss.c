/* SPDX-License-Identifier: MIT */
#include "tests/stories/boss.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/os.h"
#include "tests/stories/tale.h"

struct boss {
    struct client *client;
    const char *group; /* its own, of mode magentic */
    void (*work)(struct boss *b);
    struct rt_ref tell;
    uint16_t kind;
    uint64_t number;
};

/* ---- what they have in common ------------------------------------------ */

static const struct reply *plan(struct boss *b)
{
    return client_call(b->client, ORDER_UPDATE_LEDGER,
                       "{'groupId':'%s','type':'task','facts':{'given':['a'],"
                       "'toInvestigate':[],'toDerive':[],'assumptions':[]},"
                       "'plan':['one','two']}",
                       b->group);
}

static const struct reply *weigh(struct boss *b, unsigned iteration,
                                 bool is_satisfied, bool is_progressing)
{
    return client_call(
        b->client, ORDER_UPDATE_LEDGER,
        "{'groupId':'%s','type':'progress',"
        "'isRequestSatisfied':{'reason':'r','answer':%s},"
        "'isInLoop':{'reason':'r','answer':false},"
        "'isProgressBeingMade':{'reason':'r','answer':%s},"
        "'nextAction':{'reason':'r','answer':'go on'},"
        "'instruction':{'reason':'r','answer':'do'},'iteration':%u}",
        b->group, is_satisfied ? "true" : "false",
        is_progressing ? "true" : "false", iteration);
}

static void report(struct boss *b, const char *status)
{
    client_call(b->client, ORDER_REPORT_RESULT,
                "{'agentId':'%s','status':'%s','summary':'s',"
                "'response':'r'}",
                client_agent(b->client), status);
}

/* Its groups are children of its own, whatever it says. */
static const char *child_group(struct boss *b)
{
    const struct reply *r =
        MUST(client_call(b->client, ORDER_CREATE_GROUP,
                         "{'description':'part','mode':'concurrent'}"));

    if (!r->is_hung_up)
        TALE_CHECK(strcmp(reply_text(r, "/parentGroupId"), b->group) == 0);
    return reply_text(r, "/groupId");
}

/* Places may be taken by others: then it tries later. */
static const struct reply *delegate(struct boss *b, const char *group,
                                    unsigned count, const char *script)
{
    const struct reply *r;

    for (;;) {
        r = tale_run(b->client, group, count, script);
        if (strcmp(reply_code(r), "MAX_CONCURRENT_REACHED") != 0)
            return r;
        client_sleep(b->client, 500);
    }
}

/* ---- bosses ------------------------------------------------------------ */

static void plain(struct boss *b)
{
    MUST(plan(b));
    tale_wait(b->client, MUST(delegate(b, child_group(b), 2,
                                       "work:200 report!:success result")));
    MUST(weigh(b, 1, true, true));
    report(b, "success");
}

/* The first round fails, so it plans again. */
static void replan(struct boss *b)
{
    const struct reply *run, *look;

    MUST(plan(b));
    run = MUST(delegate(b, child_group(b), 1, "work:100 result:error exit:1"));
    tale_wait(b->client, run);
    look = tale_look(b->client, reply_text(run, "/agents/0/agentId"));
    if (!look->is_hung_up)
        TALE_CHECK(tale_is(look, "failed"));
    MUST(weigh(b, 1, false, true));
    MUST(plan(b));
    tale_wait(b->client, MUST(delegate(b, child_group(b), 2,
                                       "work:100 report!:success result")));
    MUST(weigh(b, 2, true, true));
    report(b, "success");
}

static void stall(struct boss *b)
{
    const struct reply *r = MUST(plan(b));

    for (unsigned i = 1; i <= 3; i++) {
        TALE_CHECK(!yyjson_is_true(reply_at(r, "/stalled")));
        client_nap(b->client, 3000);
        r = MUST(weigh(b, i, false, false));
    }
    TALE_CHECK(r->is_hung_up || yyjson_is_true(reply_at(r, "/stalled")));
    r = MUST(weigh(b, 4, false, true));
    TALE_CHECK(!yyjson_is_true(reply_at(r, "/stalled")));
    report(b, "failure");
}

/* Its story allows three. */
static void exceed(struct boss *b)
{
    const char *group = child_group(b);

    MUST(plan(b));
    for (unsigned i = 1; i <= 3; i++) {
        tale_wait(b->client, MUST(delegate(b, group, 1, "work:50 result")));
        MUST(weigh(b, i, false, true));
        MUST(weigh(b, i, false, true)); /* the same again counts once */
    }
    MUST_BE(weigh(b, 4, false, true), "MAX_ITERATIONS_REACHED");
    MUST_BE(delegate(b, group, 1, "work:50 result"), "MAX_ITERATIONS_REACHED");
    report(b, "failure");
}

/* Its children never end by themselves, and it waits for them. */
static void devote(struct boss *b)
{
    const char *group = child_group(b);

    MUST(plan(b));
    MUST(delegate(b, child_group(b), 1, "work:100 hang"));
    tale_wait(b->client, MUST(delegate(b, group, 1, "hang")));
}

/* Likewise, but it leaves without a word. */
static void desert(struct boss *b)
{
    MUST(delegate(b, child_group(b), 2, "work:50 hang"));
    client_nap(b->client, 200);
}

/* Leaves with orders on their way. */
static void bolt(struct boss *b)
{
    const char *group = child_group(b);

    for (unsigned i = 0; i < 2; i++)
        client_begin(b->client, ORDER_RUN_AGENTS,
                     "{'groupId':'%s','agents':[{'role':'impl-code',"
                     "'prompt':'story: hang'}]}",
                     group);
    if (client_random(b->client) % 2 == 0)
        MUST(plan(b)); /* they are placed by now */
}

/* Hires another like itself, as long as it may. */
static void nest(struct boss *b)
{
    const struct reply *r =
        client_call(b->client, ORDER_RUN_MAGENTIC,
                    "{'description':'below','task':'story: lead:nest result',"
                    "'completionCriteria':'c','scope':'s'}");
    const char *id = reply_text(r, "/orchestratorAgentId");
    char ids[ORDER_ID + 4];

    if (id[0] != 0) {
        snprintf(ids, sizeof(ids), "'%s'", id);
        tale_wait_ids(b->client, ids);
    } else if (strcmp(reply_code(r), "MAX_CONCURRENT_REACHED") != 0) {
        MUST_BE(r, "MAX_DEPTH_REACHED");
    }
    tale_wait(b->client,
              MUST(delegate(b, child_group(b), 1, "work:50 result")));
    report(b, "success");
}

/* Goes on after its report, and stays until it is ended. */
static void haunt(struct boss *b)
{
    report(b, "success");
    for (unsigned i = 0; i < 60 && !client_is_hung_up(b->client); i++) {
        const struct reply *r = client_call(b->client, ORDER_CREATE_GROUP,
                                            "{'description':'still here'}");

        if (!r->is_error && client_random(b->client) % 4 == 0)
            tale_run(b->client, reply_text(r, "/groupId"), 1, "work:20 result");
        if (client_random(b->client) % 8 == 0)
            client_nap(b->client, 100);
    }
    while (client_sleep(b->client, 1000))
        ;
}

/* No orchestrator, and so refused whatever it tries with others. */
static void meddle(struct boss *b)
{
    struct client *c = b->client;
    const struct reply *list = MUST(client_call(c, ORDER_LIST_AGENTS, "{}"));
    const char *stranger = reply_text(list, "/agents/0/agentId");
    const char *strange = reply_text(list, "/agents/0/groupId");

    MUST_BE(client_call(c, ORDER_CREATE_GROUP, "{'description':'mine'}"),
            "NESTING_NOT_ALLOWED");
    MUST_BE(tale_run(c, strange, 1, "result"), "NESTING_NOT_ALLOWED");
    MUST_BE(client_call(c, ORDER_RUN_MAGENTIC,
                        "{'description':'d','task':'t',"
                        "'completionCriteria':'c','scope':'s'}"),
            "NESTING_NOT_ALLOWED");
    MUST_BE(client_call(c, ORDER_CANCEL_AGENT, "{'agentIds':['%s']}", stranger),
            "NOT_PERMITTED");
    MUST_BE(client_call(c, ORDER_CANCEL_AGENT, "{'groupId':'%s'}", strange),
            "NOT_PERMITTED");
    MUST_BE(client_call(c, ORDER_DELETE_GROUP, "{'groupId':'%s'}", strange),
            "NOT_PERMITTED");
    MUST_BE(client_call(c, ORDER_REPORT_RESULT,
                        "{'agentId':'%s','status':'failure','summary':'s',"
                        "'response':'r'}",
                        stranger),
            "REPORT_FAILED");
    report(b, "success");
}

/* ---- one for storms ---------------------------------------------------- */

static const struct reply *start_something(struct boss *b)
{
    static const char *const scripts[] = {"work:100 result", "never",
                                          "report:success work:50 result",
                                          "sleep:50 exit:1", "hang"};
    struct client *c = b->client;
    const struct reply *r;

    if (client_random(c) % 4 == 0)
        return client_call(c, ORDER_RUN_MAGENTIC,
                           "{'description':'d','task':'story: lead:muddle "
                           "result','completionCriteria':'c','scope':'s',"
                           "'timeout_ms':3000}");
    r = client_call(c, ORDER_CREATE_GROUP, "{'description':'d'}");
    return tale_run(c, reply_text(r, "/groupId"),
                    1 + (unsigned)(client_random(c) % 3),
                    scripts[client_random(c) % 5]);
}

/* Starts what comes to its mind, and may wait for it. Others delete and cancel
 * what it has: nothing it asks for is sure. */
static void muddle(struct boss *b)
{
    unsigned rounds = (unsigned)(client_random(b->client) % 4);
    char ids[TALE_IDS];

    plan(b);
    for (unsigned i = 1; i <= rounds && !client_is_hung_up(b->client); i++) {
        const struct reply *run = start_something(b);

        if (tale_ids(run, ids)[0] != 0 && client_random(b->client) % 3 != 0)
            client_call(b->client, ORDER_WAIT_AGENT,
                        "{'agentIds':[%s],'timeout_ms':4000}", ids);
        weigh(b, i, i == rounds, client_random(b->client) % 2 == 0);
    }
    if (client_random(b->client) % 2 == 0)
        report(b, "success");
}

static const struct {
    const char *name;
    void (*work)(struct boss *b);
} bosses[] = {{"plain", plain},   {"replan", replan}, {"stall", stall},
              {"exceed", exceed}, {"devote", devote}, {"desert", desert},
              {"nest", nest},     {"muddle", muddle}, {"haunt", haunt},
              {"meddle", meddle}, {"bolt", bolt}};

/* ---- the thread -------------------------------------------------------- */

static void run(void *arg)
{
    struct boss *b = arg;
    const struct reply *self = tale_look(b->client, client_agent(b->client));

    b->group = reply_text(self, "/groupId");
    if (!self->is_hung_up)
        b->work(b);
    client_tell(b->client, b->tell, b->kind, &b->number, sizeof(b->number));
    free(b);
}

void boss_hire(struct client *c, const char *name, struct rt_ref tell,
               uint16_t kind, uint64_t number)
{
    struct boss *b = bytes_zalloc(sizeof(*b));

    *b = (struct boss){
        .client = c, .tell = tell, .kind = kind, .number = number};
    for (unsigned i = 0; i < sizeof(bosses) / sizeof(bosses[0]); i++)
        if (strcmp(bosses[i].name, name) == 0)
            b->work = bosses[i].work;
    if (b->work == NULL)
        os_panic("no boss is called %s", name);
    world_thread(client_world(c), run, b);
}
