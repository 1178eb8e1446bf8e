/* SPDX-License-Identifier: MIT */
/*
 * kuromajutsu-hub: reads the configuration, takes the lock, builds the hub
 * context and runs the hub in it. What is wrong before that is said on stderr
 * in plain words; from then on there is the log.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/env.h"
#include "config/identity.h"
#include "config/messages.h"
#include "config/reason.h"
#include "config/token.h"
#include "runtime/process/process.h"
#include "runtime/text/path.h"
#include "transport/hub/fetch.h"
#include "transport/hub/hub.h"
#include "transport/hub/hub_database.h"
#include "transport/hub/post.h"
#include "transport/hub/reading.h"
#include "transport/web/recording_page.h"
#include "transport/wire/build.h"
#include "transport/wire/home.h"
#include "transport/wire/memory.h"

#define LOG_MAX ((uint64_t)16 << 20)

struct program {
    struct options options;
    struct settings *settings;
    char *token; /* of the dashboard */
    char *state_dir;
    struct hub_lock lock;
    struct hub_database database;
    struct log log;
    struct hub_context *context;
    struct tools *tools;
};

static bool is_english(const struct program *p)
{
    return (p->settings != NULL ? p->settings->config->language
                                : language_of(environ)) == CONFIG_EN;
}

static int say(const struct program *p, const char *where, int error)
{
    fprintf(stderr, "kuromajutsu-hub: %s: %s\n", where,
            reason_of(error, is_english(p)).text);
    return 1;
}

static char *path_in(const char *dir, const char *name)
{
    char *path;

    if (asprintf(&path, "%s/%s", dir, name) < 0)
        abort();
    return path;
}

/* ---- steps: 0, or what to leave with ----------------------------------- */

static int refuse_config(const struct config_error *e)
{
    fprintf(stderr, "kuromajutsu-hub: %s\n",
            config_error_in(e, config_error_is_english(e, environ)));
    return 2;
}

static int load(struct program *p)
{
    struct config *config;
    struct config_error e;

    if (p->options.project)
        home_name_project(p->options.project);
    home_name_database(p->options.database);
    if (!p->options.config)
        home_enter_project();
    if (config_load(p->options.config, environ, &config, &e) != 0) {
        return refuse_config(&e);
    }
    p->settings = settings_create_take(config);
    if (token_load(config, &p->token, &e) != 0 ||
        identity_state_dir(identity_of(config), environ, &p->state_dir, &e) !=
            0) {
        return refuse_config(&e);
    }
    return 0;
}

/* It may be older than our idea of who may look inside. */
static int make_dirs(const struct program *p)
{
    const struct home home = {.state_dir = p->state_dir,
                              .language = p->settings->config->language};
    char *agents = path_in(p->state_dir, "agents");
    int error = home_make(&home);

    if (error == 0 && chmod(p->state_dir, 0700) != 0)
        error = -errno;
    if (error == 0 && mkdir(agents, 0700) != 0 && errno != EEXIST)
        error = -errno;
    free(agents);
    if (error != 0)
        fprintf(stderr, "kuromajutsu-hub: %s: %s\n", p->state_dir,
                home_why(&home, error).text);
    return error == 0 ? 0 : 1;
}

/* -1: another hub serves, which is as good for the client that wanted one; but
 * no client can stand alone beside it. */
static int take_lock(struct program *p)
{
    char *path = path_in(p->state_dir, "hub.lock");
    bool is_alone = p->options.mode == OPTIONS_STANDALONE;
    pid_t holder;
    int error = hub_lock_take(&p->lock, path, &holder);

    free(path);
    if (error == 0)
        return 0;
    if (error != -EWOULDBLOCK)
        return say(p, p->state_dir, error);
    fprintf(stderr, MESSAGE(is_english(p), HUB_ALREADY_SERVES), (int)holder,
            identity_of(p->settings->config),
            is_alone ? MESSAGE(is_english(p), HUB_ALONE_NEEDS_IT_GONE) : "");
    return is_alone ? 1 : -1;
}

/* What is wrong with it is wrong with the command line. */
static int take_database(struct program *p)
{
    const char *path = p->settings->config->database;

    return path == NULL || hub_database_take(&p->database, path, p->state_dir,
                                             is_english(p))
               ? 0
               : 2;
}

static int open_log(struct program *p)
{
    const struct config *config = p->settings->config;
    char *path = path_in(p->state_dir, "hub.log");
    int error = 0;

    if (p->options.mode == OPTIONS_BACKGROUND)
        error = log_open_file(&p->log, config, path, LOG_MAX);
    else
        log_open(&p->log, config, STDERR_FILENO);
    free(path);
    return error == 0 ? 0 : say(p, p->state_dir, error);
}

static void load_signing_key(const struct program *p,
                             struct signing_key *signing_key)
{
    char *path = path_in(p->state_dir, "hub.key");
    int error = signing_key_load(signing_key, path);

    if (error != 0)
        LOG_WARN(&p->log, "hub.key", LOG_SIGNING_KEY_NOT_KEPT, path,
                 reason_of(error, p->log.is_english).text);
    free(path);
}

static int build_context(struct program *p)
{
    char warden[PATH_MAX], relay[PATH_MAX], cwd[PATH_MAX];
    char *socket = path_in(p->state_dir, "hub.sock");
    int error = path_beside(warden, "kuromajutsu-warden");
    struct caller *self;
    struct signing_key signing_key;

    if (error == 0)
        error = path_beside(relay, "kuromajutsu");
    if (error == 0 && getcwd(cwd, sizeof(cwd)) == NULL)
        strcpy(cwd, "/");
    if (error == 0 && access(warden, X_OK) != 0)
        error = -errno;
    if (error == 0) {
        self = caller_create("", cwd, (const char *const *)environ);
        env_wipe(environ, "KUROMAJUTSU_TOKEN"); /* agents can read ours */
        load_signing_key(p, &signing_key);
        p->context = hub_context_create(&(struct hub_context){
            .state_dir = p->state_dir,
            .socket = socket,
            .warden = warden,
            .relay = relay,
            .build = build_id(),
            .self = self,
            .is_language_auto = p->settings->config->is_language_auto,
            .signing_key = signing_key});
        signing_key_finish(&signing_key);
        rt_obj_drop(&self->obj);
    } else {
        say(p, warden, error);
    }
    free(socket);
    return error == 0 ? 0 : 1;
}

/* Blocked in every thread, read from a descriptor. A terminal that goes takes
 * a hub in the foreground along, one in the background has none. */
static int open_signals(const struct program *p)
{
    sigset_t set;

    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    if (p->options.mode == OPTIONS_BACKGROUND)
        signal(SIGHUP, SIG_IGN);
    else
        sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* ---- the program ------------------------------------------------------- */

static int run(struct program *p)
{
    const struct config *config = p->settings->config;
    int exit_code = 0, signals = open_signals(p);
    uint64_t leaks, files;

    if (signals < 0)
        return say(p, "signalfd", -errno);
    process_raise_limits(&files);
    process_reserve_files((unsigned)config->agent.max_concurrent);
    for (size_t i = 0; i < config->warning_count; i++)
        log_say(&p->log, CONFIG_LOG_WARN, "config.warning", "%s",
                config->warnings[i]);
    p->tools = tools_choose(config->language == CONFIG_EN ? TOOLS_ENGLISH
                                                          : TOOLS_JAPANESE,
                            (unsigned)config->toolsets, SLICE_EMPTY);
    leaks = hub_run(&(struct hub_setup){.mode = p->options.mode,
                                        .stays = p->options.stays,
                                        .context = p->context,
                                        .settings = p->settings,
                                        .tools = p->tools,
                                        .log = &p->log,
                                        .lock = &p->lock,
                                        .version = build_id(),
                                        .token = p->token,
                                        .signals = signals,
                                        .files = files,
                                        .exit_code = &exit_code});
    if (leaks != 0)
        LOG_ERROR(&p->log, "hub.leaks", LOG_NEVER_FREED,
                  (unsigned long long)leaks);
    LOG_INFO(&p->log, "hub.left", LOG_HUB_HAS_LEFT, exit_code);
    close(signals);
    return exit_code;
}

/* Without a configuration: a wrong one hides nothing of the past. */
static int read_past(const struct options *o)
{
    return reading_run(o->state_dir, o->database, STDIN_FILENO,
                       language_of(environ) == CONFIG_EN);
}

static void finish(struct program *p)
{
    tools_destroy(p->tools);
    if (p->context != NULL)
        rt_obj_drop(&p->context->obj);
    log_close(&p->log);
    hub_database_close(&p->database);
    hub_lock_close(&p->lock);
    free(p->state_dir);
    free(p->token);
    if (p->settings != NULL)
        rt_obj_drop(&p->settings->obj);
}

int main(int argc, char **argv)
{
    struct program p = {.lock = {.fd = -1}, .database = {.fd = -1}};
    int verdict = options_read(&p.options, argc, argv);

    memory_init();
    if (verdict != 0)
        return verdict == 1 ? 0 : verdict;
    if (p.options.mode == OPTIONS_READ)
        return read_past(&p.options);
    if (p.options.mode == OPTIONS_RECORDING_PAGE)
        return recording_page_write(STDOUT_FILENO) == 0 ? 0 : 1;
    if (p.options.mode == OPTIONS_POST)
        return post_main();
    if (p.options.mode == OPTIONS_FETCH)
        return fetch_main();
    if (p.options.mode == OPTIONS_BACKGROUND)
        setsid();
    verdict = load(&p);
    if (verdict == 0)
        verdict = make_dirs(&p);
    if (verdict == 0)
        verdict = take_lock(&p);
    if (verdict == 0)
        verdict = take_database(&p);
    if (verdict == 0)
        verdict = open_log(&p);
    if (verdict == 0)
        verdict = build_context(&p);
    if (verdict == 0)
        verdict = run(&p);
    finish(&p);
    return verdict < 0 ? 0 : verdict;
}
