/* What picture.c (folding) and picture_put.c (telling) share. */
#ifndef ACTORS_STORE_PICTURE_INSIDE_H
#define ACTORS_STORE_PICTURE_INSIDE_H

#include "actors/store/picture.h"
#include "runtime/list.h"
#include "runtime/text/arena.h"
#include "runtime/text/index.h"

/* JSON out of the picture's own text, or out of an event. */
struct picture_part {
    yyjson_val *val;
    yyjson_doc *doc; /* NULL: the picture's own */
};

struct picture_group {
    struct index_link link;
    LIST_LINK(struct picture_group) order;
    struct slice id;
    struct picture_part entry;
    struct picture_part ledger; /* val NULL: none */
    bool is_ledger_newer;       /* and says how it stands */
    bool is_reopened;           /* it got agents after its entry was written */
    struct group_record sum;
    struct group_record told; /* the same, by samples: while it is told */
    struct slice *ids;        /* of its agents, oldest first */
    size_t id_count;
};

/* A file that two have touched. */
struct picture_conflict {
    struct slice path, other;
};

struct picture_agent {
    struct index_link link;
    LIST_LINK(struct picture_agent) order;
    struct picture_group *group;
    struct slice id;
    struct picture_part entry;
    uint64_t at; /* of the entry */
    struct group_record_part counted;
    struct picture_conflict *conflicts; /* told since, oldest first */
    size_t conflict_count;
};

struct picture_finding {
    struct slice role;
    struct picture_part part;
};

struct picture {
    yyjson_doc *doc;
    yyjson_val *root;
    uint64_t seq, at;
    struct arena arena; /* for ids */
    struct index groups_by_id, agents_by_id;
    LIST(struct picture_group) groups;
    LIST(struct picture_agent) agents;
    uint64_t total; /* agents, those not told of too */
    bool is_healthy;
    struct picture_finding *findings;
    size_t finding_count;
    struct picture_part config, models;
};

#endif
