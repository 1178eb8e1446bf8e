/* SPDX-License-Identifier: MIT */
#include "actors/registry/tasks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actors/registry/inside.h"
#include "actors/registry/permission.h"
#include "config/reason.h"

/* ---- reading ----------------------------------------------------------- */

/* Absolute; relative ones are relative to where the caller is. */
static char *directory_of(struct order *o, yyjson_val *task)
{
    struct slice given = FIELD_TEXT(task, "workingDirectory");
    char *path;
    int n;

    if (given.len == 0)
        n = asprintf(&path, "%s", o->caller->cwd);
    else if (given.ptr[0] == '/')
        n = asprintf(&path, "%.*s", (int)given.len, given.ptr);
    else
        n = asprintf(&path, "%s/%.*s", o->caller->cwd, (int)given.len,
                     given.ptr);
    if (n < 0)
        abort();
    return path;
}

/* Why a directory cannot be used; other errors are the system's to name. */
static const char *why_not(const struct order *o, int error,
                           struct reason *other)
{
    bool is_english = order_is_english(o);

    switch (error) {
    case ENOENT:
        return MESSAGE(is_english, DIRECTORY_DOES_NOT_EXIST);
    case ENOTDIR:
        return MESSAGE(is_english, DIRECTORY_IS_NONE);
    case EACCES:
        return MESSAGE(is_english, DIRECTORY_DENIED);
    case ENAMETOOLONG:
        return MESSAGE(is_english, DIRECTORY_TOO_LONG);
    default:
        *other = reason_of(error, is_english);
        return other->text;
    }
}

/* "agents[2].", "stages[1].tasks[0].": which of the tasks it is. */
static void name_task(const struct order *o, unsigned stage, size_t index,
                      char name[64])
{
    if (o->kind == ORDER_RUN_SEQUENTIAL)
        snprintf(name, 64, "stages[%u].tasks[%zu].", stage, index);
    else if (o->kind == ORDER_RUN_AGENTS)
        snprintf(name, 64, "agents[%zu].", index);
    else
        name[0] = 0;
}

static bool refuse_directory(struct rt_turn *t, struct order *o,
                             const struct order_task *task, size_t index,
                             int error)
{
    struct slice path = order_brief(slice_cstr(task->directory));
    struct reason other;
    char name[64];

    name_task(o, task->stage, index, name);
    ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, DIRECTORY_CANNOT_BE_USED, name,
                 (int)path.len, path.ptr, why_not(o, error, &other));
    return false;
}

static bool is_directory(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(st.st_mode);
}

/* Takes the roster's role, or NULL: that is judged later. Without a turn no
 * client is there to be refused, and the directory is taken as it was. */
static bool add_task(struct rt_turn *t, struct order *o, yyjson_val *val,
                     struct slice role, unsigned stage, size_t index)
{
    struct order_task *task = &o->tasks[o->count++];

    task->role = roster_find(o->roster, role);
    task->prompt = FIELD_TEXT(val, "prompt");
    task->timeout_ms = FIELD_COUNT(val, "timeout_ms");
    task->stage = stage;
    task->retry.of = FIELD_TEXT(val, "retryOf");
    task->retry.error = FIELD_TEXT(val, "retryError");
    task->directory = directory_of(o, val);
    if (t == NULL || is_directory(task->directory))
        return true;
    return refuse_directory(t, o, task, index, errno);
}

static bool add_tasks(struct rt_turn *t, struct order *o, yyjson_val *list,
                      unsigned stage)
{
    yyjson_val *item;
    size_t i, max;

    yyjson_arr_foreach(list, i, max, item)
    {
        if (!add_task(t, o, item, FIELD_TEXT(item, "role"), stage, i))
            return false;
    }
    return true;
}

static size_t count_tasks(struct order *o)
{
    yyjson_val *stages = FIELD(o->args, "stages"), *stage;
    size_t i, max, count = 0;

    if (o->kind == ORDER_RUN_MAGENTIC)
        return 1;
    if (o->kind == ORDER_RUN_AGENTS)
        return yyjson_arr_size(FIELD(o->args, "agents"));
    yyjson_arr_foreach(stages, i, max, stage)
    {
        count += yyjson_arr_size(FIELD(stage, "tasks"));
    }
    return count;
}

static bool read_all(struct rt_turn *t, struct order *o)
{
    yyjson_val *stages = FIELD(o->args, "stages"), *stage;
    size_t i, max;

    if (o->kind == ORDER_RUN_MAGENTIC)
        return add_task(t, o, o->args, SLICE(ROLE_ORCHESTRATOR), 0, 0);
    if (o->kind == ORDER_RUN_AGENTS)
        return add_tasks(t, o, FIELD(o->args, "agents"), 0);
    o->stages = (unsigned)yyjson_arr_size(stages);
    yyjson_arr_foreach(stages, i, max, stage)
    {
        if (!add_tasks(t, o, FIELD(stage, "tasks"), (unsigned)i))
            return false;
    }
    return true;
}

/* An order that was parked is read anew, by the roster of its second try. */
static void forget_tasks(struct order *o)
{
    for (unsigned i = 0; i < o->count; i++)
        free(o->tasks[i].directory);
    free(o->tasks);
    free(o->allowed);
    o->tasks = NULL;
    o->allowed = NULL;
    o->count = 0;
    o->allowed_count = 0;
}

bool tasks_read(struct rt_turn *t, struct order *o)
{
    forget_tasks(o);
    o->tasks = bytes_zalloc((count_tasks(o) + 1) * sizeof(*o->tasks));
    o->stages = 1;
    return read_all(t, o);
}

uint64_t tasks_timeout(const struct registry *r, const struct order_task *task)
{
    if (task->timeout_ms > 0)
        return task->timeout_ms;
    if (task->role->role->timeout_ms != 0)
        return task->role->role->timeout_ms > 0
                   ? (uint64_t)task->role->role->timeout_ms
                   : 0;
    return (uint64_t)registry_config(r)->agent.default_timeout_ms;
}

bool tasks_recall(struct registry *r, struct order *o,
                  struct group_entry *group)
{
    size_t count;

    if (o->args == NULL || o->kind == ORDER_KINDS)
        return false;
    count = count_tasks(o);
    o->tasks = bytes_zalloc((count + 1) * sizeof(*o->tasks));
    o->stages = 1;
    read_all(NULL, o);
    for (unsigned i = 0; i < o->count; i++)
        if (o->tasks[i].role != NULL)
            o->tasks[i].timeout_ms = tasks_timeout(r, &o->tasks[i]);
    if (o->kind == ORDER_RUN_MAGENTIC)
        permission_allow(NULL, o, group->parent);
    return true;
}

/* ---- roles ------------------------------------------------------------- */

/* The id of the task's role as it was given, for messages. */
static struct slice given_role(struct order *o, unsigned index)
{
    yyjson_val *stages = FIELD(o->args, "stages"), *stage;
    size_t i, max;

    if (o->kind == ORDER_RUN_AGENTS)
        return FIELD_TEXT(yyjson_arr_get(FIELD(o->args, "agents"), index),
                          "role");
    yyjson_arr_foreach(stages, i, max, stage)
    {
        yyjson_val *tasks = FIELD(stage, "tasks");

        if (index < yyjson_arr_size(tasks))
            return FIELD_TEXT(yyjson_arr_get(tasks, index), "role");
        index -= (unsigned)yyjson_arr_size(tasks);
    }
    return SLICE(ROLE_ORCHESTRATOR);
}

static bool refuse_unavailable(struct rt_turn *t, struct order *o,
                               const struct roster_role *role)
{
    const char *why = role->model == ROSTER_MODEL_INVALID ? role->model_message
                                                          : role->reason;

    ORDER_REFUSE(t, o,
                 o->kind == ORDER_RUN_MAGENTIC ? CODE_ORCHESTRATOR_UNAVAILABLE
                                               : CODE_ROLE_UNAVAILABLE,
                 ROLE_UNAVAILABLE, role->role->id, why);
    return false;
}

static bool refuse_unknown(struct rt_turn *t, struct order *o, unsigned i)
{
    if (o->kind != ORDER_RUN_MAGENTIC)
        return permission_refuse_unknown_role(t, o, given_role(o, i));
    ORDER_REFUSE(t, o, CODE_ORCHESTRATOR_ROLE_NOT_FOUND,
                 ROLE_OF_ORCHESTRATOR_MISSING, ROLE_ORCHESTRATOR);
    return false;
}

bool tasks_check_roles(struct rt_turn *t, struct order *o, bool is_due,
                       bool *must_wait)
{
    *must_wait = false;
    for (unsigned i = 0; i < o->count; i++) {
        const struct roster_role *role = o->tasks[i].role;

        if (role == NULL)
            return refuse_unknown(t, o, i);
        if (roster_is_pending(role))
            *must_wait |= !is_due;
        else if (!roster_is_available(role))
            return refuse_unavailable(t, o, role);
    }
    return !*must_wait;
}

/* ---- starting ---------------------------------------------------------- */

static enum code start_failed(enum order_kind kind)
{
    return kind == ORDER_RUN_AGENTS       ? CODE_AGENTS_START_FAILED
           : kind == ORDER_RUN_SEQUENTIAL ? CODE_SEQUENTIAL_START_FAILED
                                          : CODE_MAGENTIC_START_FAILED;
}

/* The program may be gone since the hub began, by an update that went wrong:
 * said here it is one answer, and nothing is left of the order. */
bool tasks_can_start(struct rt_turn *t, const struct registry *r,
                     struct order *o)
{
    if (access(r->context->warden, X_OK) == 0)
        return true;
    ORDER_REFUSE(t, o, start_failed(o->kind), WARDEN_CANNOT_BE_RUN,
                 r->context->warden);
    return false;
}
