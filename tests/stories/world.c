/* SPDX-License-Identifier: MIT */
#include "tests/stories/world.h"

#include <inttypes.h>
#include <stdlib.h>

#include "actors/notify/notifier.h"
#include "actors/order/hub_context.h"
#include "actors/registry/registry.h"
#include "runtime/os_sim.h"
#include "tests/stories/client_inside.h"
#include "tests/stories/fake_processes.h"
#include "tests/stories/hearer.h"
#include "tests/stories/settle.h"

struct thread {
    struct thread *next;
    struct os_thread *thread;
};

struct world {
    const struct story *story;
    enum plant plant;
    uint64_t seed;
    struct hub_context *context;
    struct roster *roster;
    struct roster *unchecked;
    struct books books;
    struct rt *rt;
    struct rt_ref processes, registry; /* set before anybody is told of them */
    struct lock lock;                  /* for what follows */
    struct client *clients;
    uint64_t client_count;
    struct thread *threads;
    uint32_t census; /* agents not gone, by the registry's last word */
};

struct rt *world_rt(const struct world *w)
{
    return w->rt;
}

uint64_t world_seed(const struct world *w)
{
    return w->seed;
}

uint64_t world_pace(const struct world *w, uint64_t ms)
{
    return w->seed % 2 == 0 || ms < 3 ? ms : 3;
}

struct books *world_books(struct world *w)
{
    return &w->books;
}

const struct config *world_config(const struct world *w)
{
    return w->roster->settings->config;
}

struct rt_ref world_registry(const struct world *w)
{
    return w->registry;
}

enum plant world_plant(const struct world *w)
{
    return w->plant;
}

uint32_t world_census(const struct world *w)
{
    return atomic_load_relaxed(&w->census);
}

/* ---- the hub's root ---------------------------------------------------- */

static unsigned home_of(struct rt_turn *t)
{
    static const unsigned homes[] = {HUB_LOOP_FRONT, HUB_LOOP_FRONT, RT_POOL,
                                     HUB_LOOP_SPAWN};

    return homes[rt_random(t) % (sizeof(homes) / sizeof(homes[0]))];
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct world *w = *(struct world **)state;
    struct registry_setup setup = {
        .context = w->context,
        .roster = w->story->is_unchecked ? w->unchecked : w->roster};

    setup.processes = w->processes = fake_spawn(t, HUB_LOOP_PROCESSES, w);
    w->registry = registry_spawn(t, &setup);
    if (w->story->has_notifier)
        notifier_spawn(t, &(struct notifier_setup){.context = w->context,
                                                   .registry = w->registry,
                                                   .processes = w->processes,
                                                   .poster = "/bin/true"});
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct world *w = *(struct world **)state;
    struct client *c;

    switch (m->kind) {
    case WORLD_OPEN:
        c = RT_OBJ(m, struct client);
        c->seat = client_open_actor(t, home_of(t), c);
        break;
    case WORLD_CLOSE:
        c = RT_OBJ(m, struct client);
        rt_stop(t, c->seat);
        break;
    case WORLD_ROLES:
        rt_pass(t, w->registry, HEALTH_ROSTER,
                *(bool *)rt_body(m) ? &w->roster->obj : &w->unchecked->obj);
        break;
    case WORLD_HEAR:
        hearer_open(t, home_of(t), RT_OBJ(m, struct hearer));
        break;
    case WORLD_TELL_HEARER:
        hearer_pass(t, rt_body(m));
        break;
    case REGISTRY_CENSUS:
        atomic_store_relaxed(&w->census,
                             RT_OBJ(m, struct registry_census)->not_gone);
        break;
    case RT_EXIT:
        if (rt_same(m->from, w->registry) || rt_same(m->from, w->processes))
            os_panic("the registry or the processes have ended");
        break;
    default:
        os_panic("the root is sent %x", m->kind);
    }
    return RT_OK;
}

static const struct rt_behaviour root = {.name = "root",
                                         .size = sizeof(struct world *),
                                         .start = start,
                                         .handle = handle};

/* ---- people ------------------------------------------------------------ */

uint64_t world_adopt(struct world *w, struct client *c)
{
    uint64_t number;

    lock_take(&w->lock);
    c->next = w->clients;
    w->clients = c;
    number = ++w->client_count;
    lock_give(&w->lock);
    return number;
}

struct client *world_client(struct world *w)
{
    struct client *c = client_create(w, "");

    rt_tell_any(w->rt, rt_root_any(w->rt), WORLD_OPEN, &c, sizeof(c));
    return c;
}

void world_close_client(struct world *w, struct client *c)
{
    rt_tell_any(w->rt, rt_root_any(w->rt), WORLD_CLOSE, &c, sizeof(c));
}

void world_tell_roles(struct world *w, bool have_passed)
{
    rt_tell_any(w->rt, rt_root_any(w->rt), WORLD_ROLES, &have_passed,
                sizeof(have_passed));
}

void world_thread(struct world *w, void (*run)(void *), void *arg)
{
    struct thread *thread = bytes_zalloc(sizeof(*thread));

    thread->thread = os_thread_start("story", run, arg);
    lock_take(&w->lock);
    thread->next = w->threads;
    w->threads = thread;
    lock_give(&w->lock);
}

/* Those that run may start others. */
void world_join(struct world *w)
{
    struct thread *thread;

    for (;;) {
        lock_take(&w->lock);
        thread = w->threads;
        if (thread != NULL)
            w->threads = thread->next;
        lock_give(&w->lock);
        if (thread == NULL)
            return;
        os_thread_join(thread->thread);
        free(thread);
    }
}

/* A client that has no actor yet will not get one any more. */
static void hang_up_all(struct world *w)
{
    struct client *c;

    lock_take(&w->lock);
    c = w->clients;
    lock_give(&w->lock);
    for (; c != NULL; c = c->next)
        client_hang_up(c);
}

/* ---- one run ----------------------------------------------------------- */

static void tell(struct world *w)
{
    struct client *c = world_client(w);
    uint64_t base = settle_base(w, c);

    w->story->tell(w, c);
    if (!w->story->ends_early) {
        world_join(w);
        settle(w, c, base);
    }
}

static void finish(struct world *w)
{
    while (w->clients != NULL) {
        struct client *next = w->clients->next;

        client_destroy(w->clients);
        w->clients = next;
    }
    books_finish(&w->books);
}

static void run(struct world *w, const struct tools *tools, uint64_t seed)
{
    const struct config_agent *agent = &world_config(w)->agent;
    unsigned max[BOOKS_KINDS] = {(unsigned)agent->max_concurrent,
                                 (unsigned)agent->max_orchestrators};
    struct rt_config config = {.workers = 1 + (unsigned)(seed % 3),
                               .loops = HUB_LOOPS};
    uint64_t leaks;

    if (w->plant == PLANTED_FEW_PLACES)
        max[BOOKS_AGENTS]--;
    w->seed = seed;
    w->clients = NULL;
    w->client_count = 0;
    w->census = 0;
    books_init(&w->books, tools, max);
    os_sim_begin(seed);
    w->rt = rt_start(&config, &root, &w);
    tell(w);
    rt_stop_any(w->rt);
    hang_up_all(w);
    world_join(w);
    leaks = rt_join(w->rt);
    world_join(w);
    if (leaks != 0)
        os_panic("%" PRIu64 " messages, actors or states leaked", leaks);
    os_sim_end();
    finish(w);
}

/* ---- all of them ------------------------------------------------------- */

static struct settings *settings_of(const struct story *story)
{
    struct config_error e;
    struct config *config;

    if (config_parse(story->name, story->settings, strlen(story->settings),
                     NULL, &config, &e) != 0)
        os_panic("%s", e.text);
    return settings_create_take(config);
}

/* All roles are alike. */
static struct roster *roster_of(struct settings *settings,
                                enum roster_check check)
{
    const struct config *config = settings->config;
    struct roster_role *roles =
        bytes_zalloc(config->role_count * sizeof(*roles));
    struct roster from = {
        .settings = settings, .roles = roles, .role_count = config->role_count};
    struct roster *r;

    for (size_t i = 0; i < config->role_count; i++)
        roles[i] = (struct roster_role){
            .role = &config->roles[i],
            .backend = backend_find(config->roles[i].backend),
            .program = "/bin/true",
            .model = ROSTER_MODEL_VALID,
            .model_message = "",
            .check = check,
            .reason = "",
            .warning = ""};
    r = roster_create(&from);
    free(roles);
    return r;
}

static struct hub_context *house_of(void)
{
    static const char *const env[] = {"PATH=/usr/bin:/bin", "HOME=/", NULL};
    struct caller *self = caller_create("", "/", env);
    struct hub_context *h =
        hub_context_create(&(struct hub_context){.state_dir = "/story",
                                                 .socket = "/story/hub.sock",
                                                 .warden = "/bin/true",
                                                 .relay = "/bin/true",
                                                 .build = "story",
                                                 .self = self});

    rt_obj_drop(&self->obj);
    return h;
}

void world_tell(const struct story *story, enum plant plant, uint64_t first,
                uint64_t count, uint64_t *at)
{
    struct tools *tools = tools_create(TOOLS_JAPANESE);
    struct settings *settings = settings_of(story);
    struct world w = {.story = story,
                      .plant = plant,
                      .context = house_of(),
                      .roster = roster_of(settings, ROSTER_PASSED),
                      .unchecked = roster_of(settings, ROSTER_PENDING)};

    for (*at = first; *at < first + count; ++*at)
        run(&w, tools, *at);
    rt_obj_drop(&w.context->obj);
    rt_obj_drop(&w.roster->obj);
    rt_obj_drop(&w.unchecked->obj);
    rt_obj_drop(&settings->obj);
    tools_destroy(tools);
}
