/*
 * The roster is the roles as they can be hired right now: each with what its
 * checks have found, and the program that its back-end is. Health makes a new
 * one at every change and tells the registry. Constant, shared.
 */
#ifndef ACTORS_ORDER_ROSTER_H
#define ACTORS_ORDER_ROSTER_H

#include "actors/order/settings.h"
#include "actors/stream/backend.h"
#include "runtime/rt.h"

enum {
    HEALTH_ROSTER = 0x640, /* carries struct roster; to the registry */
    HEALTH_RECHECK,        /* struct health_recheck; to health */
    HEALTH_SETTINGS,       /* carries struct settings: new ones; to health */
    HEALTH_LEAVE           /* to health: ends its processes, then itself */
};

enum roster_check {
    ROSTER_PENDING,
    ROSTER_PASSED,
    ROSTER_FAILED,
    ROSTER_SKIPPED /* its model is no good, so nothing was tried */
};

enum roster_model {
    ROSTER_MODEL_PENDING,
    ROSTER_MODEL_VALID,
    ROSTER_MODEL_INVALID,
    ROSTER_MODEL_UNCHECKED /* its CLI has no list that could know it */
};

#define ROSTER_SUGGESTIONS 3

struct roster_role {
    const struct role *role;
    const struct backend *backend;
    const char *program; /* path of the CLI; "": none was found */
    enum roster_model model;
    const char *model_message; /* why it is invalid; "" */
    /* Models that may have been meant, the nearest first; NULL: no more. */
    const char *suggestions[ROSTER_SUGGESTIONS];
    uint64_t model_checked_at; /* wall clock, ms; 0: never */
    bool is_checking; /* right now; what was found before still holds */
    enum roster_check check;
    const char *reason;  /* of a failure or a skip; "" */
    const char *warning; /* what its agents will miss: tools; "" */
    uint64_t response_ms;
    uint64_t checked_at; /* wall clock, ms; 0: never */
    uint64_t started_at; /* of the check under way, else of the last; 0: none */
};

/* One of the CLIs there are. */
struct roster_backend {
    const struct backend *backend;
    bool is_used;        /* by a role */
    bool has_list;       /* of models: else any may be asked for */
    const char *program; /* "": none was found */
    const char *reason;  /* why not; "" */
    const char *const *models, *const *labels; /* as many as models; or "" */
    size_t model_count;
    uint64_t checked_at; /* wall clock, ms; 0: never */
};

struct roster {
    struct rt_obj obj;
    struct settings *settings;
    struct roster_role *roles; /* in the configuration's order */
    size_t role_count;
    const char *const *models; /* what the default back-end offers */
    size_t model_count;
    struct roster_backend *backends;
    size_t backend_count;
};

/* Copies all of it and keeps the settings. */
struct roster *roster_create(const struct roster *from);
/* NULL if there is none. */
const struct roster_role *roster_find(const struct roster *r, struct slice id);
/* Whether it can be hired. One that is pending can: what runs it waits for the
 * check, and hears then if it has failed. */
bool roster_is_available(const struct roster_role *role);
bool roster_is_pending(const struct roster_role *role);

struct health_recheck {
    char role[65]; /* "": all of them */
};

#endif
