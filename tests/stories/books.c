/* SPDX-License-Identifier: MIT */
#include "tests/stories/books.h"

#include <stdlib.h>

#include "tests/stories/books_inside.h"

void books_init(struct books *b, const struct tools *tools,
                const unsigned max[BOOKS_KINDS])
{
    *b = (struct books){.tools = tools};
    memcpy(b->max, max, sizeof(b->max));
}

void books_finish(struct books *b)
{
    for (size_t i = 0; i < b->agent_count; i++)
        free(b->agents[i]);
    for (size_t i = 0; i < b->group_count; i++)
        free(b->groups[i]);
    free(b->agents);
    free(b->groups);
}

/* ---- what is in them --------------------------------------------------- */

struct books_agent *books_find_agent(struct books *b, const char *id)
{
    for (size_t i = b->agent_count; i > 0; i--)
        if (strcmp(b->agents[i - 1]->id, id) == 0)
            return b->agents[i - 1];
    return NULL;
}

struct books_agent *books_add_agent(struct books *b, const char *id)
{
    struct books_agent *a = books_find_agent(b, id);

    if (a != NULL)
        return a;
    b->agents =
        bytes_realloc(b->agents, (b->agent_count + 1) * sizeof(*b->agents));
    a = b->agents[b->agent_count++] = bytes_zalloc(sizeof(*a));
    slice_keep(a->id, sizeof(a->id), slice_cstr(id));
    return a;
}

struct books_group *books_find_group(struct books *b, const char *id)
{
    for (size_t i = 0; i < b->group_count; i++)
        if (strcmp(b->groups[i]->id, id) == 0)
            return b->groups[i];
    return NULL;
}

struct books_group *books_add_group(struct books *b, const char *id)
{
    struct books_group *g = books_find_group(b, id);

    if (g != NULL)
        return g;
    b->groups =
        bytes_realloc(b->groups, (b->group_count + 1) * sizeof(*b->groups));
    g = b->groups[b->group_count++] = bytes_zalloc(sizeof(*g));
    slice_keep(g->id, sizeof(g->id), slice_cstr(id));
    return g;
}

bool books_is_leaving(struct books *b, const char *group)
{
    struct books_group *g = books_find_group(b, group);

    if (g == NULL || g->exists == 0 || g->is_leaving)
        return true;
    return g->parent[0] != 0 && books_is_leaving(b, g->parent);
}

bool books_is_deleted(struct books *b, const char *group, uint64_t placed)
{
    struct books_group *g = books_find_group(b, group);

    return g != NULL && (books_knew(g->deleted, placed) ||
                         books_is_deleted(b, g->parent, placed));
}

bool books_knew(uint64_t number, uint64_t placed)
{
    return number != 0 && number <= placed;
}

void books_learn(struct books *b, uint64_t *number)
{
    if (*number == 0)
        *number = ++b->news;
}

/* ---- processes --------------------------------------------------------- */

static enum books_kind kind_of(const char *id)
{
    return strncmp(id, ROLE_ORCHESTRATOR "-", sizeof(ROLE_ORCHESTRATOR)) == 0
               ? BOOKS_ORCHESTRATORS
               : BOOKS_AGENTS;
}

static bool is_before(const struct books_agent *one,
                      const struct books_agent *other)
{
    if (one->plan == 0 || strcmp(one->group, other->group) != 0)
        return false;
    return one->plan < other->plan ||
           (one->plan == other->plan && one->stage < other->stage);
}

/* Stages and plans begin when all trees of those before are gone. */
static void check_stage(struct books *b, const struct books_agent *a)
{
    for (size_t i = 0; i < b->agent_count && a->plan != 0; i++) {
        const struct books_agent *other = b->agents[i];

        REQUIRE(!is_before(other, a) || other->gones == other->starts,
                "%s of stage %u is started before %s has gone", a->id, a->stage,
                other->id);
    }
}

void books_start(struct books *b, const char *id)
{
    enum books_kind kind = kind_of(id);
    struct books_agent *a;

    lock_take(&b->lock);
    a = books_add_agent(b, id);
    REQUIRE(a->starts++ == 0, "agent %s is started twice", id);
    b->live[kind]++;
    REQUIRE(b->live[kind] <= b->max[kind],
            "%s is started as the %u. where %u places are", id, b->live[kind],
            b->max[kind]);
    check_stage(b, a);
    b->started[kind]++;
    a->started_as = b->started[BOOKS_AGENTS] + b->started[BOOKS_ORCHESTRATORS];
    lock_give(&b->lock);
}

void books_gone(struct books *b, const char *id)
{
    struct books_agent *a;

    lock_take(&b->lock);
    a = books_find_agent(b, id);
    REQUIRE(a != NULL && a->starts == 1, "%s is gone but never was", id);
    REQUIRE(a->gones++ == 0, "agent %s is gone twice", id);
    b->live[kind_of(id)]--;
    lock_give(&b->lock);
}

unsigned books_started_as(struct books *b, const char *id)
{
    struct books_agent *a;
    unsigned number;

    lock_take(&b->lock);
    a = books_find_agent(b, id);
    number = a != NULL ? a->started_as : 0;
    lock_give(&b->lock);
    return number;
}

unsigned books_started(struct books *b, enum books_kind kind)
{
    unsigned count;

    lock_take(&b->lock);
    count = b->started[kind];
    lock_give(&b->lock);
    return count;
}

unsigned books_live(struct books *b)
{
    unsigned live = 0;

    lock_take(&b->lock);
    for (unsigned kind = 0; kind < BOOKS_KINDS; kind++)
        live += b->live[kind];
    lock_give(&b->lock);
    return live;
}

bool books_is_gone(struct books *b, const char *id)
{
    struct books_agent *a;
    bool is_gone;

    lock_take(&b->lock);
    a = books_find_agent(b, id);
    is_gone = a != NULL && (a->gones == 1 || (a->starts == 0 && a->done != 0));
    lock_give(&b->lock);
    return is_gone;
}

/* ---- orders ------------------------------------------------------------ */

/* A cancellation hits its agents between its placing and its answer. */
static void note_cancel(struct books *b, const struct order *o)
{
    yyjson_val *ids = FIELD(o->args, "agentIds"), *id;
    struct books_agent *a;
    size_t i, max;

    yyjson_arr_foreach(ids, i, max, id)
    {
        a = books_find_agent(b, yyjson_get_str(id));
        if (a != NULL)
            a->is_doomed = true;
    }
    /* Of a whole family: whose it is may be unknown yet. */
    if (FIELD(o->args, "groupId") != NULL)
        for (i = 0; i < b->agent_count; i++)
            b->agents[i]->is_doomed = true;
}

uint64_t books_place(struct books *b, const struct order *o)
{
    struct books_group *g;
    uint64_t news;

    lock_take(&b->lock);
    b->placed++;
    if (o->kind == ORDER_CANCEL_AGENT)
        note_cancel(b, o);
    if (o->kind == ORDER_DELETE_GROUP) {
        g = books_find_group(b, yyjson_get_str(FIELD(o->args, "groupId")));
        if (g != NULL)
            g->is_leaving = true;
    }
    news = b->news;
    lock_give(&b->lock);
    return news;
}

void books_take_back(struct books *b)
{
    lock_take(&b->lock);
    b->placed--;
    lock_give(&b->lock);
}

void books_close(struct books *b)
{
    lock_take(&b->lock);
    REQUIRE(b->placed == b->answered,
            "%llu orders were placed and %llu answered",
            (unsigned long long)b->placed, (unsigned long long)b->answered);
    for (size_t i = 0; i < b->agent_count; i++) {
        const struct books_agent *a = b->agents[i];

        REQUIRE(a->gones == a->starts, "%s was started and is not gone", a->id);
        REQUIRE(a->exists == 0 || a->done != 0 || books_is_leaving(b, a->group),
                "%s was never seen to be done", a->id);
    }
    lock_give(&b->lock);
}
