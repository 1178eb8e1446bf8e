/* SPDX-License-Identifier: MIT */
/* What sub-agents report of themselves, on its way to them and back. */
#include "actors/group/inside.h"

#include <stdlib.h>

#include "runtime/text/bytes.h"
#include "runtime/text/json.h"

static enum agent_outcome outcome_of(struct order *o)
{
    struct slice status = FIELD_TEXT(o->args, "status");

    return slice_eq(status, SLICE("success"))     ? AGENT_SUCCESS
           : slice_eq(status, SLICE("timeout"))   ? AGENT_TIMEOUT
           : slice_eq(status, SLICE("cancelled")) ? AGENT_CANCELLED_OUTCOME
                                                  : AGENT_FAILURE;
}

static struct agent_result *report_of(struct order *o)
{
    struct agent_paths edited = agent_paths_read(FIELD(o->args, "editedFiles"));
    struct agent_paths created =
        agent_paths_read(FIELD(o->args, "createdFiles"));
    struct agent_result *r = agent_result_create(
        &(struct agent_result){.outcome = outcome_of(o),
                               .is_reported = true,
                               .summary = FIELD_TEXT(o->args, "summary"),
                               .response = FIELD_TEXT(o->args, "response"),
                               .error = FIELD_TEXT(o->args, "errorMessage"),
                               .edited = edited,
                               .created = created});

    agent_paths_free(&edited);
    agent_paths_free(&created);
    return r;
}

static void refuse_report(struct rt_turn *t, struct order *o, const char *id)
{
    ORDER_REFUSE(t, o, CODE_REPORT_FAILED, RESULT_CANNOT_BE_REPORTED, id);
}

void group_on_report(struct rt_turn *t, struct group *g, struct order *o)
{
    struct member *m = group_member(g, o->first);
    struct pending *p;
    struct agent_result *report;

    if (m == NULL) {
        refuse_report(t, o, yyjson_get_str(FIELD(o->args, "agentId")));
        return;
    }
    p = bytes_zalloc(sizeof(*p));
    p->agent = group_wake(t, g, m);
    p->order = RT_KEEP(o);
    LIST_APPEND(&g->reports, p, link);
    report = report_of(o);
    rt_pass_take(t, m->agent, AGENT_REPORT, &report->obj);
}

static void drop(struct pending *p)
{
    rt_obj_drop(&p->order->obj);
    free(p);
}

/* Its news came before, so the registry knows what is answered here. */
void group_on_report_answered(struct rt_turn *t, struct group *g,
                              struct rt_ref agent, bool is_taken)
{
    struct pending *p = g->reports.first;
    struct slice id;
    struct answer *a;

    while (p != NULL && !rt_same(p->agent, agent))
        p = p->link.next;
    if (p == NULL)
        return;
    LIST_REMOVE(&g->reports, p, link);
    id = FIELD_TEXT(p->order->args, "agentId");
    if (is_taken) {
        a = answer_create(p->order->ticket);
        JSON_RAW(&a->json, "{\"registered\":true");
        JSON_TEXT(&a->json, "agentId", id);
        JSON_RAW(&a->json, "}");
        answer_send(t, p->order, a);
    } else {
        refuse_report(t, p->order, id.ptr);
    }
    drop(p);
}

void group_on_kept(struct rt_turn *t, struct group *g,
                   const struct agent_view *v)
{
    struct member *m = group_member(g, v->def->serial);

    if (m != NULL && m->agent.id != 0)
        rt_tell(t, m->agent, AGENT_KEPT, NULL, 0);
}

void group_drop_reports(struct group *g)
{
    LIST_EACH (p, &g->reports, link)
        drop(p);
}
