/* A group entry is a group as clients know it. */
#ifndef ACTORS_REGISTRY_GROUP_ENTRY_H
#define ACTORS_REGISTRY_GROUP_ENTRY_H

#include "actors/group/group.h"
#include "actors/group/magentic.h"
#include "runtime/text/index.h"

struct agent_entry;
struct registry;

struct group_entry {
    struct index_link by_id, by_serial;
    struct group_entry *older, *newer; /* all groups, by age */
    struct group_entry *parent;        /* or NULL */
    uint64_t serial;
    char id[ORDER_ID];
    struct bytes description;
    enum group_mode mode;
    enum config_language language; /* it was created in, and keeps */
    bool is_deleted;
    bool is_hidden; /* made for agents that have no place yet */
    uint64_t created_at;
    uint64_t finished_at; /* all it was to do is done; 0: it is not, or never
                             had anything */
    struct rt_ref actor;
    struct agent_entry *first, *last; /* its agents, by age */
    unsigned not_gone;                /* of its agents */
    unsigned agents;
    bool has_plan;          /* the newest has not ended */
    unsigned stage, stages; /* of that one */
    uint64_t plan;          /* its order's first agent */
    /* of a magentic group */
    struct agent_entry *orchestrator;
    struct order *order;   /* kept: what its family may do */
    struct ledger *ledger; /* kept, or NULL */
    unsigned depth;        /* magentic groups from the top, this included */
    uint64_t spent;        /* micro-dollars, by it and all below */
    bool is_budget_told;   /* that it is used up */
};

/* All of them. */
struct group_entries {
    struct index by_id, by_serial;
    struct group_entry *oldest, *newest;
};

struct group_entry_setup {
    uint64_t serial;
    struct slice id;
    enum group_mode mode;
    struct slice description;
    struct group_entry *parent; /* or NULL */
    enum config_language language;
    uint64_t created_at;
};

/* NULL if there is none; a hidden one is none. */
struct group_entry *group_entry_find(struct registry *r, struct slice id);
/* Hidden ones too. */
struct group_entry *group_entry_any(struct registry *r, struct slice id);
struct group_entry *group_entry_at(struct registry *r, uint64_t serial);
/* As an order wants it, which gives its description and, unless there is a
 * parent, its language. */
struct group_entry *group_entry_create(struct rt_turn *t, struct registry *r,
                                       enum group_mode mode,
                                       const struct order *o,
                                       struct group_entry *parent);
/* With the number and the id it has already. */
struct group_entry *group_entry_restore(struct rt_turn *t, struct registry *r,
                                        const struct group_entry_setup *from);
void group_entry_destroy(struct rt_turn *t, struct registry *r,
                         struct group_entry *group);
/* Makes hidden agents for all the tasks of an order, and its numbers and ids.
 */
void group_entry_expect(struct rt_turn *t, struct registry *r,
                        struct group_entry *group, struct order *o);
/* The next group of a family, beginning with top; NULL after the last. */
struct group_entry *group_entry_next_of(struct group_entry *top,
                                        struct group_entry *at);
bool group_entry_is_below(const struct group_entry *group,
                          const struct group_entry *top);
/* Agents of it and its child groups that are not done, or expected. */
unsigned group_entry_running(struct group_entry *top);

/* Forgets the oldest agents of deleted groups that are too many. */
void group_entries_trim(struct rt_turn *t, struct registry *r);

#endif
