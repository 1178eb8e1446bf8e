/* SPDX-License-Identifier: MIT */
/* Ends of every kind, and what crosses them. */
#include "runtime/os.h"
#include "tests/stories/stories.h"
#include "tests/stories/tale.h"

static const char *agent(const struct reply *run, unsigned i)
{
    return reply_text(run, "/agents/%u/agentId", i);
}

static uint64_t begin_report(struct client *c, const char *id)
{
    return client_begin(c, ORDER_REPORT_RESULT,
                        "{'agentId':'%s','status':'failure','summary':'late',"
                        "'response':'r','errorMessage':'e'}",
                        id);
}

/* One agent, then its whole group; each is cancelled or had ended, and stays
 * what it was told to be. */
static void cancels(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    const struct reply *run = MUST(tale_run(
        c, group, 4, "work:100 report:success stubborn work:100 result"));
    uint64_t one, all;

    (void)w;
    client_nap(c, 400);
    one = client_begin(c, ORDER_CANCEL_AGENT, "{'agentIds':['%s']}",
                       agent(run, 0));
    if (client_random(c) % 2 == 0)
        client_nap(c, 100);
    all = client_begin(c, ORDER_CANCEL_AGENT, "{'groupId':'%s'}", group);
    MUST(client_finish(c, all));
    MUST(client_finish(c, one));
    MUST(client_call(c, ORDER_LIST_AGENTS, "{'groupId':'%s'}", group));
    tale_wait(c, run);
    for (unsigned i = 0; i < 4; i++)
        tale_look(c, agent(run, i));
}

/* A group is deleted at any moment: refused while somebody runs, and what is
 * only leaving is hurried. */
static void deletes(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    const struct reply *run =
        MUST(tale_run(c, group, 3, "work:60 report!:success stubborn hang"));
    const struct reply *r;

    (void)w;
    do {
        client_nap(c, 60);
        r = client_call(c, ORDER_DELETE_GROUP, "{'groupId':'%s'}", group);
        if (r->is_error)
            MUST_BE(r, "GROUP_HAS_RUNNING_AGENTS");
    } while (r->is_error);
    r = tale_run(c, group, 1, "result");
    if (strcmp(reply_code(r), "GROUP_NOT_FOUND") != 0)
        MUST_BE(r, "GROUP_NOT_ACTIVE");
    tale_until_gone(c, agent(run, 0));
    tale_wait(c, MUST(tale_run(c, tale_group(c, "concurrent"), 3, "result")));
}

/* Deleted while another runs agents in it: one of both is refused. */
static void races(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    struct client *other = world_client(w);
    uint64_t run =
        client_begin(other, ORDER_RUN_AGENTS,
                     "{'groupId':'%s','agents':[{'role':'impl-code','prompt':"
                     "'story: work:50 result'}]}",
                     group);
    const struct reply *gone =
        client_call(c, ORDER_DELETE_GROUP, "{'groupId':'%s'}", group);
    const struct reply *ran = client_finish(other, run);

    TALE_CHECK(gone->is_error != ran->is_error || !gone->is_error);
    if (gone->is_error)
        MUST_BE(gone, "GROUP_HAS_RUNNING_AGENTS");
    if (!ran->is_error && gone->is_error)
        tale_wait(other, ran);
    world_close_client(w, other);
}

/* Reports from outside cross the agent's own, and its end; the last one taken
 * stands. */
static void reports(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    const struct reply *run =
        MUST(tale_run(c, group, 2, "work:40 report!:success work:10 result"));
    uint64_t tickets[4];

    (void)w;
    tale_until_begun(c, agent(run, 1));
    for (unsigned i = 0; i < 4; i++) {
        client_nap(c, 60);
        tickets[i] = begin_report(c, agent(run, 1));
    }
    for (unsigned i = 0; i < 4; i++)
        MUST(client_finish(c, tickets[i]));
    tale_wait(c, run);
    tale_until_gone(c, agent(run, 0));
    tale_until_gone(c, agent(run, 1));
    /* Late ones, of agents that are gone, replace what was there. */
    MUST(client_finish(c, begin_report(c, agent(run, 0))));
    TALE_CHECK(
        strcmp(reply_text(tale_look(c, agent(run, 0)), "/result/summary"),
               "late") == 0);
    MUST(client_finish(c, begin_report(c, agent(run, 0))));
}

/* A late report of one that nobody reported for. */
static void revised(struct world *w, struct client *c)
{
    static const char *const scripts[] = {"work:20 result", "work:20 exit:3",
                                          "never", "work:20"};
    const char *group = tale_group(c, "concurrent");
    const struct reply *run =
        MUST(tale_run(c, group, 1, scripts[client_random(c) % 4]));

    (void)w;
    tale_wait(c, run);
    if (client_random(c) % 2 == 0)
        tale_until_gone(c, agent(run, 0));
    MUST(client_finish(c, begin_report(c, agent(run, 0))));
    TALE_CHECK(tale_is(tale_look(c, agent(run, 0)), "resultReported"));
}

/* Their time runs out while they work, hang, or leave. */
static void times_out(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    const struct reply *run = MUST(client_call(
        c, ORDER_RUN_AGENTS,
        "{'groupId':'%s','agents':["
        "{'role':'impl-code','prompt':'story: work:10 hang','timeout_ms':100},"
        "{'role':'impl-code','prompt':'story: stubborn hang','timeout_ms':1},"
        "{'role':'impl-code','prompt':'story: work:50 result sleep:50',"
        "'timeout_ms':90},"
        "{'role':'impl-code','prompt':'story: work:50 report:success hang',"
        "'timeout_ms':90}]}",
        group));

    (void)w;
    tale_wait(c, run);
    TALE_CHECK(tale_is(tale_look(c, agent(run, 0)), "timedOut"));
    TALE_CHECK(tale_is(tale_look(c, agent(run, 1)), "timedOut"));
    TALE_CHECK(strcmp(reply_text(tale_look(c, agent(run, 1)), "/result/status"),
                      "timeout") == 0);
    tale_until_gone(c, agent(run, 3));
}

/* One who has said the last word and stays, and one who reported and stays:
 * the graces end both. */
static void overstays(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    const struct reply *first = MUST(tale_run(c, group, 1, "result hang"));
    const struct reply *second =
        MUST(tale_run(c, group, 1, "report!:success hang"));

    (void)w;
    tale_wait(c, first);
    tale_wait(c, second);
    TALE_CHECK(tale_is(tale_look(c, agent(first, 0)), "completed"));
    for (unsigned i = 0; i < 10; i++)
        client_sleep(c, 20000);
    tale_until_gone(c, agent(first, 0));
    tale_until_gone(c, agent(second, 0));
}

#define FOUR "agent: {maxConcurrent: 4}\n"

const struct story end_stories[] = {
    {.name = "cancels", .settings = FOUR, .tell = cancels},
    {.name = "deletes", .settings = FOUR, .tell = deletes},
    {.name = "races", .settings = FOUR, .tell = races},
    {.name = "reports", .settings = FOUR, .tell = reports},
    {.name = "revised", .settings = FOUR, .tell = revised},
    {.name = "time-outs", .settings = FOUR, .tell = times_out},
    {.name = "overstays", .settings = FOUR, .tell = overstays},
    {.name = NULL}};
