/* SPDX-License-Identifier: MIT */
/*
 * A fetch is a short process that asks the Cloud API for one prompt, tries
 * again where that makes sense, and ends within its time. All who want the same
 * prompt meanwhile wait for the one that is under way.
 */
#include <stdlib.h>
#include <string.h>

#include "actors/health/check.h"
#include "actors/phases/inside.h"
#include "config/env.h"
#include "runtime/text/arena.h"
#include "runtime/text/array.h"

#define LIMIT_MS 12000 /* it ends itself after 10 s */
#define GRACE_MS 500
#define OUTPUT_MAX ((uint64_t)1 << 20)
#define ASIDE "phases.old"

struct fetch {
    struct fetch *next;
    struct rt_ref check;
    int phase;
    struct bytes origin;
    char *dir;
    struct phase_work **waiting; /* kept */
    size_t count;
};

/* ---- the process ------------------------------------------------------- */

/* What says which hub, or which agent of it, is not for it (config/env.h). The
 * key is one of these: it comes by stdin, where nobody else reads it. */
static const char *const *environment(struct arena *a, const char *const *from)
{
    const char **env = NULL;
    size_t count = 0;

    for (; *from != NULL; from++) {
        if (strncmp(*from, "KUROMAJUTSU_", 12) == 0 || env_is_hubs(*from))
            continue;
        env = arena_grow(a, env, count, sizeof(*env));
        env[count++] = *from;
    }
    env = arena_grow(a, env, count, sizeof(*env));
    env[count] = NULL;
    return env;
}

static struct process_spec *make_spec(const struct phases *p,
                                      const struct fetch *f, const char *key)
{
    const char *const argv[] = {p->fetcher, "--fetch", NULL};
    const struct caller *self = p->setup.context->self;
    struct arena arena = {0};
    char *id = bytes_text("phases-%s", strrchr(f->dir, '/') + 1);
    struct bytes input = {0};
    struct process_spec *spec;

    bytes_format(&input, "%.*s/api/v1/prompts/%s\n%s\n", (int)f->origin.len,
                 f->origin.ptr, phase_name(f->phase).ptr, key);
    spec = process_spec_create(
        &(struct process_spec){.id = id,
                               .dir = f->dir,
                               .cwd = self->cwd,
                               .input = input.ptr,
                               .input_len = input.len,
                               .argv = argv,
                               .envp = environment(&arena, self->env),
                               .grace_ms = GRACE_MS,
                               .lease_ms = PROCESS_BRIEF_LEASE_MS,
                               .stdout_limit = OUTPUT_MAX});
    bytes_finish(&input);
    arena_finish(&arena);
    free(id);
    return spec;
}

static struct fetch *begin(struct rt_turn *t, struct phases *p,
                           const struct phase_work *w)
{
    const struct config *c = w->work.order->roster->settings->config;
    struct fetch *f = bytes_zalloc(sizeof(*f));
    struct process_spec *spec;

    f->phase = w->phase;
    bytes_append(&f->origin, w->prompt.origin.ptr, w->prompt.origin.len);
    f->dir = bytes_text("%s/phases/%llx-%u", p->setup.context->state_dir,
                        (unsigned long long)p->fetches.aside.life,
                        ++p->fetches.made);
    spec = make_spec(p, f, c->phases.api_key);
    f->check = check_spawn(t, p->setup.processes, spec, LIMIT_MS);
    rt_obj_drop(&spec->obj);
    f->next = p->fetches.first;
    p->fetches.first = f;
    return f;
}

/* ---- who waits --------------------------------------------------------- */

static struct fetch *find(const struct phases *p, const struct phase_work *w)
{
    struct fetch *f = p->fetches.first;

    while (f != NULL &&
           !(f->phase == w->phase &&
             slice_eq(bytes_slice(&f->origin), bytes_slice(&w->prompt.origin))))
        f = f->next;
    return f;
}

static void free_fetch(struct fetch *f)
{
    for (size_t i = 0; i < f->count; i++)
        rt_obj_drop(&f->waiting[i]->work.obj);
    free(f->waiting);
    bytes_finish(&f->origin);
    free(f->dir);
    free(f);
}

static void serve(struct rt_turn *t, struct phases *p, struct fetch *f,
                  struct slice output)
{
    struct prompt got = {0};

    cloud_read(output, f->phase, &got);
    bytes_append(&got.origin, f->origin.ptr, f->origin.len);
    for (size_t i = 0; i < f->count; i++) {
        struct phase_work *w = phase_work_again(f->waiting[i]);

        prompt_copy(&w->prompt, &got);
        phases_order_work(t, p, w);
    }
    prompt_finish(&got);
}

/* ---- the end ----------------------------------------------------------- */

void fetches_clear(struct rt_turn *t, struct phases *p)
{
    p->fetches.is_clearing = aside_clear(&p->fetches.aside);
    if (p->fetches.is_clearing)
        rt_tell(t, rt_self(t), PHASES_CLEAR, NULL, 0);
}

static void put_aside(struct rt_turn *t, struct phases *p, const char *dir)
{
    aside_put(&p->fetches.aside, dir);
    if (!p->fetches.is_clearing)
        fetches_clear(t, p);
}

static void end(struct rt_turn *t, struct phases *p, struct fetch *f,
                struct slice output)
{
    struct fetch **at = &p->fetches.first;

    while (*at != f)
        at = &(*at)->next;
    *at = f->next;
    serve(t, p, f, output);
    put_aside(t, p, f->dir);
    free_fetch(f);
}

void fetches_on_done(struct rt_turn *t, struct phases *p, struct rt_msg *m)
{
    const struct check_result *r = RT_OBJ(m, struct check_result);
    struct fetch *f = p->fetches.first;

    while (f != NULL && !rt_same(f->check, m->from))
        f = f->next;
    if (f != NULL)
        end(t, p, f, r->is_late ? SLICE("timed out") : r->output);
}

void fetches_add(struct rt_turn *t, struct phases *p, struct phase_work *w)
{
    struct fetch *f = find(p, w);

    if (f == NULL)
        f = begin(t, p, w);
    ARRAY_GROW(f->waiting, f->count);
    rt_obj_keep(&w->work.obj);
    f->waiting[f->count++] = w;
    if (f->check.id == 0)
        end(t, p, f, SLICE("EAGAIN"));
}

void fetches_start(struct rt_turn *t, struct phases *p)
{
    const char *state_dir = p->setup.context->state_dir;
    char *left = bytes_text("%s/phases", state_dir);

    p->fetches.aside = (struct aside){
        .state_dir = state_dir, .name = ASIDE, .life = rt_wall_ms(t)};
    put_aside(t, p, left);
    free(left);
}

void fetches_drop(struct phases *p)
{
    while (p->fetches.first != NULL) {
        struct fetch *f = p->fetches.first;

        p->fetches.first = f->next;
        free_fetch(f);
    }
}
