/* SPDX-License-Identifier: MIT */
#include "actors/registry/views.h"

#include "actors/order/args_read.h"
#include "actors/registry/inside.h"
#include "actors/store/transcript_pages.h"

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
    int64_t from = -1, before = -1, limit = 0;
    struct slice id = SLICE_EMPTY;
    struct transcript_page page = {.order = o, .reader = r->pages};
    const struct agent_entry *agent;

    read_args(o, &id, &from, &before, &limit);
    if (from >= 0 && before >= 0) {
        ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR,
                     "%s: from と before は同時に指定できません。"
                     "どちらか一方にしてください",
                     "%s: from and before cannot both be given; leave one out",
                     order_name(o->kind).ptr);
        return;
    }
    agent = agent_entry_find(r, id);
    slice_keep(page.id, sizeof(page.id), id);
    page.is_backward = before >= 0;
    page.at = (uint64_t)(before >= 0 ? before : from >= 0 ? from : 0);
    page.limit = (unsigned)limit;
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
