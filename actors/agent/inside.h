/*
 * An agent's insides, shared by its files: agent.c is the actor and what its
 * group tells it, recover.c what an earlier hub left of it, process.c what its
 * process and the time bring, life.c its ends and timers and the picture of it,
 * result.c how its end is judged, touched.c the files it touches, stream.c
 * those who listen to it. All of it runs in the agent's own turns.
 */
#ifndef ACTORS_AGENT_INSIDE_H
#define ACTORS_AGENT_INSIDE_H

#include "actors/agent/agent.h"
#include "actors/agent/stream.h"
#include "runtime/text/bytes.h"

#define MS 1000000ull

/* The agent's own timers. */
enum { TIME_OUT = 0x280, EXIT_GRACE, REPORT_GRACE, STALL_LOOK };

struct agent {
    struct agent_def *def;
    struct process_spec *spec;     /* from the order to run on */
    struct transcript *transcript; /* NULL once gone */
    enum agent_state state;
    bool is_ordered; /* the spawn was */
    bool is_done, is_gone;
    bool is_ending;  /* the tree was ordered to end */
    bool is_stalled; /* and was said to be */
    int32_t pid;
    uint64_t started_at, finished_at; /* wall clock, ms */
    uint64_t started, done;           /* monotonic ns */
    uint64_t last_event;              /* monotonic ns */
    uint64_t cpu_ms, cpu_at;          /* the stall watch's last look */
    uint64_t results;                 /* terminal events given a grace */
    uint64_t told;                    /* messages the watcher has heard of */
    size_t touched[FILES_LISTS];      /* files it has heard of */
    struct agent_result *report;      /* the newest, or NULL */
    struct agent_result *seen;        /* gone: what its stream had shown */
    struct bytes cwd;                 /* gone: where it was */
    struct agent_result *result;      /* final to read, or NULL */
    uint64_t time_out, exit_grace, report_grace, stall_look; /* timer ids */
    struct agent_view last;         /* what outlives the transcript */
    char call[TRANSCRIPT_NAME_CAP]; /* the id of the call it shows */
    struct rt_ref listeners[AGENT_LISTENERS];
    unsigned listener_count;
    uint64_t past; /* bytes of its stream from before this hub */
};

/* What the events of one portion are gathered in. */
struct agent_portion {
    struct agent *agent;
    uint64_t at;   /* wall clock, ms */
    uint64_t past; /* of the stream, from before this hub: not told again */
    struct agent_stream *stream; /* NULL: nothing yet */
};

/* What an end is judged by. */
struct agent_end {
    enum agent_state state;
    const struct agent_result *report;   /* or NULL */
    const struct transcript *transcript; /* or NULL: already forgotten */
    const struct agent_result *before;   /* then: what it had shown, or NULL */
    struct slice cwd; /* what relative paths are relative to; may be empty */
    struct slice error;
    uint64_t duration_ms, finished_at;
};

/* ---- agent.c ---- */
/* Starts or adopts its process (the kind says which), with the spec it has. */
void agent_order_process(struct rt_turn *t, struct agent *a, uint16_t how);

/* ---- recover.c ---- */
void agent_on_recover(struct rt_turn *t, struct agent *a,
                      const struct agent_past *past);

/* ---- process.c ---- */
void agent_on_started(struct rt_turn *t, struct agent *a,
                      const struct process_started *s);
void agent_on_chunk(struct rt_turn *t, struct agent *a, struct rt_msg *m);
void agent_on_not_started(struct rt_turn *t, struct agent *a);
void agent_on_gone(struct rt_turn *t, struct agent *a, struct rt_msg *m);
void agent_on_timer(struct rt_turn *t, struct agent *a, struct rt_msg *m);

/* ---- touched.c ---- */
/* Tells the watcher of files that are new in the stream's lists. */
void agent_tell_touched(struct rt_turn *t, struct agent *a);

/* ---- stall.c ---- */
/* From its start on. */
void agent_watch_stall(struct rt_turn *t, struct agent *a);
void agent_on_stall_look(struct rt_turn *t, struct agent *a);
void agent_on_cpu_used(struct rt_turn *t, struct agent *a,
                       const struct process_cpu *used);
/* It shows life. */
void agent_stall_is_over(struct rt_turn *t, struct agent *a);

/* ---- life.c ---- */
void agent_arm(struct rt_turn *t, uint64_t *timer, uint64_t ms, uint16_t kind);
void agent_disarm(struct rt_turn *t, uint64_t *timer);
bool agent_is_due(uint64_t *timer, struct rt_msg *m);
void agent_end_tree(struct rt_turn *t, struct agent *a, uint64_t grace_ms);
void agent_set_result(struct rt_turn *t, struct agent *a, struct slice error);
void agent_become_done(struct rt_turn *t, struct agent *a, struct slice error);
/* It was done before its tree left: what it did meanwhile is added. */
void agent_grow_result(struct rt_turn *t, struct agent *a);
void agent_become_gone(struct rt_turn *t, struct agent *a);
void agent_look_at_stream(struct rt_turn *t, struct agent *a);
void agent_send_view(struct rt_turn *t, struct agent *a, struct rt_ref to,
                     uint16_t kind, unsigned news);
void agent_tell(struct rt_turn *t, struct agent *a, unsigned news);

/* ---- result.c ---- */
/* Pure functions of what they are given. */
/*
 * The state of an agent whose tree has ended, where this hub has not decided
 * it: the tree ended by itself, or by orders of a hub before.
 */
enum agent_state agent_end_state(const struct process_exit *exit,
                                 const struct transcript *tr,
                                 uint64_t timeout_ms);

/* Appends the error message of this end; nothing when there is no error. */
void agent_end_explain(struct bytes *out, enum agent_state state,
                       const struct process_exit *exit,
                       const struct transcript *tr, bool is_english);
/* Appends how many of its processes could not be killed, if there are any. */
void agent_end_say_left(struct bytes *out, uint32_t left, bool is_english);

/* What a failed terminal event says of itself; borrowed from the transcript. */
struct slice agent_end_stream_error(const struct transcript *tr);

/* The caller owns the one reference. */
struct agent_result *agent_end_result(const struct agent_end *end);
/*
 * The same result with the files and calls that the stream has shown since; it
 * says nothing else than before. `was` itself, kept, if there are none. The
 * caller owns the one reference.
 */
struct agent_result *agent_end_grow(struct agent_result *was,
                                    const struct agent_end *end);

/* ---- stream.c ---- */
/* What transcript_feed is to call with the portion, or NULL: there are no
 * listeners. Of the stream `past` bytes were there before the processes actor
 * was. */
event_fn agent_portion_begin(struct rt_turn *t, struct agent *a, uint64_t past,
                             struct agent_portion *p);
void agent_portion_end(struct rt_turn *t, struct agent_portion *p);
void agent_on_listen(struct rt_turn *t, struct agent *a,
                     const struct agent_listen *m);
void agent_forget_listener(struct agent *a, struct rt_ref who);
/* It is gone: its listeners will hear no more. */
void agent_leave_listeners(struct rt_turn *t, struct agent *a);

#endif
