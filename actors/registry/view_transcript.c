/* SPDX-License-Identifier: MIT */
#include "actors/registry/views.h"

#include "actors/order/args_read.h"
#include "actors/registry/inside.h"
#include "actors/store/transcript_pages.h"

/* Pages are read where a disk may be waited for. */
void view_answer_transcript(struct rt_turn *t, struct registry *r,
                            struct order *o)
{
    int64_t from = 0, limit = TRANSCRIPT_PAGES_LINES;
    struct slice id = SLICE_EMPTY;
    const struct arg args[] = {{"agentId", ARG_TEXT, &id},
                               {"from", ARG_COUNT, &from},
                               {"limit", ARG_COUNT, &limit},
                               {0}};
    struct transcript_page page = {.order = o}, *wanted;
    const struct agent_entry *agent;

    args_read(o, args);
    agent = agent_entry_find(r, id);
    slice_keep(page.id, sizeof(page.id), id);
    page.from = (uint64_t)from;
    page.limit = (unsigned)limit;
    page.is_known = agent != NULL;
    page.is_gone = agent == NULL || agent->is_gone;
    wanted = transcript_page_create(&page);
    rt_pass_take(t, r->pages, TRANSCRIPT_PAGES_READ, &wanted->obj);
}
