/* SPDX-License-Identifier: MIT */
/* Concurrent and sequential flows, and plans that go wrong. */
#include "runtime/os.h"
#include "tests/stories/stories.h"
#include "tests/stories/tale.h"

/* Two places: the third agent finds one because the first two are done. */
static void concurrent(struct world *w, struct client *c)
{
    const struct reply *run, *look;
    const char *group;

    (void)w;
    MUST(client_call(c, ORDER_LIST_ROLES, "{}"));
    group = tale_group(c, "concurrent");
    run = MUST(client_call(
        c, ORDER_RUN_AGENTS,
        "{'groupId':'%s','agents':["
        "{'role':'impl-code','prompt':'story: work:300 report!:success "
        "work:20 result'},"
        "{'role':'impl-test','prompt':'story: work:200 result'}]}",
        group));
    tale_wait(c, run);
    look = tale_look(c, reply_text(run, "/agents/0/agentId"));
    TALE_CHECK(tale_is(look, "resultReported"));
    TALE_CHECK(strcmp(reply_text(look, "/result/status"), "success") == 0);
    look = tale_look(c, reply_text(run, "/agents/1/agentId"));
    TALE_CHECK(tale_is(look, "completed"));
    run = MUST(client_call(c, ORDER_RUN_AGENTS,
                           "{'groupId':'%s','agents':[{'role':'code-review',"
                           "'prompt':'story: work:100 report!:success "
                           "result'}]}",
                           group));
    tale_wait(c, run);
    tale_delete(c, group);
    MUST_BE(client_call(c, ORDER_DELETE_GROUP, "{'groupId':'%s'}", group),
            "GROUP_NOT_FOUND");
}

/* Research, three that implement, a test; each sees what the stage before it
 * found. */
static void sequential(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "sequential");
    const struct reply *run =
        MUST(tale_plan(c, group, "continue",
                       "work:200 report!:success work:50 result;"
                       "sees:1 work:200 result |"
                       "sees:1 work:100 report!:success result |"
                       "sees:1 burst:40 result;"
                       "sees:3 work:50 result"));

    (void)w;
    TALE_CHECK(yyjson_get_uint(reply_at(run, "/totalStages")) == 3);
    TALE_CHECK(yyjson_arr_size(reply_at(run, "/agents")) == 5);
    MUST_BE(tale_plan(c, group, "continue", "result"),
            "SEQUENTIAL_START_FAILED");
    tale_wait(c, run);
    for (unsigned i = 0; i < 5; i++) {
        const struct reply *look =
            tale_look(c, reply_text(run, "/agents/%u/agentId", i));

        TALE_CHECK(strcmp(reply_text(look, "/result/status"), "success") == 0);
    }
    tale_until_gone(c, reply_text(run, "/agents/4/agentId"));
}

/* Each plan is taken as soon as all agents of the last are done, however long
 * their trees stay, and begins when they are gone. Some are cancelled before
 * they have begun. */
static void runs_again(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "sequential");

    (void)w;
    for (unsigned i = 0; i < 6; i++) {
        const struct reply *run =
            MUST(tale_plan(c, group, "continue",
                           "work:20 report:success stubborn work:90 result;"
                           "sees:1 work:20 report:success hang"));

        if (client_random(c) % 3 > 0) {
            tale_wait(c, run);
            continue;
        }
        client_nap(c, 200);
        run = tale_plan(c, group, "continue", "result");
        if (run->is_error)
            MUST_BE(run, "SEQUENTIAL_START_FAILED");
        MUST(client_call(c, ORDER_CANCEL_AGENT, "{'groupId':'%s'}", group));
    }
}

/* Failures are handed on, or stop the plan: then nothing later ever runs. */
static void fails(struct world *w, struct client *c)
{
    bool stops = client_random(c) % 2 == 0;
    const char *group = tale_group(c, "sequential");
    const struct reply *run =
        MUST(tale_plan(c, group, stops ? "stop" : "continue",
                       "work:50 exit:2 | never | work:90 result;"
                       "sees:1 work:10 result; work:10 result"));
    const char *const states[] = {"failed", "failed", "completed"};

    (void)w;
    tale_wait(c, run);
    for (unsigned i = 0; i < 5; i++)
        TALE_CHECK(
            tale_is(tale_look(c, reply_text(run, "/agents/%u/agentId", i)),
                    i < 3   ? states[i]
                    : stops ? "cancelled"
                            : "completed"));
}

/* Agents of later stages are cancelled before their time. */
static void thins_out(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "sequential");
    const struct reply *run =
        MUST(tale_plan(c, group, "continue",
                       "work:300 result; work:50 result; work:50 result;"
                       "work:50 result"));
    unsigned victim = 1 + (unsigned)(client_random(c) % 3);

    (void)w;
    client_nap(c, 1000);
    MUST(client_call(c, ORDER_CANCEL_AGENT,
                     "{'agentIds':['%s'],'reason':'not needed'}",
                     reply_text(run, "/agents/%u/agentId", victim)));
    tale_wait(c, run);
    TALE_CHECK(tale_is(tale_look(c, reply_text(run, "/agents/0/agentId")),
                       "completed"));
}

const struct story flow_stories[] = {{.name = "concurrent",
                                      .settings = "agent: {maxConcurrent: 2}\n",
                                      .tell = concurrent},
                                     {.name = "sequential",
                                      .settings = "agent: {maxConcurrent: 3}\n",
                                      .tell = sequential},
                                     {.name = "plans in turn",
                                      .settings = "agent: {maxConcurrent: 1}\n",
                                      .tell = runs_again},
                                     {.name = "failing plan",
                                      .settings = "agent: {maxConcurrent: 3}\n",
                                      .tell = fails},
                                     {.name = "thinned plan",
                                      .settings = "agent: {maxConcurrent: 2}\n",
                                      .tell = thins_out},
                                     {.name = NULL}};
