/*
 * Retention is how long the store keeps agents, and their transcripts, once
 * they are gone. A removal goes a portion at a time, within the transaction of
 * whatever is being written, and then stands in line again: writes never wait
 * for more than one portion. It is over with the commit of its last one.
 *
 * An agent's directory is not the store's to remove. Its id is kept with the
 * same commit that removes the agent, until it is told that the directory is
 * gone too.
 */
#ifndef ACTORS_STORE_RETENTION_H
#define ACTORS_STORE_RETENTION_H

#include "actors/store/store.h"

#define RETENTION_DAY_MS ((uint64_t)24 * 3600 * 1000)

struct store;

/* One under way; is_on false: none. */
struct retention_removal {
    bool is_on;
    bool is_over;                  /* but for its last commit */
    uint64_t cutoff, calls_cutoff; /* wall clock, ms */
    uint64_t agents, groups, events, calls;
    struct order **orders; /* gc that wait for it; kept */
    size_t order_count;
};

struct retention {
    int64_t keep_days;
    enum config_transcripts transcripts;
    int64_t transcript_days, keep_bytes, samples_bytes;
    struct retention_removal removal;
    bool has_more_transcripts; /* than the last list could hold */
};

/* Begins one, for an order or of the store's own accord (NULL). */
void retention_begin(struct rt_turn *t, struct store *s, struct order *o);
void retention_step(struct rt_turn *t, struct store *s);
/* After a commit: answers, if that was the last of one. */
void retention_finish(struct rt_turn *t, struct store *s);
/* Ends one that cannot go on; its orders are refused. */
void retention_abandon(struct rt_turn *t, struct store *s);

/* ---- retention_rows.c ---- */
/* Behind a SELECT of a.… or g.…; ?1 is the cutoff. */
#define RETENTION_OLD_AGENTS                                                   \
    " FROM groups g CROSS JOIN agents a ON a.grp = g.serial"                   \
    " WHERE g.deleted_at > 0 AND g.deleted_at < ?1 AND a.gone_at > 0"
#define RETENTION_OLD_GROUPS                                                   \
    " FROM groups g WHERE g.deleted_at > 0 AND g.deleted_at < ?1"              \
    " AND NOT EXISTS(SELECT 1 FROM agents a WHERE a.grp = g.serial)"           \
    " AND NOT EXISTS(SELECT 1 FROM groups c WHERE c.parent = g.serial)"
/* Removes the next rows that are old enough; *count 0: none is left. An SQLite
 * code. */
int retention_remove_portion(struct store *s, unsigned *count);
/* The number that SQL gives for a cutoff. */
int retention_count_rows(struct store *s, const char *sql, uint64_t cutoff,
                         uint64_t *out);

/* ---- retention_transcripts.c ---- */
/* Tells which transcripts are to be packed or dropped, if any. */
void retention_list_transcripts(struct rt_turn *t, struct store *s);
/* How many there are. An SQLite code. */
int retention_count_transcripts(struct rt_turn *t, struct store *s,
                                uint64_t *drop, uint64_t *pack);
/* Those of the last list are done; has_helped: at least one of them. */
void retention_on_transcripts(struct rt_turn *t, struct store *s,
                              bool has_helped);

#endif
