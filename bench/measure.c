/* SPDX-License-Identifier: MIT */
#include "bench/measure.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/os.h"

uint64_t measure_resident(void)
{
    uint64_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");

    if (file == NULL || fscanf(file, "%*u %" SCNu64, &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t switches_of(const char *thread)
{
    char path[64], line[128];
    uint64_t sum = 0, n;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/self/task/%.16s/status", thread);
    if ((file = fopen(path, "re")) == NULL)
        return 0;
    while (fgets(line, sizeof(line), file) != NULL)
        if (strstr(line, "ctxt_switches:") != NULL &&
            sscanf(strchr(line, ':'), ": %" SCNu64, &n) == 1)
            sum += n;
    fclose(file);
    return sum;
}

static uint64_t all_switches(void)
{
    DIR *threads = opendir("/proc/self/task");
    struct dirent *entry;
    uint64_t sum = 0;

    while (threads != NULL && (entry = readdir(threads)) != NULL)
        if (entry->d_name[0] != '.')
            sum += switches_of(entry->d_name);
    if (threads != NULL)
        closedir(threads);
    return sum;
}

static void rest(uint64_t ns)
{
    struct timespec time = {.tv_sec = (time_t)(ns / 1000000000),
                            .tv_nsec = (long)(ns % 1000000000)};

    nanosleep(&time, NULL);
}

/* Never 0, so that a figure of rest is told from none; our own sleep is one. */
double measure_idle_switches(unsigned seconds)
{
    uint64_t before;

    rest(200000000);
    before = all_switches();
    rest((uint64_t)seconds * 1000000000);
    return (double)(all_switches() - before) / seconds;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

double measure_wakeups(uint64_t count, void (*post)(void *, uint64_t *answer),
                       void *arg)
{
    uint64_t *taken = calloc(count, sizeof(*taken));
    double median;

    for (uint64_t i = 0; i < count; i++) {
        uint64_t answer = 0, begun;

        rest(200000);
        begun = os_now();
        post(arg, &answer);
        while (__atomic_load_n(&answer, __ATOMIC_ACQUIRE) == 0)
            rest(1000);
        taken[i] = answer - begun;
    }
    qsort(taken, count, sizeof(*taken), compare);
    median = (double)taken[count / 2];
    free(taken);
    return median;
}

struct bare {
    uint32_t bell;
    uint64_t *answer;
};

static void bare_main(void *arg)
{
    struct bare *bare = arg;

    for (uint32_t seen = 0;;) {
        uint32_t bell;
        while ((bell = __atomic_load_n(&bare->bell, __ATOMIC_ACQUIRE)) == seen)
            os_sleep(&bare->bell, seen, OS_NEVER);
        seen = bell;
        if (bare->answer == NULL)
            return;
        __atomic_store_n(bare->answer, os_now(), __ATOMIC_RELEASE);
    }
}

static void bare_post(void *arg, uint64_t *answer)
{
    struct bare *bare = arg;

    bare->answer = answer;
    __atomic_fetch_add(&bare->bell, 1, __ATOMIC_RELEASE);
    os_wake(&bare->bell);
}

double measure_bare_wakeups(uint64_t count)
{
    struct bare bare = {0};
    struct os_thread *thread = os_thread_start("bare", bare_main, &bare);
    double median = measure_wakeups(count, bare_post, &bare);

    bare_post(&bare, NULL);
    os_thread_join(thread);
    return median;
}
