/*
 * The hub's insides, shared by its files: hub.c is the actor and its
 * beginning, hub_linger.c how long it stays, hub_leave.c its end, hub_say.c
 * what it says in the log, hub_config.c what it hears of the configuration.
 */
#ifndef TRANSPORT_HUB_HUB_INSIDE_H
#define TRANSPORT_HUB_HUB_INSIDE_H

#include "actors/notify/notifier.h"
#include "actors/order/order.h"
#include "actors/registry/registry.h"
#include "actors/store/store.h"
#include "runtime/process/process.h"
#include "transport/hub/hub.h"
#include "transport/session/sessions.h"
#include "transport/web/web.h"

/* Its own timers. */
enum {
    HUB_LOOK = 0x7c0, /* is the lock still ours? */
    HUB_LINGER,       /* no client has needed us for a while */
    HUB_ENOUGH,       /* agents have had their time to end */
    HUB_FAREWELL,     /* sessions have had theirs */
    HUB_ORPHANS       /* and so have processes without an owner */
};

#define HUB_LOOK_MS 1000
#define HUB_FAREWELL_MS 1000
/* Beyond the grace that trees have. */
#define HUB_ENOUGH_MS 10000

/*
 *   serving -> ending ----> parting -> clearing -> (stopped)
 *           `> releasing -/
 */
enum hub_phase {
    HUB_SERVING,
    HUB_ENDING,    /* agents are cancelled; until none is left */
    HUB_RELEASING, /* agents are kept: first health, notifier and phases go,
                      then the processes actor */
    HUB_PARTING,   /* sessions are told, and go */
    HUB_CLEARING   /* health and registry go, then the processes actor and the
                      store */
};

struct hub {
    const struct hub_setup *setup;
    struct settings *settings; /* kept: in force; setup's are from its start */
    struct rt_ref processes, registry, store, cleaner, health, sessions,
        standalone, web, config_writer, narrator, notifier, mail,
        phases, projects;
    enum hub_phase phase;
    struct sessions_count users;
    struct web_users web_users;
    uint64_t last_http; /* rt_now() of the last call over HTTP; 0: none yet */
    bool has_census;    /* agents that an earlier hub left are counted */
    bool knows_past;    /* that, or they cannot be */
    uint32_t not_gone;  /* agents */
    uint64_t lingering; /* timer, or 0 */
    bool is_dismissing; /* the processes actor was asked for its orphans */
};

/* In the log. */
void hub_say_condition(const struct hub *h, const struct store_condition *c);
void hub_say_memory(const struct hub *h, const struct process_memory *m);
void hub_say_left(const struct hub *h, const struct process_left *left);
void hub_say_trouble(const struct hub *h,
                     const struct notifier_trouble *trouble);

/* One that a relay started leaves when it has been of no use for a while:
 * after whatever may have changed that. */
void hub_mind_lingering(struct rt_turn *t, struct hub *h);
void hub_on_web_users(struct rt_turn *t, struct hub *h,
                      const struct web_users *users);
/* HUB_LINGER: that while is over. */
void hub_on_linger(struct rt_turn *t, struct hub *h,
                   const struct rt_alarm *alarm);

/* Begins the end; once more while it is under way: hurries it. */
void hub_leave(struct rt_turn *t, struct hub *h, bool keeps_agents);
/* Goes on with it as far as what has happened allows; RT_STOP at last. */
enum rt_next hub_leave_on(struct rt_turn *t, struct hub *h);
/* A timer of it. */
enum rt_next hub_leave_late(struct rt_turn *t, struct hub *h, uint16_t kind);
/* CONFIG_WRITER_CHANGED or CONFIG_WRITER_TROUBLE: it is logged and, as far as
 * the hub itself goes by it, holds. */
void hub_on_config(struct hub *h, struct rt_msg *m);

#endif
