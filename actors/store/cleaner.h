/*
 * The cleaner removes the directories of agents that the store has removed,
 * and packs or drops the transcripts of those that are long gone, portion by
 * portion, on the loop whose thread may block. It does what it is told and
 * says what became of it; which agents, only the store knows.
 */
#ifndef ACTORS_STORE_CLEANER_H
#define ACTORS_STORE_CLEANER_H

#include "actors/order/hub_context.h"
#include "actors/order/order.h"

enum {
    /* to the cleaner; both carry struct cleaner_list */
    CLEANER_REMOVE = 0x6c0, /* a line is an id */
    CLEANER_TRANSCRIPTS,    /* what is to be done, a blank, an id */
    /* from it, to the one it was told by */
    CLEANER_DONE,      /* struct cleaner_done, for each that could be done */
    CLEANER_LIST_DONE, /* struct cleaner_list_done, after CLEANER_TRANSCRIPTS */
    /* its own */
    CLEANER_STEP
};

#define CLEANER_DROP 'D'
#define CLEANER_PACK 'P'

struct cleaner_list {
    struct rt_obj obj;
    size_t count;
    struct bytes lines; /* each ended by a newline */
};

/* An empty one. The caller owns the one reference. */
struct cleaner_list *cleaner_list_create(void);

struct cleaner_done {
    char id[ORDER_ID];
    bool is_removed; /* else its transcript has become: */
    int form;        /* enum agent_dirs_form */
    uint64_t bytes;
};

struct cleaner_list_done {
    unsigned done;
};

/* Starts it on HUB_LOOP_SPAWN as a child of the current actor. */
struct rt_ref cleaner_spawn(struct rt_turn *t, struct hub_context *context);

#endif
