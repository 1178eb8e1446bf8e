/*
 * A story page is a portion of an agent's story, read forward or backward from
 * any byte of its transcript. It is made block by block, a step each, so that
 * who makes it can do something else between; it holds one window and the page
 * in memory.
 */
#ifndef ACTORS_STORE_STORY_PAGE_H
#define ACTORS_STORE_STORY_PAGE_H

#include <sys/types.h>

#include "actors/stream/story.h"

#define STORY_PAGE_ENTRIES 100 /* unless it is said */
#define STORY_PAGE_ENTRIES_MAX 200
/* Of the transcript, read for one page; and of the page itself: it ends with
 * the block, or entry, that goes beyond. */
#define STORY_PAGE_READ_MAX ((uint64_t)8 << 20)
#define STORY_PAGE_BYTES_MAX ((size_t)4 << 20)

/* What is read. The bytes from `at` on, less at the end; or a negative errno;
 * -EAGAIN: this step is over. */
struct story_source {
    ssize_t (*read)(void *ctx, uint64_t at, char *to, size_t len);
    void *ctx;
    uint64_t size;
    bool is_gone; /* nothing more will be written */
};

struct story_page_setup {
    const struct backend *backend;
    struct story_source source;
    const struct story_times *times; /* borrowed until the end; or NULL */
    bool is_backward;
    uint64_t at; /* from here on; or what begins before */
    unsigned limit;
    uint64_t block; /* bytes; 0: STORY_BLOCK */
};

struct story_page;

struct story_page *story_page_create(const struct story_page_setup *setup);
void story_page_destroy(struct story_page *p); /* accepts NULL */
/* 1: there is more to do; 0: it is made; or a negative errno. */
int story_page_step(struct story_page *p);
/* Appends "entries", "previous", "next", "upTo", "size" and "isComplete" to an
 * object. */
void story_page_put(const struct story_page *p, struct bytes *out);

#endif
