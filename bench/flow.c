/* SPDX-License-Identifier: MIT */
#include "bench/flow.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BEGINNING "\"form\":\"delta\",\"text\":\"@"
#define SECOND 1000000000ull
#define LONGEST_SLEEP (SECOND / 5) /* then it looks whether all is over */

static const char words[] =
    "the quick agent reads the file, thinks about what it found there, edits "
    "the second half of it and runs the tests again before it says that all "
    "is well and hands the work on to the next in line, who reads the file";

struct flow *flow_open(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void *map = MAP_FAILED;

    if (fd >= 0 && ftruncate(fd, sizeof(struct flow)) == 0)
        map = mmap(NULL, sizeof(struct flow), PROT_READ | PROT_WRITE,
                   MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
        perror(path);
        exit(1);
    }
    close(fd);
    return map;
}

uint64_t flow_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* Not os_sleep: the word is shared by processes. */
static void sleep_on(uint32_t *word, uint32_t seen, uint64_t ns)
{
    struct timespec time = {.tv_sec = (time_t)(ns / SECOND),
                            .tv_nsec = (long)(ns % SECOND)};

    syscall(SYS_futex, word, FUTEX_WAIT, seen, &time, NULL, 0);
}

static void wake(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void enter(struct flow *f, enum flow_state state)
{
    __atomic_store_n(&f->state, state, __ATOMIC_RELEASE);
    wake(&f->state);
}

void flow_begin(struct flow *f, bool is_of_tools)
{
    f->is_of_tools = is_of_tools;
    f->begin = flow_now();
    enter(f, FLOW_RUNS);
}

void flow_grant(struct flow *f, unsigned source, uint32_t upto)
{
    uint32_t *granted = &f->sources[source].granted;

    if (upto <= __atomic_load_n(granted, __ATOMIC_RELAXED))
        return;
    __atomic_store_n(granted, upto, __ATOMIC_RELEASE);
    wake(granted);
}

void flow_end(struct flow *f)
{
    enter(f, FLOW_OVER);
    for (unsigned i = 0; i < FLOW_SOURCES; i++)
        wake(&f->sources[i].granted);
}

/* How many may go from n on; 0 after a sleep in which that may change. */
static uint32_t may_go(struct flow *f, unsigned source, uint32_t n)
{
    uint64_t step = f->sources[source].step, now, due;

    if (step == 0) {
        uint32_t *word = &f->sources[source].granted;
        uint32_t granted = __atomic_load_n(word, __ATOMIC_ACQUIRE);

        if (granted >= n)
            return granted - n + 1;
        sleep_on(word, granted, LONGEST_SLEEP);
        return 0;
    }
    now = flow_now();
    due = f->begin + (n - 1) * step;
    if (now >= due)
        return (uint32_t)((now - due) / step) + 1;
    due -= now;
    sleep_on(&f->state, FLOW_RUNS, due < LONGEST_SLEEP ? due : LONGEST_SLEEP);
    return 0;
}

uint32_t flow_wait(struct flow *f, unsigned source, uint32_t n)
{
    for (;;) {
        uint32_t state = __atomic_load_n(&f->state, __ATOMIC_ACQUIRE), count;

        if (state == FLOW_OVER)
            return 0;
        if (state == FLOW_NOT_YET)
            sleep_on(&f->state, FLOW_NOT_YET, LONGEST_SLEEP);
        else if ((count = may_go(f, source, n)) > 0)
            return count;
    }
}

void flow_stamp(struct flow *f, unsigned source, uint32_t n)
{
    __atomic_store_n(&f->sources[source].stamps[n % FLOW_STAMPS], flow_now(),
                     __ATOMIC_RELEASE);
}

uint64_t flow_stamp_of(const struct flow *f, unsigned source, uint32_t n)
{
    return __atomic_load_n(&f->sources[source].stamps[n % FLOW_STAMPS],
                           __ATOMIC_ACQUIRE);
}

size_t flow_text(char text[FLOW_TEXT], unsigned source, uint32_t n)
{
    int len = 40 + (int)(n * 37 % 150);

    return (size_t)snprintf(text, FLOW_TEXT, "@%u %" PRIu32 " %" PRIu64 " %.*s",
                            source, n, flow_now(), len, words);
}

/* The number at *at and the space behind it, which must come before `end`. */
static uint64_t number(const char **at, const char *end)
{
    uint64_t value = 0;
    const char *p = *at;

    while (p < end && *p >= '0' && *p <= '9')
        value = value * 10 + (uint64_t)(*p++ - '0');
    *at = p < end && *p == ' ' ? p + 1 : end;
    return value;
}

bool flow_find(const char *json, size_t len, struct flow_mark *mark)
{
    const char *end = json + len,
               *at = memmem(json, len, BEGINNING, strlen(BEGINNING));

    if (at == NULL)
        return false;
    at += strlen(BEGINNING);
    mark->source = (unsigned)number(&at, end);
    mark->number = (uint32_t)number(&at, end);
    mark->stamp = number(&at, end);
    return at < end && mark->source < FLOW_SOURCES && mark->number > 0;
}
