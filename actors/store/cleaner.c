/* SPDX-License-Identifier: MIT */
#include "actors/store/cleaner.h"

#include <errno.h>
#include <stdlib.h>

#include "actors/store/agent_dirs.h"
#include "actors/store/store.h"

struct job {
    struct job *next;
    struct store_swept *list; /* kept */
    struct rt_ref from;
    bool is_removal;
    size_t at; /* in the list */
    unsigned done;
};

struct cleaner {
    struct hub_context *context; /* kept */
    struct agent_dirs agent_dirs;
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

static void end_job(struct rt_turn *t, struct cleaner *b)
{
    struct job *j = b->first;
    struct cleaner_tidied tidied = {.done = j->done};

    if (!j->is_removal)
        rt_tell(t, j->from, CLEANER_TIDIED, &tidied, sizeof(tidied));
    b->first = j->next;
    if (b->first == NULL)
        b->last = NULL;
    free_job(j);
}

/* ---- one portion ------------------------------------------------------- */

/* Whoever is in trouble is left as he is, and named again by the next sweep. */
static int work(struct cleaner *b, const struct job *j, struct slice line,
                struct cleaner_done *done)
{
    int rc;

    done->is_removed = j->is_removal;
    if (j->is_removal) {
        slice_keep(done->id, sizeof(done->id), line);
        return agent_dirs_remove(&b->agent_dirs, done->id);
    }
    if (line.len < 3)
        return -EINVAL;
    slice_keep(done->id, sizeof(done->id),
               slice_of(line.ptr + 2, line.len - 2));
    rc = line.ptr[0] == STORE_TIDY_DROP
             ? agent_dirs_drop(&b->agent_dirs, done->id)
             : agent_dirs_pack(&b->agent_dirs, done->id);
    if (rc == 0)
        done->form =
            (int)agent_dirs_look(&b->agent_dirs, done->id, &done->bytes);
    return rc;
}

/* The directory of agents comes with the first of them. */
static void open_agent_dirs(struct cleaner *b)
{
    if (b->agent_dirs.fd < 0)
        agent_dirs_open(&b->agent_dirs, b->context->state_dir);
}

static void on_step(struct rt_turn *t, struct cleaner *b)
{
    struct job *j = b->first;
    struct cleaner_done done = {.bytes = 0};
    struct slice line = line_of(j);
    int rc;

    if (line.len > 0) {
        open_agent_dirs(b);
        rc = work(b, j, line, &done);
        if (rc != 1)
            j->at += line.len + 1;
        if (rc == 0) {
            j->done++;
            rt_tell(t, j->from, CLEANER_DONE, &done, sizeof(done));
        }
    } else {
        end_job(t, b);
    }
    if (b->first != NULL)
        rt_tell(t, rt_self(t), CLEANER_STEP, NULL, 0);
}

static void on_list(struct rt_turn *t, struct cleaner *b, struct rt_msg *m)
{
    struct job *j = bytes_zalloc(sizeof(*j));

    j->list = RT_OBJ(m, struct store_swept);
    rt_obj_keep(&j->list->obj);
    j->from = m->from;
    j->is_removal = m->kind == CLEANER_REMOVE;
    if (b->first == NULL)
        rt_tell(t, rt_self(t), CLEANER_STEP, NULL, 0);
    *(b->last != NULL ? &b->last->next : &b->first) = j;
    b->last = j;
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct cleaner *b = state;

    if (m->kind == CLEANER_REMOVE || m->kind == CLEANER_TIDY)
        on_list(t, b, m);
    else if (m->kind == CLEANER_STEP && b->first != NULL)
        on_step(t, b);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct cleaner *b = state;

    (void)t;
    while (b->first != NULL) {
        struct job *next = b->first->next;

        free_job(b->first);
        b->first = next;
    }
    agent_dirs_close(&b->agent_dirs);
    rt_obj_drop(&b->context->obj);
}

static const struct rt_behaviour behaviour = {.name = "cleaner",
                                              .size = sizeof(struct cleaner),
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref cleaner_spawn(struct rt_turn *t, struct hub_context *context)
{
    struct cleaner b = {.context = context, .agent_dirs = {.fd = -1}};
    struct rt_ref ref;

    rt_obj_keep(&context->obj);
    ref = rt_spawn_at(t, HUB_LOOP_SPAWN, &behaviour, &b);
    if (ref.id == 0)
        rt_obj_drop(&context->obj);
    return ref;
}
