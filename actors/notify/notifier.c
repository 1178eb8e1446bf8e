/* SPDX-License-Identifier: MIT */
#include "actors/notify/notifier.h"

#include <stdio.h>
#include <stdlib.h>

#include "actors/health/aside.h"
#include "actors/health/check.h"
#include "actors/notify/delivery.h"
#include "actors/notify/words.h"
#include "actors/registry/notice.h"
#include "runtime/text/bytes.h"

/* What happens within this time of the first is told together. */
#define GATHER_MS 1000
#define JOBS 16 /* deliveries at once; more are not made */
#define ASIDE "notify.old"

enum { NOTIFIER_DUE = 0x568, NOTIFIER_CLEAR };

/* Notices of one kind that are to become one notification. */
struct pile {
    struct notice *first; /* kept; NULL: there are none */
    uint64_t count, up_to;
    bool has_many_groups;
    char agents[NOTICE_AGENTS][ORDER_ID];
    unsigned agent_count;
    uint64_t timer;  /* 0: none */
    uint64_t raised; /* rt_now() of the last; 0: never */
};

struct job {
    struct rt_ref check; /* RT_NOBODY: free */
    enum config_channel channel;
    char *dir;
};

struct notifier {
    struct notifier_setup setup;
    char *poster;
    struct pile piles[CONFIG_NOTIFY_KINDS];
    struct job jobs[JOBS];
    struct aside aside;
    unsigned made;    /* jobs */
    bool is_clearing; /* a NOTIFIER_CLEAR is under way */
};

/* ---- gathering --------------------------------------------------------- */

static void add_agent(struct pile *p, const char *id)
{
    if (*id == 0 || p->agent_count == NOTICE_AGENTS)
        return;
    for (unsigned i = 0; i < p->agent_count; i++)
        if (strcmp(p->agents[i], id) == 0)
            return;
    slice_keep(p->agents[p->agent_count++], ORDER_ID, slice_cstr(id));
}

/* The first of a kind waits for those that happen with it; the next ones for
 * the interval too. */
static uint64_t wait_ms(struct rt_turn *t, const struct pile *p)
{
    const struct config *c = p->first->settings->config;
    uint64_t interval = (uint64_t)c->notifications.interval_ms;
    uint64_t since = (rt_now(t) - p->raised) / 1000000;

    if (p->raised == 0 || since + GATHER_MS >= interval)
        return GATHER_MS;
    return interval - since;
}

static void on_notice(struct rt_turn *t, struct notifier *self,
                      struct notice *n)
{
    struct pile *p = &self->piles[n->kind];

    if (p->first == NULL)
        p->first = RT_KEEP(n);
    p->has_many_groups |= strcmp(p->first->group, n->group) != 0;
    p->count++;
    p->up_to = n->number;
    add_agent(p, n->agent);
    add_agent(p, n->other);
    if (p->timer == 0)
        p->timer = rt_after(t, wait_ms(t, p), NOTIFIER_DUE);
}

static void empty(struct pile *p)
{
    if (p->first != NULL)
        rt_obj_drop(&p->first->obj);
    *p = (struct pile){.raised = p->raised};
}

static void raise_pile(struct rt_turn *t, struct notifier *self, struct pile *p)
{
    const char *group = p->has_many_groups ? "" : p->first->group;
    struct notification from = {.settings = p->first->settings,
                                .kind = p->first->kind,
                                .up_to = p->up_to,
                                .count = p->count,
                                .agent_count = p->agent_count};
    struct bytes title = {0}, body = {0};
    struct notification *n;

    words_put(&title, &body, p->first, p->count, group);
    memcpy(from.agents, p->agents, sizeof(from.agents));
    slice_keep(from.group, sizeof(from.group), slice_cstr(group));
    if (p->count == 1)
        slice_keep(from.agent, sizeof(from.agent), slice_cstr(p->first->agent));
    n = notification_create(&from, &title, &body);
    rt_pass_take(t, self->setup.registry, NOTICE_RAISE, &n->obj);
    p->raised = rt_now(t);
    empty(p);
}

static void on_due(struct rt_turn *t, struct notifier *self, uint64_t timer)
{
    for (int i = 0; i < CONFIG_NOTIFY_KINDS; i++)
        if (self->piles[i].timer == timer)
            raise_pile(t, self, &self->piles[i]);
}

/* ---- delivering -------------------------------------------------------- */

static void complain(struct rt_turn *t, enum config_channel channel,
                     struct slice why)
{
    struct notifier_trouble trouble = {.channel = channel};

    slice_keep(trouble.why, sizeof(trouble.why), why);
    rt_tell(t, rt_parent(t), NOTIFIER_TROUBLE, &trouble, sizeof(trouble));
}

static struct job *free_job(struct notifier *self)
{
    for (size_t i = 0; i < JOBS; i++)
        if (rt_same(self->jobs[i].check, RT_NOBODY))
            return &self->jobs[i];
    return NULL;
}

static void begin(struct rt_turn *t, struct notifier *self, struct job *job,
                  const struct notice_raised *raised,
                  enum config_channel channel)
{
    const struct config *c = raised->what->settings->config;
    char *dir = bytes_text("%s/notify/%llx-%u", self->setup.context->state_dir,
                           (unsigned long long)self->aside.life, ++self->made);
    char id[64];
    const char *why;
    struct process_spec *spec;

    snprintf(id, sizeof(id), "notify-%s", strrchr(dir, '/') + 1);
    spec = delivery_spec(&(struct delivery){.context = self->setup.context,
                                            .poster = self->poster,
                                            .raised = raised,
                                            .dir = dir,
                                            .id = id},
                         channel, &why);
    if (spec == NULL) {
        if (*why != 0)
            complain(t, channel, slice_cstr(why));
        free(dir);
        return;
    }
    *job = (struct job){.channel = channel, .dir = dir};
    job->check = check_spawn(t, self->setup.processes, spec,
                             (uint64_t)c->notifications.timeout_ms);
    rt_obj_drop(&spec->obj);
}

static void on_raised(struct rt_turn *t, struct notifier *self,
                      const struct notice_raised *raised)
{
    static const enum config_channel channels[] = {
        CONFIG_DESKTOP, CONFIG_COMMAND, CONFIG_WEBHOOK};
    const struct config *c = raised->what->settings->config;
    int64_t wanted = c->notifications.channels[raised->what->kind];

    for (size_t i = 0; i < sizeof(channels) / sizeof(*channels); i++) {
        struct job *job = free_job(self);

        if (!(wanted & channels[i]))
            continue;
        if (job != NULL)
            begin(t, self, job, raised, channels[i]);
        else
            complain(t, channels[i], SLICE("EAGAIN"));
    }
}

/* The last line of what it said, else how it ended. */
static void tell_failure(struct rt_turn *t, const struct job *job,
                         const struct check_result *r)
{
    struct slice said = r->output;
    struct bytes why = {0};

    if (said.len == 0)
        said = slice_trim(slice_of(r->exit->stderr_tail, r->exit->stderr_len));
    for (size_t i = said.len; i-- > 0;)
        if (said.ptr[i] == '\n') {
            said = slice_of(said.ptr + i + 1, said.len - i - 1);
            break;
        }
    if (r->is_late)
        bytes_format(&why, "%s", "ETIMEDOUT");
    else if (r->exit->error[0] != 0)
        bytes_format(&why, "%s", r->exit->error);
    else
        bytes_format(&why, r->exit->has_signal ? "signal %d" : "exit %d",
                     r->exit->has_signal ? r->exit->signal : r->exit->code);
    if (said.len > 0 && !r->is_late)
        bytes_format(&why, ": %.*s", (int)said.len, said.ptr);
    complain(t, job->channel, bytes_slice(&why));
    bytes_finish(&why);
}

static void clear(struct rt_turn *t, struct notifier *self)
{
    self->is_clearing = aside_clear(&self->aside);
    if (self->is_clearing)
        rt_tell(t, rt_self(t), NOTIFIER_CLEAR, NULL, 0);
}

static void put_aside(struct rt_turn *t, struct notifier *self, const char *dir)
{
    aside_put(&self->aside, dir);
    if (!self->is_clearing)
        clear(t, self);
}

static void on_done(struct rt_turn *t, struct notifier *self, struct rt_msg *m)
{
    const struct check_result *r = RT_OBJ(m, struct check_result);

    for (size_t i = 0; i < JOBS; i++) {
        struct job *job = &self->jobs[i];

        if (!rt_same(job->check, m->from))
            continue;
        if (!check_has_succeeded(r))
            tell_failure(t, job, r);
        put_aside(t, self, job->dir);
        free(job->dir);
        *job = (struct job){0};
    }
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct notifier *self = state;

    if (m->kind == NOTICE_TOLD)
        on_notice(t, self, RT_OBJ(m, struct notice));
    else if (m->kind == NOTICE_RAISED)
        on_raised(t, self, RT_OBJ(m, struct notice_raised));
    else if (m->kind == NOTIFIER_DUE)
        on_due(t, self, ((const struct rt_alarm *)rt_body(m))->id);
    else if (m->kind == CHECK_DONE)
        on_done(t, self, m);
    else if (m->kind == NOTIFIER_CLEAR)
        clear(t, self);
    return RT_OK;
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct notifier *self = state;
    char *left = bytes_text("%s/notify", self->setup.context->state_dir);

    self->aside = (struct aside){.state_dir = self->setup.context->state_dir,
                                 .name = ASIDE,
                                 .life = rt_wall_ms(t)};
    put_aside(t, self, left);
    free(left);
    rt_tell(t, self->setup.registry, NOTICE_SUBSCRIBE, NULL, 0);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct notifier *self = state;

    (void)t;
    for (int i = 0; i < CONFIG_NOTIFY_KINDS; i++)
        empty(&self->piles[i]);
    for (size_t i = 0; i < JOBS; i++)
        free(self->jobs[i].dir);
    free(self->poster);
    rt_obj_drop(&self->setup.context->obj);
}

static const struct rt_behaviour behaviour = {.name = "notifier",
                                              .size = sizeof(struct notifier),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref notifier_spawn(struct rt_turn *t, const struct notifier_setup *s)
{
    struct notifier n = {.setup = *s, .poster = bytes_text("%s", s->poster)};
    struct rt_ref ref;

    rt_obj_keep(&s->context->obj);
    ref = rt_spawn_at(t, HUB_LOOP_SPAWN, &behaviour, &n);
    if (ref.id == 0) {
        rt_obj_drop(&s->context->obj);
        free(n.poster);
    }
    return ref;
}
