/* SPDX-License-Identifier: MIT */
#include "actors/health/check.h"

#include <stdlib.h>

#include "runtime/text/bytes.h"

enum { TOO_LATE = 0x650 };

/* Between TERM and KILL of one that took too long: it has nothing to save. */
#define GRACE_MS 1000

struct check {
    struct rt_ref processes;
    struct process_spec *spec;
    uint64_t limit_ms, timer;
    bool is_late;
    struct bytes output;
};

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct check *c = state;

    rt_pass(t, c->processes, PROCESS_START, &c->spec->obj);
    c->timer = rt_after(t, c->limit_ms, TOO_LATE);
    return RT_OK;
}

/* The time it waited to be started is not its own. */
static void on_started(struct rt_turn *t, struct check *c)
{
    if (c->is_late)
        return;
    rt_cancel(t, c->timer);
    c->timer = rt_after(t, c->limit_ms, TOO_LATE);
}

static void on_chunk(struct rt_turn *t, struct check *c, struct rt_msg *m)
{
    const struct process_chunk *chunk = RT_OBJ(m, struct process_chunk);
    size_t left = CHECK_OUTPUT_MAX - c->output.len;

    bytes_append(&c->output, chunk->bytes,
                 chunk->len < left ? chunk->len : left);
    rt_tell(t, m->from, PROCESS_CREDIT, NULL, 0);
}

static void end(struct rt_turn *t, struct check *c)
{
    struct process_end order = {.grace_ms = GRACE_MS};

    c->is_late = true;
    rt_tell(t, c->processes, PROCESS_END, &order, sizeof(order));
}

static void on_too_late(struct rt_turn *t, struct check *c,
                        const struct rt_alarm *alarm)
{
    if (alarm->id == c->timer)
        end(t, c);
}

static void free_result(struct rt_obj *o)
{
    rt_obj_drop(&((struct check_result *)o)->exit->obj);
    free(o);
}

static enum rt_next on_gone(struct rt_turn *t, struct check *c,
                            struct process_exit *exit)
{
    struct slice said = slice_trim(bytes_slice(&c->output));
    struct check_result *r = bytes_alloc(sizeof(*r) + said.len);

    rt_obj_init(&r->obj, free_result);
    r->is_late = c->is_late;
    r->exit = RT_KEEP(exit);
    if (said.len > 0)
        memcpy(r->bytes, said.ptr, said.len);
    r->output = (struct slice){.ptr = r->bytes, .len = said.len};
    rt_pass_take(t, rt_parent(t), CHECK_DONE, &r->obj);
    return RT_STOP;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct check *c = state;

    if (m->kind == PROCESS_STARTED)
        on_started(t, c);
    else if (m->kind == PROCESS_CHUNK)
        on_chunk(t, c, m);
    else if (m->kind == TOO_LATE)
        on_too_late(t, c, rt_body(m));
    else if (m->kind == CHECK_END)
        end(t, c);
    else if (m->kind == PROCESS_GONE)
        return on_gone(t, c, RT_OBJ(m, struct process_exit));
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct check *c = state;

    (void)t;
    rt_obj_drop(&c->spec->obj);
    bytes_finish(&c->output);
}

static const struct rt_behaviour behaviour = {.name = "check",
                                              .size = sizeof(struct check),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref check_spawn(struct rt_turn *t, struct rt_ref processes,
                          struct process_spec *spec, uint64_t limit_ms)
{
    struct check init = {
        .processes = processes, .spec = RT_KEEP(spec), .limit_ms = limit_ms};
    struct rt_ref ref = rt_spawn(t, &behaviour, &init);

    if (rt_same(ref, RT_NOBODY))
        rt_obj_drop(&spec->obj);
    return ref;
}

bool check_has_succeeded(const struct check_result *r)
{
    return !r->is_late && r->exit->reason == PROCESS_EXITED &&
           r->exit->has_code && r->exit->code == 0;
}
