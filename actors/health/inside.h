/*
 * Health's insides, shared by its files: health.c is the actor,
 * probe.c asks and takes answers, state.c says what is to be
 * known and makes the roster of it.
 *
 *   cli     one back-end: which program it is and which models it offers
 *   probe   one question: a (back-end, model, prompt), or a tool's command
 *   job     one of them being asked, by a check
 *
 * A cli or probe that is_due waits for a free job; what it was found to be
 * before stays true until the answer is there. A probe waits for its cli too.
 */
#ifndef ACTORS_HEALTH_INSIDE_H
#define ACTORS_HEALTH_INSIDE_H

#include "actors/health/aside.h"
#include "actors/health/check.h"
#include "actors/health/health.h"
#include "actors/health/models.h"
#include "actors/health/passes.h"
#include "runtime/list.h"
#include "runtime/text/arena.h"
#include "runtime/text/bytes.h"

enum { HEALTH_RETRY = 0x658, HEALTH_CLEAR };

#define HEALTH_JOBS 4
#define HEALTH_CLIS 8
#define HEALTH_CANDIDATES 4

/* When it is asked again after a failure. */
struct health_retry {
    uint64_t delay_ms; /* of the next one; 0: the first */
    uint64_t timer;    /* 0: none */
};

enum health_found { HEALTH_UNKNOWN, HEALTH_FOUND, HEALTH_LOST };

struct health_cli {
    const struct backend *backend;
    bool is_used; /* some role has it */
    bool is_due, is_running;
    enum health_found found;
    char *candidates[HEALTH_CANDIDATES]; /* being tried, from `at` on */
    size_t candidate_count, at;
    bool is_naming; /* the one being tried is asked whose it is */
    char *program;  /* NULL: none was found */
    struct health_models models;
    bool has_list;
    struct bytes draft;  /* why the candidates so far were of no use */
    struct bytes reason; /* ended by NUL, when lost */
    uint64_t checked_at; /* wall clock, ms */
    struct health_retry retry;
};

struct health_probe {
    LIST_LINK(struct health_probe) link;
    struct health_cli *cli; /* NULL: a tool */
    char *model, *prompt;   /* a tool's command is its prompt */
    bool is_used, is_due, is_running;
    bool may_have_passed; /* a pass of an earlier life will do */
    enum roster_check check;
    struct bytes reason; /* ended by NUL, when failed */
    uint64_t response_ms, started_at, checked_at; /* wall clock, ms */
    struct health_retry retry;
};

struct health_job {
    struct rt_ref check; /* RT_NOBODY: free */
    struct health_cli *cli;
    struct health_probe *probe;
    char *dir;
};

struct health {
    struct health_setup setup;
    struct health_passes passes;
    bool knows_past; /* the store has told what is kept */
    struct health_cli clis[HEALTH_CLIS];
    size_t cli_count;
    LIST(struct health_probe) probes;
    struct health_job jobs[HEALTH_JOBS];
    /* By the role's number: since when it has its model; wall clock, ms. An
     * edit is judged by a list that was read before, but then. */
    uint64_t *model_since;
    uint64_t life; /* names its directories apart from an earlier one's */
    unsigned asked;
    struct aside aside;
    bool is_clearing; /* a HEALTH_CLEAR is under way */
    bool is_leaving;
};

/* ---- probe.c ---- */
/* NULL: as many as may be are being asked. The next two take one. */
struct health_job *health_free_job(struct health *h);
void health_look(struct rt_turn *t, struct health *h, struct health_cli *c);
void health_ask(struct rt_turn *t, struct health *h, struct health_probe *p);
/* Their answers. */
void health_on_models(struct rt_turn *t, struct health *h, struct health_cli *c,
                      const struct check_result *r);
void health_on_answer(struct rt_turn *t, struct health *h,
                      struct health_probe *p, const struct check_result *r);
void health_no_retry(struct rt_turn *t, struct health_retry *r);

/* ---- state.c ---- */
const struct config *health_config(const struct health *h);
/* What the settings ask to be known. Answers that still fit are kept. */
void health_plan(struct health *h);
/* Notes which roles have got another model by the settings; before: those
 * until now, or NULL. */
void health_date_models(struct health *h, const struct config *before,
                        uint64_t now);
struct health_cli *health_cli_of(struct health *h, const struct role *role);
struct health_probe *health_probe_of(struct health *h, const struct role *role);
struct health_probe *health_probe_of_tool(struct health *h,
                                          const struct role_tool *tool);
/* As far as is known: a back-end without a list may have any. */
bool health_is_model_usable(const struct health_cli *cli, const char *model);
/* Whether it may be asked now: its cli is settled and a role needs it. */
bool health_is_askable(struct health *h, const struct health_probe *probe);
/* "agent.command" where it is this back-end's, else "". */
const char *health_command(const struct health *h, const struct health_cli *c);
/* The roster as of now; the caller owns the one reference. */
struct roster *health_roster(struct health *h);
void health_state_finish(struct health *h);

#endif
