/* SPDX-License-Identifier: MIT */
#include "actors/registry/health_events.h"

#include "actors/registry/events.h"
#include "actors/registry/inside.h"
#include "actors/registry/views.h"
#include "runtime/text/json.h"

static bool is_settled(const struct roster_role *role)
{
    return !role->is_checking && !roster_is_pending(role);
}

static bool are_all_settled(const struct roster *roster)
{
    for (size_t i = 0; i < roster->role_count; i++)
        if (!is_settled(&roster->roles[i]))
            return false;
    return true;
}

void health_events_put(struct bytes *out, const struct registry *r)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "status",
              are_all_settled(r->roster) ? SLICE("complete")
                                         : SLICE("running"));
    view_put_findings(out, r->roster);
    JSON_RAW(out, "}");
}

/* ---- models ------------------------------------------------------------ */

static bool is_model_news(const struct roster_role *was,
                          const struct roster_role *is)
{
    return was == NULL || was->model != is->model ||
           was->model_checked_at != is->model_checked_at ||
           strcmp(was->role->model, is->role->model) != 0;
}

static const struct roster_role *before(const struct registry *r,
                                        const struct roster_role *is)
{
    return r->health_events.told == NULL
               ? NULL
               : roster_find(r->health_events.told, slice_cstr(is->role->id));
}

/* Once, when all of them are known. */
static bool tell_models(struct rt_turn *t, struct registry *r)
{
    const struct roster *now = r->roster;
    struct bytes data = {0};
    bool is_news = false;

    for (size_t i = 0; i < now->role_count; i++) {
        if (now->roles[i].model == ROSTER_MODEL_PENDING)
            return false;
        is_news |= is_model_news(before(r, &now->roles[i]), &now->roles[i]);
    }
    if (!is_news)
        return false;
    JSON_RAW(&data, "{");
    view_put_findings(&data, now);
    view_put_models(&data, now);
    JSON_RAW(&data, "}");
    events_tell(t, r, "healthcheck:model_validation", NULL, NULL, &data);
    for (size_t i = 0; i < now->role_count; i++)
        if (now->roles[i].model == ROSTER_MODEL_INVALID)
            notes_role(t, r, NOTE_MODEL_UNKNOWN, &now->roles[i]);
    return true;
}

/* ---- roles ------------------------------------------------------------- */

static void tell_start(struct rt_turn *t, struct registry *r,
                       const struct roster_role *role)
{
    struct bytes data = {0};

    view_put_finding(&data, role);
    events_tell(t, r, "healthcheck:role_start", NULL, NULL, &data);
    notes_role(t, r, NOTE_ROLE_CHECKING, role);
}

static void tell_end(struct rt_turn *t, struct registry *r,
                     const struct roster_role *role)
{
    struct bytes data = {0};

    view_put_finding(&data, role);
    events_tell(t, r, "healthcheck:role_complete", NULL, NULL, &data);
    if (role->check == ROSTER_PASSED)
        notes_role(t, r, NOTE_ROLE_PASSED, role);
    else if (role->check == ROSTER_FAILED)
        notes_role(t, r, NOTE_ROLE_FAILED, role);
}

/* One that was skipped had no beginning. */
static bool tell_role(struct rt_turn *t, struct registry *r,
                      const struct roster_role *is)
{
    const struct roster_role *was = before(r, is);
    bool was_checking = was != NULL && was->is_checking;
    bool is_end = is_settled(is) &&
                  (was == NULL || !is_settled(was) || was->check != is->check ||
                   was->checked_at != is->checked_at ||
                   strcmp(was->role->model, is->role->model) != 0);
    bool is_start = !was_checking && (is->is_checking ||
                                      (is_end && is->check != ROSTER_SKIPPED));

    if (is_start)
        tell_start(t, r, is);
    if (is_end)
        tell_end(t, r, is);
    return is_start || is_end;
}

static void tell_complete(struct rt_turn *t, struct registry *r)
{
    struct bytes data = {0};

    JSON_RAW(&data, "{");
    view_put_findings(&data, r->roster);
    JSON_RAW(&data, "}");
    events_tell(t, r, "healthcheck:complete", NULL, NULL, &data);
    notes_roles_checked(t, r);
    notices_roles(t, r);
    r->health_events.is_open = false;
}

void health_events_tell(struct rt_turn *t, struct registry *r)
{
    if (r->restore.is_blank || r->health_events.told == r->roster)
        return;
    r->health_events.is_open |= tell_models(t, r);
    for (size_t i = 0; i < r->roster->role_count; i++)
        r->health_events.is_open |= tell_role(t, r, &r->roster->roles[i]);
    if (r->health_events.is_open && are_all_settled(r->roster))
        tell_complete(t, r);
    if (r->health_events.told != NULL)
        rt_obj_drop(&r->health_events.told->obj);
    r->health_events.told = RT_KEEP(r->roster);
}

void health_events_drop(struct registry *r)
{
    if (r->health_events.told != NULL)
        rt_obj_drop(&r->health_events.told->obj);
}
