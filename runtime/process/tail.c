/* SPDX-License-Identifier: MIT */
#include "runtime/process/tail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/os.h"
#include "runtime/process/block_cache.h"

struct tails {
    int inotify;
    unsigned under_way;
    bool are_blind;
    uint64_t paused_at;      /* by the clock, in ms, ... */
    uint64_t pause_ms;       /* ... for how long, ... */
    uint64_t brought;        /* ... and bytes read since */
    LIST(struct tail) ready; /* to be read, in turn */
    struct index by_watch;
    struct block_cache *cache; /* of whole chunks */
};

int tails_create(struct tails **out)
{
    struct tails *all = os_alloc(sizeof(*all), 16);

    memset(all, 0, sizeof(*all));
    all->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (all->inotify < 0) {
        free(all);
        return -errno;
    }
    all->cache =
        block_cache_create(sizeof(struct process_chunk) + PROCESS_CHUNK_BYTES);
    *out = all;
    return 0;
}

void tails_destroy(struct tails *all)
{
    if (all == NULL)
        return;
    close(all->inotify);
    block_cache_leave(all->cache);
    index_finish(&all->by_watch);
    free(all);
}

int tails_fd(const struct tails *all)
{
    return all->inotify;
}

/* ---- watching ---------------------------------------------------------------
 */

static void unwatch(struct tails *all, struct tail *tail)
{
    index_remove(&all->by_watch, &tail->by_watch);
    tail->watch = -1;
}

/*
 * What is watched is the file that is read: its name is the CLI's to give to
 * another. Without a watch (the user's limit is reached) no event tells of new
 * bytes: the processes actor looks at intervals, and each look tries to watch
 * again.
 */
static void watch(struct tails *all, struct tail *tail)
{
    char path[64];

    if (tail->watch >= 0 || tail->is_final)
        return;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", tail->fd);
    tail->watch = inotify_add_watch(all->inotify, path, IN_MODIFY | IN_ONESHOT);
    if (tail->watch < 0) {
        all->are_blind = true;
        return;
    }
    index_add(&all->by_watch, &tail->by_watch, (uint64_t)tail->watch);
}

static void leave_list(struct tails *all, struct tail *tail)
{
    LIST_REMOVE(&all->ready, tail, link);
    tail->is_ready = false;
}

void tail_close(struct tails *all, struct tail *tail)
{
    int old = tail->watch;

    if (tail->fd < 0)
        return;
    if (tail->is_ready)
        leave_list(all, tail);
    if (old >= 0) {
        unwatch(all, tail);
        inotify_rm_watch(all->inotify, old);
    }
    close(tail->fd);
    tail->fd = -1;
    all->under_way -= tail->under_way;
    tail->under_way = 0;
}

void tail_wake(struct tails *all, struct tail *tail)
{
    if (tail->fd < 0 || tail->is_ready || tail->is_drained ||
        tail->under_way >= PROCESS_CREDITS)
        return;
    tail->is_ready = true;
    LIST_APPEND(&all->ready, tail, link);
}

/* It is watched when it has been read to its end: one that is brief never is.
 */
void tail_open(struct tails *all, struct tail *tail, int fd, uint64_t limit)
{
    *tail = (struct tail){.fd = fd, .watch = -1, .limit = limit};
    tail_wake(all, tail);
}

/* A tail out of credit left the list: what it has not read yet, it may now. */
void tail_credit(struct tails *all, struct tail *tail)
{
    bool was_full = tail->under_way == PROCESS_CREDITS;

    if (tail->under_way == 0)
        return;
    tail->under_way--;
    all->under_way--;
    if (was_full)
        tail_wake(all, tail);
}

static void wake_watched(struct tails *all, int fired)
{
    struct tail *tail = INDEX_ITEM(struct tail, by_watch,
                                   index_find(&all->by_watch, (uint64_t)fired));

    if (tail == NULL)
        return; /* the last event of a watch that was closed, or has fired */
    unwatch(all, tail);
    tail_wake(all, tail);
}

/* Events were lost, and any tail's may be among them. */
static void wake_all(struct tails *all)
{
    struct index_link *link;

    while ((link = index_any(&all->by_watch)) != NULL) {
        struct tail *tail = INDEX_ITEM(struct tail, by_watch, link);

        unwatch(all, tail);
        tail_wake(all, tail);
    }
}

/*
 * A one-shot watch sends IN_IGNORED after its event: the writer queues the one,
 * then takes the watch away and queues the other. Between the two we may have
 * read all there was and asked for a watch again, and are given the one that is
 * just being taken away. So IN_IGNORED of a watch that is ours still is as good
 * as an event. Its number is not used again by the kernel: it is not another's.
 */
bool tails_look(struct tails *all)
{
    char buffer[16 * 1024] __attribute__((aligned(8)));
    ssize_t n;

    while ((n = read(all->inotify, buffer, sizeof(buffer))) > 0) {
        for (char *p = buffer; p < buffer + n;) {
            struct inotify_event *event = (struct inotify_event *)p;
            if (event->mask & (IN_MODIFY | IN_IGNORED))
                wake_watched(all, event->wd);
            else if (event->mask & IN_Q_OVERFLOW)
                wake_all(all);
            p += sizeof(*event) + event->len;
        }
    }
    return all->ready.first != NULL;
}

/* At the pace of the last pause, plenty comes in the next. */
uint64_t tails_pause(struct tails *all, uint64_t now_ms)
{
    uint64_t pause = all->pause_ms * TAIL_PLENTY / (all->brought + 1);

    if (now_ms - all->paused_at >= TAIL_CLOSE_MS || pause < TAIL_PAUSE_MS)
        pause = TAIL_PAUSE_MS;
    else if (pause > TAIL_LONG_PAUSE_MS)
        pause = TAIL_LONG_PAUSE_MS;
    all->paused_at = now_ms;
    all->pause_ms = pause;
    all->brought = 0;
    return pause;
}

bool tails_are_blind(struct tails *all)
{
    bool were = all->are_blind;

    all->are_blind = false;
    return were;
}

/* ---- reading --------------------------------------------------------- */

/* A whole chunk goes back to the cache it came from; see block_cache.h. */
static void free_whole(struct rt_obj *o)
{
    struct process_chunk *chunk = (struct process_chunk *)o;

    block_cache_put(chunk->cache, chunk);
}

static struct process_chunk *chunk_create(struct tails *all, size_t size)
{
    struct process_chunk *chunk;

    if (size == PROCESS_CHUNK_BYTES) {
        chunk = block_cache_get(all->cache);
        rt_obj_init(&chunk->obj, free_whole);
        chunk->cache = all->cache;
    } else {
        chunk = os_alloc(sizeof(*chunk) + size, 16);
        rt_obj_init(&chunk->obj, rt_obj_free);
    }
    return chunk;
}

static uint64_t waiting(const struct tail *tail)
{
    struct stat info;
    uint64_t end;

    if (fstat(tail->fd, &info) != 0)
        return 0;
    end = (uint64_t)info.st_size < tail->limit ? (uint64_t)info.st_size
                                               : tail->limit;
    return end > tail->offset ? end - tail->offset : 0;
}

/* As large as what is there: a line or two must not cost a whole chunk. */
static struct process_chunk *read_chunk(struct tails *all, struct tail *tail)
{
    uint64_t there = waiting(tail);
    size_t size =
        there > PROCESS_CHUNK_BYTES ? PROCESS_CHUNK_BYTES : (size_t)there;
    struct process_chunk *chunk;
    ssize_t n;

    if (size == 0)
        return NULL;
    chunk = chunk_create(all, size);
    do
        n = pread(tail->fd, chunk->bytes, size, (off_t)tail->offset);
    while (n < 0 && errno == EINTR);
    if (n <= 0) {
        rt_obj_drop(&chunk->obj);
        return NULL;
    }
    chunk->offset = tail->offset;
    chunk->past = tail->past;
    chunk->len = (size_t)n;
    tail->offset += (uint64_t)n;
    all->brought += (uint64_t)n;
    return chunk;
}

static void count_chunk(struct tails *all, struct tail *tail)
{
    tail->under_way++;
    all->under_way++;
    leave_list(all, tail);
    tail_wake(all, tail); /* to the end of the list, if it may go on */
}

/* Read to its present end: to be watched again, or done with. */
static struct process_chunk *settle(struct tails *all, struct tail *tail)
{
    struct process_chunk *chunk;

    watch(all, tail);
    if ((chunk = read_chunk(all, tail)) != NULL) {
        count_chunk(all, tail);
        return chunk;
    }
    leave_list(all, tail);
    tail->is_drained = tail->is_final;
    return NULL;
}

struct process_chunk *tails_read(struct tails *all, struct tail **from)
{
    struct process_chunk *chunk;

    *from = NULL;
    while (all->ready.first != NULL && all->under_way < TAIL_CHUNKS) {
        struct tail *tail = all->ready.first;

        if ((chunk = read_chunk(all, tail)) != NULL)
            count_chunk(all, tail);
        else
            chunk = settle(all, tail);
        if (chunk != NULL || tail->is_drained) {
            *from = tail;
            return chunk;
        }
    }
    return NULL;
}
