/*
 * The store is the hub's memory on disk: one SQLite file, one writer. What is
 * written to it is a list of rows that belong together, and perhaps an answer
 * that may go out only when they are safe. All that waits is one transaction:
 * while one is being synced the next gathers.
 *
 *   registry -- STORE_WRITE, STORE_WRITE, ... --> store -- ORDER_ANSWER -->
 *                    BEGIN ... rows ... COMMIT   asker
 *
 * When the disk refuses, what was accepted is kept and tried again, the
 * registry is told, and answers wait with their rows. Nothing is ever deleted
 * or overwritten to get out of trouble.
 */
#ifndef ACTORS_STORE_STORE_H
#define ACTORS_STORE_STORE_H

#include "actors/order/order.h"
#include "actors/store/past.h"
#include "actors/store/rows.h"
#include "config/config.h"

#define STORE_FILE "kuromajutsu.db" /* in the state directory */

enum {
    /* to the store */
    STORE_WRITE = 0x680, /* carries struct store_write */
    STORE_RECALL,        /* carries struct order: was its key answered? */
    STORE_ASK,           /* carries struct order: a question of the history */
    STORE_LOOK_UP,       /* carries struct store_lookup, which is given away */
    STORE_CHECKS,        /* what has passed? to be told the sender */
    STORE_STORY, /* carries struct transcript_page, given away: see below */
    STORE_TRANSCRIPTS_DONE, /* struct store_transcripts_done */
    /* from the store, to the registry */
    STORE_PAST,        /* carries struct past; the first thing it says */
    STORE_RECALLED,    /* carries struct order: its key is not known */
    STORE_CONDITION,   /* struct store_condition, at every change */
    STORE_REMOVED,     /* carries struct cleaner_list; see below */
    STORE_LOOKED_UP,   /* carries struct store_lookup, looked up */
    STORE_TRANSCRIPTS, /* carries struct cleaner_list; see below */
    STORE_SAFE,        /* struct store_safe, after a commit */
    STORE_WORKED,      /* carries struct work: something has happened */
    /* to the one that asked */
    STORE_CHECKED, /* carries struct past: its checks, if it is known */
    /* its own */
    STORE_COMMIT = 0x6a0,
    STORE_RETRY,
    STORE_RETENTION,
    STORE_RETENTION_STEP,
    STORE_INDEX
};

/*
 * A past that is not known is followed by a condition that is not good, and
 * by a second past, known, as soon as the file can be read. Nothing may be
 * written before a known one: it says which serial numbers are free.
 *
 * A recall is answered to the order's asker if its key is known. It waits for
 * the writes before it: their answers may be the one it asks for.
 *
 * What can be asked: history, events, usage, record and gc; and, of agents
 * that only the store knows any more, get_agent_status and show_agent.
 *
 * STORE_REMOVED names agents that were removed and whose directories are still
 * to go; it is told again after every removal until STORE_DROP_LEAVING.
 * STORE_TRANSCRIPTS says which transcripts are to be packed or dropped; what
 * becomes of each is written by STORE_SET_TRANSCRIPT, and when all are done
 * STORE_TRANSCRIPTS_DONE asks for more.
 */

/*
 * STORE_STORY: what the store knows of the agent (its back-end, when its lines
 * were read) is put into the page, which then goes to its reader. What cannot
 * be known is not waited for.
 */

/* Nothing with this number or a lower one waits for the disk any more. */
struct store_safe {
    uint64_t number;
    uint64_t bytes; /* of the file, with what is yet to go into it */
};

/*
 * Whether what is written can be made durable, and if not why. Good with a
 * reason: the disk is well, but one write could never have been made and was
 * refused (its answer too), which only a fault in this program can cause.
 */
struct store_condition {
    bool is_good;
    struct store_why why;
};

/* What is to be told when the list of STORE_TRANSCRIPTS is done. */
struct store_transcripts_done {
    bool has_helped; /* some of it was done, so it is worth going on */
};

/* Agents that a wait names and the registry does not know. */
struct store_lookup_item {
    char id[ORDER_ID];
    char state[24];              /* its name; "": there is no such agent */
    char status[24];             /* of its result; "": it is not done */
    struct bytes summary, error; /* their first STORE_SUMMARY characters */
    uint64_t duration_ms;
};

#define STORE_SUMMARY 500

struct store_lookup {
    struct rt_obj obj;
    struct rt_ref who; /* the wait */
    struct order *order;
    struct store_why why; /* why nothing could be looked up; or nothing */
    unsigned count;
    struct store_lookup_item items[];
};

/* Holds up to so many; the caller sets count and ids. Keeps the order. */
struct store_lookup *store_lookup_create(struct rt_ref who, struct order *order,
                                         unsigned count);

struct store_setup {
    struct rt_ref registry;
    const char *path;  /* of the file; copied */
    bool is_relaxed;   /* synchronous=NORMAL: a power cut may cost the last */
    int64_t keep_days; /* of agents whose group is deleted; 0: for ever */
    uint64_t retention_ms; /* until it first removes by itself; 0: the usual */
    uint64_t index_ms;     /* until new texts are indexed; 0: the usual */
    /* Of agents that are gone: see config.h. */
    enum config_transcripts transcripts;
    int64_t transcript_days, keep_bytes;
    int64_t samples_bytes; /* of all samples together */
};

/*
 * Starts it on HUB_LOOP_STORE as a child of the current actor. It opens or
 * makes the file and tells the registry the past, or that there is none to be
 * had. To end it, rt_drain it: what was sent to it before is then written.
 */
struct rt_ref store_spawn(struct rt_turn *t, const struct store_setup *setup);

#endif
