/* SPDX-License-Identifier: MIT */
/*
 * A stage is over when all its agents are gone, not when they are done: one
 * that has reported may still write files. Agents of later stages may end
 * before their turn (cancelled), and a stage none of whose agents is left is
 * passed over.
 */
#include "actors/group/stage.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/array.h"
#include "runtime/text/bytes.h"

struct ended {
    unsigned stage;
    struct agent_view *view;
};

struct plan {
    uint64_t number;
    unsigned stages, current;
    unsigned *left; /* of each stage, agents not gone */
    bool stops_on_failure, is_abandoned;
    struct ended *ended; /* of the current stage and later ones */
    size_t ended_count;
};

static void free_gone(struct rt_obj *o)
{
    rt_obj_drop(&((struct stage_gone *)o)->view->obj);
    free(o);
}

struct stage_gone *stage_gone_create(unsigned stage, struct agent_view *view)
{
    struct stage_gone *g = bytes_alloc(sizeof(*g));

    rt_obj_init(&g->obj, free_gone);
    g->stage = stage;
    g->view = RT_KEEP(view);
    return g;
}

static void free_handover(struct rt_obj *o)
{
    struct stage_handover *h = (struct stage_handover *)o;

    for (size_t i = 0; i < h->count; i++)
        rt_obj_drop(&h->views[i]->obj);
    free(h);
}

static int by_serial(const void *a, const void *b)
{
    uint64_t x = (*(struct agent_view *const *)a)->def->serial;
    uint64_t y = (*(struct agent_view *const *)b)->def->serial;

    return x < y ? -1 : x > y;
}

/* The results of the stage before the current one. */
static struct stage_handover *hand_over(const struct plan *p)
{
    size_t size = p->ended_count * sizeof(struct agent_view *);
    struct stage_handover *h = bytes_alloc(sizeof(*h) + size);

    rt_obj_init(&h->obj, free_handover);
    h->at = (struct stage_at){.plan = p->number, .stage = p->current};
    h->count = 0;
    for (size_t i = 0; i < p->ended_count; i++)
        if (p->ended[i].stage + 1 == p->current)
            h->views[h->count++] = RT_KEEP(p->ended[i].view);
    qsort(h->views, h->count, sizeof(h->views[0]), by_serial);
    return h;
}

static void keep(struct plan *p, unsigned stage, struct agent_view *v)
{
    ARRAY_GROW(p->ended, p->ended_count);
    rt_obj_keep(&v->obj);
    p->ended[p->ended_count++] = (struct ended){.stage = stage, .view = v};
}

/* Results are kept until the stage after theirs has been told. */
static void drop_before(struct plan *p, unsigned stage)
{
    size_t kept = 0;

    for (size_t i = 0; i < p->ended_count; i++)
        if (p->ended[i].stage >= stage)
            p->ended[kept++] = p->ended[i];
        else
            rt_obj_drop(&p->ended[i].view->obj);
    p->ended_count = kept;
}

static bool has_failed(const struct plan *p)
{
    for (size_t i = 0; i < p->ended_count; i++) {
        const struct agent_result *r = p->ended[i].view->result;

        if (p->ended[i].stage == p->current &&
            (r == NULL || r->outcome != AGENT_SUCCESS))
            return true;
    }
    return false;
}

static void tell(struct rt_turn *t, const struct plan *p, uint16_t kind)
{
    struct stage_at at = {.plan = p->number, .stage = p->current};

    rt_tell(t, rt_parent(t), kind, &at, sizeof(at));
}

/* The current stage has ended. True: so has the plan. */
static bool advance(struct rt_turn *t, struct plan *p)
{
    struct stage_handover *h;

    if (p->stops_on_failure && !p->is_abandoned && p->current + 1 < p->stages &&
        has_failed(p)) {
        p->is_abandoned = true;
        tell(t, p, STAGE_ABANDON);
    }
    while (p->current < p->stages && p->left[p->current] == 0)
        p->current++;
    if (p->current == p->stages) {
        p->current--;
        tell(t, p, STAGE_OVER);
        return true;
    }
    if (p->is_abandoned)
        return false;
    h = hand_over(p);
    rt_pass_take(t, rt_parent(t), STAGE_NEXT, &h->obj);
    drop_before(p, p->current);
    return false;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct plan *p = state;
    const struct stage_gone *gone;

    if (m->kind != STAGE_GONE)
        return RT_OK;
    gone = RT_OBJ(m, struct stage_gone);
    p->left[gone->stage]--;
    keep(p, gone->stage, gone->view);
    if (p->left[p->current] > 0)
        return RT_OK;
    return advance(t, p) ? RT_STOP : RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct plan *p = state;

    (void)t;
    drop_before(p, p->stages);
    free(p->ended);
    free(p->left);
}

static const struct rt_behaviour behaviour = {.name = "stage",
                                              .size = sizeof(struct plan),
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref stage_spawn(struct rt_turn *t, const struct stage_plan *plan)
{
    size_t size = plan->stages * sizeof(*plan->sizes);
    struct plan p = {.number = plan->plan,
                     .stages = plan->stages,
                     .stops_on_failure = plan->stops_on_failure,
                     .left = bytes_alloc(size)};
    struct rt_ref ref;

    memcpy(p.left, plan->sizes, size);
    ref = rt_spawn(t, &behaviour, &p);
    if (ref.id == 0)
        stop(t, &p);
    return ref;
}
