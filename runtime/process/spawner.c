/* SPDX-License-Identifier: MIT */
#include "runtime/process/spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/list.h"
#include "runtime/os.h"
#include "runtime/process/env_tree.h"
#include "runtime/process/workdir.h"
#include "runtime/text/path.h"

/* Our own words before the CLI's, and the NULL behind them. */
#define WARDEN_WORDS 24
#define KILL_PAUSE_MS 20

enum { SPAWNER_KILL_AGAIN = 0x190 };

struct spawner {
    const struct process_config *config;
    /* Of those trees, those that were still alive. */
    LIST(struct kill_tree) kills;
    struct index trees; /* the same, by agent */
    bool is_killing;    /* a SPAWNER_KILL_AGAIN is under way */
};

struct kill_tree {
    LIST_LINK(struct kill_tree) link;
    struct env_tree tree;
    struct rt_ref asker;
    uint64_t ticket;
};

/* ---- starting a warden ----------------------------------------------------
 */

struct words {
    const char *argv[WARDEN_WORDS];
    size_t count;
    char number[WARDEN_WORDS / 2][24];
    size_t numbers;
};

static void add(struct words *w, const char *option, const char *value)
{
    w->argv[w->count++] = option;
    w->argv[w->count++] = value;
}

static void add_number(struct words *w, const char *option, uint64_t value)
{
    char *text = w->number[w->numbers++];

    snprintf(text, sizeof(w->number[0]), "%llu", (unsigned long long)value);
    add(w, option, text);
}

static void our_words(struct words *w, const struct process_config *config,
                      const struct process_spec *spec, const char *input)
{
    w->argv[w->count++] = config->warden;
    add(w, "--dir", spec->dir);
    add(w, "--socket", config->socket);
    add(w, "--id", spec->id);
    add(w, "--build", config->build);
    add_number(w, "--lease", config->lease_ms);
    add_number(w, "--grace", spec->grace_ms);
    if (spec->stdout_limit != 0)
        add_number(w, "--stdout-limit", spec->stdout_limit);
    if (spec->stderr_limit != 0)
        add_number(w, "--stderr-limit", spec->stderr_limit);
    if (spec->nice != 0)
        add_number(w, "--nice", spec->nice);
    if (config->files != 0)
        add_number(w, "--files", config->files);
    if (spec->cwd != NULL)
        add(w, "--cwd", spec->cwd);
    if (input != NULL)
        add(w, "--stdin", input);
    w->argv[w->count++] = "--";
}

/* The words of the CLI stay where they are; only the list is new. */
static const char **join(const struct words *w, const char *const *argv)
{
    size_t theirs = 0;
    const char **all;

    while (argv[theirs] != NULL)
        theirs++;
    all = os_alloc((w->count + theirs + 1) * sizeof(*all), 16);
    memcpy(all, w->argv, w->count * sizeof(*all));
    memcpy(all + w->count, argv, (theirs + 1) * sizeof(*all));
    return all;
}

/* The child begins with no signal blocked, none ignored, nothing open. */
static int spawn(const char **argv, const char *const *envp, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    int error;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&files, 3);
    error = posix_spawn(pid, argv[0], &files, &attributes,
                        (char *const *)(uintptr_t)argv,
                        (char *const *)(uintptr_t)envp);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return -error;
}

static int fail(struct spawner_started *answer, const char *stage, int error)
{
    snprintf(answer->stage, sizeof(answer->stage), "%s", stage);
    answer->error = -error;
    return error;
}

/* The transcript is there before the warden: the processes actor can watch it
 * at once. */
static int start(const struct process_config *config,
                 const struct process_spec *spec,
                 struct spawner_started *answer)
{
    char out[PATH_MAX], input[PATH_MAX];
    struct words words = {0};
    const char **argv;
    const char *stage;
    int error = workdir_folder(spec->dir);

    if (error != 0)
        return fail(answer, "dir", error);
    path_join(out, spec->dir, "stdout.ndjson");
    path_join(input, spec->dir, "stdin");
    answer->out = open(out, O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
    if (answer->out < 0)
        return fail(answer, "stdout", -errno);
    if (spec->input != NULL)
        error = workdir_write(input, spec->input, spec->input_len);
    if (error != 0)
        return fail(answer, "stdin", error);
    error = workdir_make(spec, &stage);
    if (error != 0)
        return fail(answer, stage, error);
    our_words(&words, config, spec, spec->input != NULL ? input : NULL);
    argv = join(&words, spec->argv);
    error = spawn(argv, spec->envp, &answer->pid);
    free(argv);
    return error == 0 ? 0 : fail(answer, "spawn", error);
}

static void free_answer(struct rt_obj *o)
{
    struct spawner_started *answer = (struct spawner_started *)o;

    if (answer->out >= 0)
        close(answer->out);
    free(answer);
}

static void on_start(struct rt_turn *t, struct spawner *s, struct rt_msg *m)
{
    const struct spawner_start *order = rt_body(m);
    struct spawner_started *answer = os_alloc(sizeof(*answer), 16);

    *answer = (struct spawner_started){.ticket = order->ticket, .out = -1};
    rt_obj_init(&answer->obj, free_answer);
    start(s->config, order->spec, answer);
    rt_pass_take(t, m->from, SPAWNER_STARTED, &answer->obj);
}

/* ---- killing what a dead warden left ---------------------------------- */

/* By way of our own inbox: when many wardens die at once, one look is for all
 * of their trees. */
static void on_kill(struct rt_turn *t, struct spawner *s, struct rt_msg *m)
{
    const struct spawner_kill *order = rt_body(m);
    struct kill_tree *kill_tree = os_alloc(sizeof(*kill_tree), 16);

    kill_tree->asker = m->from;
    kill_tree->ticket = order->ticket;
    memcpy(kill_tree->tree.agent, order->id, sizeof(order->id));
    LIST_PREPEND(&s->kills, kill_tree, link);
    env_tree_add(&s->trees, &kill_tree->tree);
    if (!s->is_killing)
        rt_tell(t, rt_self(t), SPAWNER_KILL_AGAIN, NULL, 0);
    s->is_killing = true;
}

/* What was killed may have been forking: only an empty look is the end. */
static void on_kill_again(struct rt_turn *t, struct spawner *s)
{
    LIST_EACH (kill_tree, &s->kills, link)
        kill_tree->tree.found = 0;
    env_tree_kill(&s->trees, s->config->socket);
    LIST_EACH (dead, &s->kills, link) {
        struct spawner_killed answer = {.ticket = dead->ticket};

        if (dead->tree.found > 0)
            continue;
        rt_tell(t, dead->asker, SPAWNER_KILLED, &answer, sizeof(answer));
        index_remove(&s->trees, &dead->tree.by_agent);
        LIST_REMOVE(&s->kills, dead, link);
        free(dead);
    }
    s->is_killing = s->kills.first != NULL;
    if (s->is_killing)
        rt_after(t, KILL_PAUSE_MS, SPAWNER_KILL_AGAIN);
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct spawner *s = state;

    if (m->kind == SPAWNER_START)
        on_start(t, s, m);
    else if (m->kind == SPAWNER_KILL)
        on_kill(t, s, m);
    else if (m->kind == SPAWNER_KILL_AGAIN)
        on_kill_again(t, s);
    else if (m->kind == SPAWNER_CLEAR)
        workdir_clear(RT_OBJ(m, struct process_spec));
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct spawner *s = state;

    (void)t;
    LIST_EACH (kill_tree, &s->kills, link)
        free(kill_tree);
    index_finish(&s->trees);
}

static const struct rt_behaviour behaviour = {.name = "spawner",
                                              .size = sizeof(struct spawner),
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref spawner_start(struct rt_turn *t, unsigned home,
                            const struct process_config *config)
{
    return rt_spawn_at(t, home, &behaviour,
                       &(struct spawner){.config = config});
}
