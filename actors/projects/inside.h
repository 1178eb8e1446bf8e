/*
 * The insides of projects.
 *
 *   projects.c      the actor: orders become works; sessions that are over go
 *   authentication.c  from a passkey to a session, and who fails too often
 *   keys.c          passkeys are derived
 *   pm_work.c       such a work: what it makes has ids and secrets drawn before
 *   project.c       projects, profile.c  who works in them, assignment.c  where
 *   passkey.c       what proves that one is a profile
 *   session.c       who is at work, and may act for whom, login.c  its begin
 *   task.c          tasks, task_make.c  how they come to be
 *   task_status.c   what may follow what
 *   my_task.c       what a session is to do, completion.c  its end
 *   handoff.c       from one to another, note.c  what is kept of a task
 *   start.c         whether a profile is to be started
 *   resource.c      what MCP clients read of all that, prompt.c  what they may
 *                   begin with; prompt_*.c has the texts
 *   import.c        many of all these at once, or none
 *   board.c         what people see of all of it, now or at a moment,
 *                   board_task.c  and of one task; board_list.c has the lists
 *   listing.c       profiles among all agents, which are launched ones too
 *   runner.c        starts agents for tasks, runner_look.c  which,
 *                   runner_end.c  and what became of them
 *
 * All but the first three, listing.c and runner.c run in the store's turns, as
 * works.
 */
#ifndef ACTORS_PROJECTS_INSIDE_H
#define ACTORS_PROJECTS_INSIDE_H

#include "actors/mail/mail.h"
#include "actors/projects/keys.h"
#include "actors/projects/projects.h"
#include "actors/projects/rows.h"
#include "actors/store/work.h"
#include "runtime/text/json.h"

enum {
    PROJECTS_LOOKED = 0x6e0, /* carries struct pm_work: what its passkey is to
                                be derived with */
    PROJECTS_AUTHENTICATED,  /* the same: it was good or not */
    PROJECTS_WORKED,         /* the same: somebody is to be told */
    PROJECTS_CLEAR,          /* a timer: sessions that are over go */
    RUNNER_LOOK,             /* a timer, of the runner */
    RUNNER_LOOKED,           /* carries struct pm_work */
    RUNNER_NOTED             /* the same: an instance has its agent, or none */
};

#define PM_ID 160    /* bytes of any id with its terminator */
#define PM_DRAWN 13  /* twelve hexadecimal digits, and a terminator */
#define PM_SECRET 48 /* of a token or a passkey that we have drawn */
#define PM_WORD 16   /* of a status or a priority */

#define PM_PASSKEY_LEAST 8 /* bytes; a shorter one is refused */

struct pm_work {
    struct work work;
    char drawn[2][PM_DRAWN]; /* for ids of what it makes */
    char mail[MAIL_UUID];    /* for the message that it sends */
    char secret[PM_SECRET];  /* what it gives away; "": nothing */
    char version[32];        /* of the hub */

    /* What proves who asks: a launch key's instance, or that it is the very
     * process that was started, or a passkey as it was derived. */
    char instance[PM_ID];
    bool is_started_one;
    struct {
        char salt[KEY_SALT];
        uint32_t iterations;
        char hash[SHA256_HEX];
    } key;

    /* What run has found. */
    bool has_failed;     /* who asks is not who it says */
    bool has_told;       /* a message was sent to ... */
    char told[PM_ID];    /* ... this one; "": to all */
    char run[ORDER_ID];  /* an agent that has ended its task so; "": none */
    struct bytes report; /* what it would report */
    struct bytes runs;   /* of list_agents: what the registry has said */
    uint64_t count;      /* how many profiles there are */

    /* Of the runner. */
    struct config_runner limits; /* but for its role, which is: */
    char role[72];
    bool is_english;
    struct bytes found; /* JSON */
    char why[256];      /* an instance has no agent */
};

/* Takes the work's first reference; draws what it may need. */
struct pm_work *pm_work_create(struct rt_turn *t, struct order *order,
                               void (*run)(struct work *w));
/* The same once more, with the key that was derived for it. */
struct pm_work *pm_work_again(struct rt_turn *t, const struct pm_work *w,
                              void (*run)(struct work *w),
                              const struct key_job *job);

/* ---- what all of them need --------------------------------------------- */

static inline struct slice pm_arg(const struct work *w, struct slice name)
{
    return slice_trim(field_text(field_get(w->order->args, name)));
}
#define PM_ARG(w, literal) pm_arg(w, SLICE(literal))

/* Members that are left out while they are NULL or empty. */
#define PM_TEXT(out, literal, text) pm_put_text(out, SLICE(literal), text)
#define PM_TIME(out, literal, ms) pm_put_time(out, SLICE(literal), ms)
void pm_put_text(struct bytes *out, struct slice name, struct slice text);
void pm_put_time(struct bytes *out, struct slice name, int64_t ms);

/* Whether the first column of the first row is there, of a query with one text
 * to bind. */
bool pm_is_there(struct work *w, const char *sql, struct slice id);
/* `tsk_` and what was drawn, or what the order names under `name`; false: that
 * is no id, or is taken (sql asks), and the order was refused. */
bool pm_new_id(struct work *w, const char *name, const char *prefix,
               const char *sql, char id[PM_ID]);
/* By people and main agents only; else it was refused. */
bool pm_may_manage(struct work *w);
/* Whether a person does it, who may do what agents may not. */
bool pm_is_person(const struct work *w);

/* ---- project.c --------------------------------------------------------- */

void project_create(struct work *w);
void project_update(struct work *w);
void project_list(struct work *w);
void project_get(struct work *w);
void project_list_active(struct work *w);
void project_check_health(struct work *w);
bool project_exists(struct work *w, struct slice id); /* else it was refused */
/* Its object, and its members alone. */
bool project_put(struct work *w, struct bytes *out, struct slice id);
/* {"project":...,"agents":[...],"summary":{...}} */
bool project_put_whole(struct work *w, struct bytes *out, struct slice id);
/* Its directory, or "". */
void project_directory(struct work *w, struct slice id, struct bytes *out);

/* ---- profile.c, assignment.c, passkey.c -------------------------------- */

void profile_create(struct work *w);
void profile_update(struct work *w);
void profile_get(struct work *w);
void profile_get_own(struct work *w);
bool profile_exists(struct work *w, struct slice id); /* else it was refused */
bool profile_put(struct work *w, struct bytes *out, struct slice id);
/* Of list_agents: behind the launched ones, if the work has them. */
void profile_list(struct work *w);

void assignment_set(struct work *w);
/* Until when its agent is not started in the project, and why; 0: it may be. */
struct cooling {
    int64_t failures, until;
    struct slice why;
};
void assignment_cool(struct work *w, struct slice project, struct slice agent,
                     const struct cooling *c);
bool assignment_exists(struct work *w, struct slice project,
                       struct slice agent);
/* The same, and refuses the order. */
bool assignment_require(struct work *w, struct slice project,
                        struct slice agent);

void passkey_set(struct work *w);
/* As it was derived for this work. */
void passkey_keep(struct pm_work *w, struct slice agent);
/* With what the passkey of the order's agent is to be derived. */
void passkey_look(struct work *w);
bool passkey_is_right(struct pm_work *w, struct slice agent);
void passkey_note_use(struct pm_work *w, struct slice agent);

/* ---- session.c, login.c ----------------------------------------------- */

struct session {
    char id[PM_ID], agent[PM_ID], project[PM_ID], task[PM_ID], run[ORDER_ID];
};

void login_make(struct work *w);
void session_logout(struct work *w);
void session_clear(struct work *w);
/* That of the order's token; false: it was refused. */
bool session_find(struct work *w, struct session *s);
/* The same where a token may be left out; *is_there says whether there is one.
 * An agent that we have started needs none. */
bool session_find_any(struct work *w, struct session *s, bool *is_there);
/* It was used, and lasts longer by that. */
void session_prolong(struct work *w, const struct session *s);
/* Whether who asks may act for this profile; else it was refused. *s is what
 * it does so by, or has an empty id. */
bool session_may_act(struct work *w, struct slice agent, struct session *s);
void session_bind(struct work *w, const struct session *s, struct slice task);
void session_end(struct work *w, const struct session *s, const char *why);
void session_tell(struct work *w, const struct session *s, const char *event);
void session_digest(struct slice token, char hex[SHA256_HEX]);
int64_t session_ttl_ms(const struct work *w);
/* But for one that this call has begun, if it is not empty. */
bool session_is_live(struct work *w, struct slice agent, struct slice project,
                     struct slice call);
/* Ends it, if there is one. */
void session_end_of(struct work *w, struct slice agent, struct slice project);

/* ---- tasks ------------------------------------------------------------- */

struct task {
    char id[PM_ID], project[PM_ID], assignee[PM_ID], parent[PM_ID];
    char status[PM_WORD];
    char title[1004];
};

/* The first is the most urgent, and then the oldest. */
#define TASK_ORDER                                                             \
    " ORDER BY CASE t.priority WHEN 'urgent' THEN 0 WHEN 'high' THEN 1"        \
    " WHEN 'medium' THEN 2 ELSE 3 END, t.number"
bool task_put(struct work *w, struct bytes *out, struct slice id);
/* And its newest context. */
void task_put_whole(struct work *w, struct bytes *out, struct slice id);
bool task_find(struct work *w, struct slice id, struct task *t);
bool task_require(struct work *w, struct slice id, struct task *t);
void task_get(struct work *w);
void task_list(struct work *w);
void task_create(struct work *w);
void task_update(struct work *w);
void task_assign(struct work *w);

/* What has become of a task; empty texts are left out. */
struct task_change {
    const char *event; /* "created", "status_changed" ... */
    struct slice from, to, reason, by;
};
void task_tell(struct work *w, struct slice id, const struct task_change *c);

void status_update(struct work *w);
/* Whether the status may become this, and what that needs; else refused. */
bool status_may(struct work *w, const struct task *t, struct slice to,
                bool is_person);
/* Enters it. */
void status_set(struct work *w, const struct task *t, struct slice to,
                struct slice reason, struct slice by);

/* ---- what a session does ----------------------------------------------- */

void my_task_get(struct work *w);
/* The task that the session is to do; false: there is none. */
bool my_task_find(struct work *w, const struct session *s, struct task *t);
void completion_report(struct work *w);

/* ---- handoff.c, note.c ------------------------------------------------- */

void handoff_create(struct work *w);
void handoff_list_pending(struct work *w);
void handoff_accept(struct work *w);
/* The newest of the task; false: there is none. */
bool handoff_put_newest(struct work *w, struct bytes *out, struct slice task);
void handoff_put_all(struct work *w, struct bytes *out, struct slice task);
/* Whether this profile has given the task away. */
bool handoff_was_made(struct work *w, struct slice task, struct slice agent);
/* One that waits for this profile to begin: its task; false: none. */
bool handoff_find_waiting(struct work *w, struct slice agent,
                          struct slice project, struct bytes *id,
                          struct bytes *task);
/* Takes it for this profile; the task is then at work. */
void handoff_take(struct work *w, struct slice id, struct slice agent);

void note_save(struct work *w);
void note_get(struct work *w);
bool note_put_newest(struct work *w, struct bytes *out, struct slice task);
void note_put_all(struct work *w, struct bytes *out, struct slice task);
struct note {
    struct slice task, agent, session;
    struct slice progress, findings, blockers, next_steps;
};
/* Its id, which is drawn[1]'s. */
void note_add(struct pm_work *w, const struct note *n);

/* ---- start.c ----------------------------------------------------------- */

void start_should(struct work *w);
/* Why it is to be started, or is not. */
struct slice start_reason(struct work *w, struct slice agent,
                          struct slice project, bool *is_to_start);

/* ---- the runner -------------------------------------------------------- */

/* Starts it on HUB_LOOP_FRONT as a child of the current actor. */
struct rt_ref runner_spawn(struct rt_turn *t, struct hub_context *context,
                           struct rt_ref registry);

/*
 * A look: what has ended is entered, and what is to be started is claimed. The
 * work's `found` is then {"starts", "full"}: the instances that wait for their
 * agent, {id, agent, project, group?, role, directory, prompt}, those of
 * earlier hubs among them; and groups that have had their share of agents.
 */
void runner_look(struct work *w);
/* Enters what has become of instances' agents. */
void runner_settle(struct pm_work *w);
/* The work's instance has the agent `run`, or could not have one: `why`. */
void runner_note(struct work *w);
/* Another end than a good one: it waits before it is started again. */
void runner_cool(struct pm_work *w, struct slice agent, struct slice project,
                 struct slice why, bool is_failure);
/* Its agent has ended by report_completed, logout and so on: what it was bound
 * to is noted while the session is there. */
void runner_bind(struct work *w, const struct session *s, struct slice task);

/* ---- board.c, board_task.c --------------------------------------------- */

void board_get(struct work *w);
void board_get_task(struct work *w);

/* ---- resource.c, prompt.c ---------------------------------------------- */

void resource_list(struct work *w);
void resource_read(struct work *w);
void prompt_get(struct work *w);

enum prompt {
    PROMPT_TASK_START,
    PROMPT_HANDOFF_TEMPLATE,
    PROMPT_CONTEXT_SUMMARY,
    PROMPT_TASK_BREAKDOWN,
    PROMPT_STATUS_REPORT,
    PROMPTS
};
/* Texts with {names} of facts. A line with a fact that there is none of is left
 * out, and so is a heading of the second level with nothing below it. */
extern const char *const prompt_en[PROMPTS], *const prompt_ja[PROMPTS];

/* ---- import.c ---------------------------------------------------------- */

void import_all(struct work *w);

/* ---- authentication.c -------------------------------------------------- */

#define FAILURES 64 /* profiles that are remembered to have failed */

struct failure {
    char agent[PM_ID];
    unsigned count;
    uint64_t since; /* ms of the monotonic clock */
};

/* A list_agents that the registry is asked for. */
struct listing {
    struct listing *next;
    struct order *order; /* kept */
    uint64_t ticket;
};

struct projects {
    struct projects_setup setup;
    struct listing *listings;
    uint64_t last_ticket;
    bool has_none; /* it is known that there are no profiles */
    struct rt_ref keys;
    struct failure failures[FAILURES];
    unsigned deriving; /* how many jobs are under way */
};

void authentication_begin(struct rt_turn *t, struct projects *p,
                          struct order *o);
void authentication_on_looked(struct rt_turn *t, struct projects *p,
                              struct pm_work *w);
void authentication_on_done(struct projects *p, const struct pm_work *w);
/* A passkey is drawn or given, and derived before it is kept. */
void authentication_begin_key(struct rt_turn *t, struct projects *p,
                              struct order *o, void (*run)(struct work *w));
void authentication_on_derived(struct rt_turn *t, struct projects *p,
                               const struct key_job *job);
/* ---- listing.c --------------------------------------------------------- */

void listing_begin(struct rt_turn *t, struct projects *p, struct order *o);
void listing_on_answer(struct rt_turn *t, struct projects *p,
                       const struct answer *a);
void listing_drop(struct projects *p);

/* Has the store do it. */
void projects_order_work(struct rt_turn *t, const struct projects *p,
                         struct pm_work *w, uint16_t then);

#endif
