/*
 * The registry's insides. registry.c is the actor: it takes messages and lets
 * the file that owns a matter deal with it.
 *
 *   group_entry.c, agent_entry.c, ids.c   groups and agents, and their ids
 *   restore.c          what an earlier hub left
 *   judge.c, retry.c, permission.c, tasks.c, parked.c  whether an order may be
 *   cancel.c, config_orders.c   orders that end agents, or change the
 * configuration spend.c            what agents cost, and budgets news.c what
 * groups tell durable*.c         what is written, and what may be told only
 * then events.c, health_events.c, progress.c, subscribers.c   the feed
 *   line_times.c       when transcripts were read
 *   samples.c, checkpoints.c   what past moments are shown by
 *   notes.c            what the log is told
 *   notices.c, notice.c  what a person is told
 *   wait_watch.c, wait_named.c, wait_answer.c, wait.c    wait_agent
 *   hold.c             waits that systems have
 *   systems.c          orders that other actors answer
 *   view*.c            answers to questions
 *
 * Each has a header of its own, with what others may call and the part of the
 * registry's state that is its own. All but wait.c, an actor by itself, run in
 * the registry's turns.
 */
#ifndef ACTORS_REGISTRY_INSIDE_H
#define ACTORS_REGISTRY_INSIDE_H

#include "actors/group/slots.h"
#include "actors/registry/agent_entry.h"
#include "actors/registry/cancel.h"
#include "actors/registry/checkpoints.h"
#include "actors/registry/config_orders.h"
#include "actors/registry/conflicts.h"
#include "actors/registry/durable.h"
#include "actors/registry/group_entry.h"
#include "actors/registry/health_events.h"
#include "actors/registry/ids.h"
#include "actors/registry/line_times.h"
#include "actors/registry/notes.h"
#include "actors/registry/notices.h"
#include "actors/registry/parked.h"
#include "actors/registry/progress.h"
#include "actors/registry/registry.h"
#include "actors/registry/restore.h"
#include "actors/registry/samples.h"
#include "actors/registry/spend.h"
#include "actors/registry/subscribers.h"
#include "actors/registry/systems.h"
#include "actors/registry/wait_watch.h"

/* Its own timers. */
enum { REGISTRY_GATE = 0x520, REGISTRY_TICK, REGISTRY_TELL };

struct registry {
    struct hub_context *context; /* kept */
    struct roster *roster;       /* kept: the newest */
    struct rt_ref processes, slots, pages;
    struct rt_ref cleaner; /* RT_NOBODY: directories stay */
    uint64_t started_at;
    uint64_t started;           /* monotonic ns */
    char url[REGISTRY_URL_CAP]; /* of the dashboard; "": none yet */
    struct slots_places places;
    uint64_t serials; /* of groups and agents: the last */
    uint64_t seq;     /* of events: the last */
    struct ids ids;
    struct group_entries groups;
    struct agent_entries agents;
    struct restore restore;
    struct parked_orders parked;
    struct cancels cancels;
    struct edits edits;
    struct spend spend;
    struct durable durable;
    struct health_events health_events;
    struct progress progress;
    struct line_times_list times;
    struct samples_list samples;
    struct checkpoints checkpoints;
    struct subscribers subscribers;
    struct watches watches;
    struct conflicts conflicts;
    struct notes notes;
    struct notices notices;
    struct systems systems;
};

static inline const struct config *registry_config(const struct registry *r)
{
    return r->roster->settings->config;
}

/* The places, by the configuration in force. */
struct slots_limits registry_limits(const struct registry *r);
/* Carries an order out. is_due: it has waited for checks long enough. */
void registry_carry_out(struct rt_turn *t, struct registry *r, struct order *o,
                        bool is_due);
/* Handles a message that has been held. */
void registry_on_message(struct rt_turn *t, struct registry *r,
                         struct rt_msg *m);

#endif
