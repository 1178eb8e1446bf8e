/* SPDX-License-Identifier: MIT */
#include "actors/store/transcript_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "actors/store/agent_dirs_read.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

struct job {
    struct job *next;
    struct transcript_page *page; /* kept */
};

struct transcript_pages {
    struct hub_context *context; /* kept */
    struct agent_dirs agent_dirs;
    /* Of the last page: the next goes on there. */
    struct agent_dirs_reading *open;
    struct job *first, *last;
};

static void free_page(struct rt_obj *o)
{
    rt_obj_drop(&((struct transcript_page *)o)->order->obj);
    free(o);
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

/* ---- lines ------------------------------------------------------------- */

/* What of the transcript is on a page. */
struct lines {
    const char *text;
    uint64_t at; /* of its first byte */
    size_t len;  /* bytes read */
    size_t used; /* of them in lines */
    bool is_end; /* nothing follows them, now or ever */
    bool is_cut; /* the last is a piece of one */
    unsigned count;
    struct bytes *out;
};

static void put_line(struct lines *l, struct slice line)
{
    l->used += line.len;
    line = slice_trim(line);
    if (line.len == 0)
        return;
    if (l->count++ > 0)
        JSON_RAW(l->out, ",");
    if (l->is_cut || !json_compact(l->out, line))
        json_string(l->out, line);
}

/* What has no end yet is left for the next page, unless that would not help. */
static void put_rest(struct lines *l)
{
    size_t rest = l->len - l->used;

    l->is_cut = l->used == 0 && l->len == TRANSCRIPT_PAGES_PAGE && !l->is_end;
    if (l->is_cut)
        put_line(l, slice_of(l->text, utf8_cut(l->text, rest, rest - 1)));
    else if (l->is_end)
        put_line(l, slice_of(l->text + l->used, rest));
}

static void put_lines(struct lines *l, unsigned limit)
{
    while (l->used < l->len && l->count < limit) {
        const char *at = l->text + l->used;
        const char *end = memchr(at, '\n', l->len - l->used);

        if (end == NULL) {
            put_rest(l);
            return;
        }
        put_line(l, slice_of(at, (size_t)(end + 1 - at)));
    }
}

/* ---- answers ----------------------------------------------------------- */

static void put_tail(struct bytes *out, const struct transcript_page *p,
                     const struct lines *l, uint64_t size)
{
    uint64_t next = l->at + l->used;

    JSON_RAW(out, "]");
    JSON_UINT(out, "next", next);
    JSON_UINT(out, "size", size);
    JSON_BOOL(out, "isComplete", p->is_gone && next >= size);
    if (l->is_cut)
        JSON_RAW(out, ",\"isCut\":true");
    JSON_RAW(out, "}");
}

/* Of the bytes that were read. */
static void answer(struct rt_turn *t, const struct transcript_page *p,
                   struct lines l, uint64_t size)
{
    struct answer *a = answer_create(p->order->ticket);

    l.is_end = p->is_gone && l.at + l.len >= size;
    l.out = &a->json;
    JSON_RAW(&a->json, "{");
    JSON_TEXT(&a->json, "agentId", slice_cstr(p->id));
    JSON_UINT(&a->json, "from", p->from);
    JSON_KEY(&a->json, "lines");
    JSON_RAW(&a->json, "[");
    put_lines(&l, p->limit);
    put_tail(&a->json, p, &l, size);
    answer_send(t, p->order, a);
}

static void refuse(struct rt_turn *t, const struct transcript_page *p,
                   int error)
{
    if (error == -ENOENT && !p->is_known)
        order_refuse_agent(t, p->order, slice_cstr(p->id));
    else if (error != -ENOENT && error != -ENODATA)
        ORDER_REFUSE(t, p->order, CODE_INTERNAL_ERROR,
                     "Agent '%s' の出力を読めません: %s",
                     "the transcript of agent '%s' cannot be read: %s", p->id,
                     strerror(-error));
    else if (p->is_gone)
        ORDER_REFUSE(t, p->order, CODE_TRANSCRIPT_NOT_FOUND,
                     "Agent '%s' の出力は残っていません"
                     "（起動していないか、保存期間が過ぎました）",
                     "there is no transcript of agent '%s' (any more): it has "
                     "never run, or history.transcripts let it go",
                     p->id);
    else
        answer(t, p, (struct lines){.at = p->from}, 0); /* it has not begun */
}

/* ---- one page ---------------------------------------------------------- */

/* The directory of agents comes with the first of them. */
static int open_transcript(struct transcript_pages *r,
                           const struct transcript_page *p)
{
    if (agent_dirs_reading_is_good(r->open, p->id))
        return 0;
    agent_dirs_reading_close(r->open);
    r->open = NULL;
    if (r->agent_dirs.fd < 0)
        agent_dirs_open(&r->agent_dirs, r->context->state_dir);
    return agent_dirs_reading_open(&r->agent_dirs, p->id, &r->open);
}

static void read_page(struct rt_turn *t, struct transcript_pages *r,
                      const struct transcript_page *p)
{
    char *text = bytes_alloc(TRANSCRIPT_PAGES_PAGE);
    uint64_t at = agent_dirs_reading_at(r->open);
    ssize_t n = agent_dirs_reading_read(r->open, text, TRANSCRIPT_PAGES_PAGE);

    if (n < 0)
        refuse(t, p, (int)n);
    else
        answer(t, p, (struct lines){.text = text, .at = at, .len = (size_t)n},
               agent_dirs_reading_size(r->open));
    free(text);
}

static void end_job(struct transcript_pages *r)
{
    struct job *j = r->first;

    r->first = j->next;
    if (r->first == NULL)
        r->last = NULL;
    rt_obj_drop(&j->page->obj);
    free(j);
}

static void on_step(struct rt_turn *t, struct transcript_pages *r)
{
    const struct transcript_page *p = r->first->page;
    int rc = open_transcript(r, p);

    if (rc == 0)
        rc = agent_dirs_reading_seek(r->open, p->from);
    if (rc == 0)
        read_page(t, r, p);
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
    rt_obj_drop(&r->context->obj);
}

static const struct rt_behaviour behaviour = {
    .name = "transcript-pages",
    .size = sizeof(struct transcript_pages),
    .handle = handle,
    .stop = stop};

struct rt_ref transcript_pages_spawn(struct rt_turn *t,
                                     struct hub_context *context)
{
    struct transcript_pages r = {.context = context, .agent_dirs = {.fd = -1}};
    struct rt_ref ref;

    rt_obj_keep(&context->obj);
    ref = rt_spawn_at(t, HUB_LOOP_SPAWN, &behaviour, &r);
    if (ref.id == 0)
        rt_obj_drop(&context->obj);
    return ref;
}
