/*
 * What is written to the store, statement by statement, with its parameters
 * in order. Times are the wall clock's milliseconds; an agent, a group and an
 * order are known by serial numbers, an order by that of its first agent.
 */
#ifndef ACTORS_STORE_SQL_H
#define ACTORS_STORE_SQL_H

enum store_sql {
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
    /* serial, at, state's name: how it stands, and a line of its biography */
    STORE_SET_STATE,
    /* serial, started_at, elapsed_ms, tool calls, session id, CLI's model,
     * input, output, cache read, cache write tokens, cost in micro-dollars or
     * null, messages, lines */
    STORE_SET_COUNTS,
    /* serial, finished_at, outcome, summary, response, error, edited files as
     * a JSON list, created files likewise, duration_ms, is_reported */
    STORE_SET_RESULT,
    /* serial, at: its tree has ended */
    STORE_SET_GONE,
    /* id, form of its transcript (enum agent_dirs_form), bytes it takes */
    STORE_SET_TRANSCRIPT,
    /* seq, at, type, group serial or null, agent serial or null, data as JSON
     */
    STORE_ADD_EVENT,
    /* key, at, is_error, answer */
    STORE_ADD_CALL,
    /* backend, program, model, prompt, at, response_ms, and the time before
     * which a pass is worth nothing: a check that has passed */
    STORE_SET_HEALTH,
    /* backend, program, model, prompt: it has not, this time */
    STORE_DROP_HEALTH,
    /* id of an agent whose directory is gone too (STORE_SWEPT named it) */
    STORE_DROP_LEAVING,
    STORE_STATEMENTS
};

#endif
