/* SPDX-License-Identifier: MIT */
#include "tests/stories/fake_processes.h"

#include <stdlib.h>

#include "runtime/os.h"
#include "tests/stories/fake_inside.h"

uint64_t fake_draw(struct rt_turn *t, const struct fake *w, uint64_t ms)
{
    return rt_random(t) % (world_pace(w->world, ms) + 1);
}

/* ---- output ------------------------------------------------------------ */

static void free_chunk(struct rt_obj *o)
{
    free(o);
}

static void send_chunk(struct rt_turn *t, struct proc *p)
{
    size_t rest = p->out.len - p->sent;
    size_t most = rest < PROCESS_CHUNK_BYTES ? rest : PROCESS_CHUNK_BYTES;
    size_t len = rt_random(t) % 3 == 0 ? 1 + rt_random(t) % most : most;
    struct process_chunk *chunk = bytes_zalloc(sizeof(*chunk) + len);

    rt_obj_init(&chunk->obj, free_chunk);
    chunk->offset = p->sent;
    chunk->len = len;
    memcpy(chunk->bytes, p->out.ptr + p->sent, len);
    p->sent += len;
    p->credits--;
    rt_pass_take(t, p->owner, PROCESS_CHUNK, &chunk->obj);
}

static void destroy(struct rt_turn *t, struct proc *p)
{
    if (p->owner.id != 0)
        rt_demonitor(t, p->owner);
    if (p->step != 0)
        rt_cancel(t, p->step);
    if (p->death != 0)
        rt_cancel(t, p->death);
    if (p->exit != NULL)
        rt_obj_drop(&p->exit->obj);
    rt_obj_drop(&p->spec->obj);
    rt_obj_drop(&p->caller->obj);
    bytes_finish(&p->out);
    free(p);
}

static void forget(struct rt_turn *t, struct fake *w, struct proc *p)
{
    struct proc **link = &w->procs;

    while (*link != p)
        link = &(*link)->next;
    *link = p->next;
    destroy(t, p);
}

/* True once, for the first that asks. */
static bool is_planted(struct fake *w, enum plant plant)
{
    if (w->has_planted || world_plant(w->world) != plant)
        return false;
    w->has_planted = true;
    return true;
}

static void tell_gone(struct rt_turn *t, struct fake *w, struct proc *p)
{
    books_gone(world_books(w->world), p->spec->id);
    if (p->owner.id == 0 || is_planted(w, PLANTED_GONE_NEVER))
        return;
    rt_pass(t, p->owner, PROCESS_GONE, &p->exit->obj);
    if (is_planted(w, PLANTED_GONE_TWICE))
        rt_pass(t, p->owner, PROCESS_GONE, &p->exit->obj);
}

void fake_pump(struct rt_turn *t, struct fake *w, struct proc *p)
{
    if (p->owner.id != 0)
        while (p->credits > 0 && p->sent < p->out.len)
            send_chunk(t, p);
    if (p->exit == NULL || (p->owner.id != 0 && p->sent < p->out.len))
        return;
    tell_gone(t, w, p);
    forget(t, w, p);
}

/* ---- owners ------------------------------------------------------------ */

static struct proc *by_owner(struct fake *w, struct rt_ref owner)
{
    struct proc *p = w->procs;

    while (p != NULL && !rt_same(p->owner, owner))
        p = p->next;
    return p;
}

static void on_start(struct rt_turn *t, struct fake *w, struct rt_msg *m)
{
    struct process_spec *spec = RT_OBJ(m, struct process_spec);
    struct proc *p = bytes_zalloc(sizeof(*p));
    static const char *const env[] = {NULL};

    if (by_owner(w, m->from) != NULL)
        os_panic("%s is started by one who has a process", spec->id);
    books_start(world_books(w->world), spec->id);
    p->number = ++w->numbers;
    p->owner = m->from;
    p->spec = RT_KEEP(spec);
    p->caller = caller_create(spec->id, "/", env);
    p->script = script_of(spec);
    p->credits = PROCESS_CREDITS;
    p->next = w->procs;
    w->procs = p;
    rt_monitor(t, p->owner);
    p->step = rt_after(t, fake_draw(t, w, 30), FAKE_STEP);
}

static void on_credit(struct rt_turn *t, struct fake *w, struct proc *p)
{
    if (++p->credits > PROCESS_CREDITS)
        os_panic("%s gives back more credit than it had", p->spec->id);
    fake_pump(t, w, p);
}

static void on_cpu(struct rt_turn *t, struct proc *p)
{
    struct process_cpu used = {.ms = rt_random(t) % 2};

    rt_tell(t, p->owner, PROCESS_CPU_USED, &used, sizeof(used));
}

/* Nobody wants it any more: it is ended, and not read. */
static void on_owner_dead(struct rt_turn *t, struct fake *w, struct proc *p)
{
    p->owner = RT_NOBODY;
    if (p->exit != NULL)
        fake_pump(t, w, p);
    else
        fake_order_end(t, w, p, p->spec->grace_ms);
}

static void on_owners(struct rt_turn *t, struct fake *w, struct rt_msg *m)
{
    struct proc *p = by_owner(w, m->from);

    if (p == NULL)
        return; /* it has gone already */
    if (m->kind == PROCESS_CREDIT)
        on_credit(t, w, p);
    else if (m->kind == PROCESS_CPU)
        on_cpu(t, p);
    else if (m->kind == RT_DOWN)
        on_owner_dead(t, w, p);
    else if (m->kind == PROCESS_END)
        fake_order_end(t, w, p, ((struct process_end *)rt_body(m))->grace_ms);
    else
        os_panic("the processes are sent %x", m->kind);
}

/* ---- time -------------------------------------------------------------- */

static void on_timer(struct rt_turn *t, struct fake *w, struct rt_msg *m)
{
    uint64_t id = ((struct rt_alarm *)rt_body(m))->id;
    struct proc *p = w->procs;

    while (p != NULL && p->step != id && p->death != id)
        p = p->next;
    if (p == NULL)
        return; /* taken back too late */
    if (p->step == id) {
        p->step = 0;
        fake_play(t, w, p);
    } else {
        p->death = 0;
        fake_die(t, w, p);
    }
}

static void on_led(struct rt_turn *t, struct fake *w, uint64_t number)
{
    struct proc *p = w->procs;

    while (p != NULL && p->number != number)
        p = p->next;
    if (p != NULL && p->exit == NULL)
        fake_play(t, w, p);
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct fake *w = state;

    switch (m->kind) {
    case PROCESS_START:
        on_start(t, w, m);
        break;
    case FAKE_STEP:
    case FAKE_DEATH:
        on_timer(t, w, m);
        break;
    case FAKE_LED:
        on_led(t, w, *(uint64_t *)rt_body(m));
        break;
    case ORDER_ANSWER:
        fake_on_answer(t, w, m);
        break;
    default:
        on_owners(t, w, m);
        break;
    }
    return RT_OK;
}

/* The hub leaves: orchestrators have nobody to talk to any more. */
static void stop(struct rt_turn *t, void *state)
{
    struct fake *w = state;

    while (w->procs != NULL) {
        struct proc *next = w->procs->next;

        if (w->procs->client != NULL)
            client_hang_up(w->procs->client);
        destroy(t, w->procs);
        w->procs = next;
    }
    fake_drop_reports(w);
}

static const struct rt_behaviour behaviour = {.name = "fake processes",
                                              .size = sizeof(struct fake),
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref fake_spawn(struct rt_turn *t, unsigned home, struct world *world)
{
    struct fake w = {.world = world};

    return rt_spawn_at(t, home, &behaviour, &w);
}
