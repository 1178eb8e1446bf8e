/* SPDX-License-Identifier: MIT */
#include "actors/registry/views.h"

#include "actors/registry/inside.h"
#include "actors/store/transcript_pages.h"

/* Only the store knows all that were: a transcript can be one of which nothing
 * else is left, and is looked for without asking. */
static void pass_on(struct rt_turn *t, struct registry *r,
                    const struct transcript_page *page)
{
    struct transcript_page *wanted = transcript_page_create(page);

    if (page->order->kind != ORDER_TRANSCRIPT && r->durable.store.id != 0)
        rt_pass_take(t, r->durable.store, STORE_STORY, &wanted->obj);
    else
        rt_pass_take(t, r->pages, TRANSCRIPT_PAGES_READ, &wanted->obj);
}

/* Pages are read where a disk may be waited for. */
void view_answer_transcript(struct rt_turn *t, struct registry *r,
                            struct order *o)
{
    struct transcript_page page = {.reader = r->pages};
    const struct agent_entry *agent;

    if (!transcript_page_read(t, o, &page))
        return;
    agent = agent_entry_find(r, slice_cstr(page.id));
    page.is_known = agent != NULL;
    page.is_gone = agent == NULL || agent->is_gone;
    if (agent != NULL) {
        page.backend = agent->task->role->backend;
        page.times = line_times_copy(agent);
    }
    if (agent != NULL && agent->view != NULL) {
        page.pid = agent->view->pid;
        page.started_at = agent->view->started_at;
    }
    pass_on(t, r, &page);
}
