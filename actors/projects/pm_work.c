/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "actors/projects/inside.h"

static void finish(struct work *w)
{
    struct pm_work *p = (struct pm_work *)w;

    explicit_bzero(p->secret, sizeof(p->secret));
    bytes_finish(&p->report);
    bytes_finish(&p->runs);
    bytes_finish(&p->found);
}

struct pm_work *pm_work_create(struct rt_turn *t, struct order *order,
                               void (*run)(struct work *w))
{
    struct pm_work *w =
        (struct pm_work *)work_create(sizeof(struct pm_work), order, run);

    w->work.finish = finish;
    for (unsigned i = 0; i < 2; i++)
        snprintf(w->drawn[i], PM_DRAWN, "%012" PRIx64,
                 rt_random(t) & 0xffffffffffff);
    mail_draw_id(t, w->mail);
    return w;
}

struct pm_work *pm_work_again(struct rt_turn *t, const struct pm_work *w,
                              void (*run)(struct work *w),
                              const struct key_job *job)
{
    struct pm_work *again = pm_work_create(t, w->work.order, run);

    again->work.is_secret = true;
    memcpy(again->secret, w->secret, sizeof(again->secret));
    memcpy(again->key.salt, job->salt, sizeof(again->key.salt));
    memcpy(again->key.hash, job->hash, sizeof(again->key.hash));
    again->key.iterations = job->iterations;
    return again;
}

/* ---- JSON -------------------------------------------------------------- */

void pm_put_text(struct bytes *out, struct slice name, struct slice text)
{
    if (text.len == 0)
        return;
    json_key(out, name);
    json_string(out, text);
}

void pm_put_time(struct bytes *out, struct slice name, int64_t ms)
{
    if (ms == 0)
        return;
    json_key(out, name);
    json_time(out, (uint64_t)ms);
}

/* ---- ids --------------------------------------------------------------- */

bool pm_is_there(struct work *w, const char *sql, struct slice id)
{
    struct sql q = sql_open(w, sql);
    bool is_so;

    sql_text(&q, 1, id);
    is_so = sql_next(&q);
    sql_close(&q);
    return is_so;
}

/* They become parts of addresses and of file names elsewhere. */
static bool is_id(struct slice s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-'))
            return false;
    }
    return s.len > 0 && s.len <= 128 && s.ptr[0] != '.' && s.ptr[0] != '-';
}

bool pm_new_id(struct work *w, const char *name, const char *prefix,
               const char *sql, char id[PM_ID])
{
    struct slice given = pm_arg(w, slice_cstr(name)), brief;

    if (given.len > 0)
        slice_keep(id, PM_ID, given);
    else
        snprintf(id, PM_ID, "%s%s", prefix, ((struct pm_work *)w)->drawn[0]);
    brief = order_brief(slice_cstr(id));
    if (given.len > 0 && !is_id(given))
        WORK_REFUSE(w, CODE_VALIDATION_ERROR, PM_NO_ID, name, (int)brief.len,
                    brief.ptr);
    else if (pm_is_there(w, sql, slice_cstr(id)))
        WORK_REFUSE(w, CODE_ALREADY_EXISTS, PM_EXISTS, name, (int)brief.len,
                    brief.ptr);
    return !work_is_refused(w);
}

/* ---- who --------------------------------------------------------------- */

bool pm_may_manage(struct work *w)
{
    const struct caller *c = w->order->caller;

    if (c->agent_id[0] == 0)
        return true;
    WORK_REFUSE(w, CODE_NOT_PERMITTED, PM_NOT_FOR_AGENTS, c->agent_id,
                order_name(w->order->kind).ptr);
    return false;
}

bool pm_is_person(const struct work *w)
{
    return w->order->caller->agent_id[0] == 0 && !w->order->is_for_model;
}
