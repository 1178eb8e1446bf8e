/*
 * An order is what a client wants of the hub: a tool's call, or a question of
 * the command line. It is placed once and answered once, by whichever actor
 * the matter ends with, in the JSON that the client will read.
 *
 *   asker  -- registry_place -->  registry [--> group ...]
 *   asker  <-- ORDER_ANSWER (and ORDER_PROGRESS before, from waits) --
 */
#ifndef ACTORS_ORDER_ORDER_H
#define ACTORS_ORDER_ORDER_H

#include <yyjson.h>

#include "actors/order/caller.h"
#include "actors/order/code.h"
#include "actors/order/order_kind.h"
#include "actors/order/roster.h"
#include "config/messages.h"
#include "runtime/rt.h"
#include "runtime/text/bytes.h"
#include "runtime/text/field.h"

enum {
    ORDER_PLACED = 0x300, /* carries struct order; to the registry */
    ORDER_ANSWER,         /* carries struct answer; to the asker */
    ORDER_PROGRESS        /* struct order_progress; to the asker */
};

#define ORDER_ID 96 /* bytes of any id with its terminator */

/* One agent that an order wants; its texts are the order's. */
struct order_task {
    const struct roster_role *role; /* of the order's roster */
    struct slice prompt;
    char *directory;     /* absolute; heap */
    uint64_t timeout_ms; /* 0: none */
    unsigned stage;
    struct {
        struct slice of;    /* the agent that it stands in for; "": none */
        struct slice error; /* what that one has met; may be empty */
    } retry;
    char id[ORDER_ID];
};

/* What ORDER_EVENT_PAGE wants. */
struct order_page {
    uint64_t since; /* events after this number, ... */
    unsigned limit; /* ... so many at most */
};

struct order {
    struct rt_obj obj;
    enum order_kind kind;
    yyjson_doc *doc;
    yyjson_val *args; /* an object that meets the tool's schema */
    struct caller *caller;
    struct rt_ref asker;
    struct rt_ref via; /* through which actor its answer goes, or RT_NOBODY */
    uint64_t ticket;   /* the asker's own number, given back in answers */
    struct order_page page; /* of ORDER_EVENT_PAGE */
    bool wants_progress;
    bool is_for_model;  /* by MCP: what only programs want is left out */
    bool is_english;    /* while there is no roster, which says it else */
    char key[48];       /* the relay's: a call repeated has the same; or "" */
    bool is_repeated;   /* and this is not the first time */
    bool is_returned;   /* by a system that shares it: see registry.h */
    bool has_own_group; /* one is made for it: run_magentic, and retries of
                           what was in a group that is deleted */
    /* The registry's notes, made before any other actor sees the order. */
    struct roster *roster;
    uint64_t group; /* serial number of the group it is about */
    char group_id[ORDER_ID];
    uint64_t first;  /* serial number of the first agent it makes, or means */
    unsigned count;  /* of tasks; their agents are numbered on from there */
    unsigned stages; /* run_sequential: how many */
    struct order_task *tasks;
    struct order_role *own_roles; /* of order_add_role */
    const struct role **allowed;  /* run_magentic: roles its family may use */
    size_t allowed_count;
    uint64_t created_at; /* wall clock, ms */
    uint64_t gated;      /* monotonic ns: since when it waits for checks */
};

struct order_progress {
    uint64_t ticket;
    uint32_t done, total;
};

/* args may be NULL (none) and is copied; the caller is kept. */
struct order *order_create(enum order_kind kind, yyjson_val *args,
                           struct caller *caller, struct rt_ref asker,
                           uint64_t ticket);
/* The same, and takes the document that args is in over. */
struct order *order_create_take(enum order_kind kind, yyjson_doc *doc,
                                yyjson_val *args, struct caller *caller,
                                struct rt_ref asker, uint64_t ticket);

/* A role that the roster does not have, for as long as the order lives: one of
 * the roster's (or NULL) with another model and back-end. */
const struct roster_role *order_add_role(struct order *o,
                                         const struct roster_role *like,
                                         struct slice id, struct slice model,
                                         struct slice backend);

/* run_magentic: how often its ledger may be updated. */
uint64_t order_max_iterations(const struct order *o);

/* The language the order is answered in. */
bool order_is_english(const struct order *o);

/* ---- answers ---------------------------------------------------------- */

struct answer {
    struct rt_obj obj;
    uint64_t ticket;
    struct order *order; /* kept once sent: what it answers */
    struct rt_obj *with; /* owned: what another actor is to read, or NULL */
    uint64_t seq;        /* of a snapshot: the last event that is in it */
    bool is_error;
    enum code code;    /* of an error */
    struct bytes json; /* an object, compact; of an error, code.h's body */
};

struct answer *answer_create(uint64_t ticket);
/* One that is an error; its body is to be appended. */
struct answer *answer_create_error(uint64_t ticket, enum code code);
/* Sends it to the asker, via another actor if the order says so, and gives
 * the reference away. */
void answer_send(struct rt_turn *t, struct order *o, struct answer *a);

/* Refuses the order, by one of messages.h, in the language of its settings. */
#define ORDER_REFUSE(t, o, code, name, ...)                                    \
    order_refuse(t, o, code, MESSAGE(order_is_english(o), name), __VA_ARGS__)
void order_refuse(struct rt_turn *t, struct order *o, enum code code,
                  const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* What it names is not there. */
void order_refuse_group(struct rt_turn *t, struct order *o, struct slice id);
void order_refuse_agent(struct rt_turn *t, struct order *o, struct slice id);
/* A name from outside as messages have it: whole if it can be one, else the
 * beginning of it. */
#define ORDER_BRIEF 120
struct slice order_brief(struct slice name);
/* The answers alone. */
struct answer *answer_no_group(uint64_t ticket, bool is_english,
                               struct slice id);
struct answer *answer_no_agent(uint64_t ticket, bool is_english,
                               struct slice id);
struct answer *answer_refusal(uint64_t ticket, enum code code,
                              const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
