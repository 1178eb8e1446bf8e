/* SPDX-License-Identifier: MIT */
#include "actors/registry/conflicts.h"

#include <stdlib.h>
#include <string.h>

#include "actors/registry/events.h"
#include "actors/registry/inside.h"
#include "runtime/text/json.h"

/* A file that an agent has touched. */
struct touch {
    struct index_link by_path;
    struct touch *next; /* of the same agent */
    struct agent_entry *agent;
    size_t len;
    char path[];
};

/* A pair and a file that was told, at one of the two. */
struct conflict {
    struct conflict *next;
    char other[ORDER_ID];
    size_t len;
    char path[];
};

static struct slice path_of(const struct conflict *c)
{
    return slice_of(c->path, c->len);
}

/* ---- what was told ----------------------------------------------------- */

static bool is_told(const struct agent_entry *agent,
                    const struct agent_entry *other, struct slice path)
{
    const struct conflict *c = agent->conflicts.told;

    while (c != NULL && (strcmp(c->other, other->task->id) != 0 ||
                         !slice_eq(path_of(c), path)))
        c = c->next;
    return c != NULL;
}

static void keep(struct agent_entry *agent, const struct agent_entry *other,
                 struct slice path)
{
    struct conflict *c;

    if (agent->conflicts.told_count == CONFLICTS_TOLD)
        return;
    c = bytes_alloc(sizeof(*c) + path.len);
    memcpy(c->other, other->task->id, sizeof(c->other));
    memcpy(c->path, path.ptr, path.len);
    c->len = path.len;
    c->next = agent->conflicts.told;
    agent->conflicts.told = c;
    agent->conflicts.told_count++;
    agent_entry_changed(agent);
}

/* True: it is new, and there is room to tell it. */
static bool meet(struct agent_entry *agent, struct agent_entry *other,
                 struct slice path)
{
    if (agent->conflicts.told_count == CONFLICTS_TOLD ||
        is_told(agent, other, path) || is_told(other, agent, path))
        return false;
    keep(agent, other, path);
    keep(other, agent, path);
    return true;
}

/* ---- telling ----------------------------------------------------------- */

static void tell(struct rt_turn *t, struct registry *r,
                 struct agent_entry *agent, struct slice path,
                 struct slice others)
{
    struct bytes data = {0};

    JSON_RAW(&data, "{");
    JSON_TEXT(&data, "agentId", slice_cstr(agent->task->id));
    JSON_TEXT(&data, "groupId", slice_cstr(agent->group->id));
    JSON_TEXT(&data, "path", path);
    JSON_KEY(&data, "with");
    JSON_RAW(&data, "[");
    json_raw(&data, others);
    JSON_RAW(&data, "]}");
    events_tell(t, r, "agent:conflict", agent->group, agent, &data);
}

static void put_pair(struct bytes *out, struct slice path, const char *one,
                     const char *other)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "path", path);
    JSON_KEY(out, "agentIds");
    JSON_RAW(out, "[");
    json_string(out, slice_cstr(one));
    JSON_RAW(out, ",");
    json_string(out, slice_cstr(other));
    JSON_RAW(out, "]}");
}

static void tell_pair(struct rt_turn *t, struct registry *r,
                      struct agent_entry *agent, struct agent_entry *other,
                      struct slice path)
{
    struct bytes json = {0};

    put_pair(&json, path, agent->task->id, other->task->id);
    watch_tell_conflict(t, r, agent, other, bytes_slice(&json));
    bytes_finish(&json);
    notes_conflict(t, r, agent, other, path);
}

/* ---- touches ----------------------------------------------------------- */

static void add_touch(struct registry *r, struct agent_entry *agent,
                      struct slice path, uint64_t hash)
{
    struct touch *x = bytes_zalloc(sizeof(*x) + path.len);

    memcpy(x->path, path.ptr, path.len);
    x->len = path.len;
    x->agent = agent;
    x->next = agent->conflicts.touches;
    agent->conflicts.touches = x;
    agent->conflicts.touch_count++;
    index_add(&r->conflicts.by_path, &x->by_path, hash);
    r->conflicts.count++;
}

static void touch(struct rt_turn *t, struct registry *r,
                  struct agent_entry *agent, struct slice path)
{
    uint64_t hash = slice_hash(SLICE_HASH, path);
    struct index_link *l = index_find(&r->conflicts.by_path, hash);
    struct bytes others = {0};
    struct agent_entry *first = NULL;

    for (; l != NULL && agent->conflicts.told_count < CONFLICTS_TOLD;
         l = index_next(l)) {
        struct touch *x = INDEX_ITEM(struct touch, by_path, l);

        if (x->agent == agent || !slice_eq(slice_of(x->path, x->len), path) ||
            !meet(agent, x->agent, path))
            continue;
        if (others.len > 0)
            JSON_RAW(&others, ",");
        else
            first = x->agent;
        json_string(&others, slice_cstr(x->agent->task->id));
        tell_pair(t, r, agent, x->agent, path);
    }
    if (others.len > 0) {
        tell(t, r, agent, path, bytes_slice(&others));
        notices_conflict(t, r, agent, first, path);
    }
    bytes_finish(&others);
    add_touch(r, agent, path, hash);
}

void conflicts_touched(struct rt_turn *t, struct registry *r,
                       const struct agent_touched *m)
{
    struct agent_entry *agent = agent_entry_at(r, m->serial);

    if (agent == NULL || agent_entry_is_done(agent))
        return;
    for (size_t i = 0; i < m->count; i++)
        if (agent->conflicts.touch_count < CONFLICTS_FILES &&
            r->conflicts.count < CONFLICTS_FILES_ALL)
            touch(t, r, agent, m->paths[i]);
}

void conflicts_leave(struct registry *r, struct agent_entry *agent)
{
    struct touch *next;

    for (struct touch *x = agent->conflicts.touches; x != NULL; x = next) {
        next = x->next;
        index_remove(&r->conflicts.by_path, &x->by_path);
        r->conflicts.count--;
        free(x);
    }
    agent->conflicts.touches = NULL;
    agent->conflicts.touch_count = 0;
}

void conflicts_forget(struct registry *r, struct agent_entry *agent)
{
    struct conflict *next;

    conflicts_leave(r, agent);
    for (struct conflict *c = agent->conflicts.told; c != NULL; c = next) {
        next = c->next;
        free(c);
    }
    agent->conflicts.told = NULL;
}

/* ---- after a restart --------------------------------------------------- */

static void recall(struct registry *r, const struct past_conflict *was)
{
    yyjson_doc *doc = yyjson_read(was->data.ptr, was->data.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc), *id;
    struct agent_entry *agent = agent_entry_at(r, was->agent), *other;
    size_t i, max;

    yyjson_arr_foreach(FIELD(root, "with"), i, max, id)
    {
        other = agent_entry_find(r, field_text(id));
        if (agent != NULL && other != NULL)
            meet(agent, other, FIELD_TEXT(root, "path"));
    }
    yyjson_doc_free(doc);
}

void conflicts_restore(struct registry *r, const struct past *p)
{
    for (size_t i = 0; i < p->conflict_count; i++)
        recall(r, &p->conflicts[i]);
}

/* ---- in JSON ----------------------------------------------------------- */

void conflicts_put(struct bytes *out, const struct agent_entry *agent)
{
    const struct conflict *c = agent->conflicts.told;
    size_t from;

    if (c == NULL)
        return;
    JSON_KEY(out, "conflicts");
    JSON_RAW(out, "[");
    from = out->len;
    for (; c != NULL && out->len - from < CONFLICTS_BYTES; c = c->next) {
        json_raw(out, out->len > from ? SLICE(",{") : SLICE("{"));
        JSON_TEXT(out, "path", path_of(c));
        JSON_TEXT(out, "agentId", slice_cstr(c->other));
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
}

void conflicts_put_pairs(struct bytes *out, struct registry *r,
                         const struct agent_entry *agent, uint64_t mark)
{
    for (const struct conflict *c = agent->conflicts.told; c != NULL;
         c = c->next) {
        struct agent_entry *other = agent_entry_find(r, slice_cstr(c->other));

        if (other != NULL && other->last_wait == mark &&
            other->serial > agent->serial)
            continue;
        if (out->len >= CONFLICTS_BYTES)
            return;
        if (out->len > 0)
            JSON_RAW(out, ",");
        put_pair(out, path_of(c), agent->task->id, c->other);
    }
}
