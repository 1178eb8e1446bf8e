/* SPDX-License-Identifier: MIT */
#include "tests/stories/books_inside.h"

/* An answer under examination. */
struct reading {
    struct books *b;
    const struct order *o;
    uint64_t placed;
    yyjson_val *answer;
};

static const char *text(yyjson_val *obj, const char *key)
{
    const char *s = yyjson_get_str(yyjson_obj_get(obj, key));

    return s != NULL ? s : "";
}

static const char *name(const struct reading *r)
{
    return order_name(r->o->kind).ptr;
}

/* ---- an agent's state -------------------------------------------------- */

static unsigned rank(const char *status)
{
    return strcmp(status, "queued") == 0    ? 0
           : strcmp(status, "running") == 0 ? 1
                                            : 2;
}

/* Nothing older than what was known, and no end but a report changes. */
static void check_status(const struct reading *r, const struct books_agent *a,
                         const char *status)
{
    bool is_reported = strcmp(status, "resultReported") == 0;
    unsigned least =
        books_knew(a->ended, r->placed) || books_knew(a->stopped, r->placed) ? 2

        : books_knew(a->started, r->placed) ? 1
                                            : 0;

    REQUIRE(rank(status) >= least, "%s says %s is %s, which was later before",
            name(r), a->id, status);
    if (books_knew(a->ended, r->placed))
        REQUIRE(strcmp(status, a->status) == 0 ||
                    (is_reported && strcmp(a->status, "cancelled") != 0),
                "%s says %s is %s, which had ended as %s", name(r), a->id,
                status, a->status);
    if (books_knew(a->reported, r->placed))
        REQUIRE(is_reported, "%s says %s is %s, which has reported", name(r),
                a->id, status);
    if (books_knew(a->cancelled, r->placed))
        REQUIRE(strcmp(status, "cancelled") == 0,
                "%s says %s is %s, which was cancelled", name(r), a->id,
                status);
}

static void learn_status(const struct reading *r, struct books_agent *a,
                         const char *status)
{
    books_learn(r->b, &a->exists);
    if (rank(status) >= 1)
        books_learn(r->b, &a->started);
    if (rank(status) == 2 && a->ended == 0) {
        slice_keep(a->status, sizeof(a->status), slice_cstr(status));
        books_learn(r->b, &a->ended);
    }
}

/* Whether it must be found by whoever asks for it. */
static bool must_be_there(const struct reading *r, const struct books_agent *a)
{
    return books_knew(a->exists, r->placed) &&
           !books_is_leaving(r->b, a->group);
}

/* An entry that tells of an agent: of a list, or by itself. */
static struct books_agent *read_agent(const struct reading *r, yyjson_val *v)
{
    struct books_agent *a = books_add_agent(r->b, text(v, "agentId"));
    const char *group = text(v, "groupId"), *status = text(v, "status");

    if (group[0] != 0) {
        REQUIRE(a->group[0] == 0 || strcmp(a->group, group) == 0,
                "%s has moved from %s to %s", a->id, a->group, group);
        slice_keep(a->group, sizeof(a->group), slice_cstr(group));
    }
    check_status(r, a, status);
    learn_status(r, a, status);
    return a;
}

/* ---- the answers ------------------------------------------------------- */

static struct books_agent *made(const struct reading *r, const char *id,
                                const char *group)
{
    struct books_agent *a = books_add_agent(r->b, id);

    REQUIRE(!a->is_made, "the id %s was given before", id);
    a->is_made = true;
    slice_keep(a->group, sizeof(a->group), slice_cstr(group));
    books_learn(r->b, &a->exists);
    return a;
}

static size_t wanted(const struct order *o)
{
    yyjson_val *stages = FIELD(o->args, "stages"), *stage;
    size_t count = yyjson_arr_size(FIELD(o->args, "agents")), i, max;

    yyjson_arr_foreach(stages, i, max, stage)
    {
        count += yyjson_arr_size(FIELD(stage, "tasks"));
    }
    return count;
}

static void on_run(const struct reading *r)
{
    const char *group = text(r->o->args, "groupId");
    yyjson_val *agents = FIELD(r->answer, "agents"), *agent;
    uint64_t plan = r->b->news + 1;
    struct books_agent *a;
    size_t i, max;

    REQUIRE(!books_is_deleted(r->b, group, r->placed),
            "%s in %s, which is deleted", name(r), group);
    REQUIRE(yyjson_arr_size(agents) == wanted(r->o) &&
                FIELD_COUNT(r->answer, "total") == wanted(r->o),
            "%s has made %zu agents for %zu tasks", name(r),
            yyjson_arr_size(agents), wanted(r->o));
    yyjson_arr_foreach(agents, i, max, agent)
    {
        REQUIRE(strcmp(text(agent, "groupId"), group) == 0,
                "%s makes an agent in %s", name(r), text(agent, "groupId"));
        a = made(r, text(agent, "agentId"), group);
        a->stage = (unsigned)FIELD_COUNT(agent, "stageIndex");
        a->plan = r->o->kind == ORDER_RUN_SEQUENTIAL ? plan : 0;
    }
}

static void learn_group(const struct reading *r, const char *id,
                        const char *parent)
{
    struct books_group *g = books_add_group(r->b, id);

    slice_keep(g->parent, sizeof(g->parent), slice_cstr(parent));
    books_learn(r->b, &g->exists);
}

/* As it is told, else that of the agent who asked. */
static const char *parent_of(const struct reading *r)
{
    const char *told = text(r->answer, "parentGroupId");
    struct books_agent *a = books_find_agent(r->b, r->o->caller->agent_id);

    return told[0] == 0 && a != NULL ? a->group : told;
}

static void on_new_group(const struct reading *r)
{
    const char *id = text(r->answer, "groupId"), *parent = parent_of(r);
    struct books_group *g = books_add_group(r->b, id);

    REQUIRE(!g->is_made, "the id %s was given before", id);
    REQUIRE(!books_is_deleted(r->b, parent, r->placed),
            "%s makes %s in %s, which is deleted", name(r), id, parent);
    g->is_made = true;
    learn_group(r, id, parent);
    if (r->o->kind == ORDER_RUN_MAGENTIC)
        made(r, text(r->answer, "orchestratorAgentId"), id);
}

static void on_delete(const struct reading *r)
{
    struct books_group *g = books_find_group(r->b, text(r->o->args, "groupId"));

    if (g == NULL)
        return;
    REQUIRE(!books_knew(g->deleted, r->placed), "%s is deleted twice", g->id);
    books_learn(r->b, &g->deleted);
}

static bool is_listed(yyjson_val *list, const char *key, const char *id)
{
    yyjson_val *v;
    size_t i, max;

    yyjson_arr_foreach(list, i, max, v)
    {
        if (strcmp(text(v, key), id) == 0)
            return true;
    }
    return false;
}

static void on_list(const struct reading *r)
{
    yyjson_val *agents = FIELD(r->answer, "agents"), *agent;
    const char *group = text(r->o->args, "groupId");
    const char *status = text(r->o->args, "status");
    size_t i, max;

    REQUIRE(FIELD_COUNT(r->answer, "total") >= yyjson_arr_size(agents),
            "list_agents counts fewer than it lists");
    yyjson_arr_foreach(agents, i, max, agent)
    {
        REQUIRE(group[0] == 0 || strcmp(text(agent, "groupId"), group) == 0,
                "list_agents of %s lists one of another", group);
        read_agent(r, agent);
    }
    if (status[0] != 0 && strcmp(status, "all") != 0)
        return;
    for (i = 0; i < r->b->agent_count; i++) {
        const struct books_agent *a = r->b->agents[i];

        if ((group[0] == 0 || strcmp(a->group, group) == 0) &&
            must_be_there(r, a))
            REQUIRE(is_listed(agents, "agentId", a->id),
                    "list_agents does not list %s", a->id);
    }
}

static void on_status(const struct reading *r)
{
    struct books_agent *a = read_agent(r, r->answer);
    bool has_result = yyjson_is_obj(FIELD(r->answer, "result"));

    REQUIRE(strcmp(a->id, text(r->o->args, "agentId")) == 0,
            "get_agent_status of %s tells of another", a->id);
    REQUIRE(has_result || !books_knew(a->done, r->placed),
            "%s was done and has no result", a->id);
    REQUIRE(has_result == (rank(text(r->answer, "status")) == 2),
            "%s is %s and has %s result", a->id, text(r->answer, "status"),
            has_result ? "a" : "no");
    if (has_result)
        books_learn(r->b, &a->done);
}

static void on_wait(const struct reading *r)
{
    yyjson_val *done = FIELD(r->answer, "completed");
    yyjson_val *pending = FIELD(r->answer, "pending");
    yyjson_val *ids = FIELD(r->o->args, "agentIds"), *v;
    bool wants_any = strcmp(text(r->o->args, "mode"), "any") == 0;
    bool is_cut = yyjson_is_true(FIELD(r->answer, "timedOut"));
    size_t i, max;

    yyjson_arr_foreach(ids, i, max, v)
    {
        REQUIRE(is_listed(done, "agentId", yyjson_get_str(v)) !=
                    is_listed(pending, "agentId", yyjson_get_str(v)),
                "wait_agent loses %s", yyjson_get_str(v));
    }
    yyjson_arr_foreach(done, i, max, v)
    {
        struct books_agent *a = read_agent(r, v);

        REQUIRE(rank(text(v, "status")) == 2, "%s is done and %s", a->id,
                text(v, "status"));
        books_learn(r->b, &a->done);
    }
    yyjson_arr_foreach(pending, i, max, v)
    {
        struct books_agent *a = read_agent(r, v);

        REQUIRE(!books_knew(a->done, r->placed), "%s was done and is awaited",
                a->id);
        REQUIRE(rank(text(v, "status")) < 2, "%s is %s and awaited", a->id,
                text(v, "status"));
    }
    REQUIRE(is_cut != (yyjson_arr_size(pending) == 0 ||
                       (wants_any && yyjson_arr_size(done) > 0)),
            "wait_agent is %s: %zu done, %zu pending",
            is_cut ? "cut short" : "over", yyjson_arr_size(done),
            yyjson_arr_size(pending));
}

static void on_report(const struct reading *r)
{
    struct books_agent *a = books_add_agent(r->b, text(r->answer, "agentId"));

    REQUIRE(!books_knew(a->cancelled, r->placed),
            "%s was cancelled and its report is taken", a->id);
    books_learn(r->b, &a->reported);
    books_learn(r->b, &a->done);
}

static void on_cancel(const struct reading *r)
{
    yyjson_val *ids = FIELD(r->answer, "cancelled"), *v;
    size_t i, max;

    yyjson_arr_foreach(ids, i, max, v)
    {
        struct books_agent *a = books_add_agent(r->b, yyjson_get_str(v));

        REQUIRE(!books_knew(a->done, r->placed),
                "%s is cancelled, which was done", a->id);
        books_learn(r->b, &a->cancelled);
        books_learn(r->b, &a->done);
    }
    ids = FIELD(r->answer, "notRunning");
    yyjson_arr_foreach(ids, i, max, v)
    {
        struct books_agent *a = books_add_agent(r->b, yyjson_get_str(v));

        books_learn(r->b, &a->stopped);
        books_learn(r->b, &a->done);
    }
}

static void on_list_groups(const struct reading *r)
{
    yyjson_val *groups = FIELD(r->answer, "groups"), *group;
    size_t i, max;

    yyjson_arr_foreach(groups, i, max, group)
    {
        if (books_find_group(r->b, text(group, "groupId")) == NULL)
            learn_group(r, text(group, "groupId"),
                        text(group, "parentGroupId"));
    }
    for (i = 0; i < r->b->group_count; i++) {
        const struct books_group *g = r->b->groups[i];

        if (books_knew(g->exists, r->placed) && !books_is_leaving(r->b, g->id))
            REQUIRE(is_listed(groups, "groupId", g->id),
                    "list_groups does not list %s", g->id);
    }
}

/* ---- refusals ---------------------------------------------------------- */

/* Whether somebody may have ended it: by hand, or with its family. */
static bool may_be_ended(const struct reading *r, const struct books_agent *a)
{
    struct books_group *g = books_find_group(r->b, a->group);

    return a->is_doomed || g == NULL || g->parent[0] != 0 ||
           books_is_leaving(r->b, a->group);
}

static void on_refusal(const struct reading *r)
{
    const char *code = text(r->answer, "code");
    struct books_agent *a = books_find_agent(r->b, text(r->o->args, "agentId"));
    struct books_group *g = books_find_group(r->b, text(r->o->args, "groupId"));

    REQUIRE(code_find(slice_cstr(code)) != CODE_COUNT &&
                text(r->answer, "message")[0] != 0,
            "%s is refused with %s", name(r), code);
    REQUIRE(code_find(slice_cstr(code)) != CODE_INTERNAL_ERROR, "%s: %s",
            name(r), text(r->answer, "message"));
    if (strcmp(code, "AGENT_NOT_FOUND") == 0 && a != NULL)
        REQUIRE(!must_be_there(r, a), "%s does not find %s", name(r), a->id);
    if (strcmp(code, "GROUP_NOT_FOUND") == 0 && g != NULL &&
        r->o->kind != ORDER_DELETE_GROUP)
        REQUIRE(!books_knew(g->exists, r->placed) ||
                    books_is_leaving(r->b, g->id),
                "%s does not find %s", name(r), g->id);
    if (strcmp(code, "REPORT_FAILED") == 0 && a != NULL && a->starts > 0)
        REQUIRE(may_be_ended(r, a) ||
                    strcmp(r->o->caller->agent_id, a->id) != 0,
                "%s ran and may not report", a->id);
}

/* ---- */

static void check_schema(const struct reading *r)
{
    struct schema_problem problem;
    const struct tool *tool;

    if (r->o->kind >= ORDER_TOOLS)
        return;
    tool = tools_find(r->b->tools, order_name(r->o->kind));
    REQUIRE(tools_check_answer(tool, r->answer, &problem),
            "%s answers against its schema: %s", name(r), problem.path);
}

static void take(const struct reading *r)
{
    switch (r->o->kind) {
    case ORDER_CREATE_GROUP:
    case ORDER_RUN_MAGENTIC:
        on_new_group(r);
        break;
    case ORDER_DELETE_GROUP:
        on_delete(r);
        break;
    case ORDER_RUN_AGENTS:
    case ORDER_RUN_SEQUENTIAL:
        on_run(r);
        break;
    case ORDER_LIST_AGENTS:
        on_list(r);
        break;
    case ORDER_GET_AGENT_STATUS:
        on_status(r);
        break;
    case ORDER_WAIT_AGENT:
        on_wait(r);
        break;
    case ORDER_REPORT_RESULT:
        on_report(r);
        break;
    case ORDER_CANCEL_AGENT:
        on_cancel(r);
        break;
    case ORDER_LIST_GROUPS:
        on_list_groups(r);
        break;
    case ORDER_LIST_ROLES:
    case ORDER_UPDATE_LEDGER:
    case ORDER_SHOW_AGENT:
    case ORDER_RETRY:
    case ORDER_HUB_STATUS:
    case ORDER_HISTORY: /* these the store answers, and the stories have none */
    case ORDER_EVENTS:
    case ORDER_USAGE:
    case ORDER_NOTIFICATIONS:
    case ORDER_AGENT_REGISTER:
    case ORDER_AGENT_GET:
    case ORDER_AGENT_SEND_MESSAGE:
    case ORDER_AGENT_RECEIVE_MESSAGES:
    case ORDER_CONTEXT_SHARE:
    case ORDER_CONTEXT_READ:
    case ORDER_INJECT_PHASE_PROMPT:
    case ORDER_TRANSITION_TO_NEXT_PHASE:
    case ORDER_GET_PHASE_CONTEXT:
    case ORDER_SAVE_PHASE_RESULT:
    case ORDER_PHASES:
    case ORDER_HEALTH_CHECK:
    case ORDER_LIST_ACTIVE_PROJECTS_WITH_AGENTS:
    case ORDER_SHOULD_START:
    case ORDER_AUTHENTICATE:
    case ORDER_GET_MY_TASK:
    case ORDER_GET_MY_PROFILE:
    case ORDER_LIST_TASKS:
    case ORDER_UPDATE_TASK_STATUS:
    case ORDER_REPORT_COMPLETED:
    case ORDER_LOGOUT:
    case ORDER_GET_AGENT_PROFILE:
    case ORDER_GET_TASK:
    case ORDER_CREATE_HANDOFF:
    case ORDER_GET_PENDING_HANDOFFS:
    case ORDER_ACCEPT_HANDOFF:
    case ORDER_SAVE_CONTEXT:
    case ORDER_CREATE_PROJECT:
    case ORDER_CREATE_AGENT:
    case ORDER_ASSIGN_AGENT:
    case ORDER_CREATE_TASK:
    case ORDER_ASSIGN_TASK:
    case ORDER_LIST_PROJECTS:
    case ORDER_GET_PROJECT:
    case ORDER_GET_TASK_CONTEXT:
    case ORDER_UPDATE_PROJECT:
    case ORDER_UPDATE_AGENT:
    case ORDER_UPDATE_TASK:
    case ORDER_SET_PASSKEY:
    case ORDER_IMPORT_PROJECTS:
    case ORDER_PROJECTS:
    case ORDER_PROJECT_TASK:
    case ORDER_RESOURCES:
    case ORDER_RESOURCE:
    case ORDER_PROMPT_TEXT:
    case ORDER_RUN_PHASES:
    case ORDER_RECORD:
    case ORDER_GC:
    case ORDER_FIND:
    case ORDER_OVERVIEW:
    case ORDER_SNAPSHOT:
    case ORDER_TRANSCRIPT:
    case ORDER_STORY:
    case ORDER_STDERR:
    case ORDER_PROMPT:
    case ORDER_PROCESS:
    case ORDER_ROLE:
    case ORDER_MODELS:
    case ORDER_CONFIG:
    case ORDER_UPDATE_ROLE:
    case ORDER_CREATE_ROLE:
    case ORDER_DELETE_ROLE:
    case ORDER_REVALIDATE:
    case ORDER_HEALTH:
    case ORDER_MAIL_TALKS:
    case ORDER_MAIL_BOXES:
    case ORDER_MAIL_MESSAGES:
    case ORDER_MAIL_VALUES:
    case ORDER_EVENT_PAGE:
    case ORDER_HUB_COUNTS:
    case ORDER_KINDS:
        break;
    }
}

void books_answer(struct books *b, const struct order *o, uint64_t placed,
                  bool is_error, yyjson_val *answer)
{
    struct reading r = {.b = b, .o = o, .placed = placed, .answer = answer};

    lock_take(&b->lock);
    b->answered++;
    if (is_error) {
        on_refusal(&r);
    } else {
        check_schema(&r);
        take(&r);
    }
    lock_give(&b->lock);
}
