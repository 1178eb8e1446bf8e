/* SPDX-License-Identifier: MIT */
/* wait_agent: all and any, time-outs, slices, progress, taken back. The
 * client's actor checks that each is answered once and in time. */
#include "runtime/os.h"
#include "tests/stories/stories.h"
#include "tests/stories/tale.h"

#define SLICE_MS 5000

static void waits(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    const struct reply *run = MUST(client_call(
        c, ORDER_RUN_AGENTS,
        "{'groupId':'%s','agents':["
        "{'role':'impl-code','prompt':'story: work:40 result'},"
        "{'role':'impl-code','prompt':'story: work:400 report!:success'},"
        "{'role':'impl-code','prompt':'story: hang','timeout_ms':20000}]}",
        group));
    char ids[TALE_IDS];
    uint64_t tickets[5];
    const struct reply *r;

    (void)w;
    tale_ids(run, ids);
    r = MUST(client_call(c, ORDER_WAIT_AGENT,
                         "{'agentIds':[%s],'timeout_ms':0}", ids));
    TALE_CHECK(yyjson_is_true(reply_at(r, "/timedOut")));
    tickets[0] = client_begin(c, ORDER_WAIT_AGENT,
                              "{'agentIds':[%s],'mode':'any'}", ids);
    tickets[1] = client_begin(c, ORDER_WAIT_AGENT, "{'agentIds':[%s]}", ids);
    tickets[2] =
        client_begin(c, ORDER_WAIT_AGENT, "{'agentIds':[%s],'timeout_ms':%u}",
                     ids, 1 + (unsigned)(client_random(c) % 900));
    tickets[3] = client_begin_wait(c, "{'agentIds':[%s]}", ids);
    tickets[4] =
        client_begin_wait(c, "{'agentIds':[%s],'timeout_ms':12000}", ids);
    for (unsigned i = 0; i < 5; i++) {
        r = MUST(client_finish(c, tickets[i]));
        TALE_CHECK(i != 1 || r->elapsed_ms >= SLICE_MS);
        TALE_CHECK(i != 1 || yyjson_is_true(reply_at(r, "/again")));
        TALE_CHECK(i != 3 || !yyjson_is_true(reply_at(r, "/timedOut")));
        TALE_CHECK(i != 3 || r->progress >= 1);
    }
    tale_wait(c, run);
}

/* Taken back at any moment, before they are placed or when they are over. */
static void taken_back(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    const struct reply *run = MUST(tale_run(c, group, 2, "work:60 result"));
    char ids[TALE_IDS];
    uint64_t tickets[6];

    (void)w;
    tale_ids(run, ids);
    for (unsigned i = 0; i < 6; i++)
        tickets[i] =
            i % 2 == 0
                ? client_begin(c, ORDER_WAIT_AGENT, "{'agentIds':[%s]}", ids)
                : client_begin_wait(c, "{'agentIds':[%s],'mode':'any'}", ids);
    for (unsigned i = 0; i < 5; i++) {
        if (client_random(c) % 2 == 0)
            client_nap(c, 60);
        client_cancel(c, tickets[i]);
    }
    MUST(client_finish(c, tickets[5]));
    tale_wait(c, run);
}

/* The client goes while it waits. */
static void abandoned(struct world *w, struct client *c)
{
    struct client *other = world_client(w);
    const char *group = tale_group(other, "concurrent");
    const struct reply *run =
        MUST(tale_run(other, group, 2, "work:200 result"));
    char ids[TALE_IDS];

    tale_ids(run, ids);
    for (unsigned i = 0; i < 3; i++)
        client_begin(other, ORDER_WAIT_AGENT, "{'agentIds':[%s]}", ids);
    client_nap(c, 300);
    world_close_client(w, other);
    MUST_BE(client_call(c, ORDER_WAIT_AGENT,
                        "{'agentIds':[%s,'impl-code-1-abcd']}", ids),
            "AGENT_NOT_FOUND");
    tale_wait(c, run);
}

#define SLICED "agent: {maxConcurrent: 4}\nmcp: {waitSlice_ms: 5000}\n"

const struct story wait_stories[] = {
    {.name = "waits", .settings = SLICED, .tell = waits},
    {.name = "taken back", .settings = SLICED, .tell = taken_back},
    {.name = "abandoned", .settings = SLICED, .tell = abandoned},
    {.name = NULL}};
