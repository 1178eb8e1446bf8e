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
 *   card.c   what is told of an agent
 *   keep.c   what is written to the store
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
struct room {
    struct index_link by_id, by_serial;
    struct room *older, *newer; /* all rooms, by age */
    struct room *parent;        /* or NULL */
    uint64_t serial;
    char id[ORDER_ID];
    struct bytes description;
    enum group_mode mode;
    bool is_deleted;
    bool is_hidden; /* run_magentic: its orchestrator has no place yet */
    uint64_t created_at;
    struct rt_ref group;
    struct card *first, *last; /* its agents, by age */
    unsigned not_gone;         /* of its agents */
    unsigned cards;
    bool has_plan;
    unsigned stage, stages; /* of the newest plan */
    uint64_t plan;          /* its order's first agent */
    /* of a magentic group */
    struct card *orchestrator;
    struct order *order;   /* kept: what its family may do */
    struct ledger *ledger; /* kept, or NULL */
    unsigned depth;        /* magentic groups from the top, this included */
    uint64_t spent;        /* micro-dollars, by it and all below */
};

/* What its stream has shown since the last news. */
struct card_live {
    struct agent_live now;
    struct bytes said; /* the beginning of its last message */
};

/* An agent as clients know it. */
struct card {
    struct index_link by_id, by_serial;
    struct card *older, *newer;  /* all cards, by age */
    struct card *before, *after; /* of the same room */
    struct room *room;
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
    struct bytes line;      /* in lists */
    struct bytes answer;    /* get_agent_status, beyond that */
    struct watch *watches;  /* of those who want to know when it is done */
    struct card_live *live; /* NULL: it has shown nothing, or is gone */
    bool is_marked;         /* it has, and subscribers are to be told */
    struct card *next_marked;
};

/* One agent that one watcher watches. */
struct watch {
    struct watcher *by;
    struct card *card;            /* NULL: it is done, or no more */
    struct watch *before, *after; /* of the same card */
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
    struct index rooms_by_id, rooms, cards_by_id, cards, watchers;
    struct room *oldest_room, *newest_room;
    struct card *oldest, *newest;
    unsigned not_gone;
    unsigned kept; /* cards of deleted rooms */
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
    struct card *marked; /* only while there are subscribers */
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
struct room *room_find(struct registry *r, struct slice id);
struct room *room_at(struct registry *r, uint64_t serial);
struct card *card_find(struct registry *r, struct slice id);
struct card *card_at(struct registry *r, uint64_t serial);
struct room_setup {
    uint64_t serial;
    struct slice id;
    enum group_mode mode;
    struct slice description;
    struct room *parent; /* or NULL */
    uint64_t created_at;
};
/* With the number and the id it has already. */
struct room *room_restore(struct rt_turn *t, struct registry *r,
                          const struct room_setup *from);
/* A hidden card for one task of an order that has its numbers. */
struct card *room_add_card(struct registry *r, struct room *room,
                           struct order *o, unsigned i);
struct room *room_create(struct rt_turn *t, struct registry *r,
                         enum group_mode mode, struct slice description,
                         struct room *parent);
void room_destroy(struct rt_turn *t, struct registry *r, struct room *room);
/* Makes hidden cards for all the tasks of an order, and its numbers and ids. */
void room_expect(struct rt_turn *t, struct registry *r, struct room *room,
                 struct order *o);
void card_destroy(struct rt_turn *t, struct registry *r, struct card *c);
/* Forgets the oldest agents of deleted rooms that are too many. */
void registry_trim(struct rt_turn *t, struct registry *r);
/* The next room of a family, beginning with top; NULL after the last. */
struct room *room_next_of(struct room *top, struct room *at);
bool room_is_below(const struct room *room, const struct room *top);
/* Agents of it and its child groups that are not done, or expected. */
unsigned room_running(struct room *top);

static inline bool card_is_done(const struct card *c)
{
    return c->view != NULL && c->view->is_done;
}

/* What is told of it is to be made anew. */
static inline void card_changed(struct card *c)
{
    c->line.len = c->answer.len = 0;
}

static inline enum agent_state card_state(const struct card *c)
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
/* Whether the order's caller may do something with this room: one that is no
 * agent of ours with any, an agent only within its own family. */
bool registry_is_of_family(struct registry *r, struct order *o,
                           const struct room *room);
/* An agent reaches beyond its family; always false. */
bool registry_refuse_stranger(struct rt_turn *t, struct order *o,
                              const char *id);
/* The card of the agent that placed it, or NULL. */
struct card *registry_caller(struct registry *r, struct order *o);
/* Whether he may start agents, in that room if it is not NULL. False: it has
 * been refused. */
bool registry_may_nest(struct rt_turn *t, struct registry *r, struct order *o,
                       const struct room *room);
/* Whether the limits of the families above let it. False: refused. */
bool registry_may_in_family(struct rt_turn *t, struct order *o,
                            struct room *room);
/* Notes which roles a run_magentic order may use. False: refused. Without a
 * turn, for an order of the past, those that are no more are left out. */
bool registry_allow(struct rt_turn *t, struct order *o, struct room *parent);

/* ---- tasks.c ---- */
/* Reads the tasks of a run_* order into it. False: it has been refused. */
bool registry_read_tasks(struct rt_turn *t, struct registry *r,
                         struct order *o);
/* The same for an order of the past: nothing is checked again, and roles that
 * are no more stay NULL. False: it makes no sense. */
bool registry_recall_tasks(struct registry *r, struct order *o,
                           struct room *room);
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
                         struct room *room);
/* The reason becomes part of its result, if it is not done. */
void card_cancel(struct rt_turn *t, struct card *c, struct slice reason);
/* Answers the cancellations that are complete. */
void registry_cancel_look(struct rt_turn *t, struct registry *r);
/* At the end: forgets those that are not. */
void registry_cancel_drop(struct registry *r);

/* ---- watch.c ---- */
void registry_watch(struct rt_turn *t, struct registry *r, struct rt_ref who,
                    struct order *o);
/* The store has looked up those that were not known. */
void registry_watch_seen(struct rt_turn *t, struct registry *r,
                         const struct store_look *seen);
void registry_unwatch(struct registry *r, struct rt_ref who);
void card_tell_watchers(struct rt_turn *t, struct registry *r, struct card *c);
/* Nobody hears of it any more. */
void card_unwatch(struct card *c);
/* At the end: forgets who watches. */
void registry_watch_drop(struct registry *r);

/* ---- read.c ---- */
/* list_agents, get_agent_status, list_roles and what people ask. */
void registry_read(struct rt_turn *t, struct registry *r, struct order *o);

/* Without its end, so that there may be more. */
void room_put_line(struct bytes *out, const struct room *room);
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

/* ---- card.c ---- */
uint64_t card_elapsed_ms(struct rt_turn *t, const struct card *c);
/* Whether a list of those with this status has it. */
bool card_is_wanted(const struct card *c, struct slice status);
/* What a list has, what get_agent_status adds, what people see beyond that;
 * each leaves the object open. */
void card_put_line(struct rt_turn *t, struct bytes *out, struct card *c);
void card_put_status(struct rt_turn *t, struct bytes *out, struct card *c);
void card_put_all(struct bytes *out, const struct registry *r,
                  const struct card *c);
/* All of it, as an object. */
void card_put_state(struct rt_turn *t, struct registry *r, struct bytes *out,
                    struct card *c);
void card_put_result(struct bytes *out, const struct card *c);

/* `"usage":{...}`, with costUsd where it is known. */
void card_put_usage(struct bytes *out, const struct registry *r,
                    const struct card *c, const struct transcript_usage *u);

/* ---- keep.c ---- */
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
void keep_room(struct registry *r, const struct room *room);
void keep_deleted(struct rt_turn *t, struct registry *r,
                  const struct room *room);
void keep_plan(struct registry *r, const struct room *room);
void keep_ledger(struct rt_turn *t, struct registry *r,
                 const struct room *room);
void keep_order(struct registry *r, const struct order *o);
/* What has changed since the view before, which may be NULL. */
void keep_news(struct rt_turn *t, struct registry *r, const struct card *c,
               const struct agent_view *before);
void keep_tidied(struct registry *r, const struct cleaner_done *done);
/* Takes the data over. */
void registry_event(struct rt_turn *t, struct registry *r, const char *type,
                    const struct room *room, const struct card *c,
                    struct bytes *data);

/* ---- spend.c ---- */
/* What it has cost so far, in micro-dollars: as the CLI says, else by the
 * configuration's prices. False: nobody knows. */
bool card_cost(const struct registry *r, const struct card *c, uint64_t *cost);
/* The same for so much use. */
bool card_price(const struct registry *r, const struct card *c,
                const struct transcript_usage *u, uint64_t *cost);
/* Counts what its newest view says. */
void registry_spend(struct rt_turn *t, struct registry *r, struct card *c);
/* Whether the budgets let agents start, in that room if it is not NULL.
 * False: refused. */
bool registry_may_spend(struct rt_turn *t, struct registry *r, struct order *o,
                        const struct room *room);
void registry_restore_spent(struct rt_turn *t, struct registry *r,
                            const struct past *p);

/* ---- past.c ---- */
enum agent_state registry_state_of(struct slice name);
void registry_restore(struct rt_turn *t, struct registry *r,
                      const struct past *p);

/* ---- subscribers.c ---- */
void feed_on_message(struct rt_turn *t, struct registry *r, struct rt_msg *m);
/* Whoever it was hears no more. */
void feed_forget(struct rt_turn *t, struct registry *r, struct rt_ref who);
/* Tells all subscribers once it is safe; room and c may be NULL. */
void feed_tell(struct rt_turn *t, struct registry *r,
               const struct feed_event *what, const struct room *room,
               const struct card *c, struct slice data);
/* Its stream has gone on. */
void card_take_step(struct rt_turn *t, struct registry *r, struct card *c,
                    const struct agent_step *step);
/* It is gone, or forgotten: nothing more is told of its stream. */
void card_be_still(struct registry *r, struct card *c);
/* Members of an object, where there is anything to say. */
void card_put_live(struct bytes *out, const struct registry *r,
                   const struct card *c);
/* The data of agent:status_update. */
void card_put_progress(struct rt_turn *t, const struct registry *r,
                       struct bytes *out, const struct card *c);

/* ---- events.c ---- */
void event_startup(struct rt_turn *t, struct registry *r);
void event_room(struct rt_turn *t, struct registry *r, const char *type,
                const struct room *room);
void event_room_id(struct rt_turn *t, struct registry *r, const char *type,
                   const struct room *room);
void event_stage(struct rt_turn *t, struct registry *r,
                 const struct room *room);
void event_ledger(struct rt_turn *t, struct registry *r,
                  const struct room *room);
void event_created(struct rt_turn *t, struct registry *r, struct card *c);
void event_news(struct rt_turn *t, struct registry *r, struct card *c,
                const struct agent_view *before);

#endif
