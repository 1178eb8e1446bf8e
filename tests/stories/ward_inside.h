/*
 * The ward's insides: ward.c hears its owners, ward_play.c plays the scripts,
 * ward_end.c ends them.
 */
#ifndef TESTS_STORIES_WARD_INSIDE_H
#define TESTS_STORIES_WARD_INSIDE_H

#include "runtime/text/bytes.h"
#include "tests/stories/script.h"
#include "tests/stories/world.h"

enum {
    WARD_STEP = 0xd00, /* a timer: the next step of some script */
    WARD_DEATH,        /* a timer: an end takes effect */
    WARD_LED           /* uint64_t: the orchestrator of that number is done */
};

struct proc {
    struct proc *next;
    uint64_t number;
    struct rt_ref owner; /* nobody: it has died */
    struct process_spec *spec;
    struct caller *caller;
    struct script script;
    bool is_started, is_stubborn, has_result;
    bool is_end_wanted;
    uint64_t grace_ms;     /* of the end */
    uint64_t step, death;  /* timers, or 0 */
    uint64_t report;       /* ticket it waits for, or 0 */
    struct client *client; /* the orchestrator's, or NULL */
    unsigned calls;
    struct bytes out;
    size_t sent;
    unsigned credits;
    uint64_t started_at;       /* wall clock, ms */
    struct process_exit *exit; /* how it ended; then only output is left */
};

/* A report that is not answered yet; its agent may have ended. */
struct report {
    struct report *next;
    uint64_t ticket, placed, proc;
    struct order *order; /* kept */
    bool must_be_taken;
};

struct ward {
    struct world *world;
    struct proc *procs;
    struct report *reports;
    uint64_t numbers, tickets;
    bool has_planted;
};

/* ---- ward.c ---- */
/* Sends what credits allow, and the end when all was sent: then the process
 * is no more. */
void ward_pump(struct rt_turn *t, struct ward *w, struct proc *p);
/* A time of at most so many ms. */
uint64_t ward_draw(struct rt_turn *t, const struct ward *w, uint64_t ms);

/* ---- ward_play.c ---- */
/* Goes on with the script until something has to be waited for. */
void ward_play(struct rt_turn *t, struct ward *w, struct proc *p);
void ward_on_answer(struct rt_turn *t, struct ward *w, struct rt_msg *m);
void ward_drop_reports(struct ward *w);

/* ---- ward_end.c ---- */
void ward_exit(struct rt_turn *t, struct ward *w, struct proc *p, int code);
void ward_order_end(struct rt_turn *t, const struct ward *w, struct proc *p,
                    uint64_t grace_ms);
void ward_die(struct rt_turn *t, struct ward *w, struct proc *p);
struct process_exit *ward_never_ran(void);

#endif
