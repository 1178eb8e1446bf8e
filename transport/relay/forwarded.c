/* SPDX-License-Identifier: MIT */
#include "transport/relay/forwarded.h"

#include <assert.h>
#include <stdlib.h>

#define KEEP 4096 /* bytes of a payload's memory, for the next call */

void forwarded_init(struct forwarded_calls *c, size_t cap)
{
    *c = (struct forwarded_calls){.cap = cap, .free_count = cap};
    c->places = bytes_zalloc(cap * sizeof(c->places[0]));
    c->free = bytes_alloc(cap * sizeof(c->free[0]));
    for (size_t i = 0; i < cap; i++)
        c->free[i] = (uint32_t)(cap - 1 - i);
}

void forwarded_finish(struct forwarded_calls *c)
{
    for (size_t i = 0; i < c->cap; i++)
        bytes_finish(&c->places[i].payload);
    free(c->places);
    free(c->free);
    *c = (struct forwarded_calls){0};
}

/* The upper half of the wire's handle counts the calls at a place, so that a
 * late answer finds no other call. */
struct forwarded *forwarded_add(struct forwarded_calls *c, uint64_t handle,
                                bool is_wait)
{
    assert(c->free_count > 0 && handle != 0);
    uint32_t index = c->free[--c->free_count];
    struct forwarded *call = &c->places[index];
    struct bytes payload = call->payload;

    bytes_clear(&payload, KEEP);
    *call = (struct forwarded){
        .handle = handle,
        .wire = (((call->wire >> 32) + 1) << 32) | index,
        .is_sent = true,
        .is_wait = is_wait,
        .payload = payload,
    };
    c->waits += is_wait;
    return call;
}

void forwarded_mark_sent(struct forwarded_calls *c, struct forwarded *call,
                         bool is_sent)
{
    if (call->is_sent && !is_sent)
        c->unsent += call->payload.len;
    else if (!call->is_sent && is_sent)
        c->unsent -= call->payload.len;
    call->is_sent = is_sent;
}

void forwarded_remove(struct forwarded_calls *c, struct forwarded *call)
{
    forwarded_mark_sent(c, call, true);
    c->waits -= call->is_wait;
    call->handle = 0;
    bytes_clear(&call->payload, KEEP);
    c->free[c->free_count++] = (uint32_t)(call - c->places);
}

size_t forwarded_count(const struct forwarded_calls *c)
{
    return c->cap - c->free_count;
}

struct forwarded *forwarded_by_wire(struct forwarded_calls *c, uint64_t wire)
{
    uint32_t index = (uint32_t)wire;
    struct forwarded *call = index < c->cap ? &c->places[index] : NULL;

    return call && call->handle != 0 && call->wire == wire ? call : NULL;
}

struct forwarded *forwarded_next(struct forwarded_calls *c, uint64_t after)
{
    struct forwarded *found = NULL;

    for (size_t i = 0; i < c->cap; i++) {
        struct forwarded *call = &c->places[i];
        if (call->handle > after && (!found || call->handle < found->handle))
            found = call;
    }
    return found;
}
