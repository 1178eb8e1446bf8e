/* SPDX-License-Identifier: MIT */
#include "actors/registry/views.h"

#include "actors/order/args.h"
#include "actors/registry/inside.h"
#include "actors/store/transcript_pages.h"

/* Pages are read where a disk may be waited for. */
void view_answer_transcript(struct rt_turn *t, struct registry *r,
                            struct order *o)
{
    int64_t from = 0, limit = TRANSCRIPT_PAGES_LINES;
    struct slice id = SLICE_EMPTY;
    const struct arg args[] = {
        {"agentId", ARG_TEXT, &id, 0, ORDER_ID - 1},
        {"from", ARG_COUNT, &from, 0, INT64_MAX},
        {"limit", ARG_COUNT, &limit, 1, TRANSCRIPT_PAGES_LINES_MAX},
        {NULL, ARG_TEXT, NULL, 0, 0}};
    struct transcript_page page = {.order = o}, *wanted;
    const struct agent_entry *agent;

    if (!args_read(t, o, args))
        return;
    if (id.len == 0) {
        ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, "'%s' は必須です: 文字列",
                     "'%s' is required: a string", "agentId");
        return;
    }
    agent = agent_entry_find(r, id);
    slice_keep(page.id, sizeof(page.id), id);
    page.from = (uint64_t)from;
    page.limit = (unsigned)limit;
    page.is_known = agent != NULL;
    page.is_gone = agent == NULL || agent->is_gone;
    wanted = transcript_page_create(&page);
    rt_pass_take(t, r->pages, TRANSCRIPT_PAGES_READ, &wanted->obj);
}
