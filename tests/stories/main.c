/* SPDX-License-Identifier: MIT */
/*
 * Tells stories on the simulated machine:
 *
 *   stories [--list] [--plant NAME] [--seeds N] [--first N] [--part I/N]
 *           [STORY...]
 *
 * Each story (by default all, or the I-th of N parts of them) runs once for
 * every seed, in a process of its own, so that one that fails does not keep
 * the others from being told. SEED=N tells one run, SIM_SEEDS=N so many, and
 * TAP_ONLY chooses cases by name. A failing seed is printed, and reruns
 * exactly. Of stories that were asked for by name the exit status says whether
 * all went well; of parts TAP says it, and a status would show as a crash.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/stories/stories.h"
#include "tests/unity/only.h"

#define SEEDS 1000
#define LONG_SEEDS 10000

static const struct story *const subjects[] = {
    flow_stories,     place_stories,    end_stories,
    wait_stories,     magentic_stories, hub_stories,
    conflict_stories, feed_stories,     storm_stories};
#define SUBJECTS (sizeof(subjects) / sizeof(subjects[0]))

static const char *const plants[PLANTED_KINDS] = {
    "nothing", "gone-twice", "gone-never", "few-places",
    "mute",    "echo",       "stale"};

struct run {
    const char *program;
    enum plant plant;
    uint64_t first, count;
    uint64_t *at; /* shared with the process that tells */
    unsigned part, parts;
    unsigned told, failed;
};

/* ---- one story --------------------------------------------------------- */

static void say_failed(const struct run *r, const struct story *s, int status)
{
    if (WIFSIGNALED(status))
        printf("# seed %" PRIu64 ": killed by signal %d\n", *r->at,
               WTERMSIG(status));
    printf("# again: SEED=%" PRIu64 " %s%s%s '%s'\n", *r->at, r->program,
           r->plant != PLANTED_NOTHING ? " --plant " : "",
           r->plant != PLANTED_NOTHING ? plants[r->plant] : "", s->name);
}

static void tell(struct run *r, const struct story *s)
{
    char name[128];
    int status = 0;
    pid_t pid;

    snprintf(name, sizeof(name), "%s: %" PRIu64 " seeds", s->name, r->count);
    if (!only_chosen(name))
        return;
    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        world_tell(s, r->plant, r->first, r->count, r->at);
        exit(0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        perror("stories");
        exit(1);
    }
    r->told++;
    r->failed += status != 0;
    if (status != 0)
        say_failed(r, s, status);
    printf("%s %u - %s\n", status == 0 ? "ok" : "not ok", r->told, name);
}

/* ---- which ------------------------------------------------------------- */

static const struct story *find(const char *name)
{
    for (unsigned i = 0; i < SUBJECTS; i++)
        for (const struct story *s = subjects[i]; s->name != NULL; s++)
            if (strcmp(s->name, name) == 0)
                return s;
    fprintf(stderr, "stories: there is no story '%s'\n", name);
    exit(2);
}

static void tell_part(struct run *r)
{
    unsigned number = 0;

    for (unsigned i = 0; i < SUBJECTS; i++)
        for (const struct story *s = subjects[i]; s->name != NULL; s++)
            if (number++ % r->parts + 1 == r->part)
                tell(r, s);
}

static void list_all(void)
{
    for (unsigned i = 0; i < SUBJECTS; i++)
        for (const struct story *s = subjects[i]; s->name != NULL; s++)
            puts(s->name);
}

static enum plant plant_of(const char *name)
{
    for (unsigned i = 0; i < PLANTED_KINDS; i++)
        if (strcmp(plants[i], name) == 0)
            return (enum plant)i;
    fprintf(stderr, "stories: there is no plant '%s'\n", name);
    exit(2);
}

static void ask_environment(struct run *r)
{
    const char *seed = getenv("SEED"), *seeds = getenv("SIM_SEEDS");

    if (getenv("KUROMAJUTSU_LONG") != NULL)
        r->count = LONG_SEEDS;
    if (seeds != NULL)
        r->count = strtoull(seeds, NULL, 10);
    if (seed != NULL) {
        r->first = strtoull(seed, NULL, 10);
        r->count = 1;
    }
}

static bool take_option(struct run *r, const char *name, const char *value)
{
    if (strcmp(name, "--plant") == 0)
        r->plant = plant_of(value);
    else if (strcmp(name, "--seeds") == 0)
        r->count = strtoull(value, NULL, 10);
    else if (strcmp(name, "--first") == 0)
        r->first = strtoull(value, NULL, 10);
    else
        return strcmp(name, "--part") == 0 &&
               sscanf(value, "%u/%u", &r->part, &r->parts) == 2 && r->parts > 0;
    return true;
}

int main(int argc, char **argv)
{
    struct run r = {
        .program = argv[0], .first = 1, .count = SEEDS, .part = 1, .parts = 1};
    bool is_named;
    int i = 1;

    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list_all();
        return 0;
    }
    r.at = mmap(NULL, sizeof(*r.at), PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r.at == MAP_FAILED)
        return 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i += 2)
        if (i + 1 == argc || !take_option(&r, argv[i], argv[i + 1])) {
            fprintf(stderr, "stories: what is %s?\n", argv[i]);
            return 2;
        }
    ask_environment(&r);
    is_named = i < argc;
    if (!is_named)
        tell_part(&r);
    for (; i < argc; i++)
        tell(&r, find(argv[i]));
    printf("1..%u\n", r.told);
    return is_named && r.failed != 0;
}
