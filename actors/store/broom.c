/* SPDX-License-Identifier: MIT */
#include "actors/store/broom.h"

#include <errno.h>
#include <stdlib.h>

#include "actors/store/attic.h"
#include "actors/store/store.h"

struct job {
    struct job *next;
    struct store_swept *list; /* kept */
    struct rt_ref from;
    bool is_removal;
    size_t at; /* in the list */
    unsigned done;
};

struct broom {
    struct house *house; /* kept */
    struct attic attic;
    struct job *first, *last;
};

/* ---- the list ---------------------------------------------------------- */

/* The line that is next, without its end; empty after the last. */
static struct slice line_of(const struct job *j)
{
    struct slice rest =
        slice_of(j->list->ids.ptr + j->at, j->list->ids.len - j->at);

    return j->at < j->list->ids.len ? slice_first_line(rest) : SLICE_EMPTY;
}

static void free_job(struct job *j)
{
    rt_obj_drop(&j->list->obj);
    free(j);
}

static void end_job(struct rt_turn *t, struct broom *b)
{
    struct job *j = b->first;
    struct broom_tidied tidied = {.done = j->done};

    if (!j->is_removal)
        rt_tell(t, j->from, BROOM_TIDIED, &tidied, sizeof(tidied));
    b->first = j->next;
    if (b->first == NULL)
        b->last = NULL;
    free_job(j);
}

/* ---- one portion ------------------------------------------------------- */

/* Whoever is in trouble is left as he is, and named again by the next sweep. */
static int work(struct broom *b, const struct job *j, struct slice line,
                struct broom_done *done)
{
    int rc;

    done->is_removed = j->is_removal;
    if (j->is_removal) {
        slice_keep(done->id, sizeof(done->id), line);
        return attic_remove(&b->attic, done->id);
    }
    if (line.len < 3)
        return -EINVAL;
    slice_keep(done->id, sizeof(done->id),
               slice_of(line.ptr + 2, line.len - 2));
    rc = line.ptr[0] == STORE_TIDY_DROP ? attic_drop(&b->attic, done->id)
                                        : attic_pack(&b->attic, done->id);
    if (rc == 0)
        done->form = (int)attic_look(&b->attic, done->id, &done->bytes);
    return rc;
}

/* The directory of agents comes with the first of them. */
static void open_attic(struct broom *b)
{
    if (b->attic.fd < 0)
        attic_open(&b->attic, b->house->state_dir);
}

static void on_step(struct rt_turn *t, struct broom *b)
{
    struct job *j = b->first;
    struct broom_done done = {.bytes = 0};
    struct slice line = line_of(j);
    int rc;

    if (line.len > 0) {
        open_attic(b);
        rc = work(b, j, line, &done);
        if (rc != 1)
            j->at += line.len + 1;
        if (rc == 0) {
            j->done++;
            rt_tell(t, j->from, BROOM_DONE, &done, sizeof(done));
        }
    } else {
        end_job(t, b);
    }
    if (b->first != NULL)
        rt_tell(t, rt_self(t), BROOM_STEP, NULL, 0);
}

static void on_list(struct rt_turn *t, struct broom *b, struct rt_msg *m)
{
    struct job *j = bytes_zalloc(sizeof(*j));

    j->list = *(struct store_swept **)rt_body(m);
    rt_obj_keep(&j->list->obj);
    j->from = m->from;
    j->is_removal = m->kind == BROOM_REMOVE;
    if (b->first == NULL)
        rt_tell(t, rt_self(t), BROOM_STEP, NULL, 0);
    *(b->last != NULL ? &b->last->next : &b->first) = j;
    b->last = j;
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct broom *b = state;

    if (m->kind == BROOM_REMOVE || m->kind == BROOM_TIDY)
        on_list(t, b, m);
    else if (m->kind == BROOM_STEP && b->first != NULL)
        on_step(t, b);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct broom *b = state;

    (void)t;
    while (b->first != NULL) {
        struct job *next = b->first->next;

        free_job(b->first);
        b->first = next;
    }
    attic_close(&b->attic);
    rt_obj_drop(&b->house->obj);
}

static const struct rt_behaviour behaviour = {.name = "broom",
                                              .size = sizeof(struct broom),
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref broom_spawn(struct rt_turn *t, struct house *house)
{
    struct broom b = {.house = house, .attic = {.fd = -1}};
    struct rt_ref ref;

    rt_obj_keep(&house->obj);
    ref = rt_spawn_at(t, HOUSE_SPAWN, &behaviour, &b);
    if (ref.id == 0)
        rt_obj_drop(&house->obj);
    return ref;
}
