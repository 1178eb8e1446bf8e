/* SPDX-License-Identifier: MIT */
/* run_magentic: its flow, and families that come to grief. The
 * orchestrators are in boss.c. */
#include <stdio.h>

#include "runtime/os.h"
#include "tests/stories/stories.h"
#include "tests/stories/tale.h"

struct family {
    const char *group, *boss;
    char ids[ORDER_ID + 4];
};

static struct family begin(struct client *c, const char *boss, const char *more)
{
    const struct reply *r =
        MUST(client_call(c, ORDER_RUN_MAGENTIC,
                         "{'description':'d','task':'story: work:20 lead:%s "
                         "result','completionCriteria':'c','scope':'s'%s}",
                         boss, more));
    struct family f = {.group = reply_text(r, "/groupId"),
                       .boss = reply_text(r, "/orchestratorAgentId")};

    snprintf(f.ids, sizeof(f.ids), "'%s'", f.boss);
    return f;
}

static void must_end(struct client *c, const struct family *f,
                     const char *state, const char *status)
{
    const struct reply *look;

    tale_wait_ids(c, f->ids);
    look = tale_look(c, f->boss);
    TALE_CHECK(tale_is(look, state));
    TALE_CHECK(strcmp(reply_text(look, "/result/status"), status) == 0);
}

/* Nobody of a family outlives its orchestrator. */
static void must_be_over(struct client *c, const struct family *f)
{
    const struct reply *list;
    size_t count;

    tale_until_gone(c, f->boss);
    for (unsigned i = 0; i < 10; i++)
        client_sleep(c, 2000);
    list = MUST(client_call(c, ORDER_LIST_AGENTS, "{}"));
    count = yyjson_arr_size(reply_at(list, "/agents"));
    for (size_t i = 0; i < count; i++) {
        const char *id = reply_text(list, "/agents/%zu/agentId", i);

        /* The look comes first: of one that never started the books know its
         * end only by what they have seen answered. */
        TALE_CHECK(yyjson_is_obj(reply_at(tale_look(c, id), "/result")));
        TALE_CHECK(books_is_gone(world_books(client_world(c)), id));
    }
}

static void plain(struct world *w, struct client *c)
{
    struct family f = begin(c, "plain", ",'constraints':'x','context':'y'");

    (void)w;
    must_end(c, &f, "resultReported", "success");
    TALE_CHECK(
        yyjson_is_obj(reply_at(tale_look(c, f.boss), "/result/finalLedger")));
    tale_until_gone(c, f.boss);
    tale_delete(c, f.group);
}

static void replan(struct world *w, struct client *c)
{
    struct family f = begin(c, "replan", "");

    (void)w;
    must_end(c, &f, "resultReported", "success");
    must_be_over(c, &f);
}

static void stall(struct world *w, struct client *c)
{
    struct family f = begin(c, "stall", "");

    (void)w;
    must_end(c, &f, "resultReported", "failure");
}

static void exceed(struct world *w, struct client *c)
{
    struct family f = begin(c, "exceed", ",'maxIterations':3");

    (void)w;
    must_end(c, &f, "resultReported", "failure");
    must_be_over(c, &f);
}

/* Cancelled as a whole, at any moment of its life. */
static void cancelled(struct world *w, struct client *c)
{
    struct family f = begin(c, "devote", "");

    (void)w;
    client_nap(c, 500);
    MUST(client_call(c, ORDER_CANCEL_AGENT, "{'groupId':'%s'}", f.group));
    must_end(c, &f, "cancelled", "cancelled");
    must_be_over(c, &f);
    tale_delete(c, f.group);
}

/* Only its head is cut off; the rest goes by itself. */
static void beheaded(struct world *w, struct client *c)
{
    struct family f = begin(c, "devote", "");

    (void)w;
    client_nap(c, 500);
    MUST(client_call(c, ORDER_CANCEL_AGENT, "{'agentIds':['%s']}", f.boss));
    must_end(c, &f, "cancelled", "cancelled");
    must_be_over(c, &f);
}

static void times_out(struct world *w, struct client *c)
{
    struct family f = begin(c, "devote", ",'timeout_ms':400");

    (void)w;
    must_end(c, &f, "timedOut", "timeout");
    must_be_over(c, &f);
}

static void deserted(struct world *w, struct client *c)
{
    struct family f = begin(c, "desert", "");

    (void)w;
    must_end(c, &f, "completed", "success");
    must_be_over(c, &f);
}

static void bolted(struct world *w, struct client *c)
{
    struct family f = begin(c, "bolt exit:0", "");

    (void)w;
    must_end(c, &f, "failed", "failure");
    must_be_over(c, &f);
}

static void nested(struct world *w, struct client *c)
{
    struct family f = begin(c, "nest", "");

    (void)w;
    if (client_random(c) % 3 == 0) {
        client_nap(c, 400);
        MUST(client_call(c, ORDER_CANCEL_AGENT, "{'groupId':'%s'}", f.group));
    } else {
        must_end(c, &f, "resultReported", "success");
    }
    must_be_over(c, &f);
}

/* It goes on after its report, while its group is being deleted. */
static void haunted(struct world *w, struct client *c)
{
    struct family f = begin(c, "haunt", ",'timeout_ms':8000");
    const struct reply *r;

    (void)w;
    must_end(c, &f, "resultReported", "success");
    do {
        client_nap(c, 100);
        r = client_call(c, ORDER_DELETE_GROUP, "{'groupId':'%s'}", f.group);
    } while (r->is_error);
    must_be_over(c, &f);
}

/* Ordinary agents may touch nothing but what is theirs. */
static void meddling(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    const struct reply *stranger = MUST(tale_run(c, group, 1, "hang"));
    const struct reply *run =
        MUST(tale_run(c, tale_group(c, "concurrent"), 1, "lead:meddle result"));

    (void)w;
    tale_wait(c, run);
    TALE_CHECK(tale_is(tale_look(c, reply_text(run, "/agents/0/agentId")),
                       "resultReported"));
    MUST(client_call(c, ORDER_CANCEL_AGENT, "{'groupId':'%s'}", group));
    tale_wait(c, stranger);
}

/* No place for another, and nothing is left of what was refused. */
static void crowded(struct world *w, struct client *c)
{
    struct family f = begin(c, "devote", "");
    const struct reply *list;

    (void)w;
    MUST_BE(client_call(c, ORDER_RUN_MAGENTIC,
                        "{'description':'d','task':'story: result',"
                        "'completionCriteria':'c','scope':'s'}"),
            "MAX_CONCURRENT_REACHED");
    MUST(client_call(c, ORDER_CANCEL_AGENT, "{'groupId':'%s'}", f.group));
    must_be_over(c, &f);
    list = MUST(client_call(c, ORDER_LIST_GROUPS, "{}"));
    for (size_t i = 0; i < yyjson_arr_size(reply_at(list, "/groups")); i++)
        TALE_CHECK(
            strcmp(reply_text(list, "/groups/%zu/groupId", i), f.group) == 0 ||
            strcmp(reply_text(list, "/groups/%zu/parentGroupId", i), f.group) ==
                0);
}

#define FEW "agent: {maxConcurrent: 2, maxOrchestrators: 3}\n"

const struct story magentic_stories[] = {
    {.name = "magentic", .settings = FEW, .tell = plain},
    {.name = "replan", .settings = FEW, .tell = replan},
    {.name = "stall", .settings = FEW, .tell = stall},
    {.name = "exceed", .settings = FEW, .tell = exceed},
    {.name = "family cancelled", .settings = FEW, .tell = cancelled},
    {.name = "family beheaded", .settings = FEW, .tell = beheaded},
    {.name = "family timed out", .settings = FEW, .tell = times_out},
    {.name = "deserted", .settings = FEW, .tell = deserted},
    {.name = "bolted", .settings = FEW, .tell = bolted},
    {.name = "nested", .settings = FEW, .tell = nested},
    {.name = "haunted", .settings = FEW, .tell = haunted},
    {.name = "meddling", .settings = FEW, .tell = meddling},
    {.name = "crowded",
     .settings = "agent: {maxConcurrent: 2, maxOrchestrators: 1}\n",
     .tell = crowded},
    {.name = NULL}};
