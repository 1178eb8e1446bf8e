/*
 * The broom removes the directories of agents that the store has swept away
 * and packs or drops the transcripts of those that are long gone, portion by
 * portion, on the loop whose thread may block. It does what it is told and
 * says what became of it; which agents, only the store knows.
 */
#ifndef ACTORS_STORE_BROOM_H
#define ACTORS_STORE_BROOM_H

#include "actors/order/house.h"
#include "actors/order/order.h"

enum {
    /* to the broom; both carry struct store_swept */
    BROOM_REMOVE = 0x6c0,
    BROOM_TIDY,
    /* from it, to whom it was told by */
    BROOM_DONE,   /* struct broom_done, for each that could be done */
    BROOM_TIDIED, /* struct broom_tidied, after a list of BROOM_TIDY */
    /* its own */
    BROOM_STEP
};

struct broom_done {
    char id[ORDER_ID];
    bool is_removed; /* else its transcript has become: */
    int form;        /* enum attic_form */
    uint64_t bytes;
};

struct broom_tidied {
    unsigned done;
};

/* Starts it on HOUSE_SPAWN as a child of the current actor. */
struct rt_ref broom_spawn(struct rt_turn *t, struct house *house);

#endif
