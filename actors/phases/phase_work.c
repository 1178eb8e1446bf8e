/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "actors/phases/inside.h"
#include "config/reason.h"

/* ---- of which project -------------------------------------------------- */

static bool is_within(const char *path, const char *dir)
{
    size_t len = strlen(dir);

    return strncmp(path, dir, len) == 0 && (path[len] == 0 || path[len] == '/');
}

/* What the order names, else what it came from: the hub's own project, unless
 * the caller is elsewhere. */
static char *wanted_path(const struct hub_context *context,
                         const struct order *o)
{
    struct slice given = FIELD_TEXT(o->args, "projectPath");
    const char *cwd = o->caller->cwd;

    if (given.len == 0)
        given = FIELD_TEXT(FIELD(o->args, "context"), "projectPath");
    if (given.len > 0 && given.ptr[0] == '/')
        return bytes_text("%.*s", (int)given.len, given.ptr);
    if (given.len > 0)
        return bytes_text("%s/%.*s", cwd, (int)given.len, given.ptr);
    return bytes_text(
        "%s", is_within(cwd, context->self->cwd) ? context->self->cwd : cwd);
}

/* NULL with errno: it is no directory. */
static char *real_directory(const char *path)
{
    char *real = realpath(path, NULL);
    struct stat info;

    if (real == NULL)
        return NULL;
    if (stat(real, &info) == 0 && S_ISDIR(info.st_mode))
        return real;
    free(real);
    errno = ENOTDIR;
    return NULL;
}

static char *find_project(struct rt_turn *t, const struct hub_context *context,
                          struct order *o)
{
    char *path = wanted_path(context, o), *real = real_directory(path);
    bool is_named = FIELD(o->args, "projectPath") != NULL;
    int error = errno;

    if (real == NULL)
        ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, PHASE_NO_PROJECT,
                     is_named || !FIELD(o->args, "context")
                         ? "projectPath"
                         : "context.projectPath",
                     (int)order_brief(slice_cstr(path)).len, path,
                     reason_of(-error, order_is_english(o)).text);
    free(path);
    return real;
}

/* ---- its life ---------------------------------------------------------- */

static void finish(struct work *w)
{
    struct phase_work *p = (struct phase_work *)w;

    prompt_finish(&p->prompt);
    for (int i = 0; p->asked != NULL && i < PHASES; i++)
        prompt_finish(&p->asked[i]);
    free(p->asked);
    bytes_finish(&p->text);
    free(p->project);
}

static struct phase_work *make(struct order *order, char *project, int phase,
                               void (*run)(struct work *w))
{
    struct phase_work *w =
        (struct phase_work *)work_create(sizeof(struct phase_work), order, run);

    w->work.finish = finish;
    w->project = project;
    w->phase = phase;
    return w;
}

struct phase_work *phase_work_create(struct rt_turn *t,
                                     const struct hub_context *context,
                                     struct order *order,
                                     void (*run)(struct work *w))
{
    static const struct slice names[] = {
        SLICE_INIT("phase"), SLICE_INIT("currentPhase"), SLICE_INIT("")};
    char *project = find_project(t, context, order);
    struct phase_work *w;

    if (project == NULL)
        return NULL;
    w = make(order, project, phase_find(field_first_text(order->args, names)),
             run);
    mail_draw_id(t, w->id);
    return w;
}

struct phase_work *phase_work_own(struct rt_turn *t, const char *project,
                                  void (*run)(struct work *w))
{
    struct phase_work *w =
        make(NULL, project != NULL ? bytes_text("%s", project) : NULL, 0, run);

    mail_draw_id(t, w->id);
    return w;
}

struct phase_work *phase_work_again(const struct phase_work *w)
{
    struct phase_work *again = make(w->work.order, bytes_text("%s", w->project),
                                    w->phase, w->work.run);

    memcpy(again->id, w->id, sizeof(again->id));
    again->plan = w->plan;
    return again;
}

/* ---- by whom ----------------------------------------------------------- */

static bool refuse(struct phase_work *w)
{
    WORK_REFUSE(&w->work, CODE_NOT_PERMITTED, PHASE_NOT_YOURS,
                w->work.order->caller->agent_id,
                order_name(w->work.order->kind).ptr);
    return false;
}

bool phase_work_may(struct phase_work *w)
{
    bool is_change = order_is_change(w->work.order->kind), is_good;
    const char *agent = w->work.order->caller->agent_id;
    struct sql q;

    if (agent[0] == 0)
        return true;
    q = sql_open(&w->work,
                 "SELECT 1 FROM agents a JOIN groups g ON g.serial = a.grp"
                 " JOIN phase_plans p ON p.grp = g.id WHERE a.id = ?1"
                 " AND p.project = ?2 AND (?3 = 0 OR p.first + a.stage = ?4)");
    sql_text(&q, 1, slice_cstr(agent));
    sql_text(&q, 2, slice_cstr(w->project));
    sql_int(&q, 3, is_change);
    sql_int(&q, 4, w->phase);
    is_good = sql_next(&q);
    sql_close(&q);
    return is_good || refuse(w);
}
