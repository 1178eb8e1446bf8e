/* SPDX-License-Identifier: MIT */
/*
 * From a passkey to a session:
 *
 *   order --> look (with which salt) --> keys --> login (login.c)
 *
 * Who has failed five times within a minute is told the same without being
 * looked at, for the rest of it. An attempt counts from its beginning until it
 * turns out good: many at once are no way around that. What is unknown takes as
 * long as what is wrong: a guess costs time, and nothing is learnt from how
 * much.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "actors/projects/inside.h"
#include "runtime/text/hex.h"

#define FAILURES_MAX 5
#define FAILURES_MS 60000
#define DERIVING_MAX 32
#define LAUNCH_WORD "env:KUROMAJUTSU_PM_KEY"

/* ---- who fails too often ----------------------------------------------- */

static uint64_t now_ms(struct rt_turn *t)
{
    return rt_now(t) / 1000000;
}

/* Its own place, or the one that is longest out of use. */
static struct failure *place_of(struct projects *p, struct slice agent)
{
    struct failure *oldest = &p->failures[0];

    for (unsigned i = 0; i < FAILURES; i++) {
        struct failure *f = &p->failures[i];

        if (slice_eq(slice_cstr(f->agent), agent))
            return f;
        if (f->since < oldest->since)
            oldest = f;
    }
    return oldest;
}

static bool is_stopped(struct rt_turn *t, struct projects *p,
                       struct slice agent)
{
    const struct failure *f = place_of(p, agent);

    return slice_eq(slice_cstr(f->agent), agent) && f->count >= FAILURES_MAX &&
           now_ms(t) - f->since < FAILURES_MS;
}

static void note_attempt(struct rt_turn *t, struct projects *p,
                         struct slice agent)
{
    struct failure *f = place_of(p, agent);

    if (!slice_eq(slice_cstr(f->agent), agent) ||
        now_ms(t) - f->since >= FAILURES_MS) {
        *f = (struct failure){.since = now_ms(t)};
        slice_keep(f->agent, sizeof(f->agent), agent);
    }
    f->count++;
}

static void forget_failures(struct projects *p, struct slice agent)
{
    struct failure *f = place_of(p, agent);

    if (slice_eq(slice_cstr(f->agent), agent))
        *f = (struct failure){0};
}

/* ---- secrets ----------------------------------------------------------- */

static void draw(char *out, size_t count)
{
    uint8_t bytes[32];

    if (getrandom(bytes, count, 0) != (ssize_t)count)
        abort(); /* never of so few bytes */
    hex_write(out, bytes, count);
    out[2 * count] = 0;
}

static void refuse_busy(struct rt_turn *t, struct order *o)
{
    order_refuse(t, o, CODE_HUB_UNAVAILABLE, "%s",
                 MESSAGE(order_is_english(o), CALL_TOO_MANY));
}

static void derive(struct rt_turn *t, struct projects *p, struct key_job *job)
{
    p->deriving++;
    rt_pass_take(t, p->keys, KEYS_DERIVE, &job->obj);
}

/* ---- sessions ---------------------------------------------------------- */

/* What a launch key is of, under our own mark; or that the agent itself is
 * proof enough, which needs no key. */
static bool read_launch(const struct projects *p, struct pm_work *w,
                        struct slice passkey)
{
    struct slice instance;

    w->is_started_one = w->work.order->caller->agent_id[0] != 0 &&
                        slice_eq(passkey, SLICE(LAUNCH_WORD));
    if (signing_key_open(&p->setup.context->signing_key, passkey, &instance) &&
        slice_starts(instance, SLICE("ins_")))
        slice_keep(w->instance, sizeof(w->instance), instance);
    return w->is_started_one || w->instance[0] != 0;
}

void authentication_begin(struct rt_turn *t, struct projects *p,
                          struct order *o)
{
    struct slice passkey = FIELD_TEXT(o->args, "passkey");
    struct pm_work *w = pm_work_create(t, o, login_make);

    w->work.is_secret = true;
    memcpy(w->secret, "sess_", 5);
    draw(w->secret + 5, 16);
    if (read_launch(p, w, passkey)) {
        projects_order_work(t, p, w, PROJECTS_AUTHENTICATED);
        return;
    }
    w->work.run = passkey_look;
    if (is_stopped(t, p, PM_ARG(&w->work, "agent_id"))) {
        order_refuse(t, o, CODE_AUTH_FAILED, "%s",
                     MESSAGE(order_is_english(o), PM_AUTH_FAILED));
    } else if (p->deriving >= DERIVING_MAX) {
        refuse_busy(t, o);
    } else {
        note_attempt(t, p, PM_ARG(&w->work, "agent_id"));
        projects_order_work(t, p, w, PROJECTS_LOOKED);
        return;
    }
    rt_obj_drop(&w->work.obj);
}

void authentication_on_looked(struct rt_turn *t, struct projects *p,
                              struct pm_work *w)
{
    struct key_job *job;

    if (w->work.answer != NULL)
        return; /* the store could not look */
    job = key_job_create(&w->work.obj,
                         FIELD_TEXT(w->work.order->args, "passkey"));
    key_job_draw_salt(job);
    if (w->key.salt[0] != 0) {
        memcpy(job->salt, w->key.salt, sizeof(job->salt));
        job->iterations = w->key.iterations;
    }
    derive(t, p, job);
}

void authentication_on_done(struct projects *p, const struct pm_work *w)
{
    struct slice agent = PM_ARG(&w->work, "agent_id");

    if (w->instance[0] != 0 || w->is_started_one)
        return;
    if (!w->has_failed)
        forget_failures(p, agent);
}

/* ---- passkeys ---------------------------------------------------------- */

void authentication_begin_key(struct rt_turn *t, struct projects *p,
                              struct order *o, void (*run)(struct work *w))
{
    struct pm_work *w = pm_work_create(t, o, run);
    struct slice given = FIELD_TEXT(o->args, "passkey");
    struct key_job *job;

    if (given.len > 0 && given.len < PM_PASSKEY_LEAST) {
        order_refuse(t, o, CODE_VALIDATION_ERROR, "%s",
                     MESSAGE(order_is_english(o), PM_PASSKEY_SHORT));
    } else if (p->deriving >= DERIVING_MAX) {
        refuse_busy(t, o);
    } else {
        if (given.len == 0)
            draw(w->secret, 20);
        job = key_job_create(&w->work.obj,
                             given.len > 0 ? given : slice_cstr(w->secret));
        key_job_draw_salt(job);
        derive(t, p, job);
    }
    rt_obj_drop(&w->work.obj);
}

void authentication_on_derived(struct rt_turn *t, struct projects *p,
                               const struct key_job *job)
{
    const struct pm_work *w = (const struct pm_work *)job->what;
    bool is_login = w->work.run == passkey_look;

    p->deriving--;
    projects_order_work(
        t, p, pm_work_again(t, w, is_login ? login_make : w->work.run, job),
        is_login ? PROJECTS_AUTHENTICATED : PROJECTS_WORKED);
}
