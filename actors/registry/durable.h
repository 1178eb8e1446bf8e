/*
 * What is durable, and what may be told only then. All rows that one message
 * makes travel to the store together, with the answer that may only go out
 * once they are safe: so a change, its key and its answer are durable as one.
 * Answers to questions wait while something that they may tell of is on its
 * way to the disk.
 *
 * durable.c sends and waits, durable_rows.c says what is written.
 */
#ifndef ACTORS_REGISTRY_DURABLE_H
#define ACTORS_REGISTRY_DURABLE_H

#include "actors/agent/agent.h"
#include "actors/store/store.h"

struct agent_entry;
struct cleaner_done;
struct feed_event;
struct group_entry;
struct registry;
struct withheld;

struct durable {
    struct rt_ref store; /* RT_NOBODY: nothing is kept */
    struct store_condition condition;
    struct store_write *write;     /* rows of the message being handled */
    uint64_t written, safe;        /* rows sent to the store, and durable */
    uint64_t bytes;                /* of the store's file */
    struct withheld *first, *last; /* answers that wait, oldest first */
};

/* There is a store, and it has told the past, or why it is not known. */
void durable_begin(struct registry *r, struct rt_ref store,
                   const struct past *p);
/* More is safe, or the disk refuses: tells what waited for that. */
void durable_on_safe(struct rt_turn *t, struct registry *r,
                     const struct store_safe *safe);
void durable_on_condition(struct rt_turn *t, struct registry *r,
                          const struct store_condition *c);

/* Where rows go, or NULL: this hub keeps nothing. */
struct store_write *durable_write(struct registry *r);
/* Sends what was written since the last time. */
void durable_flush(struct rt_turn *t, struct registry *r);
/* Sends an answer of a group on to its asker once all before it is safe. */
void durable_deliver(struct rt_turn *t, struct registry *r, struct answer *a);
/* The same for an answer of our own, whose reference is given away. */
void durable_answer(struct rt_turn *t, struct registry *r, struct order *o,
                    struct answer *a);
/* An answer to a question, given away: at once, unless something that it may
 * tell of is on its way to the disk. */
void durable_tell(struct rt_turn *t, struct registry *r, struct order *o,
                  struct answer *a);
/* Says it once all that is known by now is safe. */
void durable_say(struct rt_turn *t, struct registry *r, struct rt_ref to,
                 uint16_t kind, struct rt_obj *obj);
/* Lets the store answer. */
void durable_ask(struct rt_turn *t, struct registry *r, struct order *o);
/* At the end: forgets what waits. */
void durable_drop(struct registry *r);

/* ---- durable_rows.c ---- */
void durable_group(struct registry *r, const struct group_entry *group);
void durable_deleted(struct rt_turn *t, struct registry *r,
                     const struct group_entry *group);
void durable_plan(struct registry *r, const struct group_entry *group);
void durable_ledger(struct rt_turn *t, struct registry *r,
                    const struct group_entry *group);
void durable_order(struct registry *r, const struct order *o);
/* What has changed since the view before, which may be NULL. */
void durable_news(struct rt_turn *t, struct registry *r,
                  struct agent_entry *agent, const struct agent_view *before);
/* A directory is gone, or a transcript has become something else. */
void durable_cleaned(struct registry *r, const struct cleaner_done *done);
void durable_event(struct registry *r, const struct feed_event *what,
                   const struct group_entry *group,
                   const struct agent_entry *agent, struct slice data);

#endif
