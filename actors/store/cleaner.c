/* SPDX-License-Identifier: MIT */
#include "actors/store/cleaner.h"

#include <errno.h>
#include <stdlib.h>

#include "actors/store/agent_dirs.h"

struct job {
    struct job *next;
    struct cleaner_list *list; /* kept */
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

static void free_list(struct rt_obj *obj)
{
    bytes_finish(&((struct cleaner_list *)obj)->lines);
    free(obj);
}

struct cleaner_list *cleaner_list_create(void)
{
    struct cleaner_list *list = bytes_zalloc(sizeof(*list));

    rt_obj_init(&list->obj, free_list);
    return list;
}

/* The line that is next, without its end; empty after the last. */
static struct slice line_of(const struct job *j)
{
    struct slice rest =
        slice_of(j->list->lines.ptr + j->at, j->list->lines.len - j->at);

    return j->at < j->list->lines.len ? slice_first_line(rest) : SLICE_EMPTY;
}

static void free_job(struct job *j)
{
    rt_obj_drop(&j->list->obj);
    free(j);
}

static void end_job(struct rt_turn *t, struct cleaner *c)
{
    struct job *j = c->first;
    struct cleaner_list_done all = {.done = j->done};

    if (!j->is_removal)
        rt_tell(t, j->from, CLEANER_LIST_DONE, &all, sizeof(all));
    c->first = j->next;
    if (c->first == NULL)
        c->last = NULL;
    free_job(j);
}

/* ---- one portion ------------------------------------------------------- */

/* One that cannot be done is left as it is, and named again by the next
 * removal. */
static int work(struct cleaner *c, const struct job *j, struct slice line,
                struct cleaner_done *done)
{
    int rc;

    done->is_removed = j->is_removal;
    if (j->is_removal) {
        slice_keep(done->id, sizeof(done->id), line);
        return agent_dirs_remove(&c->agent_dirs, done->id);
    }
    if (line.len < 3)
        return -EINVAL;
    slice_keep(done->id, sizeof(done->id),
               slice_of(line.ptr + 2, line.len - 2));
    rc = line.ptr[0] == CLEANER_DROP
             ? agent_dirs_drop(&c->agent_dirs, done->id)
             : agent_dirs_pack(&c->agent_dirs, done->id);
    if (rc == 0)
        done->form =
            (int)agent_dirs_look(&c->agent_dirs, done->id, &done->bytes);
    return rc;
}

/* The directory of agents comes with the first of them. */
static void open_agent_dirs(struct cleaner *c)
{
    if (c->agent_dirs.fd < 0)
        agent_dirs_open(&c->agent_dirs, c->context->state_dir);
}

static void on_step(struct rt_turn *t, struct cleaner *c)
{
    struct job *j = c->first;
    struct cleaner_done done = {.bytes = 0};
    struct slice line = line_of(j);
    int rc;

    if (line.len > 0) {
        open_agent_dirs(c);
        rc = work(c, j, line, &done);
        if (rc != 1)
            j->at += line.len + 1;
        if (rc == 0) {
            j->done++;
            rt_tell(t, j->from, CLEANER_DONE, &done, sizeof(done));
        }
    } else {
        end_job(t, c);
    }
    if (c->first != NULL)
        rt_tell(t, rt_self(t), CLEANER_STEP, NULL, 0);
}

static void on_list(struct rt_turn *t, struct cleaner *c, struct rt_msg *m)
{
    struct job *j = bytes_zalloc(sizeof(*j));

    j->list = RT_OBJ(m, struct cleaner_list);
    rt_obj_keep(&j->list->obj);
    j->from = m->from;
    j->is_removal = m->kind == CLEANER_REMOVE;
    if (c->first == NULL)
        rt_tell(t, rt_self(t), CLEANER_STEP, NULL, 0);
    *(c->last != NULL ? &c->last->next : &c->first) = j;
    c->last = j;
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct cleaner *c = state;

    if (m->kind == CLEANER_REMOVE || m->kind == CLEANER_TRANSCRIPTS)
        on_list(t, c, m);
    else if (m->kind == CLEANER_STEP && c->first != NULL)
        on_step(t, c);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct cleaner *c = state;

    (void)t;
    while (c->first != NULL) {
        struct job *next = c->first->next;

        free_job(c->first);
        c->first = next;
    }
    agent_dirs_close(&c->agent_dirs);
    rt_obj_drop(&c->context->obj);
}

static const struct rt_behaviour behaviour = {.name = "cleaner",
                                              .size = sizeof(struct cleaner),
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref cleaner_spawn(struct rt_turn *t, struct hub_context *context)
{
    struct cleaner c = {.context = context, .agent_dirs = {.fd = -1}};
    struct rt_ref ref;

    rt_obj_keep(&context->obj);
    ref = rt_spawn_at(t, HUB_LOOP_SPAWN, &behaviour, &c);
    if (ref.id == 0)
        rt_obj_drop(&context->obj);
    return ref;
}
