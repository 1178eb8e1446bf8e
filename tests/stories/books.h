/*
 * The books of a story: what everybody in it has been told and which processes
 * there are, and what must be true of it at every moment.
 *
 * Whatever one client has been told, the registry knew before; so whoever asks
 * after that moment must not be answered with less. Every piece of news has a
 * number here, an order remembers the newest one of its placing, and its
 * answer is held against all that was known by then, by anybody.
 *
 * Shared by all fibers of a run, behind a lock. A breach ends the run
 * (os_panic).
 */
#ifndef TESTS_STORIES_BOOKS_H
#define TESTS_STORIES_BOOKS_H

#include "actors/order/order.h"
#include "runtime/lock.h"
#include "transport/mcp/tools.h"

enum books_kind { BOOKS_AGENTS, BOOKS_ORCHESTRATORS, BOOKS_KINDS };

/* News have numbers; 0: not known. */
struct books_agent {
    char id[ORDER_ID], group[ORDER_ID];
    unsigned starts, gones;
    unsigned started_as; /* the first process of all is 1 */
    bool is_made;        /* an answer made it known, once */
    bool is_doomed;      /* a cancellation may have hit it */
    uint64_t exists;     /* its id */
    uint64_t started;    /* running, or later than that */
    uint64_t stopped;    /* it neither waits nor runs */
    uint64_t ended;      /* its state will only change by a report */
    uint64_t done;       /* its result is final to read */
    uint64_t reported, cancelled;
    uint64_t plan;         /* run_sequential: the news that made it; 0: none */
    unsigned stage;        /* of that plan */
    char status[ORDER_ID]; /* as what it ended, as first heard */
};

struct books_group {
    char id[ORDER_ID], parent[ORDER_ID];
    uint64_t exists, deleted;
    bool is_made;    /* an answer made it known, once */
    bool is_leaving; /* its deletion has been asked for */
};

struct books {
    struct lock lock;
    const struct tools *tools;
    uint64_t news; /* how much anybody has been told */
    unsigned max[BOOKS_KINDS], live[BOOKS_KINDS];
    unsigned started[BOOKS_KINDS]; /* processes so far */
    struct books_agent **agents;
    size_t agent_count;
    struct books_group **groups;
    size_t group_count;
    uint64_t placed, answered; /* orders; waits taken back are not counted */
};

void books_init(struct books *b, const struct tools *tools,
                const unsigned max[BOOKS_KINDS]);
void books_finish(struct books *b);

/* The fake processes': a process is wanted, and is no more. */
void books_start(struct books *b, const char *id);
void books_gone(struct books *b, const char *id);

/* Before an order is placed; gives the number of the newest news. */
uint64_t books_place(struct books *b, const struct order *o);
/* Checks an answer to what was placed by then, and learns from it. */
void books_answer(struct books *b, const struct order *o, uint64_t placed,
                  bool is_error, yyjson_val *answer);
/* A wait was taken back and will not be answered. */
void books_take_back(struct books *b);

/* The how many-th process this agent got; 0: none. */
unsigned books_started_as(struct books *b, const char *id);
/* How many processes of that kind there have been. */
unsigned books_started(struct books *b, enum books_kind kind);
/* How many processes there are right now. */
unsigned books_live(struct books *b);
/* Whether this agent's process tree has gone, or will never be. */
bool books_is_gone(struct books *b, const char *id);
/* When all is said to be over: that it is. */
void books_close(struct books *b);

#endif
