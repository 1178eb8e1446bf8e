/* SPDX-License-Identifier: MIT */
/*
 * The hub's children: sessions, processes, registry, store, health, web, and
 * stdio when it stands alone. None of them may end before the hub wants it:
 * what is left could not serve, and a client that needs a hub will start a new
 * one.
 */
#include "transport/hub/hub.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "actors/health/config_writer.h"
#include "actors/health/health.h"
#include "actors/mail/mail.h"
#include "actors/phases/phases.h"
#include "actors/projects/projects.h"
#include "actors/registry/registry.h"
#include "actors/store/cleaner.h"
#include "actors/store/store.h"
#include "config/reason.h"
#include "runtime/process/process.h"
#include "runtime/text/bytes.h"
#include "runtime/text/path.h"
#include "transport/hub/hub_inside.h"
#include "transport/hub/narrator.h"
#include "transport/session/standalone.h"
#include "transport/wire/prompt.h"

/* What started it may need this long to come, whatever the configuration. */
#define FIRST_LINGER_MS 5000

/* ---- beginning --------------------------------------------------------- */

/* Nothing is known of any role yet. */
static struct roster *first_roster(struct settings *settings)
{
    const struct config *c = settings->config;
    struct roster_role *roles = bytes_zalloc(c->role_count * sizeof(*roles));
    struct roster *roster;

    for (size_t i = 0; i < c->role_count; i++)
        roles[i] =
            (struct roster_role){.role = &c->roles[i],
                                 .backend = backend_find(c->roles[i].backend),
                                 .program = "",
                                 .model = ROSTER_MODEL_PENDING,
                                 .model_message = "",
                                 .check = ROSTER_PENDING,
                                 .reason = "",
                                 .warning = ""};
    roster = roster_create(&(struct roster){
        .settings = settings, .roles = roles, .role_count = c->role_count});
    free(roles);
    return roster;
}

static void spawn_processes(struct rt_turn *t, struct hub *h)
{
    const struct hub_context *context = h->setup->context;

    h->processes = processes_spawn(
        t, HUB_LOOP_PROCESSES,
        &(struct process_config){
            .socket = context->socket,
            .warden = context->warden,
            .build = context->build,
            .lease_ms = (uint64_t)h->setup->settings->config->hub.lease_ms,
            .spawn_home = HUB_LOOP_SPAWN,
            .files = h->setup->files,
            .others = h->sessions,
            .told = rt_self(t)});
}

static void spawn_registry(struct rt_turn *t, struct hub *h)
{
    struct roster *roster = first_roster(h->setup->settings);

    h->registry =
        registry_spawn(t, &(struct registry_setup){.context = h->setup->context,
                                                   .roster = roster,
                                                   .processes = h->processes,
                                                   .cleaner = h->cleaner,
                                                   .has_store = true});
    rt_obj_drop(&roster->obj);
}

static void spawn_store(struct rt_turn *t, struct hub *h)
{
    const struct config *c = h->setup->settings->config;
    char path[4096];

    if (c->database != NULL)
        snprintf(path, sizeof(path), "%s", c->database);
    else
        snprintf(path, sizeof(path), "%s/" STORE_FILE,
                 h->setup->context->state_dir);
    h->store = store_spawn(
        t, &(struct store_setup){.registry = h->registry,
                                 .path = path,
                                 .is_relaxed = c->store.is_relaxed,
                                 .keep_days = c->history.keep_days,
                                 .transcripts = c->history.transcripts,
                                 .transcript_days = c->history.transcript_days,
                                 .keep_bytes = c->history.keep_bytes,
                                 .samples_bytes = c->history.samples_bytes});
}

/* Both ask others over the net, by processes of this program. */
static void spawn_askers(struct rt_turn *t, struct hub *h)
{
    char poster[PATH_MAX];

    if (path_beside(poster, "kuromajutsu-hub") != 0)
        poster[0] = 0;
    h->phases =
        phases_spawn(t, &(struct phases_setup){.context = h->setup->context,
                                               .registry = h->registry,
                                               .processes = h->processes,
                                               .mail = h->mail,
                                               .fetcher = poster});
    h->notifier =
        notifier_spawn(t, &(struct notifier_setup){.context = h->setup->context,
                                                   .registry = h->registry,
                                                   .processes = h->processes,
                                                   .poster = poster});
}

static void spawn_standalone(struct rt_turn *t, struct hub *h)
{
    h->standalone = standalone_spawn(
        t, &(struct standalone_setup){.context = h->setup->context,
                                      .tools = h->setup->tools,
                                      .log = h->setup->log,
                                      .version = h->setup->version,
                                      .registry = h->registry,
                                      .in = STDIN_FILENO,
                                      .out = STDOUT_FILENO});
}

static void spawn_web(struct rt_turn *t, struct hub *h)
{
    h->web = web_spawn(t, &(struct web_setup){.context = h->setup->context,
                                              .settings = h->setup->settings,
                                              .tools = h->setup->tools,
                                              .log = h->setup->log,
                                              .token = h->setup->token,
                                              .version = h->setup->version,
                                              .registry = h->registry});
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct hub *h = state;
    const struct hub_setup *s = h->setup;
    struct sessions_open open;

    h->settings = RT_KEEP(s->settings);
    prompt_thread(); /* the front's, who answers clients */
    h->sessions = sessions_spawn(
        t, &(struct sessions_setup){
               .context = s->context, .tools = s->tools, .log = s->log});
    spawn_processes(t, h);
    h->cleaner = cleaner_spawn(t, s->context);
    spawn_registry(t, h);
    h->mail = mail_spawn(t, h->registry, s->settings->config->mail.keep_days);
    h->projects =
        projects_spawn(t, &(struct projects_setup){.context = s->context,
                                                   .registry = h->registry,
                                                   .mail = h->mail});
    h->narrator = narrator_spawn(t, s->log, h->registry);
    spawn_askers(t, h);
    spawn_store(t, h);
    h->health =
        health_spawn(t, &(struct health_setup){.context = s->context,
                                               .settings = s->settings,
                                               .processes = h->processes,
                                               .registry = h->registry,
                                               .store = h->store});
    h->config_writer = config_writer_spawn(
        t, &(struct config_writer_setup){.context = s->context,
                                         .settings = s->settings,
                                         .registry = h->registry,
                                         .health = h->health,
                                         .hub = rt_self(t)});
    /* Not before: what a client may order first, somebody must be there for. */
    open.registry = h->registry;
    rt_tell(t, h->sessions, SESSIONS_OPEN, &open, sizeof(open));
    spawn_web(t, h);
    if (s->mode == OPTIONS_STANDALONE)
        spawn_standalone(t, h);
    if (s->mode == OPTIONS_BACKGROUND && !s->stays)
        h->lingering = rt_after(t, FIRST_LINGER_MS, HUB_LINGER);
    rt_after(t, HUB_LOOK_MS, HUB_LOOK);
    LOG_INFO(s->log, "hub.serving", LOG_HUB_SERVES, s->context->build,
             s->context->socket);
    return rt_watch(t, s->signals, EPOLLIN) == 0 ? RT_OK : RT_FAIL;
}

/* ---- going on ---------------------------------------------------------- */

static void on_signal(struct rt_turn *t, struct hub *h)
{
    struct signalfd_siginfo info;

    if (read(h->setup->signals, &info, sizeof(info)) != sizeof(info))
        return;
    LOG_INFO(h->setup->log, "hub.signal", LOG_SIGNAL,
             strsignal((int)info.ssi_signo), info.ssi_pid);
    hub_leave(t, h, false);
}

static void on_look(struct rt_turn *t, struct hub *h)
{
    if (hub_lock_is_held(h->setup->lock)) {
        rt_after(t, HUB_LOOK_MS, HUB_LOOK);
        return;
    }
    LOG_WARN(h->setup->log, "hub.lock", LOG_LOCK_LOST, h->setup->lock->path);
    hub_leave(t, h, false);
}

static void tell_running(struct rt_turn *t, struct hub *h)
{
    struct session_welcome welcome = {.running = h->not_gone};

    h->knows_past = true;
    rt_tell(t, h->sessions, SESSIONS_RUNNING, &welcome, sizeof(welcome));
}

static void on_census(struct rt_turn *t, struct hub *h,
                      const struct registry_census *census)
{
    h->has_census = true;
    h->not_gone = census->not_gone;
    tell_running(t, h);
}

static void on_condition(struct rt_turn *t, struct hub *h,
                         const struct store_condition *c)
{
    /* From a file that cannot be read no agent is taken over. */
    if (!c->is_good && !h->knows_past)
        tell_running(t, h);
    hub_say_condition(h, c);
}

static const char *forget(struct hub *h, struct rt_ref who)
{
    struct rt_ref *const all[] = {
        &h->processes,     &h->registry,   &h->store,    &h->health,
        &h->sessions,      &h->standalone, &h->cleaner,  &h->web,
        &h->config_writer, &h->narrator,   &h->notifier, &h->mail,
        &h->phases,        &h->projects};
    static const char *const names[] = {
        "processes",  "registry", "store",  "health",        "sessions",
        "standalone", "cleaner",  "web",    "config writer", "narrator",
        "notifier",   "mail",     "phases", "projects"};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        if (!rt_same(*all[i], who))
            continue;
        *all[i] = RT_NOBODY;
        return names[i];
    }
    return "an actor";
}

static enum rt_next on_exit_of(struct rt_turn *t, struct hub *h,
                               struct rt_msg *m)
{
    int error = ((const struct rt_end *)rt_body(m))->error;
    bool was_standalone = rt_same(m->from, h->standalone);
    const char *name = forget(h, m->from);

    if (h->phase != HUB_SERVING)
        return RT_OK;
    if (was_standalone && error == 0) {
        LOG_INFO(h->setup->log, "hub.client", LOG_CLIENT_LEFT);
        hub_leave(t, h, false);
        return RT_OK;
    }
    LOG_ERROR(h->setup->log, "hub.broken", LOG_ACTOR_ENDED, name,
              reason_of(error, h->setup->log->is_english).text);
    *h->setup->exit_code = 1;
    return RT_STOP;
}

static void on_processes(struct rt_turn *t, const struct hub *h,
                         struct rt_msg *m)
{
    if (m->kind == PROCESS_MEMORY)
        hub_say_memory(h, rt_body(m));
    else if (m->kind == PROCESS_LEFT)
        hub_say_left(h, rt_body(m));
    else
        rt_stop(t, h->processes);
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct hub *h = state;
    enum rt_next next = RT_OK;

    switch (m->kind) {
    case RT_READY:
        on_signal(t, h);
        break;
    case SESSIONS_COUNT:
        h->users = *(const struct sessions_count *)rt_body(m);
        break;
    case SESSIONS_STOP:
        hub_leave(t, h,
                  ((const struct session_stop *)rt_body(m))->keeps_agents);
        break;
    case WEB_USERS:
        hub_on_web_users(t, h, rt_body(m));
        break;
    case REGISTRY_CENSUS:
        on_census(t, h, RT_OBJ(m, struct registry_census));
        break;
    case STORE_CONDITION:
        on_condition(t, h, rt_body(m));
        break;
    case CONFIG_WRITER_CHANGED:
    case CONFIG_WRITER_TROUBLE:
        hub_on_config(h, m);
        break;
    case HUB_LOOK:
        on_look(t, h);
        break;
    case HUB_LINGER:
        hub_on_linger(t, h, rt_body(m));
        break;
    case HUB_ENOUGH:
    case HUB_FAREWELL:
    case HUB_ORPHANS:
        return hub_leave_late(t, h, m->kind);
    case NOTIFIER_TROUBLE:
        hub_say_trouble(h, rt_body(m));
        break;
    case PROCESS_LEFT:
    case PROCESS_MEMORY:
    case PROCESS_NO_ORPHANS:
        on_processes(t, h, m);
        break;
    case RT_EXIT:
        next = on_exit_of(t, h, m);
        break;
    }
    hub_mind_lingering(t, h);
    return next == RT_OK ? hub_leave_on(t, h) : next;
}

static void stop(struct rt_turn *t, void *state)
{
    struct hub *h = state;

    rt_obj_drop(&h->settings->obj);
    rt_unwatch(t, h->setup->signals);
}

static const struct rt_behaviour hub_behaviour = {.name = "hub",
                                                  .size = sizeof(struct hub),
                                                  .start = start,
                                                  .handle = handle,
                                                  .stop = stop};

uint64_t hub_run(const struct hub_setup *setup)
{
    /* Only an actor on a loop may watch signals. */
    const struct rt_config config = {.loops = HUB_LOOPS,
                                     .home = HUB_LOOP_FRONT};
    struct hub h = {.setup = setup};

    return rt_join(rt_start(&config, &hub_behaviour, &h));
}
