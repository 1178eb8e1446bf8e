/* SPDX-License-Identifier: MIT */
/* Asking: how a cli or a probe that is due becomes a job, and what its answer
 * means. */
#include "actors/health/inside.h"

#include <stdlib.h>

#include "actors/health/text.h"
#include "actors/launch/launch.h"
#include "actors/store/store.h"

#define RETRY_LONGEST 10 /* times the first */

/* ---- trying again --------------------------------------------------------
 */

static void try_later(struct rt_turn *t, const struct health *h,
                      struct health_retry *r)
{
    uint64_t longest = h->setup.retry_ms * RETRY_LONGEST;

    if (r->timer != 0)
        rt_cancel(t, r->timer);
    if (r->delay_ms == 0)
        r->delay_ms = h->setup.retry_ms;
    r->timer = rt_after(t, r->delay_ms, HEALTH_RETRY);
    r->delay_ms = r->delay_ms * 2 < longest ? r->delay_ms * 2 : longest;
}

void health_no_retry(struct rt_turn *t, struct health_retry *r)
{
    if (r->timer != 0)
        rt_cancel(t, r->timer);
    *r = (struct health_retry){0};
}

/* ---- jobs ----------------------------------------------------------------
 */

struct health_job *health_free_job(struct health *h)
{
    for (size_t i = 0; i < HEALTH_JOBS; i++)
        if (rt_same(h->jobs[i].check, RT_NOBODY))
            return &h->jobs[i];
    return NULL;
}

/* A new directory for each, for a warden never starts twice in one. */
static char *new_dir(struct health *h)
{
    return bytes_text("%s/health/%llx-%u", h->setup.context->state_dir,
                      (unsigned long long)h->life, ++h->asked);
}

static struct process_spec *make_spec(struct health *h, struct health_cli *cli,
                                      const struct health_probe *probe,
                                      const char *program, const char *dir)
{
    const struct role role = {.model = probe != NULL ? probe->model : ""};
    const struct roster_role row = {.role = &role,
                                    .backend =
                                        cli != NULL ? cli->backend : NULL,
                                    .program = program};
    const struct roster roster = {.settings = h->setup.settings};
    char id[64];
    struct launch l = {.context = h->setup.context,
                       .roster = &roster,
                       .role = &row,
                       .caller = h->setup.context->self,
                       .agent_id = id,
                       .group_id = "",
                       .directory = "",
                       .language = health_config(h)->language};

    snprintf(id, sizeof(id), "health-%s", strrchr(dir, '/') + 1);
    if (probe == NULL)
        return cli->is_naming ? launch_help(&l, dir) : launch_models(&l, dir);
    l.prompt = slice_cstr(probe->prompt);
    return cli != NULL ? launch_check(&l, dir)
                       : launch_tool(&l, probe->prompt, dir);
}

/* False when there is nothing to run: a back-end that lists no models. */
static bool start_job(struct rt_turn *t, struct health *h,
                      struct health_cli *cli, struct health_probe *probe,
                      const char *program)
{
    struct health_job *job = health_free_job(h);
    char *dir = new_dir(h);
    struct process_spec *spec = make_spec(h, cli, probe, program, dir);

    if (spec == NULL) {
        free(dir);
        return false;
    }
    *job = (struct health_job){.cli = cli, .probe = probe, .dir = dir};
    job->check = check_spawn(t, h->setup.processes, spec, h->setup.limit_ms);
    rt_obj_drop(&spec->obj);
    return true;
}

/* ---- back-ends ------------------------------------------------------------
 */

static void drop_candidates(struct health_cli *c)
{
    while (c->candidate_count > 0)
        free(c->candidates[--c->candidate_count]);
    c->at = 0;
}

/* Two names of one program are one candidate. */
static void add_candidate(const struct health *h, struct health_cli *c,
                          const char *name)
{
    char *found = launch_find_program(name, h->setup.context->self);
    char *real = found != NULL ? realpath(found, NULL) : NULL;
    bool is_new = found != NULL && c->candidate_count < HEALTH_CANDIDATES;

    for (size_t i = 0; real != NULL && i < c->candidate_count; i++) {
        char *other = realpath(c->candidates[i], NULL);
        if (other != NULL && strcmp(real, other) == 0)
            is_new = false;
        free(other);
    }
    if (is_new)
        c->candidates[c->candidate_count++] = found;
    else
        free(found);
    free(real);
}

static void forget_answers(struct health *h, const struct health_cli *c)
{
    LIST_EACH (p, &h->probes, link)
        if (p->cli == c) {
            p->check = ROSTER_PENDING;
            p->is_due = p->may_have_passed = true;
        }
}

static void lose(struct rt_turn *t, struct health *h, struct health_cli *c)
{
    c->found = HEALTH_LOST;
    c->checked_at = rt_wall_ms(t);
    bytes_clear(&c->reason, 0);
    bytes_append(&c->reason, c->draft.ptr, c->draft.len);
    bytes_append(&c->reason, "", 1);
    drop_candidates(c);
    try_later(t, h, &c->retry);
}

/* A model that is missing today may be offered tomorrow. */
static bool has_unknown_model(struct health *h, struct health_cli *c)
{
    const struct config *config = health_config(h);

    for (size_t i = 0; i < config->role_count; i++)
        if (health_cli_of(h, &config->roles[i]) == c &&
            !health_is_model_usable(c, config->roles[i].model))
            return true;
    return false;
}

static void settle(struct rt_turn *t, struct health *h, struct health_cli *c)
{
    const char *program = c->candidates[c->at];

    if (c->program != NULL && strcmp(c->program, program) != 0)
        forget_answers(h, c);
    free(c->program);
    c->program = c->candidates[c->at];
    c->candidates[c->at] = NULL;
    c->found = HEALTH_FOUND;
    c->checked_at = c->has_list ? rt_wall_ms(t) : 0;
    bytes_clear(&c->reason, 0);
    drop_candidates(c);
    if (has_unknown_model(h, c))
        try_later(t, h, &c->retry);
    else
        health_no_retry(t, &c->retry);
}

/* What is of unknown make is asked only for its help first. */
static void try_candidate(struct rt_turn *t, struct health *h,
                          struct health_cli *c, bool is_named)
{
    c->is_running = false;
    if (c->at == c->candidate_count) {
        lose(t, h, c);
        return;
    }
    c->is_naming = !is_named && *health_command(h, c) == 0 &&
                   !backend_is_certain(c->backend, c->candidates[c->at]);
    if (start_job(t, h, c, NULL, c->candidates[c->at])) {
        c->is_running = true;
    } else {
        c->has_list = false;
        settle(t, h, c);
    }
}

void health_look(struct rt_turn *t, struct health *h, struct health_cli *c)
{
    const char *command = health_command(h, c);

    c->is_due = false;
    drop_candidates(c);
    bytes_clear(&c->draft, 0);
    if (config_is_command_withheld(health_config(h), c->backend->name)) {
        health_text_withheld(&c->draft, health_config(h));
        lose(t, h, c);
        return;
    }
    if (*command != 0)
        add_candidate(h, c, command);
    else
        for (const char *const *n = c->backend->programs; *n != NULL; n++)
            add_candidate(h, c, *n);
    if (c->candidate_count == 0)
        health_text_missing(&c->draft, health_config(h)->language, c->backend,
                            command);
    try_candidate(t, h, c, false);
}

static void on_help(struct rt_turn *t, struct health *h, struct health_cli *c,
                    const struct check_result *r)
{
    bool is_meant = backend_is_meant(c->backend, r->output) ||
                    backend_is_meant(c->backend, slice_of(r->exit->stderr_tail,
                                                          r->exit->stderr_len));

    if (!is_meant) {
        bytes_clear(&c->draft, 0);
        health_text_stranger(&c->draft, health_config(h)->language, c->backend,
                             c->candidates[c->at]);
        c->at++;
    }
    try_candidate(t, h, c, is_meant);
}

void health_on_models(struct rt_turn *t, struct health *h, struct health_cli *c,
                      const struct check_result *r)
{
    struct health_models models = {0};

    c->is_running = false;
    if (c->is_due) /* another program was set meanwhile */
        return;
    if (c->is_naming) {
        on_help(t, h, c, r);
        return;
    }
    if (check_has_succeeded(r))
        health_models_read(&models, r->output);
    if (models.count > 0) {
        health_models_finish(&c->models);
        c->models = models;
        c->has_list = true;
        settle(t, h, c);
        return;
    }
    bytes_clear(&c->draft, 0);
    health_text_no_models(&c->draft, health_config(h)->language,
                          c->candidates[c->at], r, h->setup.limit_ms);
    c->at++;
    try_candidate(t, h, c, false);
}

/* ---- probes ---------------------------------------------------------------
 */

static struct health_key key_of(const struct health_probe *p)
{
    return (struct health_key){.backend = p->cli->backend->name,
                               .program = p->cli->program,
                               .model = p->model,
                               .prompt = p->prompt};
}

/* A pass of an earlier life that is good for a while yet. */
static bool has_passed_before(const struct health *h, struct health_probe *p,
                              uint64_t now)
{
    uint64_t keep_ms = (uint64_t)health_config(h)->health.keep_ms;
    const struct health_pass *pass;
    struct health_key key;

    if (p->cli == NULL || !p->may_have_passed)
        return false;
    key = key_of(p);
    pass = health_passes_find(&h->passes, &key);
    if (pass == NULL || now - pass->at >= keep_ms)
        return false;
    p->check = ROSTER_PASSED;
    p->checked_at = pass->at;
    p->response_ms = pass->response_ms;
    return true;
}

void health_ask(struct rt_turn *t, struct health *h, struct health_probe *p)
{
    p->is_due = false;
    if (has_passed_before(h, p, rt_wall_ms(t)))
        return;
    p->may_have_passed = false;
    p->is_running = true;
    p->started_at = rt_wall_ms(t);
    start_job(t, h, p->cli, p, p->cli != NULL ? p->cli->program : "");
}

static void store_pass(struct rt_turn *t, struct health *h,
                       const struct health_key *key,
                       const struct health_probe *p)
{
    uint64_t keep_ms = (uint64_t)health_config(h)->health.keep_ms;
    bool is_passed = p->check == ROSTER_PASSED;
    struct store_write *w;

    if (rt_same(h->setup.store, RT_NOBODY))
        return;
    w = store_write_create();
    store_row(w, is_passed ? STORE_SET_HEALTH : STORE_DROP_HEALTH);
    store_text(w, slice_cstr(key->backend));
    store_text(w, slice_cstr(key->program));
    store_text(w, slice_cstr(key->model));
    store_text(w, slice_cstr(key->prompt));
    if (is_passed) {
        store_int(w, (int64_t)p->checked_at);
        store_int(w, (int64_t)p->response_ms);
        store_int(w, (int64_t)p->checked_at - (int64_t)keep_ms);
    }
    rt_pass_take(t, h->setup.store, STORE_WRITE, &w->obj);
}

/* Tools are not kept: asking them again costs nothing. */
static void note_pass(struct rt_turn *t, struct health *h,
                      const struct health_probe *p)
{
    struct health_key key;
    bool is_passed = p->check == ROSTER_PASSED;

    if (p->cli == NULL || p->cli->program == NULL)
        return;
    key = key_of(p);
    if (!is_passed && health_passes_find(&h->passes, &key) == NULL)
        return;
    health_passes_note(&h->passes, &key, is_passed ? p->checked_at : 0,
                       p->response_ms);
    store_pass(t, h, &key, p);
}

void health_on_answer(struct rt_turn *t, struct health *h,
                      struct health_probe *p, const struct check_result *r)
{
    bool is_passed =
        check_has_succeeded(r) && (p->cli == NULL || r->output.len > 0);

    p->is_running = false;
    if (p->is_due) /* it was asked of another program */
        return;
    p->check = is_passed ? ROSTER_PASSED : ROSTER_FAILED;
    p->checked_at = rt_wall_ms(t);
    p->response_ms = r->exit->elapsed_ms;
    bytes_clear(&p->reason, 0);
    if (is_passed) {
        health_no_retry(t, &p->retry);
    } else {
        health_text_failure(&p->reason, health_config(h)->language, r,
                            h->setup.limit_ms);
        bytes_append(&p->reason, "", 1);
        try_later(t, h, &p->retry);
    }
    note_pass(t, h, p);
}
