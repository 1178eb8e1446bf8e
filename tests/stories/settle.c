/* SPDX-License-Identifier: MIT */
#include "tests/stories/settle.h"

#include <inttypes.h>

#include "runtime/os.h"
#include "tests/stories/tale.h"

/* Nothing a story begins takes longer than this after its last word. */
#define PATIENCE_S 3600
#define STEP_S 20
/* Agents of deleted groups that are remembered (seed 3.4). */
#define KEPT 20

static uint64_t actors(struct world *w)
{
    struct rt_stats stats;

    rt_stats_any(world_rt(w), &stats);
    return stats.actors;
}

uint64_t settle_base(struct world *w, struct client *c)
{
    MUST(client_call(c, ORDER_LIST_GROUPS, "{}"));
    return actors(w);
}

/* ---- rest -------------------------------------------------------------- */

/* The first agent that is not done, or NULL. */
static const char *restless(struct client *c)
{
    const struct reply *list = MUST(client_call(c, ORDER_LIST_AGENTS, "{}"));
    yyjson_val *agents = reply_at(list, "/agents");

    for (size_t i = 0; i < yyjson_arr_size(agents); i++) {
        const char *id = reply_text(list, "/agents/%zu/agentId", i);
        const struct reply *one = MUST(
            client_call(c, ORDER_GET_AGENT_STATUS, "{'agentId':'%s'}", id));

        if (!yyjson_is_obj(reply_at(one, "/result")))
            return id;
    }
    return NULL;
}

static void come_to_rest(struct world *w, struct client *c)
{
    const char *id = NULL;

    for (unsigned s = 0; s < PATIENCE_S; s += STEP_S) {
        if (books_live(world_books(w)) == 0 && (id = restless(c)) == NULL &&
            world_census(w) == 0)
            return;
        client_sleep(c, STEP_S * 1000);
    }
    os_panic("it does not come to rest: %u processes, %u by the census, %s",
             books_live(world_books(w)), world_census(w),
             id != NULL ? id : "all are done");
}

/* ---- places ------------------------------------------------------------ */

static void must_be_free(struct client *c)
{
    const struct reply *r = MUST(client_call(c, ORDER_HUB_STATUS, "{}"));
    static const char *const counts[] = {"held", "waiting", "orchestrators"};

    for (unsigned i = 0; i < 3; i++)
        if (yyjson_get_uint(reply_at(r, "/places/%s", counts[i])) != 0)
            os_panic("nobody runs, and /places/%s is not 0", counts[i]);
}

/* As many as there are places for can be started at once, and so again. */
static void fill_places(struct world *w, struct client *c)
{
    const struct config_agent *agent = &world_config(w)->agent;
    const char *group = tale_group(c, "concurrent");

    must_be_free(c);
    tale_wait(c, MUST(tale_run(c, group, (unsigned)agent->max_concurrent,
                               "sleep:1 result")));
    if (books_started(world_books(w), BOOKS_ORCHESTRATORS) > 0)
        for (int64_t i = 0; i < agent->max_orchestrators; i++)
            MUST(client_call(c, ORDER_RUN_MAGENTIC,
                             "{'description':'d','task':'story: sleep:100 "
                             "result','completionCriteria':'c','scope':'s'}"));
    come_to_rest(w, c);
    must_be_free(c);
}

/* ---- back to the beginning --------------------------------------------- */

static bool is_group(const struct reply *list, size_t i, const char *key,
                     const char *value)
{
    return strcmp(reply_text(list, "/groups/%zu/%s", i, key), value) == 0;
}

/* Groups of groups go with them, so some are gone when their turn comes. */
static void delete_all(struct client *c)
{
    const struct reply *list = MUST(client_call(c, ORDER_LIST_GROUPS, "{}"));

    for (size_t i = 0; i < yyjson_arr_size(reply_at(list, "/groups")); i++) {
        const struct reply *r =
            client_call(c, ORDER_DELETE_GROUP, "{'groupId':'%s'}",
                        reply_text(list, "/groups/%zu/groupId", i));

        if (strcmp(reply_code(r), "GROUP_NOT_FOUND") != 0)
            MUST(r);
    }
}

/* Of deleted groups the newest agents are kept, and their groups with them: no
 * actor may be there but for these. */
static uint64_t kept(struct client *c)
{
    const struct reply *list = MUST(client_call(c, ORDER_LIST_GROUPS, "{}"));
    const struct reply *agents = MUST(client_call(c, ORDER_LIST_AGENTS, "{}"));
    size_t count = yyjson_arr_size(reply_at(agents, "/agents"));
    size_t groups = yyjson_arr_size(reply_at(list, "/groups"));
    uint64_t actors_kept = count + groups;

    if (count > KEPT)
        os_panic("%zu agents of deleted groups are kept", count);
    for (size_t i = 0; i < groups; i++) {
        if (!is_group(list, i, "status", "deleted"))
            os_panic("%s is not deleted",
                     reply_text(list, "/groups/%zu/groupId", i));
        actors_kept += is_group(list, i, "mode", "magentic");
    }
    return actors_kept;
}

void settle(struct world *w, struct client *c, uint64_t base)
{
    uint64_t want;

    come_to_rest(w, c);
    fill_places(w, c);
    delete_all(c);
    want = base + kept(c);
    for (unsigned s = 0; s < PATIENCE_S && actors(w) != want; s += STEP_S)
        client_sleep(c, STEP_S * 1000);
    if (actors(w) != want)
        os_panic("%" PRIu64 " actors are left, not %" PRIu64, actors(w), want);
    books_close(world_books(w));
}
