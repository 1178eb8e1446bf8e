/*
 * Rows are what is written to the store: statements with their parameters, in
 * lists that become durable together. Times are the wall clock's milliseconds;
 * an agent, a group and an order are known by serial numbers, an order by that
 * of its first agent.
 */
#ifndef ACTORS_STORE_ROWS_H
#define ACTORS_STORE_ROWS_H

#include "actors/order/order.h"

struct work;

/* Each with its parameters, in order. */
enum store_statement {
    /* serial, id, description, mode, parent serial or null, created_at */
    STORE_ADD_GROUP,
    /* serial, deleted_at */
    STORE_DELETE_GROUP,
    /* serial, running stage, stages, 1 while the plan has not ended */
    STORE_SET_PLAN,
    /* group serial, at, json, iteration, is_stalled, is_exhausted: the newest
     * is the group's, the others are its history */
    STORE_ADD_LEDGER,
    /* first, group serial, kind's name, args as JSON, id of the agent that
     * placed it or "", its directory, count, created_at */
    STORE_ADD_ORDER,
    /* serial, id, order, group serial, stage, role, model, backend, prompt,
     * directory, timeout_ms, created_at */
    STORE_ADD_AGENT,
    /* serial, at, state's name: a line of its biography */
    STORE_ADD_STATE,
    /* serial, started_at, elapsed_ms, tool calls, session id, CLI's model,
     * input, output, cache read, cache write tokens, cost in micro-dollars or
     * null, messages, lines, state's name: how it stands */
    STORE_SET_COUNTS,
    /* serial, finished_at, outcome, summary, response, error, edited files as
     * a JSON list, created files likewise, duration_ms, is_reported */
    STORE_SET_RESULT,
    /* serial, at, bytes of its transcript: its tree has ended; after all of its
     * samples */
    STORE_SET_GONE,
    /* id, form of its transcript (enum agent_dirs_form), bytes it takes; with
     * nothing left of it, when it was read is forgotten too */
    STORE_SET_TRANSCRIPT,
    /* serial, bytes, at: its transcript was read up to there by then, or 0: it
     * is not known when. What was said first stays. */
    STORE_ADD_TIME,
    /* serial, at, number of the event before, tool calls, input, output, cache
     * read, cache write tokens, cost in micro-dollars or null, edited files,
     * created files, tool, last words, what the tool is about, when it began
     * (0: not known): how an agent got on */
    STORE_ADD_SAMPLE,
    /* serial: of its samples so many are kept as are worth it */
    STORE_THIN_SAMPLES,
    /* seq, at, 1: a hub's first, picture as JSON; what is too much of them is
     * dropped */
    STORE_ADD_CHECKPOINT,
    /* seq, at, type, group serial or null, agent serial or null, data as JSON
     */
    STORE_ADD_EVENT,
    /* number: what has happened in a work is an event now */
    STORE_DROP_UNTOLD,
    /* key, at, is_error, answer */
    STORE_ADD_CALL,
    /* backend, program, model, prompt, at, response_ms, and the time before
     * which a pass is worth nothing: a check that has passed */
    STORE_SET_HEALTH,
    /* backend, program, model, prompt: it has not, this time */
    STORE_DROP_HEALTH,
    /* id of an agent whose directory is gone too (STORE_REMOVED named it) */
    STORE_DROP_LEAVING,
    /* number, kind, at, group's id, agent's, role's and the other agent's or
     * "", two numbers, text: a person is to be told of it */
    STORE_ADD_NOTICE,
    /* kind, number: those up to it are told */
    STORE_DROP_NOTICES,
    /* name, value */
    STORE_SET_META,
    STORE_STATEMENTS
};

/* Something to be said once the rows, and all before them, are safe. */
struct store_message {
    struct rt_ref to;
    uint16_t kind;
    struct rt_obj *obj; /* kept */
};

/* Rows that become durable together. Built by one actor, then sent. */
struct store_write {
    struct rt_obj obj;
    struct bytes rows;
    uint64_t number;       /* the registry's, for STORE_SAFE; 0: none */
    struct answer *answer; /* NULL: none waits; owned */
    struct rt_ref asker;   /* of the answer */
    struct store_message *messages;
    size_t message_count;
    struct work *work; /* run behind the rows; owned, or NULL */
};

struct store_write *store_write_create(void);
/* Begins a row: a statement and then its parameters in its order. */
void store_row(struct store_write *w, enum store_statement statement);
void store_int(struct store_write *w, int64_t value);
void store_text(struct store_write *w, struct slice text);
void store_null(struct store_write *w);
/* A write of messages alone waits for nothing while the disk refuses. */
void store_say(struct store_write *w, struct rt_ref to, uint16_t kind,
               struct rt_obj *obj);

/* ---- the store's own --------------------------------------------------- */

#define ROWS_PARAMS 16 /* of one row */

struct rows_param {
    enum { ROWS_INT, ROWS_TEXT, ROWS_NULL } type;
    int64_t number;
    struct slice text;
};

struct rows_values {
    enum store_statement statement;
    unsigned count;
    struct rows_param params[ROWS_PARAMS];
};

/* Reads the row at *at and moves on; false at the end. Texts are borrowed. */
bool store_write_next(const struct store_write *w, size_t *at,
                      struct rows_values *values);
/* Whether it has nothing to be made durable. */
bool store_write_is_said(const struct store_write *w);
/* Sends its answer and its messages, and the registry what has happened. */
void store_write_deliver(struct rt_turn *t, const struct store_write *w,
                         struct rt_ref registry);

#endif
