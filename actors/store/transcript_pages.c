/* SPDX-License-Identifier: MIT */
#include "actors/store/transcript_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "actors/order/args_read.h"
#include "actors/store/agent_dirs_read.h"
#include "actors/store/agent_papers.h"
#include "actors/store/story_page.h"
#include "actors/store/transcript_lines.h"
#include "config/reason.h"
#include "runtime/text/folder.h"
#include "runtime/text/json.h"

struct job {
    struct job *next;
    struct transcript_page *page; /* kept */
    struct story_page *story;     /* under way, or NULL */
};

struct transcript_pages {
    char *state_dir;
    struct agent_dirs agent_dirs;
    /* Of the last page: the next goes on there, if it is packed. */
    struct agent_dirs_reading *open;
    struct job *first, *last;
};

static void free_page(struct rt_obj *o)
{
    struct transcript_page *p = (struct transcript_page *)o;

    rt_obj_drop(&p->order->obj);
    free((struct story_time *)(uintptr_t)p->times.items);
    free(p);
}

struct transcript_page *transcript_page_create(
    const struct transcript_page *from)
{
    struct transcript_page *p = bytes_alloc(sizeof(*p));

    *p = *from;
    rt_obj_init(&p->obj, free_page);
    rt_obj_keep(&p->order->obj);
    return p;
}

static void read_args(const struct order *o, struct slice *id, int64_t *from,
                      int64_t *before, int64_t *limit)
{
    const struct arg args[] = {{"agentId", ARG_TEXT, id},
                               {"from", ARG_COUNT, from},
                               {"before", ARG_COUNT, before},
                               {"limit", ARG_COUNT, limit},
                               {0}};

    args_read(o, args);
}

bool transcript_page_read(struct rt_turn *t, struct order *o,
                          struct transcript_page *p)
{
    int64_t from = -1, before = -1, limit = 0;
    struct slice id = SLICE_EMPTY;

    read_args(o, &id, &from, &before, &limit);
    if (from >= 0 && before >= 0) {
        ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, TRANSCRIPT_FROM_AND_BEFORE,
                     order_name(o->kind).ptr);
        return false;
    }
    p->order = o;
    slice_keep(p->id, sizeof(p->id), id);
    p->is_backward = before >= 0;
    p->at = (uint64_t)(before >= 0 ? before : from >= 0 ? from : 0);
    p->limit = (unsigned)limit;
    return true;
}

/* ---- refusals ---------------------------------------------------------- */

static void refuse(struct rt_turn *t, const struct transcript_page *p,
                   int error)
{
    if (error == -ENOENT && !p->is_known)
        order_refuse_agent(t, p->order, slice_cstr(p->id));
    else if (error != -ENOENT && error != -ENODATA)
        ORDER_REFUSE(t, p->order, CODE_INTERNAL_ERROR, TRANSCRIPT_UNREADABLE,
                     p->id, reason_of(error, order_is_english(p->order)).text);
    else
        ORDER_REFUSE(t, p->order, CODE_TRANSCRIPT_NOT_FOUND,
                     TRANSCRIPT_NOT_KEPT, p->id);
}

/* ---- lines ------------------------------------------------------------- */

static void answer_lines(struct rt_turn *t, const struct transcript_page *p,
                         const struct transcript_lines *l)
{
    struct answer *a = answer_create(p->order->ticket);

    transcript_lines_put(&a->json, p, l);
    answer_send(t, p->order, a);
}

/* Backward: the page that ends there. Behind the end is the end, or who goes on
 * from there would miss what comes before. */
static uint64_t begin_of(const struct transcript_page *p, uint64_t size,
                         size_t *len)
{
    uint64_t end = p->at < size ? p->at : size;

    *len = TRANSCRIPT_PAGES_PAGE;
    if (!p->is_backward)
        return end;
    if (end <= TRANSCRIPT_PAGES_PAGE) {
        *len = (size_t)end;
        return 0;
    }
    return end - TRANSCRIPT_PAGES_PAGE;
}

/* What was never written ends a page as its end does. */
static int read_lines(struct rt_turn *t, struct transcript_pages *r,
                      const struct transcript_page *p)
{
    struct transcript_lines l = {.size = agent_dirs_reading_size(r->open)};
    size_t len;
    uint64_t from = begin_of(p, l.size, &len);
    int rc = agent_dirs_reading_seek(r->open, from);
    char *text;
    ssize_t n;

    if (rc != 0)
        return rc;
    l.at = agent_dirs_reading_at(r->open);
    if (p->is_backward)
        len = l.at < from + len ? (size_t)(from + len - l.at) : 0;
    text = bytes_alloc(len + 1);
    n = agent_dirs_reading_read(r->open, text, len);
    l.text = text;
    l.len = n > 0 ? (size_t)n : 0;
    if (n >= 0)
        answer_lines(t, p, &l);
    free(text);
    return n < 0 ? (int)n : 0;
}

/* ---- stories ----------------------------------------------------------- */

/* What was never written is as empty lines. */
static ssize_t read_story(void *ctx, uint64_t at, char *to, size_t len)
{
    struct transcript_pages *r = ctx;
    int rc = agent_dirs_reading_seek(r->open, at);
    uint64_t there = agent_dirs_reading_at(r->open);

    if (rc != 0)
        return rc < 0 ? rc : -EAGAIN;
    if (there <= at)
        return agent_dirs_reading_read(r->open, to, len);
    if (len > there - at)
        len = (size_t)(there - at);
    memset(to, '\n', len);
    return (ssize_t)len;
}

static void answer_story(struct rt_turn *t, const struct transcript_page *p,
                         const struct story_page *story)
{
    struct answer *a = answer_create(p->order->ticket);

    JSON_RAW(&a->json, "{");
    JSON_TEXT(&a->json, "agentId", slice_cstr(p->id));
    story_page_put(story, &a->json);
    JSON_RAW(&a->json, "}");
    answer_send(t, p->order, a);
}

static struct story_page *begin_story(struct transcript_pages *r,
                                      const struct transcript_page *p,
                                      uint64_t size)
{
    return story_page_create(&(struct story_page_setup){
        .backend = p->backend,
        .source =
            {.read = read_story, .ctx = r, .size = size, .is_gone = p->is_gone},
        .times = &p->times,
        .is_backward = p->is_backward,
        .at = p->at,
        .limit = p->limit > 0 ? p->limit : STORY_PAGE_ENTRIES});
}

static int step_story(struct rt_turn *t, struct transcript_pages *r,
                      struct job *j)
{
    int rc;

    if (j->page->backend == NULL)
        return -ENOENT;
    if (j->story == NULL)
        j->story = begin_story(r, j->page, agent_dirs_reading_size(r->open));
    rc = story_page_step(j->story);
    if (rc == 0)
        answer_story(t, j->page, j->story);
    return rc;
}

/* One that has not begun yet has an empty one. */
static void answer_nothing(struct rt_turn *t, struct transcript_pages *r,
                           const struct transcript_page *p)
{
    struct transcript_lines l = {.at = p->is_backward ? 0 : p->at};
    struct story_page *story;

    if (p->order->kind != ORDER_STORY) {
        answer_lines(t, p, &l);
        return;
    }
    story = begin_story(r, p, 0);
    story_page_step(story);
    answer_story(t, p, story);
    story_page_destroy(story);
}

/* ---- papers ------------------------------------------------------------ */

/* One that is known need not have a directory: it may not have been started.
 */
static int answer_papers(struct rt_turn *t, struct transcript_pages *r,
                         const struct transcript_page *p)
{
    int dir = agent_dirs_is_id(p->id) && r->agent_dirs.fd >= 0
                  ? folder_open_in(r->agent_dirs.fd, p->id)
                  : -ENOENT;
    struct answer *a;
    int rc;

    if (dir < 0 && !p->is_known)
        return -ENOENT;
    a = answer_create(p->order->ticket);
    rc = agent_papers_put(&a->json, p, dir);
    if (rc == 0)
        answer_send(t, p->order, a);
    else
        rt_obj_drop(&a->obj);
    if (dir >= 0)
        close(dir);
    return rc;
}

/* ---- one page ---------------------------------------------------------- */

/* The directory of agents comes with the first of them. */
static void open_dirs(struct transcript_pages *r)
{
    if (r->agent_dirs.fd < 0)
        agent_dirs_open(&r->agent_dirs, r->state_dir);
}

static int open_transcript(struct transcript_pages *r,
                           const struct transcript_page *p)
{
    if (agent_dirs_reading_is_good(r->open, p->id))
        return 0;
    agent_dirs_reading_close(r->open);
    r->open = NULL;
    return agent_dirs_reading_open(&r->agent_dirs, p->id, &r->open);
}

static void end_job(struct transcript_pages *r)
{
    struct job *j = r->first;

    r->first = j->next;
    if (r->first == NULL)
        r->last = NULL;
    story_page_destroy(j->story);
    rt_obj_drop(&j->page->obj);
    free(j);
}

/* 1: it goes on with the next step. */
static int step(struct rt_turn *t, struct transcript_pages *r, struct job *j)
{
    enum order_kind kind = j->page->order->kind;
    int rc;

    open_dirs(r);
    if (kind != ORDER_STORY && kind != ORDER_TRANSCRIPT)
        return answer_papers(t, r, j->page);
    rc = open_transcript(r, j->page);
    if (rc != 0)
        return rc;
    return kind == ORDER_STORY ? step_story(t, r, j)
                               : read_lines(t, r, j->page);
}

static void on_step(struct rt_turn *t, struct transcript_pages *r)
{
    struct job *j = r->first;
    const struct transcript_page *p = j->page;
    int rc = step(t, r, j);

    if ((rc == -ENOENT || rc == -ENODATA) && p->is_known && !p->is_gone)
        answer_nothing(t, r, p);
    else if (rc < 0)
        refuse(t, p, rc);
    if (rc <= 0)
        end_job(r);
    if (r->first != NULL)
        rt_tell(t, rt_self(t), TRANSCRIPT_PAGES_STEP, NULL, 0);
}

static void on_read(struct rt_turn *t, struct transcript_pages *r,
                    struct transcript_page *p)
{
    struct job *j = bytes_zalloc(sizeof(*j));

    j->page = RT_KEEP(p);
    if (r->first == NULL)
        rt_tell(t, rt_self(t), TRANSCRIPT_PAGES_STEP, NULL, 0);
    *(r->last != NULL ? &r->last->next : &r->first) = j;
    r->last = j;
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct transcript_pages *r = state;

    if (m->kind == TRANSCRIPT_PAGES_READ)
        on_read(t, r, RT_OBJ(m, struct transcript_page));
    else if (m->kind == TRANSCRIPT_PAGES_STEP && r->first != NULL)
        on_step(t, r);
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct transcript_pages *r = state;

    (void)t;
    while (r->first != NULL)
        end_job(r);
    agent_dirs_reading_close(r->open);
    agent_dirs_close(&r->agent_dirs);
    free(r->state_dir);
}

static const struct rt_behaviour behaviour = {
    .name = "transcript-pages",
    .size = sizeof(struct transcript_pages),
    .handle = handle,
    .stop = stop};

struct rt_ref transcript_pages_spawn(struct rt_turn *t, unsigned home,
                                     const char *state_dir)
{
    struct transcript_pages r = {.state_dir = bytes_text("%s", state_dir),
                                 .agent_dirs = {.fd = -1}};
    struct rt_ref ref = rt_spawn_at(t, home, &behaviour, &r);

    if (ref.id == 0)
        free(r.state_dir);
    return ref;
}
