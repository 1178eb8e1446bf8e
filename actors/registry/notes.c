/* SPDX-License-Identifier: MIT */
#include "actors/registry/notes.h"

#include <stdlib.h>
#include <string.h>

#include "actors/registry/inside.h"

#define TEXT_BYTES 300

static void free_note(struct rt_obj *o)
{
    struct note *n = (struct note *)o;

    bytes_finish(&n->text);
    free(n);
}

static void tell(struct rt_turn *t, struct registry *r, const struct note *from,
                 struct slice text)
{
    struct note *n = bytes_alloc(sizeof(*n));

    *n = *from;
    rt_obj_init(&n->obj, free_note);
    n->text = (struct bytes){0};
    bytes_append_capped(&n->text, slice_trim(text), TEXT_BYTES);
    rt_pass_take(t, r->notes.to, NOTE_TOLD, &n->obj);
}

static bool is_wanted(const struct registry *r)
{
    return r->notes.to.id != 0;
}

#define KEEP(field, text) slice_keep(field, sizeof(field), slice_cstr(text))

/* Why it failed, else how it came out. */
static struct slice words_of(const struct agent_result *result)
{
    if (result == NULL)
        return SLICE_EMPTY;
    return result->error.len > 0 ? result->error : result->summary;
}

void notes_agent(struct rt_turn *t, struct registry *r, enum note_kind kind,
                 const struct agent_entry *agent)
{
    const struct agent_view *v = agent->view;
    const struct agent_result *result = v != NULL ? v->result : NULL;
    struct note n = {.kind = kind, .state = agent_entry_state(agent)};

    if (!is_wanted(r))
        return;
    KEEP(n.agent, agent->task->id);
    KEEP(n.group, agent->group->id);
    KEEP(n.role, agent->task->role->role->id);
    n.has_elapsed = agent->started != 0;
    n.elapsed_ms = agent_entry_elapsed_ms(t, agent);
    n.is_failure = result != NULL && result->outcome != AGENT_SUCCESS;
    tell(t, r, &n, words_of(result));
}

void notes_conflict(struct rt_turn *t, struct registry *r,
                    const struct agent_entry *agent,
                    const struct agent_entry *other, struct slice path)
{
    struct note n = {.kind = NOTE_AGENT_CONFLICT,
                     .state = agent_entry_state(agent)};

    if (!is_wanted(r))
        return;
    KEEP(n.agent, agent->task->id);
    KEEP(n.group, agent->group->id);
    KEEP(n.role, agent->task->role->role->id);
    KEEP(n.other, other->task->id);
    tell(t, r, &n, path);
}

void notes_group(struct rt_turn *t, struct registry *r, const char *type,
                 const struct group_entry *group)
{
    static const struct {
        const char *type;
        enum note_kind kind;
    } kinds[] = {{"group:created", NOTE_GROUP_CREATED},
                 {"group:stage_advanced", NOTE_GROUP_STAGE},
                 {"group:stalled", NOTE_GROUP_STALLED},
                 {"group:completed", NOTE_GROUP_COMPLETED},
                 {"group:deleted", NOTE_GROUP_DELETED}};
    struct note n = {
        .kind = NOTE_KINDS, .number = group->stage + 1, .total = group->stages};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (strcmp(kinds[i].type, type) == 0)
            n.kind = kinds[i].kind;
    if (!is_wanted(r) || n.kind == NOTE_KINDS)
        return;
    KEEP(n.group, group->id);
    tell(t, r, &n, bytes_slice(&group->description));
}

void notes_role(struct rt_turn *t, struct registry *r, enum note_kind kind,
                const struct roster_role *role)
{
    struct note n = {.kind = kind,
                     .has_elapsed = role->response_ms > 0,
                     .elapsed_ms = role->response_ms};

    if (!is_wanted(r))
        return;
    KEEP(n.role, role->role->id);
    tell(t, r, &n,
         slice_cstr(kind == NOTE_MODEL_UNKNOWN ? role->model_message
                                               : role->reason));
}

void notes_roles_checked(struct rt_turn *t, struct registry *r)
{
    struct note n = {.kind = NOTE_ROLES_CHECKED,
                     .total = r->roster->role_count};

    if (!is_wanted(r))
        return;
    for (size_t i = 0; i < r->roster->role_count; i++)
        n.number += roster_is_available(&r->roster->roles[i]);
    tell(t, r, &n, SLICE_EMPTY);
}

void notes_budget(struct rt_turn *t, struct registry *r,
                  const struct group_entry *group, uint64_t spent,
                  int64_t limit)
{
    struct note n = {
        .kind = NOTE_BUDGET_SPENT, .number = spent, .total = (uint64_t)limit};

    if (!is_wanted(r))
        return;
    if (group != NULL)
        KEEP(n.group, group->id);
    tell(t, r, &n, SLICE_EMPTY);
}

void notes_config(struct rt_turn *t, struct registry *r)
{
    if (is_wanted(r))
        tell(t, r, &(struct note){.kind = NOTE_CONFIG_CHANGED},
             slice_cstr(registry_config(r)->file));
}
