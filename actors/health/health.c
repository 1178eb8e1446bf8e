/* SPDX-License-Identifier: MIT */
/*
 * Health is a loop of one rule: whatever is due and may be asked gets a free
 * job, and every answer makes a new roster. It lives on the spawner's loop,
 * for it looks for programs and removes directories.
 */
#include "actors/health/health.h"

#include <stdio.h>
#include <stdlib.h>

#include "actors/health/inside.h"
#include "actors/store/store.h"

#define LIMIT_MS 60000
#define RETRY_MS 60000
#define ASIDE "health.old" /* in the state directory: what is to go */

static void tell(struct rt_turn *t, struct health *h)
{
    struct roster *roster = health_roster(h);

    rt_pass_take(t, h->setup.registry, HEALTH_ROSTER, &roster->obj);
}

/* ---- the actor ------------------------------------------------------------
 */

/* Clis first: probes wait for them, and for what the store knows. */
static void pump(struct rt_turn *t, struct health *h)
{
    for (size_t i = 0; i < h->cli_count; i++) {
        struct health_cli *c = &h->clis[i];
        if (c->is_used && c->is_due && !c->is_running &&
            health_free_job(h) != NULL)
            health_look(t, h, c);
    }
    LIST_EACH (p, &h->probes, link)
        if (h->knows_past && health_is_askable(h, p) &&
            health_free_job(h) != NULL)
            health_ask(t, h, p);
}

static bool is_idle(const struct health *h)
{
    for (size_t i = 0; i < HEALTH_JOBS; i++)
        if (!rt_same(h->jobs[i].check, RT_NOBODY))
            return false;
    return true;
}

/* Were the processes actor stopped first, a check would be left to its
 * lease. */
static enum rt_next on_leave(struct rt_turn *t, struct health *h)
{
    h->is_leaving = true;
    for (size_t i = 0; i < HEALTH_JOBS; i++)
        if (!rt_same(h->jobs[i].check, RT_NOBODY))
            rt_tell(t, h->jobs[i].check, CHECK_END, NULL, 0);
    return is_idle(h) ? RT_STOP : RT_OK;
}

static void clear(struct rt_turn *t, struct health *h)
{
    h->is_clearing = aside_clear(&h->aside);
    if (h->is_clearing)
        rt_tell(t, rt_self(t), HEALTH_CLEAR, NULL, 0);
}

static void put_aside(struct rt_turn *t, struct health *h, const char *dir)
{
    aside_put(&h->aside, dir);
    if (!h->is_clearing)
        clear(t, h);
}

static enum rt_next on_done(struct rt_turn *t, struct health *h,
                            struct rt_msg *m)
{
    const struct check_result *r = RT_OBJ(m, struct check_result);
    struct health_job *job = h->jobs, done;

    while (job < h->jobs + HEALTH_JOBS && !rt_same(job->check, m->from))
        job++;
    if (job == h->jobs + HEALTH_JOBS)
        return RT_OK;
    done = *job;
    *job = (struct health_job){0};
    put_aside(t, h, done.dir);
    free(done.dir);
    if (h->is_leaving)
        return is_idle(h) ? RT_STOP : RT_OK;
    if (done.probe != NULL)
        health_on_answer(t, h, done.probe, r);
    else
        health_on_models(t, h, done.cli, r);
    pump(t, h);
    tell(t, h);
    return RT_OK;
}

static void on_retry(struct rt_turn *t, struct health *h, uint64_t timer)
{
    for (size_t i = 0; i < h->cli_count; i++)
        if (h->clis[i].retry.timer == timer) {
            h->clis[i].retry.timer = 0;
            h->clis[i].is_due = !h->clis[i].is_running;
        }
    LIST_EACH (p, &h->probes, link)
        if (p->retry.timer == timer) {
            p->retry.timer = 0;
            p->is_due = !p->is_running;
        }
    pump(t, h);
    tell(t, h);
}

/* One being asked right now gives an answer that is new enough. */
static void ask_again(struct rt_turn *t, struct health_probe *p)
{
    if (p == NULL || p->is_running)
        return;
    p->check = ROSTER_PENDING;
    p->is_due = true;
    p->may_have_passed = false;
    health_no_retry(t, &p->retry);
}

static void recheck_role(struct rt_turn *t, struct health *h,
                         const struct role *role)
{
    struct health_cli *cli = health_cli_of(h, role);

    if (!cli->is_running) {
        cli->is_due = true;
        health_no_retry(t, &cli->retry);
    }
    if (cli->found == HEALTH_LOST)
        cli->found = HEALTH_UNKNOWN;
    ask_again(t, health_probe_of(h, role));
    for (size_t i = 0; i < role->tool_count; i++)
        ask_again(t, health_probe_of_tool(h, role->tools[i].tool));
}

static void on_recheck(struct rt_turn *t, struct health *h,
                       const struct health_recheck *m)
{
    const struct config *config = health_config(h);

    for (size_t i = 0; i < config->role_count; i++)
        if (m->role[0] == 0 || strcmp(m->role, config->roles[i].id) == 0)
            recheck_role(t, h, &config->roles[i]);
    pump(t, h);
    tell(t, h);
}

/* What a back-end's program is by the configuration: its agent.command, or
 * that it waits for trust. */
struct choice {
    char *command;
    bool is_withheld;
};

static struct choice choice_of(const struct health *h,
                               const struct health_cli *c)
{
    return (struct choice){.command = bytes_text("%s", health_command(h, c)),
                           .is_withheld = config_is_command_withheld(
                               health_config(h), c->backend->name)};
}

static bool choices_equal(const struct choice *a, const struct choice *b)
{
    return a->is_withheld == b->is_withheld &&
           strcmp(a->command, b->command) == 0;
}

/* What it has answered was another program's word. */
static void look_anew(struct rt_turn *t, struct health *h, struct health_cli *c)
{
    c->found = HEALTH_UNKNOWN;
    c->is_due = true;
    health_no_retry(t, &c->retry);
    LIST_EACH (p, &h->probes, link)
        if (p->cli == c)
            ask_again(t, p);
}

/* Answers that still fit stay; another agent.command is another program. */
static void on_settings(struct rt_turn *t, struct health *h,
                        struct settings *settings)
{
    struct settings *old = h->setup.settings;
    struct choice before[HEALTH_CLIS], now;

    for (size_t i = 0; i < h->cli_count; i++)
        before[i] = choice_of(h, &h->clis[i]);
    h->setup.settings = RT_KEEP(settings);
    health_date_models(h, old->config, rt_wall_ms(t));
    health_plan(h);
    for (size_t i = 0; i < h->cli_count; i++) {
        now = choice_of(h, &h->clis[i]);
        if (!choices_equal(&before[i], &now))
            look_anew(t, h, &h->clis[i]);
        free(before[i].command);
        free(now.command);
    }
    rt_obj_drop(&old->obj);
    pump(t, h);
    tell(t, h);
}

static void on_past(struct rt_turn *t, struct health *h, const struct past *p)
{
    health_passes_take(&h->passes, p, rt_wall_ms(t),
                       (uint64_t)health_config(h)->health.keep_ms);
    h->knows_past = true;
    pump(t, h);
    tell(t, h);
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct health *h = state;

    if (m->kind == CHECK_DONE)
        return on_done(t, h, m);
    if (m->kind == HEALTH_LEAVE)
        return on_leave(t, h);
    if (h->is_leaving)
        return RT_OK;
    if (m->kind == HEALTH_RETRY)
        on_retry(t, h, ((const struct rt_alarm *)rt_body(m))->id);
    else if (m->kind == HEALTH_CLEAR)
        clear(t, h);
    else if (m->kind == HEALTH_RECHECK)
        on_recheck(t, h, rt_body(m));
    else if (m->kind == HEALTH_SETTINGS)
        on_settings(t, h, RT_OBJ(m, struct settings));
    else if (m->kind == STORE_CHECKED)
        on_past(t, h, RT_OBJ(m, struct past));
    return RT_OK;
}

/* What an earlier life has left. */
static void clear_dirs(struct rt_turn *t, struct health *h)
{
    char *dir = bytes_text("%s/health", h->setup.context->state_dir);

    put_aside(t, h, dir);
    free(dir);
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct health *h = state;

    if (h->setup.limit_ms == 0)
        h->setup.limit_ms = LIMIT_MS;
    if (h->setup.retry_ms == 0)
        h->setup.retry_ms = RETRY_MS;
    h->life = rt_wall_ms(t);
    h->aside = (struct aside){.state_dir = h->setup.context->state_dir,
                              .name = ASIDE,
                              .life = h->life};
    health_date_models(h, NULL, 0);
    health_plan(h);
    tell(t, h);
    clear_dirs(t, h);
    h->knows_past = rt_same(h->setup.store, RT_NOBODY);
    if (!h->knows_past)
        rt_tell(t, h->setup.store, STORE_CHECKS, NULL, 0);
    pump(t, h);
    tell(t, h);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct health *h = state;

    (void)t;
    for (size_t i = 0; i < HEALTH_JOBS; i++)
        free(h->jobs[i].dir);
    health_state_finish(h);
    health_passes_finish(&h->passes);
    rt_obj_drop(&h->setup.settings->obj);
    rt_obj_drop(&h->setup.context->obj);
}

static const struct rt_behaviour behaviour = {.name = "health",
                                              .size = sizeof(struct health),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref health_spawn(struct rt_turn *t, const struct health_setup *s)
{
    struct health init = {.setup = *s};
    struct rt_ref ref;

    rt_obj_keep(&s->context->obj);
    rt_obj_keep(&s->settings->obj);
    ref = rt_spawn_at(t, HUB_LOOP_SPAWN, &behaviour, &init);
    if (rt_same(ref, RT_NOBODY)) {
        rt_obj_drop(&s->context->obj);
        rt_obj_drop(&s->settings->obj);
    }
    return ref;
}
