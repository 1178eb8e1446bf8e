/* SPDX-License-Identifier: MIT */
#include "runtime/process/spawner.h"

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
#include "runtime/text/folder.h"
#include "runtime/text/path.h"

/* Our own words before the CLI's, and the NULL behind them. */
#define WARDEN_WORDS 34
#define KILL_PAUSE_MS 20
#define KILL_LONGEST_PAUSE_MS 4000
#define MS UINT64_C(1000000)

enum { SPAWNER_KILL_AGAIN = 0x190, SPAWNER_CLEAR_MORE };

struct spawner {
    const struct process_config *config;
    /* Of those trees, those that were still alive. */
    LIST(struct kill_tree) kills;
    uint64_t timer; /* of the next look, or 0 */
    LIST(struct clearing) clearings;
    bool has_judged; /* whether memory can be limited; at the first need */
    bool has_base;   /* it can */
    char base[PATH_MAX];
};

struct kill_tree {
    LIST_LINK(struct kill_tree) link;
    struct env_tree tree;
    struct rt_ref asker;
    uint64_t ticket;
    uint64_t due, give_up; /* the next look, the last one: monotonic ns */
    uint64_t pause_ms;     /* between the last look and the next */
    uint64_t faces;        /* of those that were there */
};

struct clearing {
    LIST_LINK(struct clearing) link;
    struct process_spec *spec; /* kept */
};

/* ---- starting a warden --------------------------------------------------- */

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
                      const struct process_spec *spec, const char *input,
                      const char *cgroup)
{
    w->argv[w->count++] = config->warden;
    add(w, "--dir", spec->dir);
    add(w, "--socket", config->socket);
    add(w, "--id", spec->id);
    add(w, "--build", config->build);
    add_number(w, "--lease", process_lease(config, spec));
    add_number(w, "--grace", spec->grace_ms);
    add_number(w, "--give-up", config->give_up_ms);
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
    if (cgroup != NULL) {
        add(w, "--cgroup", cgroup);
        add_number(w, "--memory-max", spec->memory_max);
    }
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
static int fill(int dir, const struct process_spec *spec,
                struct spawner_started *answer)
{
    const char *stage;
    int error = 0, out = folder_file(dir, "stdout.ndjson", O_RDONLY | O_CREAT);

    if (out < 0)
        return fail(answer, "stdout", out);
    answer->out = out;
    if (spec->input != NULL)
        error = workdir_write(dir, "stdin", spec->input, spec->input_len);
    if (error != 0)
        return fail(answer, "stdin", error);
    error = workdir_make(dir, spec, &stage);
    return error == 0 ? 0 : fail(answer, stage, error);
}

/* Whether its tree can be held to its limit; what is in the way was told. */
static bool is_limited(struct rt_turn *t, struct spawner *s,
                       const struct process_spec *spec)
{
    struct process_memory memory;

    if (spec->memory_max == 0)
        return false;
    if (!s->has_judged) {
        memory.verdict = cgroup_take("/proc", s->base);
        s->has_judged = true;
        s->has_base = memory.verdict == CGROUP_FIT;
        if (s->has_base)
            cgroup_sweep(s->base);
        rt_tell(t, s->config->told, PROCESS_MEMORY, &memory, sizeof(memory));
    }
    return s->has_base;
}

static void start(struct rt_turn *t, struct spawner *s,
                  const struct process_spec *spec,
                  struct spawner_started *answer)
{
    char input[PATH_MAX], cgroup[PATH_MAX];
    bool has_cgroup =
        is_limited(t, s, spec) && cgroup_of(s->base, spec->id, cgroup);
    struct words words = {0};
    const char **argv;
    int dir = workdir_open(spec->dir), error;

    if (dir < 0) {
        fail(answer, "dir", dir);
        return;
    }
    error = fill(dir, spec, answer);
    close(dir);
    if (error != 0)
        return;
    path_join(input, spec->dir, "stdin");
    our_words(&words, s->config, spec, spec->input != NULL ? input : NULL,
              has_cgroup ? cgroup : NULL);
    argv = join(&words, spec->argv);
    error = spawn(argv, spec->envp, &answer->pid);
    free(argv);
    if (error != 0)
        fail(answer, "spawn", error);
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
    start(t, s, order->spec, answer);
    rt_pass_take(t, m->from, SPAWNER_STARTED, &answer->obj);
}

/* ---- killing what a dead warden left ---------------------------------- */

/* One of an earlier hub's too, if we are where that was. */
static void forget_cgroup(struct spawner *s, const char *agent)
{
    char base[PATH_MAX];

    if (s->has_base)
        cgroup_remove(s->base, agent);
    else if (cgroup_judge("/proc", getpid(), base) == CGROUP_FIT)
        cgroup_remove(base, agent);
}

/*
 * What was killed may have been forking: only an empty look is the end. New
 * faces mean that something still forks, and it is met again soon; the same
 * ones that the kernel is not done with them, or cannot be, and looking oftener
 * would not help.
 */
static void after_look(struct rt_turn *t, struct spawner *s,
                       struct kill_tree *k)
{
    struct spawner_killed answer = {.ticket = k->ticket, .left = k->tree.found};
    uint64_t pause = k->pause_ms * 2;

    if (k->tree.found > 0 && rt_now(t) < k->give_up) {
        if (k->tree.faces != k->faces)
            pause = KILL_PAUSE_MS;
        k->pause_ms =
            pause < KILL_LONGEST_PAUSE_MS ? pause : KILL_LONGEST_PAUSE_MS;
        k->faces = k->tree.faces;
        k->due = rt_now(t) + k->pause_ms * MS;
        return;
    }
    forget_cgroup(s, k->tree.agent);
    rt_tell(t, k->asker, SPAWNER_KILLED, &answer, sizeof(answer));
    LIST_REMOVE(&s->kills, k, link);
    free(k);
}

static void arm(struct rt_turn *t, struct spawner *s)
{
    uint64_t now = rt_now(t), due = UINT64_MAX;

    if (s->timer != 0)
        rt_cancel(t, s->timer);
    s->timer = 0;
    LIST_EACH (k, &s->kills, link)
        if (k->due < due)
            due = k->due;
    if (due != UINT64_MAX)
        s->timer = rt_after(t, due > now ? (due - now) / MS + 1 : 0,
                            SPAWNER_KILL_AGAIN);
}

/* All that are due in one look: when a hub's wardens died they all did. */
static void on_kill_again(struct rt_turn *t, struct spawner *s)
{
    uint64_t now = rt_now(t);
    struct index trees = {0};

    LIST_EACH (k, &s->kills, link)
        if (k->due <= now)
            env_tree_add(&trees, &k->tree);
    if (index_any(&trees) != NULL)
        env_tree_kill(&trees, s->config->socket);
    LIST_EACH (k, &s->kills, link)
        if (k->due <= now)
            after_look(t, s, k);
    index_finish(&trees);
    arm(t, s);
}

static void on_kill(struct rt_turn *t, struct spawner *s, struct rt_msg *m)
{
    const struct spawner_kill *order = rt_body(m);
    struct kill_tree *k = os_alloc(sizeof(*k), 16);
    uint64_t now = rt_now(t);

    *k = (struct kill_tree){.asker = m->from,
                            .ticket = order->ticket,
                            .due = now,
                            .give_up = now + s->config->give_up_ms * MS};
    memcpy(k->tree.agent, order->id, sizeof(order->id));
    LIST_PREPEND(&s->kills, k, link);
    arm(t, s);
}

/* ---- clearing up --------------------------------------------------------- */

/* A portion at a time, for an agent may have left a million files there, and
 * others are to be started. */
static void on_clear_more(struct rt_turn *t, struct spawner *s)
{
    struct clearing *c = s->clearings.first;

    if (c != NULL && !workdir_clear(c->spec)) {
        LIST_REMOVE(&s->clearings, c, link);
        rt_obj_drop(&c->spec->obj);
        free(c);
    }
    if (s->clearings.first != NULL)
        rt_tell(t, rt_self(t), SPAWNER_CLEAR_MORE, NULL, 0);
}

static void on_clear(struct rt_turn *t, struct spawner *s,
                     struct process_spec *spec)
{
    struct clearing *c = os_alloc(sizeof(*c), 16);

    *c = (struct clearing){.spec = RT_KEEP(spec)};
    if (s->clearings.first == NULL)
        rt_tell(t, rt_self(t), SPAWNER_CLEAR_MORE, NULL, 0);
    LIST_APPEND(&s->clearings, c, link);
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
        on_clear(t, s, RT_OBJ(m, struct process_spec));
    else if (m->kind == SPAWNER_CLEAR_MORE)
        on_clear_more(t, s);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct spawner *s = state;

    (void)t;
    LIST_EACH (k, &s->kills, link)
        free(k);
    LIST_EACH (c, &s->clearings, link) {
        workdir_clear(c->spec); /* which is all of it, as a rule */
        rt_obj_drop(&c->spec->obj);
        free(c);
    }
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
