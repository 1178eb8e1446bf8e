/* SPDX-License-Identifier: MIT */
#include "runtime/process/spare.h"

#include <stdlib.h>

#include "runtime/lock.h"
#include "runtime/os.h"

/* More than these are not kept: a burst must not hold its memory for ever. */
#define KEPT 16

struct spare {
    struct lock lock;
    size_t size;
    unsigned users; /* the owner, and every block that is out */
    unsigned kept;
    void *block[KEPT];
};

struct spare *spare_create(size_t size)
{
    struct spare *s = os_alloc(sizeof(*s), 64);

    *s = (struct spare){.size = size, .users = 1};
    return s;
}

/* Gives the lock back, and the shelf when nobody is left. */
static void leave(struct spare *s)
{
    bool last = --s->users == 0;

    lock_give(&s->lock);
    if (!last)
        return;
    while (s->kept > 0)
        free(s->block[--s->kept]);
    free(s);
}

void spare_leave(struct spare *s)
{
    lock_take(&s->lock);
    leave(s);
}

void *spare_get(struct spare *s)
{
    void *block = NULL;

    lock_take(&s->lock);
    s->users++;
    if (s->kept > 0)
        block = s->block[--s->kept];
    lock_give(&s->lock);
    return block != NULL ? block : os_alloc(s->size, 64);
}

void spare_put(struct spare *s, void *block)
{
    lock_take(&s->lock);
    if (s->kept < KEPT) {
        s->block[s->kept++] = block;
        block = NULL;
    }
    leave(s);
    free(block);
}
