/* SPDX-License-Identifier: MIT */
/*
 * Storms: several clients place whatever comes to their mind, right and wrong,
 * for a while; then all must come to rest by itself. What they share is a
 * small pool of ids, so that they meet.
 */
#include <stdio.h>

#include "runtime/lock.h"
#include "tests/stories/stories.h"
#include "tests/stories/tale.h"

#define CLIENTS 3
#define POOL 6
#define ORDERS 14

/* What is known to everybody. */
struct pool {
    struct lock lock;
    char groups[POOL][ORDER_ID], agents[POOL][ORDER_ID];
};

struct member {
    struct world *world;
    struct client *client;
    struct pool *pool;
};

static const char *const scripts[] = {
    "work:100 result",
    "work:50 report:success work:20 result",
    "work:20 report:failure stubborn hang",
    "never",
    "sleep:100 exit:1",
    "result hang",
    "burst:20 result",
    "work:30",
};
#define SCRIPTS (sizeof(scripts) / sizeof(scripts[0]))

static unsigned draw(struct member *m, unsigned below)
{
    return (unsigned)(client_random(m->client) % below);
}

static void pick(struct member *m, char (*from)[ORDER_ID], char id[ORDER_ID])
{
    lock_take(&m->pool->lock);
    memcpy(id, from[draw(m, POOL)], ORDER_ID);
    lock_give(&m->pool->lock);
    if (id[0] == 0)
        snprintf(id, ORDER_ID, "nobody-1-abcd");
}

static void share(struct member *m, char (*to)[ORDER_ID], const char *id)
{
    if (id[0] == 0)
        return;
    lock_take(&m->pool->lock);
    snprintf(to[draw(m, POOL)], ORDER_ID, "%s", id);
    lock_give(&m->pool->lock);
}

static void share_agents(struct member *m, const struct reply *run)
{
    for (size_t i = 0; i < yyjson_arr_size(reply_at(run, "/agents")); i++)
        share(m, m->pool->agents, reply_text(run, "/agents/%zu/agentId", i));
}

/* ---- orders ------------------------------------------------------------ */

static void make_group(struct member *m)
{
    static const char *const modes[] = {"concurrent", "concurrent",
                                        "sequential"};
    char parent[ORDER_ID];
    const struct reply *r;

    pick(m, m->pool->groups, parent);
    r = draw(m, 3) == 0
            ? client_call(m->client, ORDER_CREATE_GROUP,
                          "{'description':'d','parentGroupId':'%s'}", parent)
            : client_call(m->client, ORDER_CREATE_GROUP,
                          "{'description':'d','mode':'%s'}", modes[draw(m, 3)]);
    if (!r->is_error)
        share(m, m->pool->groups, reply_text(r, "/groupId"));
}

static void run_agents(struct member *m)
{
    char group[ORDER_ID];
    const struct reply *r;

    pick(m, m->pool->groups, group);
    r = draw(m, 4) == 0
            ? client_call(m->client, ORDER_RUN_AGENTS,
                          "{'groupId':'%s','agents':[{'role':'%s','prompt':"
                          "'story: hang','timeout_ms':%u}]}",
                          group, draw(m, 4) == 0 ? "unheard-of" : "research",
                          1 + draw(m, 3000))
            : tale_run(m->client, group, 1 + draw(m, 3),
                       scripts[draw(m, SCRIPTS)]);
    share_agents(m, r);
}

static void run_sequential(struct member *m)
{
    char group[ORDER_ID];

    pick(m, m->pool->groups, group);
    share_agents(
        m, client_call(m->client, ORDER_RUN_SEQUENTIAL,
                       "{'groupId':'%s','onFailure':'%s','stages':["
                       "{'tasks':[{'role':'research','prompt':'story: %s'},"
                       "{'role':'research','prompt':'story: %s'}]},"
                       "{'tasks':[{'role':'impl-code','prompt':'story: %s'}]},"
                       "{'tasks':[{'role':'impl-test','prompt':'story: %s'}]}"
                       "]}",
                       group, draw(m, 2) == 0 ? "stop" : "continue",
                       scripts[draw(m, SCRIPTS)], scripts[draw(m, SCRIPTS)],
                       scripts[draw(m, SCRIPTS)], scripts[draw(m, SCRIPTS)]));
}

static void run_magentic(struct member *m)
{
    const struct reply *r =
        client_call(m->client, ORDER_RUN_MAGENTIC,
                    "{'description':'d','task':'story: lead:muddle result',"
                    "'completionCriteria':'c','scope':'s','maxIterations':2,"
                    "'timeout_ms':%u}",
                    1 + draw(m, 20000));

    share(m, m->pool->groups, reply_text(r, "/groupId"));
    share(m, m->pool->agents, reply_text(r, "/orchestratorAgentId"));
}

static void cancel(struct member *m)
{
    char id[ORDER_ID];

    if (draw(m, 3) == 0) {
        pick(m, m->pool->groups, id);
        client_call(m->client, ORDER_CANCEL_AGENT, "{'groupId':'%s'}", id);
    } else {
        pick(m, m->pool->agents, id);
        client_call(m->client, ORDER_CANCEL_AGENT, "{'agentIds':['%s']}", id);
    }
}

static void wait(struct member *m)
{
    char one[ORDER_ID], two[ORDER_ID];
    uint64_t ticket;

    pick(m, m->pool->agents, one);
    pick(m, m->pool->agents, two);
    ticket = client_begin(m->client, ORDER_WAIT_AGENT,
                          "{'agentIds':['%s','%s'],'mode':'%s',"
                          "'timeout_ms':%u}",
                          one, two, draw(m, 2) == 0 ? "any" : "all",
                          draw(m, 2) * draw(m, 4000));
    if (draw(m, 2) == 0)
        client_finish(m->client, ticket);
    else if (draw(m, 2) == 0)
        client_cancel(m->client, ticket);
}

static void look(struct member *m)
{
    static const char *const states[] = {"all", "running", "completed",
                                         "failed", "queued"};
    char id[ORDER_ID];

    pick(m, m->pool->agents, id);
    client_call(m->client, ORDER_GET_AGENT_STATUS, "{'agentId':'%s'}", id);
    client_call(m->client, ORDER_SHOW_AGENT, "{'agentId':'%s'}", id);
    client_call(m->client, ORDER_LIST_AGENTS, "{'status':'%s'}",
                states[draw(m, 5)]);
    pick(m, m->pool->groups, id);
    client_call(m->client, ORDER_LIST_AGENTS, "{'groupId':'%s'}", id);
    client_call(m->client, ORDER_LIST_GROUPS, "{}");
    client_call(m->client, ORDER_HUB_STATUS, "{}");
}

static void report(struct member *m)
{
    char id[ORDER_ID];

    pick(m, m->pool->agents, id);
    client_call(m->client, ORDER_REPORT_RESULT,
                "{'agentId':'%s','status':'success','summary':'s',"
                "'response':'r'}",
                id);
    pick(m, m->pool->groups, id);
    client_call(m->client, ORDER_UPDATE_LEDGER,
                "{'groupId':'%s','type':'task','facts':{'given':[],"
                "'toInvestigate':[],'toDerive':[],'assumptions':[]},"
                "'plan':[]}",
                id);
}

static void delete_group(struct member *m)
{
    char id[ORDER_ID];

    pick(m, m->pool->groups, id);
    client_call(m->client, ORDER_DELETE_GROUP, "{'groupId':'%s'}", id);
}

/* ---- storms ------------------------------------------------------------ */

static void rage(void *arg)
{
    static void (*const orders[])(struct member *) = {
        make_group, make_group,   run_agents,     run_agents, run_agents,
        cancel,     wait,         run_sequential, look,       look,
        report,     delete_group, run_magentic};
    struct member *m = arg;

    for (unsigned i = 0; i < ORDERS && !client_is_hung_up(m->client); i++) {
        orders[i < 2 ? 0 : draw(m, sizeof(orders) / sizeof(orders[0]))](m);
        if (draw(m, 2) == 0)
            client_nap(m->client, 500);
    }
}

static void begin(struct world *w, struct pool *pool,
                  struct member members[CLIENTS])
{
    for (unsigned i = 0; i < CLIENTS; i++) {
        members[i] = (struct member){
            .world = w, .client = world_client(w), .pool = pool};
        world_thread(w, rage, &members[i]);
    }
}

static void storm(struct world *w, struct client *c)
{
    struct member members[CLIENTS];
    struct pool pool = {0};

    (void)c;
    begin(w, &pool, members);
    world_join(w);
    for (unsigned i = 0; i < CLIENTS; i++)
        world_close_client(w, members[i].client);
}

/* The hub is stopped in the middle of it all, and nothing must leak. */
static void shipwreck(struct world *w, struct client *c)
{
    static struct member members[CLIENTS];
    static struct pool pool;

    pool = (struct pool){0};
    begin(w, &pool, members);
    client_nap(c, 2000);
}

const struct story storm_stories[] = {
    {.name = "storm",
     .settings = "agent: {maxConcurrent: 3, maxQueued: 2, "
                 "maxOrchestrators: 2}\n",
     .tell = storm},
    {.name = "storm without a line",
     .settings = "agent: {maxConcurrent: 4}\nlanguage: en\n",
     .tell = storm},
    {.name = "shipwreck",
     .settings = "agent: {maxConcurrent: 3, maxQueued: 4}\n",
     .tell = shipwreck,
     .ends_early = true},
    {.name = NULL}};
