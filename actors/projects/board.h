/* The lists that people see of projects, now or at a moment; for this room. */
#ifndef ACTORS_PROJECTS_BOARD_H
#define ACTORS_PROJECTS_BOARD_H

#include "actors/projects/inside.h"
#include "actors/store/work_moment.h"

/*
 * A board's list is of records as they are, or were at a moment: what was not
 * touched since is as its row says, the rest as it was last told of before, if
 * it was. In all three ?1 is the list of those that were touched, and ?2 what
 * the list is of, or NULL: all.
 */
struct board_list {
    const char *touched; /* [key ...], since the number ?1 */
    const char *rows;    /* put's columns, of which the first is the key, and
                            the number that the list is ordered by */
    const char *was;     /* key, data, that number; up to the number ?3 */
    int number;          /* its column in rows */
    void (*put)(struct bytes *out, const struct sql *q);
};
/* Its keys, its numbers in the feed, and what is left of its data. */
#define BOARD_TOUCHED(type, key)                                               \
    "SELECT json_group_array(DISTINCT " key ") FROM (SELECT data FROM events"  \
    " WHERE type = '" type "' AND seq > ?1 UNION ALL SELECT data FROM untold"  \
    " WHERE type = '" type "')"
#define BOARD_WAS(type, key, number, where)                                    \
    "SELECT key, json_remove(data, '$.event', '$.previous_state',"             \
    " '$.new_state', '$.reason', '$.by'), " number " FROM (SELECT " key        \
    " AS key, data, max(seq) FROM events WHERE type = '" type                  \
    "' AND seq <= ?3 AND " key " IN (SELECT value FROM json_each(?1)) GROUP "  \
    "BY 1) WHERE (?2 IS NULL OR " where " = ?2)"
#define BOARD_UNTOUCHED(key) key " NOT IN (SELECT value FROM json_each(?1))"
#define BOARD_MEMBER(name) "json_extract(data, '$." name "')"

struct board_entry {
    struct slice key;      /* valid until the next */
    const struct sql *row; /* NULL: it is not from its row */
    struct slice data;     /* then this */
};

struct board_walk {
    struct work *work;
    const struct work_moment *moment;
    struct slice of; /* or empty: all */
    /* Called after each record was put, before its closing brace; or NULL. */
    void (*on_entry)(void *ctx, struct bytes *out, const struct board_entry *e);
    void *ctx;
    bool is_cut; /* there was more than an answer is to have */
};
/* Appends [...]. */
void board_put_list(struct board_walk *walk, const struct board_list *list,
                    struct bytes *out);

#endif
