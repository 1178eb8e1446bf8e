/* SPDX-License-Identifier: MIT */
/* What the hub keeps, and what it waits for before it starts anybody. */
#include "runtime/os.h"
#include "tests/stories/stories.h"
#include "tests/stories/tale.h"

#define GATE_MS 20000

/* Orders wait for the checks of their roles, at most so long; meanwhile their
 * group may be deleted. */
static void gate(struct world *w, struct client *c)
{
    const char *group = tale_group(c, "concurrent");
    bool is_checked = client_random(c) % 2 == 0;
    uint64_t tickets[2];
    const struct reply *r;

    for (unsigned i = 0; i < 2; i++)
        tickets[i] = client_begin(
            c, ORDER_RUN_AGENTS,
            "{'groupId':'%s','agents':[{'role':'impl-code','prompt':"
            "'story: work:20 result'}]}",
            group);
    MUST(client_call(c, ORDER_LIST_ROLES, "{}"));
    if (client_random(c) % 3 == 0)
        client_call(c, ORDER_DELETE_GROUP, "{'groupId':'%s'}", group);
    for (unsigned i = 0; i < 3; i++) {
        client_sleep(c, client_random(c) % (GATE_MS / 3));
        world_tell_roles(w, is_checked && i == 2);
    }
    for (unsigned i = 0; i < 2; i++) {
        r = client_finish(c, tickets[i]);
        TALE_CHECK(r->elapsed_ms <= GATE_MS + 20);
        if (!r->is_error)
            tale_wait(c, r);
        else if (strcmp(reply_code(r), "GROUP_NOT_FOUND") != 0)
            MUST_BE(r, "GROUP_NOT_ACTIVE");
    }
    world_tell_roles(w, true);
}

/* More agents than are remembered, in groups that are deleted while their
 * trees are leaving, and reports of those that may be forgotten. */
static void history(struct world *w, struct client *c)
{
    char ids[8][ORDER_ID];

    (void)w;
    for (unsigned i = 0; i < 8; i++) {
        const char *group = tale_group(c, "concurrent");
        const struct reply *run = MUST(
            tale_run(c, group, 4, "report!:success stubborn sleep:100 result"));

        slice_keep(ids[i], sizeof(ids[i]),
                   slice_cstr(reply_text(run, "/agents/0/agentId")));
        tale_wait(c, run);
        if (client_random(c) % 2 == 0)
            client_nap(c, 300);
        if (client_random(c) % 4 != 0)
            tale_delete(c, group);
        client_begin(c, ORDER_REPORT_RESULT,
                     "{'agentId':'%s','status':'success','summary':'s',"
                     "'response':'r'}",
                     ids[client_random(c) % (i + 1)]);
    }
}

const struct story hub_stories[] = {{.name = "gate",
                                     .settings = "agent: {maxConcurrent: 2}\n",
                                     .tell = gate,
                                     .is_unchecked = true},
                                    {.name = "history",
                                     .settings = "agent: {maxConcurrent: 4}\n",
                                     .tell = history},
                                    {.name = NULL}};
