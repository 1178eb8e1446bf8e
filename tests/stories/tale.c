/* SPDX-License-Identifier: MIT */
#include "tests/stories/tale.h"

#include <stdio.h>

#include "runtime/os.h"

#define LOOKS 2000
#define LOOK_MS 20

const char *tale_group(struct client *c, const char *mode)
{
    const struct reply *r = MUST(client_call(
        c, ORDER_CREATE_GROUP, "{'description':'a tale','mode':'%s'}", mode));

    return reply_text(r, "/groupId");
}

const struct reply *tale_run(struct client *c, const char *group,
                             unsigned count, const char *script)
{
    struct bytes agents = {0};
    const struct reply *r;
    char one[512];

    for (unsigned i = 0; i < count; i++) {
        snprintf(one, sizeof(one),
                 "%s{'role':'impl-code','prompt':'story: %s'}",
                 i > 0 ? "," : "", script);
        bytes_append(&agents, one, strlen(one));
    }
    bytes_append(&agents, "", 1);
    r = client_call(c, ORDER_RUN_AGENTS, "{'groupId':'%s','agents':[%s]}",
                    group, agents.ptr);
    bytes_finish(&agents);
    return r;
}

const struct reply *tale_plan(struct client *c, const char *group,
                              const char *policy, const char *scripts)
{
    struct bytes stages = {0};
    const struct reply *r;
    char one[512];

    for (char between = ';'; between != 0;) {
        int len = (int)strcspn(scripts, "|;");
        const char *begin = between == '|'    ? ","
                            : stages.len == 0 ? "{'tasks':["
                                              : "]},{'tasks':[";

        snprintf(one, sizeof(one),
                 "%s{'role':'impl-code','prompt':'story: %.*s'}", begin, len,
                 scripts);
        bytes_append(&stages, one, strlen(one));
        between = scripts[len];
        scripts += len + (between != 0);
    }
    bytes_append(&stages, "]}", sizeof("]}"));
    r = client_call(c, ORDER_RUN_SEQUENTIAL,
                    "{'groupId':'%s','onFailure':'%s','stages':[%s]}", group,
                    policy, stages.ptr);
    bytes_finish(&stages);
    return r;
}

const char *tale_ids(const struct reply *r, char ids[TALE_IDS])
{
    yyjson_val *agents = reply_at(r, "/agents"), *agent;
    size_t used = 0, i, max;

    ids[0] = 0;
    yyjson_arr_foreach(agents, i, max, agent)
    {
        used += (size_t)snprintf(ids + used, TALE_IDS - used, "%s'%s'",
                                 i > 0 ? "," : "",
                                 yyjson_get_str(FIELD(agent, "agentId")));
        TALE_CHECK(used < TALE_IDS);
    }
    return ids;
}

const struct reply *tale_wait_ids(struct client *c, const char *ids)
{
    const struct reply *r;

    do
        r = MUST(client_call(c, ORDER_WAIT_AGENT, "{'agentIds':[%s]}", ids));
    while (yyjson_is_true(reply_at(r, "/timedOut")));
    return r;
}

const struct reply *tale_wait(struct client *c, const struct reply *run)
{
    char ids[TALE_IDS];

    return tale_wait_ids(c, tale_ids(run, ids));
}

const struct reply *tale_look(struct client *c, const char *id)
{
    return MUST(client_call(c, ORDER_GET_AGENT_STATUS, "{'agentId':'%s'}", id));
}

bool tale_is(const struct reply *look, const char *status)
{
    return strcmp(reply_text(look, "/status"), status) == 0;
}

void tale_until_gone(struct client *c, const char *id)
{
    for (unsigned i = 0; i < LOOKS; i++) {
        if (books_is_gone(world_books(client_world(c)), id))
            return;
        client_sleep(c, LOOK_MS);
    }
    os_panic("%s does not go", id);
}

void tale_until_begun(struct client *c, const char *id)
{
    for (unsigned i = 0; i < LOOKS; i++) {
        const struct reply *r = tale_look(c, id);

        if (r->is_hung_up || !tale_is(r, "queued"))
            return;
        client_sleep(c, LOOK_MS);
    }
    os_panic("%s does not begin", id);
}

void tale_delete(struct client *c, const char *group)
{
    MUST(client_call(c, ORDER_DELETE_GROUP, "{'groupId':'%s'}", group));
}
