/*
 * The world of a story: a hub in the simulator, all of it real but for the
 * processes that are scripts (fake_processes.h), and the people around it.
 */
#ifndef TESTS_STORIES_WORLD_H
#define TESTS_STORIES_WORLD_H

#include "tests/stories/books.h"
#include "tests/stories/client.h"
#include "tests/stories/plant.h"

struct world;

struct story {
    const char *name;
    const char *settings; /* YAML */
    /* Told on a thread of its own, with a client that is open. */
    void (*tell)(struct world *w, struct client *c);
    bool has_notifier; /* somebody is told what happens */
    bool is_unchecked; /* all roles are pending until they are told */
    bool ends_early;   /* the hub is stopped in the middle of it */
};

enum {
    WORLD_OPEN = 0xc80, /* struct client *: its actor; to the root */
    WORLD_CLOSE,        /* struct client *: likewise */
    WORLD_ROLES,        /* bool: they have passed */
    WORLD_HEAR,         /* struct hearer *: its actor is to begin */
    WORLD_TELL_HEARER   /* struct hearer_order */
};

/* Tells it once for each of these seeds. *at is the one being told. */
void world_tell(const struct story *story, enum plant plant, uint64_t first,
                uint64_t count, uint64_t *at);

/* ---- for stories, on their threads ---- */

/* Somebody else from outside. */
struct client *world_client(struct world *w);
void world_close_client(struct world *w, struct client *c);
/* Health's word: all roles have passed, or are still looked at. */
void world_tell_roles(struct world *w, bool have_passed);
/* Runs on a thread; it must end before the story does, or be hung up. */
void world_thread(struct world *w, void (*run)(void *), void *arg);
/* Waits for the threads begun so far. */
void world_join(struct world *w);

/* ---- for its actors ---- */

struct rt *world_rt(const struct world *w);
uint64_t world_seed(const struct world *w);
/* So long a time at most, in this run: in every other one next to none. */
uint64_t world_pace(const struct world *w, uint64_t ms);
struct books *world_books(struct world *w);
const struct config *world_config(const struct world *w);
struct rt_ref world_registry(const struct world *w);
enum plant world_plant(const struct world *w);
/* Gives the client its number. */
uint64_t world_adopt(struct world *w, struct client *c);

#endif
