/* SPDX-License-Identifier: MIT */
#include "transport/relay/pending_calls.h"

#include <assert.h>
#include <stdlib.h>

#define KEEP 4096 /* bytes of a payload's memory, for the next call */

void pending_calls_init(struct pending_calls *c, size_t cap)
{
    *c = (struct pending_calls){.cap = cap, .free_count = cap};
    c->places = bytes_zalloc(cap * sizeof(c->places[0]));
    c->free = bytes_alloc(cap * sizeof(c->free[0]));
    for (size_t i = 0; i < cap; i++)
        c->free[i] = (uint32_t)(cap - 1 - i);
}

void pending_calls_finish(struct pending_calls *c)
{
    for (size_t i = 0; i < c->cap; i++)
        bytes_finish(&c->places[i].payload);
    free(c->places);
    free(c->free);
    *c = (struct pending_calls){0};
}

/* The upper half of the wire's handle counts the calls at a place, so that a
 * late answer finds no other call. */
struct pending_call *pending_calls_add(struct pending_calls *c, uint64_t handle,
                                       bool is_wait)
{
    assert(c->free_count > 0 && handle != 0);
    uint32_t index = c->free[--c->free_count];
    struct pending_call *call = &c->places[index];
    struct bytes payload = call->payload;

    bytes_clear(&payload, KEEP);
    *call = (struct pending_call){
        .handle = handle,
        .wire = (((call->wire >> 32) + 1) << 32) | index,
        .is_sent = true,
        .is_wait = is_wait,
        .payload = payload,
    };
    c->waits += is_wait;
    return call;
}

void pending_calls_mark_sent(struct pending_calls *c, struct pending_call *call,
                             bool is_sent)
{
    if (call->is_sent && !is_sent)
        c->unsent += call->payload.len;
    else if (!call->is_sent && is_sent)
        c->unsent -= call->payload.len;
    call->is_sent = is_sent;
}

void pending_calls_remove(struct pending_calls *c, struct pending_call *call)
{
    pending_calls_mark_sent(c, call, true);
    c->waits -= call->is_wait;
    call->handle = 0;
    bytes_clear(&call->payload, KEEP);
    c->free[c->free_count++] = (uint32_t)(call - c->places);
}

size_t pending_calls_count(const struct pending_calls *c)
{
    return c->cap - c->free_count;
}

struct pending_call *pending_calls_by_wire(struct pending_calls *c,
                                           uint64_t wire)
{
    uint32_t index = (uint32_t)wire;
    struct pending_call *call = index < c->cap ? &c->places[index] : NULL;

    return call && call->handle != 0 && call->wire == wire ? call : NULL;
}

struct pending_call *pending_calls_next(struct pending_calls *c, uint64_t after)
{
    struct pending_call *found = NULL;

    for (size_t i = 0; i < c->cap; i++) {
        struct pending_call *call = &c->places[i];
        if (call->handle > after && (!found || call->handle < found->handle))
            found = call;
    }
    return found;
}
