/*
 * Births: wardens that are being started, from the order to the answer of the
 * one that was forked. Part of the spawner.
 *
 *   waiting -> sent -> answered
 *      ^         |
 *      +---------+ the zygote has died, and this one was not answered
 */
#ifndef RUNTIME_PROCESS_BIRTHS_H
#define RUNTIME_PROCESS_BIRTHS_H

#include "runtime/list.h"
#include "runtime/process/spawner.h"
#include "runtime/process/zygote.h"

struct births {
    const struct process_config *config;
    struct rt_ref asker; /* the one that orders */
    uint16_t late_kind;  /* of the timer's message: births_on_late */
    struct zygote zygote;
    LIST(struct birth) waiting, sent;
    unsigned sent_count;
    unsigned answers; /* since the timer was set */
    bool is_timed;    /* there is a timer */
};

/* Makes its directory, and has a warden started there; the asker is told. */
void births_begin(struct rt_turn *t, struct births *b, struct rt_ref asker,
                  const struct spawner_start *order, const char *cgroup);
/* The zygote's socket has something to say. */
void births_on_ready(struct rt_turn *t, struct births *b);
/* Whether it has said something for so long. */
void births_on_late(struct rt_turn *t, struct births *b);
/* The next order is another's. */
void births_end_zygote(struct rt_turn *t, struct births *b);
void births_finish(struct rt_turn *t, struct births *b);

#endif
