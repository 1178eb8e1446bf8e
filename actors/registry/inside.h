/*
 * The registry's insides, shared by its files:
 *
 *   registry.c        the actor, orders that wait, what the store tells it
 *   news.c   what groups tell it
 *   table.c  groups and agents, their ids, what is kept of them
 *   judge.c  whether an order may be, and to whom it goes
 *   family.c whether who asks may
 *   tasks.c  the agents an order wants
 *   cancel.c cancellation, of agents, groups and families
 *   watch.c  who is told when an agent is done
 *   read.c   answers to questions
 *   roles.c  what is told of roles and the configuration
 *   picture.c the whole picture, for the feed
 *   card.c    what is told of an agent
 *   durable.c   what is written to the store
 *   past.c   what an earlier hub left there
 *   events.c the stream of what happened
 *   subscribers.c   who is told of it, and of progress
 *   health.c what health does, as events
 *   edit.c   changes of the configuration
 *   spend.c  what it costs, and budgets
 *
 * All of it runs in the registry's turns.
 */
#ifndef ACTORS_REGISTRY_INSIDE_H
#define ACTORS_REGISTRY_INSIDE_H

#include "actors/agent/agent.h"
#include "actors/group/group.h"
#include "actors/group/magentic.h"
#include "actors/group/slots.h"
#include "actors/registry/feed.h"
#include "actors/registry/registry.h"
#include "actors/registry/watch.h"
#include "actors/store/cleaner.h"
#include "actors/store/store.h"
#include "runtime/text/index.h"

/* Its own timers. */
enum { REGISTRY_GATE = 0x520, REGISTRY_TICK };

/* Agents of deleted groups that lists still show. */
#define REGISTRY_KEEP 20
/* Agents one list has at most. */
#define REGISTRY_LIST 1000

/* A group as clients know it. */
struct group_entry {
    struct index_link by_id, by_serial;
    struct group_entry *older, *newer; /* all groups, by age */
    struct group_entry *parent;        /* or NULL */
    uint64_t serial;
    char id[ORDER_ID];
    struct bytes description;
    enum group_mode mode;
    bool is_deleted;
    bool is_hidden; /* run_magentic: its orchestrator has no place yet */
    uint64_t created_at;
    struct rt_ref actor;
    struct agent_entry *first, *last; /* its agents, by age */
    unsigned not_gone;                /* of its agents */
    unsigned agents;
    bool has_plan;
    unsigned stage, stages; /* of the newest plan */
    uint64_t plan;          /* its order's first agent */
    /* of a magentic group */
    struct agent_entry *orchestrator;
    struct order *order;   /* kept: what its family may do */
    struct ledger *ledger; /* kept, or NULL */
    unsigned depth;        /* magentic groups from the top, this included */
    uint64_t spent;        /* micro-dollars, by it and all below */
};

/* What its stream has shown since the last news. */
struct agent_entry_live {
    struct agent_live now;
    struct bytes said; /* the beginning of its last message */
};

/* An agent as clients know it. */
struct agent_entry {
    struct index_link by_id, by_serial;
    struct agent_entry *older, *newer;  /* all agents, by age */
    struct agent_entry *before, *after; /* of the same group */
    struct group_entry *group;
    uint64_t serial;
    struct order *order; /* kept */
    const struct order_task *task;
    bool is_hidden; /* its group has not accepted it yet */
    bool is_gone;
    struct agent_view *view; /* the newest, or NULL */
    uint64_t started;        /* monotonic ns, by our clock; 0: not yet */
    uint64_t tool_calls;
    uint64_t cost;     /* micro-dollars that are counted as spent */
    struct bytes head; /* the part of its JSON that never changes */
    /* What is told of it once it is done; empty: to be made. */
    struct bytes line;     /* in lists */
    struct bytes answer;   /* get_agent_status, beyond that */
    struct watch *watches; /* of those who want to know when it is done */
    struct agent_entry_live *live; /* NULL: it has shown nothing, or is gone */
    bool is_marked;                /* it has, and subscribers are to be told */
    struct agent_entry *next_marked;
};

/* One agent that one watcher watches. */
struct watch {
    struct watcher *by;
    struct agent_entry *agent;    /* NULL: it is done, or no more */
    struct watch *before, *after; /* of the same agent */
};

/* Somebody who watches agents, until it ends. */
struct watcher {
    struct index_link by_ref;
    struct rt_ref who;
    unsigned count;
    struct watch watches[];
};

/* An order that waits for the checks of its roles. */
struct parked {
    struct parked *next;
    struct order *order;
    uint64_t timer;
};

/* A cancellation that is answered when all it means have heard. */
struct cancelling {
    struct cancelling *next;
    struct order *order;
    unsigned count;
    uint64_t *serials;
    bool *was_done; /* before: those are not cancelled by this */
};

/* An answer that waits for what it tells of to be safe. */
struct withheld {
    struct withheld *next;
    uint64_t number; /* of the rows */
    struct answer *answer;
};

/* Ids of one second that were given away. Seconds never go back, whatever the
 * clock does, and a new hub begins after those of the one before: so nothing
 * else need be remembered for no id to be given twice. */
struct id_book {
    uint64_t second;
    unsigned count;
    uint64_t given[65536 / 64];
};

struct registry {
    struct hub_context *context;
    struct roster *roster;
    struct rt_ref processes, slots, pages;
    uint64_t serials;
    struct id_book ids;
    uint64_t started_at;
    uint64_t started; /* monotonic ns */
    struct {
        uint64_t started, lines, bytes;
    } streams; /* of all agents, since this hub runs */
    struct index groups_by_id, groups, agents_by_id, agents, watchers;
    struct group_entry *oldest_group, *newest_group;
    struct agent_entry *oldest, *newest;
    unsigned not_gone;
    unsigned kept; /* agents of deleted groups */
    struct parked *parked;
    struct cancelling *cancelling;
    struct slots_places places;
    struct rt_ref store;   /* nobody: nothing is kept */
    struct rt_ref cleaner; /* nobody: directories stay */
    bool is_blank;         /* the store has not told the past yet */
    struct rt_msg *held_first, *held_last; /* orders that wait for it */
    struct store_condition condition;
    struct store_write *write; /* rows of the message being handled */
    uint64_t written, safe;    /* rows sent to the store, and durable */
    struct withheld *withheld, *withheld_last; /* oldest first */
    uint64_t seq;                              /* of the last event */
    uint64_t day, day_spent; /* days since 1970; micro-dollars on that day */
    struct rt_ref subscribers[FEED_SUBSCRIBERS];
    unsigned subscriber_count;
    struct agent_entry *marked; /* only while there are subscribers */
    uint64_t tick;       /* timer: armed while something is marked; or 0 */
    uint64_t ticked;     /* monotonic ns: when it last was due */
    struct roster *said; /* kept: events tell of health up to here; or NULL */
    bool is_health_open; /* and have not said yet that all is complete */
    char url[REGISTRY_URL_CAP];  /* of the dashboard; "": none yet */
    struct rt_ref config_writer; /* nobody: nothing can be edited */
    struct changing *changing;   /* edits whose roster is to come, in order */
};

static inline const struct config *registry_config(const struct registry *r)
{
    return r->roster->settings->config;
}

/* ---- table.c ---- */
/* NULL if there is none; a hidden one is none. */
struct group_entry *group_entry_find(struct registry *r, struct slice id);
struct group_entry *group_entry_at(struct registry *r, uint64_t serial);
struct agent_entry *agent_entry_find(struct registry *r, struct slice id);
struct agent_entry *agent_entry_at(struct registry *r, uint64_t serial);
struct group_entry_setup {
    uint64_t serial;
    struct slice id;
    enum group_mode mode;
    struct slice description;
    struct group_entry *parent; /* or NULL */
    uint64_t created_at;
};
/* With the number and the id it has already. */
struct group_entry *group_entry_restore(struct rt_turn *t, struct registry *r,
                                        const struct group_entry_setup *from);
/* A hidden agent for one task of an order that has its numbers. */
struct agent_entry *group_entry_add_agent(struct registry *r,
                                          struct group_entry *group,
                                          struct order *o, unsigned i);
struct group_entry *group_entry_create(struct rt_turn *t, struct registry *r,
                                       enum group_mode mode,
                                       struct slice description,
                                       struct group_entry *parent);
void group_entry_destroy(struct rt_turn *t, struct registry *r,
                         struct group_entry *group);
/* Makes hidden agents for all the tasks of an order, and its numbers and ids.
 */
void group_entry_expect(struct rt_turn *t, struct registry *r,
                        struct group_entry *group, struct order *o);
void agent_entry_destroy(struct rt_turn *t, struct registry *r,
                         struct agent_entry *c);
/* Forgets the oldest agents of deleted groups that are too many. */
void registry_trim(struct rt_turn *t, struct registry *r);
/* The next group of a family, beginning with top; NULL after the last. */
struct group_entry *group_entry_next_of(struct group_entry *top,
                                        struct group_entry *at);
bool group_entry_is_below(const struct group_entry *group,
                          const struct group_entry *top);
/* Agents of it and its child groups that are not done, or expected. */
unsigned group_entry_running(struct group_entry *top);

static inline bool agent_entry_is_done(const struct agent_entry *c)
{
    return c->view != NULL && c->view->is_done;
}

/* What is told of it is to be made anew. */
static inline void agent_entry_changed(struct agent_entry *c)
{
    c->line.len = c->answer.len = 0;
}

static inline enum agent_state agent_entry_state(const struct agent_entry *c)
{
    return c->view != NULL ? c->view->state : AGENT_QUEUED;
}

/* ---- news.c ---- */
void registry_tell_census(struct rt_turn *t, struct registry *r);
void registry_on_news(struct rt_turn *t, struct registry *r,
                      struct agent_view *v);
void registry_on_step(struct rt_turn *t, struct registry *r,
                      const struct agent_step *step);
void registry_on_plan(struct rt_turn *t, struct registry *r,
                      const struct group_plan *plan);
void registry_on_ledger(struct rt_turn *t, struct registry *r,
                        struct ledger *l);
/* A group's or a ledger's, to be passed on to the asker. */
void registry_on_answer(struct rt_turn *t, struct registry *r,
                        struct answer *a);

/* ---- judge.c ---- */
void registry_create_group(struct rt_turn *t, struct registry *r,
                           struct order *o);
void registry_delete_group(struct rt_turn *t, struct registry *r,
                           struct order *o);
/* All three run_*. is_due: it has waited for checks long enough. */
void registry_run(struct rt_turn *t, struct registry *r, struct order *o,
                  bool is_due);
void registry_report(struct rt_turn *t, struct registry *r, struct order *o);
void registry_update_ledger(struct rt_turn *t, struct registry *r,
                            struct order *o);
uint64_t registry_timeout(const struct registry *r,
                          const struct order_task *task);

/* ---- family.c ---- */
/* Whether the order's caller may do something with this group: one that is no
 * agent of ours with any, an agent only within its own family. */
bool registry_is_of_family(struct registry *r, struct order *o,
                           const struct group_entry *group);
/* An agent reaches beyond its family; always false. */
bool registry_refuse_stranger(struct rt_turn *t, struct order *o,
                              const char *id);
/* The agent of the agent that placed it, or NULL. */
struct agent_entry *registry_caller(struct registry *r, struct order *o);
/* Whether he may start agents, in that group if it is not NULL. False: it has
 * been refused. */
bool registry_may_nest(struct rt_turn *t, struct registry *r, struct order *o,
                       const struct group_entry *group);
/* Whether the limits of the families above let it. False: refused. */
bool registry_may_in_family(struct rt_turn *t, struct order *o,
                            struct group_entry *group);
/* Notes which roles a run_magentic order may use. False: refused. Without a
 * turn, for an order of the past, those that are no more are left out. */
bool registry_allow(struct rt_turn *t, struct order *o,
                    struct group_entry *parent);

/* ---- tasks.c ---- */
/* Reads the tasks of a run_* order into it. False: it has been refused. */
bool registry_read_tasks(struct rt_turn *t, struct registry *r,
                         struct order *o);
/* The same for an order of the past: nothing is checked again, and roles that
 * are no more stay NULL. False: it makes no sense. */
bool registry_recall_tasks(struct registry *r, struct order *o,
                           struct group_entry *group);
/* Whether each task's role can be hired. False: refused, or *must_wait. */
bool registry_check_roles(struct rt_turn *t, struct registry *r,
                          struct order *o, bool is_due, bool *must_wait);
/* Whether anybody can be started at all. False: it has been refused. */
bool registry_can_start(struct rt_turn *t, const struct registry *r,
                        struct order *o);

/* ---- cancel.c ---- */
void registry_cancel(struct rt_turn *t, struct registry *r, struct order *o);
/* Ends what an orchestrator that has come to its end left running. */
void registry_end_family(struct rt_turn *t, struct registry *r,
                         struct group_entry *group);
/* The reason becomes part of its result, if it is not done. */
void agent_entry_cancel(struct rt_turn *t, struct agent_entry *c,
                        struct slice reason);
/* Answers the cancellations that are complete. */
void registry_cancel_look(struct rt_turn *t, struct registry *r);
/* At the end: forgets those that are not. */
void registry_cancel_drop(struct registry *r);

/* ---- watch.c ---- */
void registry_watch(struct rt_turn *t, struct registry *r, struct rt_ref who,
                    struct order *o);
/* The store has looked up those that were not known. */
void registry_watch_seen(struct rt_turn *t, struct registry *r,
                         const struct store_lookup *seen);
void registry_unwatch(struct registry *r, struct rt_ref who);
void agent_entry_tell_watchers(struct rt_turn *t, struct registry *r,
                               struct agent_entry *c);
/* Nobody hears of it any more. */
void agent_entry_unwatch(struct agent_entry *c);
/* At the end: forgets who watches. */
void registry_watch_drop(struct registry *r);

/* ---- read.c ---- */
/* list_agents, get_agent_status, list_roles and what people ask. */
void registry_read(struct rt_turn *t, struct registry *r, struct order *o);

/* Without its end, so that there may be more. */
void group_entry_put_line(struct bytes *out, const struct group_entry *group);
/* These append members to an object. */
void registry_put_places(struct bytes *out, const struct registry *r);
void registry_put_language(struct bytes *out, const struct registry *r);

/* ---- roles.c ---- */
void registry_put_roles(struct bytes *out, const struct registry *r);
void registry_put_models(struct bytes *out, const struct roster *roster);
void registry_put_findings(struct bytes *out, const struct roster *roster);
/* These append an object. */
void registry_put_role(struct bytes *out, const struct roster_role *role);
void registry_put_finding(struct bytes *out, const struct roster_role *role);
/* The data of config:updated. */
void registry_put_config(struct bytes *out, const struct registry *r);

/* ---- picture.c ---- */
void registry_snapshot(struct rt_turn *t, struct registry *r, struct order *o);
/* The data of server:startup, without braces. */
void registry_put_server(struct bytes *out, const struct registry *r);

/* ---- health.c ---- */
/* Appends `"healthcheck":{...}`. */
void registry_put_health(struct bytes *out, const struct registry *r);
/* Makes events of what the roster has new. */
void registry_tell_health(struct rt_turn *t, struct registry *r);

/* ---- edit.c ---- */
struct config_writer_change;

/* update_role and revalidate. */
void registry_edit(struct rt_turn *t, struct registry *r, struct order *o);
/* The file has been written; answered when the roster shows it. */
void registry_on_change(struct registry *r,
                        struct config_writer_change *change);
void registry_complete_changes(struct rt_turn *t, struct registry *r);
void registry_drop_changes(struct registry *r);

/* ---- agent.c ---- */
uint64_t agent_entry_elapsed_ms(struct rt_turn *t, const struct agent_entry *c);
/* Whether a list of those with this status has it. */
bool agent_entry_is_wanted(const struct agent_entry *c, struct slice status);
/* What a list has, what get_agent_status adds, what people see beyond that;
 * each leaves the object open. */
void agent_entry_put_line(struct rt_turn *t, struct bytes *out,
                          struct agent_entry *c);
void agent_entry_put_status(struct rt_turn *t, struct bytes *out,
                            struct agent_entry *c);
void agent_entry_put_all(struct bytes *out, const struct registry *r,
                         const struct agent_entry *c);
/* All of it, as an object. */
void agent_entry_put_state(struct rt_turn *t, struct registry *r,
                           struct bytes *out, struct agent_entry *c);
void agent_entry_put_result(struct bytes *out, const struct agent_entry *c);
/* Writes what never changes of it, once. */
void agent_entry_put_head(struct agent_entry *c);

/* `"usage":{...}`, with costUsd where it is known. */
void agent_entry_put_usage(struct bytes *out, const struct registry *r,
                           const struct agent_entry *c,
                           const struct transcript_usage *u);

/* ---- durable.c ---- */
/* Sends what was written since the last time. */
void registry_flush(struct rt_turn *t, struct registry *r);
/* Sends an answer of a group on to its asker once all before it is safe. */
void registry_deliver(struct rt_turn *t, struct registry *r, struct answer *a);
/* The same for an answer of our own, whose reference is given away. */
void registry_answer(struct rt_turn *t, struct registry *r, struct order *o,
                     struct answer *a);
/* An answer to a question, given away: at once, unless something that it may
 * tell of is on its way to the disk. */
void registry_tell(struct rt_turn *t, struct registry *r, struct order *o,
                   struct answer *a);
/* More is safe, or the disk refuses: tells what waited for that. */
void registry_tell_withheld(struct rt_turn *t, struct registry *r);
/* At the end: forgets them. */
void registry_drop_withheld(struct registry *r);
/* Says it once all that is known by now is safe. */
void registry_say(struct rt_turn *t, struct registry *r, struct rt_ref to,
                  uint16_t kind, struct rt_obj *obj);
/* Lets the store answer. */
void registry_ask_store(struct rt_turn *t, struct registry *r, struct order *o);
void durable_group(struct registry *r, const struct group_entry *group);
void durable_deleted(struct rt_turn *t, struct registry *r,
                     const struct group_entry *group);
void durable_plan(struct registry *r, const struct group_entry *group);
void durable_ledger(struct rt_turn *t, struct registry *r,
                    const struct group_entry *group);
void durable_order(struct registry *r, const struct order *o);
/* What has changed since the view before, which may be NULL. */
void durable_news(struct rt_turn *t, struct registry *r,
                  const struct agent_entry *c, const struct agent_view *before);
void durable_tidied(struct registry *r, const struct cleaner_done *done);
/* Takes the data over. */
void registry_event(struct rt_turn *t, struct registry *r, const char *type,
                    const struct group_entry *group,
                    const struct agent_entry *c, struct bytes *data);

/* ---- spend.c ---- */
/* What it has cost so far, in micro-dollars: as the CLI says, else by the
 * configuration's prices. False: nobody knows. */
bool agent_entry_cost(const struct registry *r, const struct agent_entry *c,
                      uint64_t *cost);
/* The same for so much use. */
bool agent_entry_price(const struct registry *r, const struct agent_entry *c,
                       const struct transcript_usage *u, uint64_t *cost);
/* Counts what its newest view says. */
void registry_spend(struct rt_turn *t, struct registry *r,
                    struct agent_entry *c);
/* Whether the budgets let agents start, in that group if it is not NULL.
 * False: refused. */
bool registry_may_spend(struct rt_turn *t, struct registry *r, struct order *o,
                        const struct group_entry *group);
void registry_restore_spent(struct rt_turn *t, struct registry *r,
                            const struct past *p);

/* ---- past.c ---- */
enum agent_state registry_state_of(struct slice name);
void registry_restore(struct rt_turn *t, struct registry *r,
                      const struct past *p);

/* ---- subscribers.c ---- */
void subscribers_on_message(struct rt_turn *t, struct registry *r,
                            struct rt_msg *m);
/* Whoever it was hears no more. */
void subscribers_forget(struct rt_turn *t, struct registry *r,
                        struct rt_ref who);
/* Tells all subscribers once it is safe; group and c may be NULL. */
void subscribers_tell(struct rt_turn *t, struct registry *r,
                      const struct feed_event *what,
                      const struct group_entry *group,
                      const struct agent_entry *c, struct slice data);
/* Its stream has gone on. */
void agent_entry_take_step(struct rt_turn *t, struct registry *r,
                           struct agent_entry *c,
                           const struct agent_step *step);
/* It is gone, or forgotten: nothing more is told of its stream. */
void agent_entry_be_still(struct registry *r, struct agent_entry *c);
/* Members of an object, where there is anything to say. */
void agent_entry_put_live(struct bytes *out, const struct registry *r,
                          const struct agent_entry *c);
/* The data of agent:status_update. */
void agent_entry_put_progress(struct rt_turn *t, const struct registry *r,
                              struct bytes *out, const struct agent_entry *c);

/* ---- events.c ---- */
void event_startup(struct rt_turn *t, struct registry *r);
void event_group(struct rt_turn *t, struct registry *r, const char *type,
                 const struct group_entry *group);
void event_group_id(struct rt_turn *t, struct registry *r, const char *type,
                    const struct group_entry *group);
void event_stage(struct rt_turn *t, struct registry *r,
                 const struct group_entry *group);
void event_ledger(struct rt_turn *t, struct registry *r,
                  const struct group_entry *group);
void event_created(struct rt_turn *t, struct registry *r,
                   struct agent_entry *c);
void event_news(struct rt_turn *t, struct registry *r, struct agent_entry *c,
                const struct agent_view *before);

#endif
