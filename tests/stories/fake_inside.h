/*
 * The insides of the fake processes: fake_processes.c hears their owners,
 * fake_play.c plays the scripts, fake_end.c ends them.
 */
#ifndef TESTS_STORIES_FAKE_INSIDE_H
#define TESTS_STORIES_FAKE_INSIDE_H

#include "runtime/text/bytes.h"
#include "tests/stories/script.h"
#include "tests/stories/world.h"

enum {
    FAKE_STEP = 0xd00, /* a timer: the next step of some script */
    FAKE_DEATH,        /* a timer: an end takes effect */
    FAKE_LED           /* uint64_t: the orchestrator of that number is done */
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

struct fake {
    struct world *world;
    struct proc *procs;
    struct report *reports;
    uint64_t numbers, tickets;
    bool has_planted;
};

/* ---- fake_processes.c ---- */
/* Sends what credits allow, and the end when all was sent: then the process
 * is no more. */
void fake_pump(struct rt_turn *t, struct fake *w, struct proc *p);
/* A time of at most so many ms. */
uint64_t fake_draw(struct rt_turn *t, const struct fake *w, uint64_t ms);

/* ---- fake_play.c ---- */
/* Goes on with the script until something has to be waited for. */
void fake_play(struct rt_turn *t, struct fake *w, struct proc *p);
void fake_on_answer(struct rt_turn *t, struct fake *w, struct rt_msg *m);
void fake_drop_reports(struct fake *w);

/* ---- fake_end.c ---- */
void fake_exit(struct rt_turn *t, struct fake *w, struct proc *p, int code);
void fake_order_end(struct rt_turn *t, const struct fake *w, struct proc *p,
                    uint64_t grace_ms);
void fake_die(struct rt_turn *t, struct fake *w, struct proc *p);
struct process_exit *fake_never_ran(void);

#endif
