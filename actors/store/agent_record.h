/*
 * An agent record is an agent as clients are told of it. The registry fills it
 * from its table while it knows the agent, the store from a row afterwards;
 * the words are written here alone, so a client cannot see which of the two
 * has answered.
 *
 * Texts are borrowed from what the record was filled from. Every function
 * appends; those that end with an object left open say so.
 */
#ifndef ACTORS_STORE_AGENT_RECORD_H
#define ACTORS_STORE_AGENT_RECORD_H

#include <yyjson.h>

#include "runtime/text/bytes.h"

#define AGENT_RECORD_ABOUT 200 /* bytes of what it is about */

/* What a list has of it. */
struct agent_record_line {
    struct slice head; /* by agent_record_put_head; empty: not written yet */
    struct slice id, group, role, model; /* of no use beside a head */
    struct slice state;
    struct slice outcome;                        /* by agent_record_outcome */
    uint64_t started_at, elapsed_ms, tool_calls; /* started_at 0: not yet */
};

/* Paths, as the stream gave them or as JSON that was stored. */
struct agent_record_paths {
    const struct slice *items;
    size_t count;
    struct slice json; /* empty: the items are all there is */
};

struct agent_record_result {
    struct slice status; /* "timeout" and so on; empty: no result yet */
    struct slice summary, response, error;
    struct agent_record_paths edited, created;
    struct slice ledger; /* an orchestrator's last, JSON; or empty */
    uint64_t duration_ms, tool_calls, finished_at;
    bool is_reported;
    bool is_final; /* its tree is gone: files and calls grow no more */
};

struct agent_record_usage {
    uint64_t input, output, cache_read, cache_write;
    uint64_t cost; /* micro-dollars, if has_cost */
    bool has_cost;
};

/* What only the registry can tell: no row has it. */
struct agent_record_live {
    uint64_t pid, bytes, unknown_lines, skipped_lines;
    struct slice tool;      /* running now, or empty */
    struct slice title;     /* what that is about */
    uint64_t tool_at;       /* since when; 0: not known */
    struct slice state_dir; /* of the hub */
};

struct agent_record {
    uint64_t serial;
    struct agent_record_line line;
    struct agent_record_result result;
    struct agent_record_usage usage;
    const struct agent_record_live *live; /* or NULL */
    struct slice group_description;
    uint64_t created_at, gone_at; /* gone_at 0: it may still say something */
    bool is_gone, is_stalled;
    bool has_stage; /* it is of a sequential plan */
    unsigned stage;
    struct slice retry_of; /* the agent it stands in for, or empty */
    struct slice backend, prompt, directory, session_id, cli_model;
    uint64_t timeout_ms, messages, lines;
    bool is_stored; /* its JSON is from a file, and checked when written */
    bool is_brief;  /* of its result only what a model should read unasked */
};

/* "success" or "failure", by its state and its result's status; empty while it
 * has no result. */
struct slice agent_record_outcome(struct slice state, struct slice status);

/* The beginning of a line, which never changes: worth keeping by one who
 * writes it often. */
void agent_record_put_head(struct bytes *out,
                           const struct agent_record_line *l);
/* What a list has; the object stays open. */
void agent_record_put_line(struct bytes *out,
                           const struct agent_record_line *l);
/* `"about":"..."`: the first words of what it was asked. */
void agent_record_put_about(struct bytes *out, struct slice prompt);
/* What get_agent_status has beyond that; the object stays open. */
void agent_record_put_status(struct bytes *out, const struct agent_record *a);
/* What show_agent has beyond that; the object stays open. */
void agent_record_put_rest(struct bytes *out, const struct agent_record *a);
/* The result alone, as an object, with its outcome. */
void agent_record_put_result(struct bytes *out, const struct agent_record *a);
/* `"editedFiles":[...],"createdFiles":[...]`. */
void agent_record_put_files(struct bytes *out, const struct agent_record *a);
/* `"usage":{...}`, with costUsd where it is known. */
void agent_record_put_usage(struct bytes *out,
                            const struct agent_record_usage *u);
/* Reads what that has written; of nothing, zeroes. */
void agent_record_read_usage(struct agent_record_usage *u, yyjson_val *usage);

/*
 * What is told in brief (agent_record_brief.c); the others write all there is.
 * Each says whether something was left out.
 */
bool agent_record_brief_text(struct bytes *out, struct slice name,
                             struct slice text, size_t max);
bool agent_record_brief_paths(struct bytes *out,
                              const struct agent_record_paths *p);
/* The newest five entries of the ledger's history. */
bool agent_record_brief_ledger(struct bytes *out, struct slice ledger);

#endif
