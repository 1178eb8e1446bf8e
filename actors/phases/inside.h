/*
 * The insides of phases.
 *
 *   phases.c      the actor: orders become works
 *   phase_work.c  such a work: of which project, of which phase, by whom
 *   record.c      how far a phase has come: its row, and how it is told
 *   transition.c  the end of a phase, checkpoint.c  what is kept on the way
 *   prompt.c      a phase's prompt, and its start
 *   file.c        prompts that the project has, builtin_*.c  our own
 *   fetches.c     prompts of the Cloud API, cloud.c  what it answers
 *   status.c      how projects stand, asked.c  what the phases ask of them
 *   plans.c       phases as stages of a group, plan_work.c  in the store
 *
 * record.c, transition.c, checkpoint.c, prompt.c, status.c, asked.c and
 * plan_work.c run in the store's turns.
 */
#ifndef ACTORS_PHASES_INSIDE_H
#define ACTORS_PHASES_INSIDE_H

#include "actors/health/aside.h"
#include "actors/mail/mail.h"
#include "actors/phases/phases.h"
#include "actors/store/work.h"

#define PHASES 5

enum {
    PHASES_LOOKED = 0x6d0, /* carries struct phase_work: of a prompt */
    PHASES_WORKED,         /* the same: of a transition */
    PHASES_CLEAR,          /* directories of processes that are over go */
    PHASES_NOTED,          /* a struct phase_work, of a plan */
    PHASES_SETTLED,        /* the same */
    PHASES_LOADED,         /* the same, of all plans */
    PHASES_LOAD            /* a timer */
};

/* As the tables have it. */
enum phase_status {
    PHASE_PENDING,
    PHASE_IN_PROGRESS,
    PHASE_COMPLETED,
    PHASE_FAILED
};

/* "phase0", "pending". */
struct slice phase_name(int phase);
/* -1: there is none of that name. */
int phase_find(struct slice name);
struct slice phase_status_name(enum phase_status status);

/* ---- prompts ----------------------------------------------------------- */

enum prompt_source { PROMPT_BUILTIN, PROMPT_FILE, PROMPT_CLOUD };
struct slice prompt_source_name(enum prompt_source source);

/* What a source has given, or why it has not. */
enum prompt_state {
    PROMPT_WANTED,    /* it is to be looked for among those that are kept */
    PROMPT_GIVEN,     /* it is this */
    PROMPT_NONE,      /* the Cloud API has none */
    PROMPT_REFUSED,   /* it answers, but not with one: `cause` */
    PROMPT_UNREACHED, /* it does not answer: `cause` */
    PROMPT_UNREADABLE /* there is a file that cannot be used: `cause` */
};

struct prompt {
    enum prompt_state state;
    enum prompt_source source;
    struct bytes title, content, origin, cause;
    int64_t version; /* the source's own; 0: it has none */
};

void prompt_finish(struct prompt *p);
void prompt_copy(struct prompt *to, const struct prompt *from);

/* ---- works ------------------------------------------------------------- */

struct phase_work {
    struct work work;
    int phase;
    char *project;        /* its real path; heap */
    struct prompt prompt; /* of a start */
    struct prompt *asked; /* of all phases, for who looks; heap, or NULL */
    char id[MAIL_UUID];   /* for the message that a transition sends */

    /* What run has found. */
    bool wants_fetch; /* no prompt that is kept will do */
    bool has_failed;  /* the phase; its order is to be refused */
    bool has_told_all;
    struct bytes text; /* of a prompt for a plan; of all plans that are open */
    bool has_moved;    /* a stage of the plan was entered */

    /* Of a plan. */
    uint64_t plan;        /* its number with the actor, while it is made */
    char group[ORDER_ID]; /* once it has one */
    int first;            /* phase */
};

/* Takes the work's first reference. False, with the order refused: there is
 * no such project. */
struct phase_work *phase_work_create(struct rt_turn *t,
                                     const struct hub_context *context,
                                     struct order *order,
                                     void (*run)(struct work *w));
/* One of no order, of that project, which may be NULL. */
struct phase_work *phase_work_own(struct rt_turn *t, const char *project,
                                  void (*run)(struct work *w));
/* Another of the same. */
struct phase_work *phase_work_again(const struct phase_work *w);
/* Whether who asks may do this; else it has been refused. An agent may see all
 * phases of the project that its plan is of, and change its own. */
bool phase_work_may(struct phase_work *w);

/* ---- record.c ---------------------------------------------------------- */

struct record {
    enum phase_status status;
    int64_t attempts;
    int64_t started_at, completed_at;
    bool has_result;
    struct bytes result, files; /* an object, an array */
};

void record_load(struct work *w, const char *project, int phase,
                 struct record *r);
void record_finish(struct record *r);
/* Writes it, and tells what it is now. */
void record_keep(struct phase_work *w, int phase, const struct record *r);
/* Begins it, unless it has begun or ended: whether that changed it. */
bool record_start(struct work *w, struct record *r);
/* The members of what get_phase_context tells. */
void record_put(struct work *w, struct bytes *out, const char *project,
                int phase, const struct record *r, bool with_result);
/* The first that is not completed, or PHASES. */
int record_first_open(struct work *w, const char *project);

/* ---- orders ------------------------------------------------------------ */

void context_get(struct work *w);
void checkpoint_save(struct work *w);
void transition_make(struct work *w);
void prompt_inject(struct work *w);

/* How all projects stand, now or at a moment. */
void status_get(struct work *w);
/* The member that says what the phases ask: the work's `asked`. */
void asked_put(struct phase_work *w, struct bytes *out);
/* Ends a phase as its run has ended, unless it is completed. */
void transition_settle(struct phase_work *w, yyjson_val *result);
/* Answers a transition that has failed: what it did holds. */
void transition_refuse(struct rt_turn *t, const struct phase_work *w);

/* ---- what is kept of prompts (prompt.c) -------------------------------- */

/* What is handed out. */
struct handed {
    enum prompt_source source;
    struct bytes title, content;
    int64_t version, fetched_at;
    bool is_cached;
    struct slice cause; /* why it is not what it should be; or empty */
};

void handed_finish(struct handed *h);
/* As it was last handed out for the work's phase; false: it was not, from that
 * origin. */
bool prompt_find_kept(struct phase_work *w, const struct prompt *p,
                      struct handed *h);
bool prompt_is_fresh(const struct phase_work *w, int64_t fetched_at);

/* ---- sources ----------------------------------------------------------- */

/* 0; -ENOENT: it has none; or another negative errno, -EFBIG and -EILSEQ
 * (no text) among them. */
int file_read(const struct hub_context *context, const char *directory,
              int phase, struct prompt *p);
void builtin_read(bool is_english, int phase, struct prompt *p);
extern const char *const builtin_en[PHASES], *const builtin_ja[PHASES];
/* The Cloud API's, which is to be asked. */
void cloud_want(const char *url, struct prompt *p);
/* What the process that has asked it has said. */
void cloud_read(struct slice output, int phase, struct prompt *p);

struct fetches {
    struct aside aside;
    struct fetch *first;
    unsigned made;
    bool is_clearing;
};

struct phases {
    struct phases_setup setup;
    char *fetcher;
    struct fetches fetches;
    struct plan *making; /* plans that are being made */
    struct plan *open;   /* those whose stages run */
    uint64_t last_plan;  /* number */
    bool has_loaded;     /* the plans of earlier hubs */
};

void fetches_start(struct rt_turn *t, struct phases *p);
/* Asks the Cloud API for it, unless somebody has; then the work is done. */
void fetches_add(struct rt_turn *t, struct phases *p, struct phase_work *w);
void fetches_on_done(struct rt_turn *t, struct phases *p, struct rt_msg *m);
void fetches_clear(struct rt_turn *t, struct phases *p);
void fetches_drop(struct phases *p);
/* Finds out where the work's prompt is to come from. False: there is a file,
 * and it cannot be used, which its order was told. */
bool phases_find_source(struct rt_turn *t, const struct phases *p,
                        struct phase_work *w);

/* ---- plans.c, plan_work.c ---------------------------------------------- */

void plans_begin(struct rt_turn *t, struct phases *p, struct order *o);
/* A prompt is there, or was refused. */
void plans_on_prompt(struct rt_turn *t, struct phases *p,
                     const struct phase_work *w);
void plans_on_answer(struct rt_turn *t, struct phases *p,
                     const struct answer *a);
/* It is noted: its agents may be started. */
void plans_on_noted(struct rt_turn *t, struct phases *p,
                    const struct phase_work *w);
/* Something has happened in a group. */
void plans_on_event(struct rt_turn *t, struct phases *p, const char *group);
void plans_on_settled(struct rt_turn *t, struct phases *p,
                      const struct phase_work *w);
/* Asks for those of earlier hubs, until they are told. */
void plans_load(struct rt_turn *t, struct phases *p);
void plans_on_loaded(struct rt_turn *t, struct phases *p,
                     const struct phase_work *w);
void plans_drop(struct phases *p);

/* As it is told. */
void plan_put(struct bytes *out, struct slice group, struct slice project,
              int first, int64_t created_at);
void plan_note(struct work *w);
void plan_settle(struct work *w);
void plan_end(struct work *w);
void plan_load(struct work *w);

/* All agents were told something: wakes those that wait for it. */
void phases_wake_mail(struct rt_turn *t, const struct phases *p);
/* Has the store do it. */
void phases_order_work(struct rt_turn *t, struct phases *p,
                       struct phase_work *w);

#endif
