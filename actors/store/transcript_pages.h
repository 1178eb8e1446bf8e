/*
 * Transcript pages answers orders to read what an agent has left on disk, page
 * by page.
 */
#ifndef ACTORS_STORE_TRANSCRIPT_PAGES_H
#define ACTORS_STORE_TRANSCRIPT_PAGES_H

#include "actors/order/order.h"
#include "actors/stream/story.h"

enum {
    /* carries struct transcript_page, which is given away */
    TRANSCRIPT_PAGES_READ = 0x6d0,
    /* its own */
    TRANSCRIPT_PAGES_STEP
};

/* Bytes of the transcript in one page, and lines. */
#define TRANSCRIPT_PAGES_PAGE ((size_t)1 << 20)
#define TRANSCRIPT_PAGES_LINES 200 /* unless the order says */
#define TRANSCRIPT_PAGES_LINES_MAX 10000

/* One that is wanted. */
struct transcript_page {
    struct rt_obj obj;
    struct order *order; /* kept; its kind says what of; answered */
    char id[ORDER_ID];
    bool is_backward;    /* what lies before `at`; else what begins there */
    uint64_t at;         /* byte */
    unsigned limit;      /* 0: the usual */
    bool is_known;       /* to the registry; else it may be one of long ago */
    bool is_gone;        /* nothing more will be written */
    int32_t pid;         /* of the CLI, or 0 */
    uint64_t started_at; /* wall clock, ms; 0: not known */
    /* Of a story: */
    const struct backend *backend; /* NULL: not known to whom it was told */
    struct story_times times;      /* owned */
    struct rt_ref reader;          /* who reads it, once the rest is known */
};

/* Copies it and keeps the order. The caller owns the one reference. */
struct transcript_page *transcript_page_create(
    const struct transcript_page *from);

/* Reads what the order wants into a page that is empty: agent, where, how many.
 * False: it has been refused. */
bool transcript_page_read(struct rt_turn *t, struct order *o,
                          struct transcript_page *p);

/*
 * Starts it as a child of the current actor, at a home where a disk may be
 * waited for. The directory is the hub's own (copied). docs/api.md says
 * what it answers. A line longer than a page comes in pieces, as strings, each
 * but the last on a page of its own with "isCut":true.
 */
struct rt_ref transcript_pages_spawn(struct rt_turn *t, unsigned home,
                                     const char *state_dir);

#endif
