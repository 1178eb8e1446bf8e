/* SPDX-License-Identifier: MIT */
#include "transport/http/pump.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "transport/http/h2o.h"

/* Rounds in one turn: what is left after them waits for the next, so that the
 * mail of this actor, and others on its thread, are not starved. */
#define ROUNDS 8
/* More than h2o keeps of them. */
#define KEPT_CHUNKS 64

/*
 * h2o does not tell its epoll descriptor, but keeps it right behind the public
 * part of its loop, in every 2.x. What is found there is looked at before it
 * is believed.
 */
static int find_epoll(const h2o_evloop_t *loop)
{
    char link[64], target[64];
    ssize_t len;
    int fd;

    memcpy(&fd, loop + 1, sizeof(fd));
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    len = readlink(link, target, sizeof(target) - 1);
    if (len < 0)
        return -EBADF;
    target[len] = 0;
    return strcmp(target, "anon_inode:[eventpoll]") == 0 ? fd : -ENOTSUP;
}

int pump_open(struct rt_turn *t, struct pump *p)
{
    h2o_evloop_t *loop = h2o_evloop_create();
    int fd = find_epoll(loop);

    *p = (struct pump){.loop = loop, .epoll = fd};
    /* Of this thread: large input would else go to files in /tmp. */
    h2o_socket_buffer_prototype.mmap_settings = NULL;
    return fd < 0 ? fd : rt_watch(t, fd, EPOLLIN);
}

/*
 * h2o keeps freed memory for each thread and never gives it back, not even
 * when the thread ends, as ours will. What a pool draws comes from there
 * first, and a chunk begins with nothing that must be told of its end.
 */
static void give_back(void)
{
    h2o_mem_recycle_t *buffers = &h2o_socket_buffer_prototype.allocator;

    while (buffers->cnt > 0)
        free(h2o_mem_alloc_recycle(buffers, 1));
    for (int i = 0; i < KEPT_CHUNKS; i++) {
        h2o_mem_pool_t pool;

        h2o_mem_init_pool(&pool);
        h2o_mem_alloc_pool(&pool, 1);
        free(pool.chunks);
    }
}

void pump_close(struct rt_turn *t, struct pump *p)
{
    if (p->loop == NULL)
        return;
    if (p->epoll >= 0)
        rt_unwatch(t, p->epoll);
    h2o_evloop_destroy(p->loop);
    if (p->epoll >= 0)
        close(p->epoll); /* which h2o forgets */
    *p = (struct pump){0};
    give_back();
}

static bool has_more(const h2o_evloop_t *loop)
{
    return loop->_statechanged.head != NULL ||
           loop->_pending_as_client != NULL || loop->_pending_as_server != NULL;
}

/* A timer that is due too early is let be: most time-outs only ever move
 * further away, and to look once in vain is cheaper than to move each. */
static void mind_time(struct rt_turn *t, struct pump *p)
{
    uint64_t now = h2o_now(p->loop);
    uint64_t wake_at = h2o_timeout_get_wake_at(&p->loop->_timeouts);

    if (wake_at == UINT64_MAX || (p->timer != 0 && p->wake_at <= wake_at))
        return;
    if (p->timer != 0)
        rt_cancel(t, p->timer);
    p->wake_at = wake_at;
    p->timer = rt_after(t, wake_at > now ? wake_at - now + 1 : 1, PUMP_TIMER);
}

static void run(struct rt_turn *t, struct pump *p)
{
    int rounds = 0;

    do {
        h2o_evloop_run(p->loop, 0);
    } while (has_more(p->loop) && ++rounds < ROUNDS);
    mind_time(t, p);
    if (has_more(p->loop))
        pump_soon(t, p);
}

void pump_soon(struct rt_turn *t, struct pump *p)
{
    if (p->is_going)
        return;
    p->is_going = true;
    rt_tell(t, rt_self(t), PUMP_GO, NULL, 0);
}

void pump_now(struct rt_turn *t, struct pump *p)
{
    run(t, p);
}

bool pump_handle(struct rt_turn *t, struct pump *p, struct rt_msg *m)
{
    switch (m->kind) {
    case RT_READY:
        if (((const struct rt_ready *)rt_body(m))->fd != p->epoll)
            return false;
        break;
    case PUMP_TIMER:
        if (((const struct rt_alarm *)rt_body(m))->id != p->timer)
            return true;
        p->timer = 0;
        break;
    case PUMP_GO:
        p->is_going = false;
        break;
    default:
        return false;
    }
    run(t, p);
    return true;
}
