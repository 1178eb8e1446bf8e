/*
 * A group's insides, shared by its files: group.c is the actor and what its
 * agents tell it, run.c how agents come to be and to run, plans.c which plan
 * has its turn, report.c what agents report, spec.c what their processes are,
 * recover.c what an earlier hub left.
 * All of it runs in the group's own turns.
 */
#ifndef ACTORS_GROUP_INSIDE_H
#define ACTORS_GROUP_INSIDE_H

#include "actors/agent/agent.h"
#include "actors/group/group.h"
#include "actors/group/recover.h"
#include "actors/group/slots.h"
#include "actors/group/stage.h"
#include "runtime/list.h"

enum member_place {
    MEMBER_LATER,   /* its stage has not begun */
    MEMBER_IN_LINE, /* waits for a place */
    MEMBER_HOLDS,   /* has one */
    MEMBER_NONE     /* has given it back, or will never want one */
};

struct member {
    uint64_t serial;
    struct rt_ref agent;
    struct order *order; /* kept: what it is to do; NULL: it is forgotten */
    const struct order_task *task;
    uint64_t ticket; /* under which it asked for a place */
    enum member_place place;
    bool is_told_done; /* to slots */
    bool is_gone;
    /* kept: of one that an earlier hub had, or that was gone before its plan
     * began; else NULL */
    struct agent_view *past;
};

/* A report that its agent has not answered yet. */
struct pending {
    LIST_LINK(struct pending) link;
    struct rt_ref agent;
    struct order *order; /* kept */
};

/* An order to run that waits for something. */
struct asked {
    LIST_LINK(struct asked) link;
    struct order *order; /* kept */
};

struct group {
    struct group_setup setup;
    struct member *members; /* by serial number */
    size_t member_count;
    size_t forgotten;   /* of those */
    size_t first_later; /* none before it is in the line, or will be */
    LIST(struct pending) reports; /* oldest first */
    LIST(struct asked) asked;     /* slots have not answered yet */
    bool is_closing;
    struct rt_ref stage, magentic;
    uint64_t plan;                 /* the sequential order's first agent */
    LIST(struct asked) plans;      /* accepted, to begin after that one */
    struct stage_handover *before; /* what the running stage is to know */
};

/* ---- group.c ---- */
struct member *group_member(struct group *g, uint64_t serial);
uint32_t group_kind(const struct group *g);
void group_tell_stage(struct rt_turn *t, struct group *g, struct member *m,
                      struct agent_view *v);

/* ---- report.c ---- */
void group_on_report(struct rt_turn *t, struct group *g, struct order *o);
void group_on_report_answered(struct rt_turn *t, struct group *g,
                              struct rt_ref agent, bool is_taken);
void group_on_kept(struct rt_turn *t, struct group *g,
                   const struct agent_view *v);
/* Those in flight, without an answer. */
void group_drop_reports(struct group *g);

/* ---- run.c ---- */
void group_on_run(struct rt_turn *t, struct group *g, struct order *o);
void group_on_accepted(struct rt_turn *t, struct group *g, uint64_t ticket);
void group_on_refused(struct rt_turn *t, struct group *g,
                      const struct slots_refusal *no);
void group_on_granted(struct rt_turn *t, struct group *g,
                      const struct slots_grant *grant);
void group_on_next_stage(struct rt_turn *t, struct group *g,
                         struct stage_handover *h);

/* Puts it where its serial number belongs. */
void group_add_member(struct group *g, const struct member *m);
struct rt_ref group_spawn_agent(struct rt_turn *t, const struct group *g,
                                const struct order *o, unsigned i);
/* How many agents each stage has; the caller frees it. */
unsigned *group_stage_sizes(const struct order *o);
void group_ask(struct rt_turn *t, const struct group *g,
               const struct slots_ask *a);
void group_begin_magentic(struct rt_turn *t, struct group *g,
                          const struct order *o, struct slice ledger);

/* ---- plans.c ---- */
/* Whether a tree of an earlier order has yet to leave. */
bool group_is_held_up(const struct group *g, uint64_t plan);
void group_begin_plan(struct rt_turn *t, struct group *g,
                      const struct order *o);
/* Its first stage stands in line until those before are gone. */
void group_hold_plan(struct group *g, struct order *o);
/* One is gone: the next plan may have its turn. */
void group_try_plans(struct rt_turn *t, struct group *g);
/* Keeps what became of one that is gone before its plan has begun. */
void group_keep_gone(struct group *g, struct member *m, struct agent_view *v);

/* ---- spec.c ---- */
/* What its process is to be; the caller owns the one reference. */
struct process_spec *group_spec(struct group *g, const struct member *m);

/* ---- recover.c ---- */
void group_on_past(struct rt_turn *t, struct group *g,
                   const struct group_past *p);
/* The agent's actor, which a gone one of an earlier hub gets only now. */
struct rt_ref group_wake(struct rt_turn *t, struct group *g, struct member *m);

#endif
