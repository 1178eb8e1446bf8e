/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "actors/registry/registry.h"
#include "runtime/os.h"
#include "tests/stories/boss.h"
#include "tests/stories/fake_inside.h"
#include "tests/stories/lines.h"

/* ---- reports ----------------------------------------------------------- */

static struct order *report_of(struct rt_turn *t, struct fake *w,
                               const struct proc *p, const char *status)
{
    char text[512];
    int len =
        snprintf(text, sizeof(text),
                 "{\"agentId\":\"%s\",\"status\":\"%s\","
                 "\"summary\":\"as told\",\"response\":\"" LINES_MARK
                 "%s\",\"editedFiles\":[\"g.c\"]}",
                 p->spec->id, status[0] != 0 ? status : "success", p->spec->id);
    yyjson_doc *doc = yyjson_read(text, (size_t)len, 0);

    return order_create_take(ORDER_REPORT_RESULT, doc, yyjson_doc_get_root(doc),
                             p->caller, rt_self(t), ++w->tickets);
}

/* Gives its ticket. */
static uint64_t report(struct rt_turn *t, struct fake *w, struct proc *p,
                       const char *status, bool must)
{
    struct order *o = report_of(t, w, p, status);
    struct report *r = bytes_zalloc(sizeof(*r));

    rt_obj_keep(&o->obj);
    r->order = o;
    r->ticket = o->ticket;
    r->proc = p->number;
    r->must_be_taken = must;
    r->next = w->reports;
    w->reports = r;
    r->placed = books_place(world_books(w->world), o);
    registry_place(t, world_registry(w->world), o);
    return r->ticket;
}

static void drop_report(struct report *r)
{
    rt_obj_drop(&r->order->obj);
    free(r);
}

void fake_drop_reports(struct fake *w)
{
    while (w->reports != NULL) {
        struct report *next = w->reports->next;

        drop_report(w->reports);
        w->reports = next;
    }
}

void fake_on_answer(struct rt_turn *t, struct fake *w, struct rt_msg *m)
{
    const struct answer *a = RT_OBJ(m, struct answer);
    yyjson_doc *doc = yyjson_read(a->json.ptr, a->json.len, 0);
    struct report **link = &w->reports, *r;
    struct proc *p = w->procs;

    while (*link != NULL && (*link)->ticket != a->ticket)
        link = &(*link)->next;
    if ((r = *link) == NULL || doc == NULL)
        os_panic("a report is answered twice, or with no JSON");
    *link = r->next;
    books_answer(world_books(w->world), r->order, r->placed, a->is_error,
                 yyjson_doc_get_root(doc));
    if (a->is_error && r->must_be_taken)
        os_panic("a report is refused: %.*s", (int)a->json.len, a->json.ptr);
    while (p != NULL && p->number != r->proc)
        p = p->next;
    drop_report(r);
    yyjson_doc_free(doc);
    if (p == NULL || p->report != a->ticket || p->exit != NULL)
        return;
    p->report = 0;
    fake_play(t, w, p);
}

/* ---- steps ------------------------------------------------------------- */

static void begin(struct rt_turn *t, struct fake *w, struct proc *p)
{
    struct process_started started = {.pid = 1000 + (int32_t)p->number,
                                      .started_at = rt_wall_ms(t)};

    p->is_started = true;
    p->started_at = started.started_at;
    rt_tell(t, p->owner, PROCESS_STARTED, &started, sizeof(started));
    lines_init(&p->out, p->spec->id);
    /* The end it was told before it could hear. */
    if (p->is_end_wanted)
        fake_order_end(t, w, p, p->grace_ms);
}

static void rest(struct rt_turn *t, struct fake *w, struct proc *p,
                 const char *ms)
{
    p->step =
        rt_after(t, fake_draw(t, w, 2 * strtoull(ms, NULL, 10)), FAKE_STEP);
}

static void work(struct rt_turn *t, struct fake *w, struct proc *p,
                 const char *ms)
{
    for (unsigned i = (unsigned)(rt_random(t) % 3); i > 0; i--)
        lines_any_edit(&p->out, p->calls++);
    lines_message(&p->out, "at work");
    rest(t, w, p, ms);
}

static void burst(struct rt_turn *t, struct fake *w, struct proc *p,
                  const char *kib)
{
    size_t end = p->out.len + strtoull(kib, NULL, 10) * 1024;

    while (p->out.len < end)
        lines_any_edit(&p->out, p->calls++);
    rest(t, w, p, "1");
}

static void edit_all(struct proc *p, const char *count)
{
    char path[SCRIPT_WORD];

    for (unsigned long i = 0; i < strtoul(count, NULL, 10); i++) {
        snprintf(path, sizeof(path), "/shared/%lu.c", i);
        lines_edit(&p->out, p->calls++, path);
    }
}

/* Each result of another is told in the prompt once at least. */
static void see(const struct proc *p, const char *count)
{
    const char *at = script_prompt(p->spec);
    unsigned long seen = 0;

    while ((at = strstr(at, LINES_MARK)) != NULL) {
        at += strlen(LINES_MARK);
        seen++;
    }
    if (seen < strtoul(count, NULL, 10))
        os_panic("%s sees %lu results, not %s", p->spec->id, seen, count);
}

static void lead(struct rt_turn *t, struct fake *w, struct proc *p,
                 const char *name)
{
    p->client = client_create(w->world, p->spec->id);
    rt_tell(t, rt_parent(t), WORLD_OPEN, &p->client, sizeof(p->client));
    boss_hire(p->client, name, rt_self(t), FAKE_LED, p->number);
}

/* True: the next step may follow at once. */
static bool take_step(struct rt_turn *t, struct fake *w, struct proc *p,
                      enum step step, const char *word)
{
    switch (step) {
    case STEP_WORK:
        work(t, w, p, word);
        return false;
    case STEP_SLEEP:
        rest(t, w, p, word);
        return false;
    case STEP_BURST:
        burst(t, w, p, word);
        return false;
    case STEP_EDIT:
        lines_edit(&p->out, p->calls++, word);
        rest(t, w, p, "2");
        return false;
    case STEP_EDITS:
        edit_all(p, word);
        rest(t, w, p, "2");
        return false;
    case STEP_REPORT:
    case STEP_MUST_REPORT:
        p->report = report(t, w, p, word, step == STEP_MUST_REPORT);
        return false;
    case STEP_SEES:
        see(p, word);
        return true;
    case STEP_LEAD:
        lead(t, w, p, word);
        return false;
    case STEP_RESULT:
        lines_result(&p->out, p->spec->id, word[0] != 0);
        rest(t, w, p, "2");
        return false;
    case STEP_STUBBORN:
        p->is_stubborn = true;
        return true;
    case STEP_HANG:
        return false;
    case STEP_END:
    case STEP_EXIT:
    case STEP_NEVER:
        break;
    }
    os_panic("no such step");
}

void fake_play(struct rt_turn *t, struct fake *w, struct proc *p)
{
    char word[SCRIPT_WORD];
    enum step step;

    do {
        step = script_next(&p->script, word);
        if (step == STEP_NEVER) {
            p->exit = fake_never_ran();
            fake_pump(t, w, p);
            return;
        }
        if (!p->is_started)
            begin(t, w, p);
        if (step == STEP_END || step == STEP_EXIT) {
            fake_exit(t, w, p, (int)strtol(word, NULL, 10));
            return;
        }
    } while (take_step(t, w, p, step, word));
    fake_pump(t, w, p);
}
