/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/outside.h"

#include <stdlib.h>

#include "runtime/text/bytes.h"

void (*outside_on_send)(struct rt_msg *m);

void rt_obj_free(struct rt_obj *o)
{
    free(o);
}

void rt_obj_init(struct rt_obj *o, void (*free_it)(struct rt_obj *))
{
    *o = (struct rt_obj){.refs = 1, .free = free_it};
}

struct rt_obj *rt_obj_keep(struct rt_obj *o)
{
    o->refs++;
    return o;
}

void rt_obj_drop(struct rt_obj *o)
{
    if (o != NULL && --o->refs == 0)
        o->free(o);
}

struct rt_msg *rt_msg_raw(struct rt_turn *t, uint16_t kind, size_t size)
{
    struct rt_msg *m = bytes_zalloc(sizeof(*m) + size);

    (void)t;
    m->kind = kind;
    return m;
}

bool rt_send(struct rt_turn *t, struct rt_ref to, struct rt_msg *m)
{
    (void)t, (void)to;
    if (outside_on_send != NULL)
        outside_on_send(m);
    if (m->flags & RT_CARRIES)
        rt_obj_drop(RT_OBJ(m, struct rt_obj));
    free(m);
    return true;
}

struct rt_ref rt_self(const struct rt_turn *t)
{
    (void)t;
    return (struct rt_ref){.id = 1};
}

void rt_stop(struct rt_turn *t, struct rt_ref who)
{
    (void)t, (void)who;
}

uint64_t rt_now(const struct rt_turn *t)
{
    (void)t;
    return 0;
}

uint64_t rt_wall_ms(const struct rt_turn *t)
{
    (void)t;
    return 0;
}

/* Time does not pass here. */
uint64_t rt_after(struct rt_turn *t, uint64_t ms, uint16_t kind)
{
    (void)t, (void)ms, (void)kind;
    return 1;
}

void rt_cancel(struct rt_turn *t, uint64_t id)
{
    (void)t, (void)id;
}
