/* SPDX-License-Identifier: MIT */
#include "actors/store/picture.h"

#include <stdlib.h>

#include "actors/store/picture_inside.h"
#include "runtime/text/array.h"
#include "runtime/text/field.h"
#include "runtime/text/moment.h"

/* ---- parts -------------------------------------------------------------- */

static void drop_part(struct picture_part *part)
{
    yyjson_doc_free(part->doc);
    *part = (struct picture_part){0};
}

/* Takes the document over. */
static void set_part(struct picture_part *part, yyjson_val *val,
                     yyjson_doc *doc)
{
    drop_part(part);
    *part = (struct picture_part){val, doc};
}

static struct slice keep(struct picture *p, struct slice text)
{
    return slice_of(arena_copy(&p->arena, text.ptr, text.len), text.len);
}

/* ---- groups ------------------------------------------------------------- */

static struct picture_group *find_group(const struct picture *p,
                                        struct slice id)
{
    struct index_link *l =
        index_find(&p->groups_by_id, slice_hash(SLICE_HASH, id));

    while (l != NULL &&
           !slice_eq(INDEX_ITEM(struct picture_group, link, l)->id, id))
        l = index_next(l);
    return INDEX_ITEM(struct picture_group, link, l);
}

static void add_id(struct picture *p, struct picture_group *g, struct slice id)
{
    ARRAY_GROW(g->ids, g->id_count);
    g->ids[g->id_count++] = keep(p, id);
}

static void read_ids(struct picture *p, struct picture_group *g)
{
    yyjson_val *id;
    size_t i, max;

    g->id_count = 0;
    yyjson_arr_foreach(FIELD(g->entry.val, "agentIds"), i, max, id)
    {
        add_id(p, g, field_text(id));
    }
}

/* What an entry says holds, sums too. */
static void set_group(struct picture *p, yyjson_val *entry, yyjson_doc *doc)
{
    struct slice id = FIELD_TEXT(entry, "groupId");
    struct picture_group *g = find_group(p, id);

    if (g == NULL) {
        g = bytes_zalloc(sizeof(*g));
        g->id = keep(p, id);
        index_add(&p->groups_by_id, &g->link, slice_hash(SLICE_HASH, id));
        LIST_APPEND(&p->groups, g, order);
    }
    set_part(&g->entry, entry, doc);
    g->is_ledger_newer = g->is_reopened = false;
    group_record_read(&g->sum, entry);
    read_ids(p, g);
}

static void destroy_group(struct picture *p, struct picture_group *g)
{
    index_remove(&p->groups_by_id, &g->link);
    LIST_REMOVE(&p->groups, g, order);
    drop_part(&g->entry);
    drop_part(&g->ledger);
    free(g->ids);
    free(g);
}

/* ---- agents ------------------------------------------------------------- */

static struct picture_agent *find_agent(const struct picture *p,
                                        struct slice id)
{
    struct index_link *l =
        index_find(&p->agents_by_id, slice_hash(SLICE_HASH, id));

    while (l != NULL &&
           !slice_eq(INDEX_ITEM(struct picture_agent, link, l)->id, id))
        l = index_next(l);
    return INDEX_ITEM(struct picture_agent, link, l);
}

static struct picture_agent *add_agent(struct picture *p,
                                       struct picture_group *g, struct slice id)
{
    struct picture_agent *a = bytes_zalloc(sizeof(*a));

    a->group = g;
    a->id = keep(p, id);
    index_add(&p->agents_by_id, &a->link, slice_hash(SLICE_HASH, id));
    LIST_APPEND(&p->agents, a, order);
    return a;
}

static void destroy_agent(struct picture *p, struct picture_agent *a)
{
    index_remove(&p->agents_by_id, &a->link);
    LIST_REMOVE(&p->agents, a, order);
    drop_part(&a->entry);
    free(a->conflicts);
    free(a);
}

static void read_counted(struct picture_agent *a)
{
    yyjson_val *entry = a->entry.val;

    a->counted =
        (struct group_record_part){.state = FIELD_TEXT(entry, "status"),
                                   .outcome = FIELD_TEXT(entry, "outcome")};
    agent_record_read_usage(&a->counted.usage, FIELD(entry, "usage"));
}

/* ---- its beginning and end ---------------------------------------------- */

static uint64_t time_of(yyjson_val *val)
{
    int64_t ms = 0;

    return moment_read(field_text(val), &ms) && ms > 0 ? (uint64_t)ms : 0;
}

static void begin_groups(struct picture *p)
{
    yyjson_val *entry;
    size_t i, max;

    yyjson_arr_foreach(FIELD(p->root, "groups"), i, max, entry)
    {
        set_group(p, entry, NULL);
        p->groups.last->ledger.val = FIELD(entry, "ledger");
    }
}

static void begin_agents(struct picture *p)
{
    yyjson_val *entry;
    size_t i, max;

    yyjson_arr_foreach(FIELD(p->root, "agents"), i, max, entry)
    {
        struct picture_group *g = find_group(p, FIELD_TEXT(entry, "groupId"));
        struct picture_agent *a;

        if (g == NULL)
            continue;
        a = add_agent(p, g, FIELD_TEXT(entry, "agentId"));
        a->entry.val = entry;
        a->at = p->at;
        read_counted(a);
    }
    p->total = FIELD_COUNT(p->root, "totalAgents");
}

static struct picture_finding *find_finding(struct picture *p,
                                            struct slice role)
{
    for (size_t i = 0; i < p->finding_count; i++)
        if (slice_eq(p->findings[i].role, role))
            return &p->findings[i];
    ARRAY_GROW(p->findings, p->finding_count);
    p->findings[p->finding_count] =
        (struct picture_finding){.role = keep(p, role)};
    return &p->findings[p->finding_count++];
}

static void begin_health(struct picture *p)
{
    yyjson_val *health = FIELD(p->root, "healthcheck"), *finding;
    size_t i, max;

    p->is_healthy = slice_eq(FIELD_TEXT(health, "status"), SLICE("complete"));
    yyjson_arr_foreach(FIELD(health, "results"), i, max, finding)
    {
        find_finding(p, FIELD_TEXT(finding, "roleId"))->part.val = finding;
    }
    p->config.val = FIELD(p->root, "config");
    p->models.val = FIELD(p->root, "availableModels");
}

struct picture *picture_create(struct slice json)
{
    yyjson_doc *doc = yyjson_read(json.ptr, json.len, 0);
    struct picture *p;

    if (!yyjson_is_obj(yyjson_doc_get_root(doc))) {
        yyjson_doc_free(doc);
        return NULL;
    }
    p = bytes_zalloc(sizeof(*p));
    p->doc = doc;
    p->root = yyjson_doc_get_root(doc);
    p->seq = FIELD_COUNT(p->root, "seq");
    p->at = time_of(FIELD(p->root, "at"));
    begin_groups(p);
    begin_agents(p);
    begin_health(p);
    return p;
}

void picture_destroy(struct picture *p)
{
    if (p == NULL)
        return;
    while (p->agents.first != NULL)
        destroy_agent(p, p->agents.first);
    while (p->groups.first != NULL)
        destroy_group(p, p->groups.first);
    for (size_t i = 0; i < p->finding_count; i++)
        drop_part(&p->findings[i].part);
    free(p->findings);
    drop_part(&p->config);
    drop_part(&p->models);
    index_finish(&p->groups_by_id);
    index_finish(&p->agents_by_id);
    arena_finish(&p->arena);
    yyjson_doc_free(p->doc);
    free(p);
}

uint64_t picture_seq(const struct picture *p)
{
    return p->seq;
}

uint64_t picture_at(const struct picture *p)
{
    return p->at;
}

/* ---- events ------------------------------------------------------------- */

/* Each takes the document over; false: it is not needed. */
typedef bool fold_fn(struct picture *p, const struct picture_event *e,
                     yyjson_val *data, yyjson_doc *doc);

static bool fold_group(struct picture *p, const struct picture_event *e,
                       yyjson_val *data, yyjson_doc *doc)
{
    (void)e;
    set_group(p, data, doc);
    return true;
}

static bool fold_deleted(struct picture *p, const struct picture_event *e,
                         yyjson_val *data, yyjson_doc *doc)
{
    struct picture_group *g = find_group(p, FIELD_TEXT(data, "groupId"));

    (void)e, (void)doc;
    if (g == NULL)
        return false;
    p->total -= g->sum.total;
    LIST_EACH (a, &p->agents, order)
        if (a->group == g)
            destroy_agent(p, a);
    destroy_group(p, g);
    return false;
}

static bool fold_ledger(struct picture *p, const struct picture_event *e,
                        yyjson_val *data, yyjson_doc *doc)
{
    struct picture_group *g = find_group(p, FIELD_TEXT(data, "groupId"));

    (void)e;
    if (g == NULL)
        return false;
    set_part(&g->ledger, data, doc);
    g->is_ledger_newer = true;
    return true;
}

/* An agent that is not in the picture, and does not come into it, is of a
 * group that is deleted. */
static bool fold_agent(struct picture *p, const struct picture_event *e,
                       yyjson_val *data, yyjson_doc *doc)
{
    struct slice id = FIELD_TEXT(data, "agentId");
    struct picture_agent *a = find_agent(p, id);
    struct picture_group *g = find_group(p, FIELD_TEXT(data, "groupId"));

    if (g == NULL || (a == NULL && !slice_eq(e->type, SLICE("agent:created"))))
        return false;
    if (a == NULL) {
        a = add_agent(p, g, id);
        add_id(p, g, id);
        g->is_reopened = true;
        p->total++;
    } else {
        group_record_remove(&g->sum, &a->counted);
    }
    set_part(&a->entry, data, doc);
    a->at = e->at;
    a->conflict_count = 0;
    read_counted(a);
    group_record_add(&g->sum, &a->counted);
    return true;
}

static void add_conflict(struct picture *p, struct picture_agent *a,
                         struct slice path, struct slice other)
{
    if (a == NULL)
        return;
    ARRAY_GROW(a->conflicts, a->conflict_count);
    a->conflicts[a->conflict_count++] =
        (struct picture_conflict){keep(p, path), keep(p, other)};
}

/* It is told of one of the two, and stands with both. */
static bool fold_conflict(struct picture *p, const struct picture_event *e,
                          yyjson_val *data, yyjson_doc *doc)
{
    struct slice id = FIELD_TEXT(data, "agentId");
    struct slice path = FIELD_TEXT(data, "path");
    yyjson_val *other;
    size_t i, max;

    (void)e, (void)doc;
    yyjson_arr_foreach(FIELD(data, "with"), i, max, other)
    {
        add_conflict(p, find_agent(p, id), path, field_text(other));
        add_conflict(p, find_agent(p, field_text(other)), path, id);
    }
    return false;
}

/* One finding, of a check that begins or ends. */
static bool fold_check(struct picture *p, const struct picture_event *e,
                       yyjson_val *data, yyjson_doc *doc)
{
    if (slice_eq(e->type, SLICE("healthcheck:role_start")))
        p->is_healthy = false;
    set_part(&find_finding(p, FIELD_TEXT(data, "roleId"))->part, data, doc);
    return true;
}

/* All of them: each keeps a copy of its own, for they are replaced one by
 * one. */
static bool fold_checks(struct picture *p, const struct picture_event *e,
                        yyjson_val *data, yyjson_doc *doc)
{
    yyjson_val *finding, *models = FIELD(data, "availableModels");
    size_t i, max;

    p->is_healthy = slice_eq(e->type, SLICE("healthcheck:complete"));
    yyjson_arr_foreach(FIELD(data, "results"), i, max, finding)
    {
        size_t len = 0;
        char *text = yyjson_val_write(finding, 0, &len);
        yyjson_doc *own = text != NULL ? yyjson_read(text, len, 0) : NULL;

        set_part(&find_finding(p, FIELD_TEXT(finding, "roleId"))->part,
                 yyjson_doc_get_root(own), own);
        free(text);
    }
    if (models == NULL)
        return false;
    set_part(&p->models, models, doc);
    return true;
}

static bool fold_config(struct picture *p, const struct picture_event *e,
                        yyjson_val *data, yyjson_doc *doc)
{
    (void)e;
    set_part(&p->config, data, doc);
    return true;
}

static const struct {
    struct slice type;
    fold_fn *fold;
} folds[] = {{SLICE_INIT("agent:created"), fold_agent},
             {SLICE_INIT("agent:status_update"), fold_agent},
             {SLICE_INIT("agent:completed"), fold_agent},
             {SLICE_INIT("agent:cancelled"), fold_agent},
             {SLICE_INIT("agent:stalled"), fold_agent},
             {SLICE_INIT("agent:conflict"), fold_conflict},
             {SLICE_INIT("group:created"), fold_group},
             {SLICE_INIT("group:updated"), fold_group},
             {SLICE_INIT("group:completed"), fold_group},
             {SLICE_INIT("group:stalled"), fold_group},
             {SLICE_INIT("group:stage_advanced"), fold_group},
             {SLICE_INIT("group:deleted"), fold_deleted},
             {SLICE_INIT("group:ledger_updated"), fold_ledger},
             {SLICE_INIT("healthcheck:role_start"), fold_check},
             {SLICE_INIT("healthcheck:role_complete"), fold_check},
             {SLICE_INIT("healthcheck:model_validation"), fold_checks},
             {SLICE_INIT("healthcheck:complete"), fold_checks},
             {SLICE_INIT("config:updated"), fold_config}};

static fold_fn *find_fold(struct slice type)
{
    for (size_t i = 0; i < sizeof(folds) / sizeof(*folds); i++)
        if (slice_eq(folds[i].type, type))
            return folds[i].fold;
    return NULL;
}

void picture_fold(struct picture *p, const struct picture_event *e)
{
    fold_fn *fold = find_fold(e->type);
    yyjson_doc *doc;

    if (e->seq <= p->seq)
        return;
    p->seq = e->seq;
    if (e->at > p->at)
        p->at = e->at;
    if (fold == NULL)
        return;
    doc = yyjson_read(e->data.ptr, e->data.len, 0);
    if (!yyjson_is_obj(yyjson_doc_get_root(doc)) ||
        !fold(p, e, yyjson_doc_get_root(doc), doc))
        yyjson_doc_free(doc);
}
