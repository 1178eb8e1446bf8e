/*
 * the cleaner removes the directories of agents that the store has swept away
 * and packs or drops the transcripts of those that are long gone, portion by
 * portion, on the loop whose thread may block. It does what it is told and
 * says what became of it; which agents, only the store knows.
 */
#ifndef ACTORS_STORE_CLEANER_H
#define ACTORS_STORE_CLEANER_H

#include "actors/order/hub_context.h"
#include "actors/order/order.h"

enum {
    /* to the cleaner; both carry struct store_swept */
    CLEANER_REMOVE = 0x6c0,
    CLEANER_TIDY,
    /* from it, to whom it was told by */
    CLEANER_DONE,   /* struct cleaner_done, for each that could be done */
    CLEANER_TIDIED, /* struct cleaner_tidied, after a list of CLEANER_TIDY */
    /* its own */
    CLEANER_STEP
};

struct cleaner_done {
    char id[ORDER_ID];
    bool is_removed; /* else its transcript has become: */
    int form;        /* enum agent_dirs_form */
    uint64_t bytes;
};

struct cleaner_tidied {
    unsigned done;
};

/* Starts it on HUB_LOOP_SPAWN as a child of the current actor. */
struct rt_ref cleaner_spawn(struct rt_turn *t, struct hub_context *context);

#endif
