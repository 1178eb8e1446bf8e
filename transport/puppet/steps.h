/*
 * The steps a scenario can take: their names, and the arguments of each with
 * types, limits and defaults. scenario.c checks against these tables, play.c
 * reads the arguments by the enumerators below.
 */
#ifndef TRANSPORT_PUPPET_STEPS_H
#define TRANSPORT_PUPPET_STEPS_H

#include <stdbool.h>

#include "transport/puppet/text.h"

enum step_kind {
    STEP_SAY,
    STEP_THINK,
    STEP_TOOL,
    STEP_EDIT,
    STEP_MCP,
    STEP_WAIT_MCP,
    STEP_RESULT,
    STEP_USAGE,
    STEP_INIT,
    STEP_RATE_LIMIT,
    STEP_RETRY,
    STEP_RAW,
    STEP_STDERR,
    STEP_SLEEP,
    STEP_SPIN,
    STEP_REPEAT,
    STEP_FLOOD,
    STEP_LINE,
    STEP_BAD_UTF8,
    STEP_TRICKLE,
    STEP_DAEMON,
    STEP_IGNORE_TERM,
    STEP_HANG,
    STEP_CRASH,
    STEP_EXIT,
    STEP_KINDS
};

enum { STEP_ARGS = 10 };

/* think has say's arguments. */
enum { SAY_TEXT, SAY_CHUNKS, SAY_DELAY, SAY_COMPLETE };
enum {
    TOOL_NAME,
    TOOL_ARGS,
    TOOL_RESULT,
    TOOL_OUTPUT,
    TOOL_ANSWER,
    TOOL_REASON,
    TOOL_MS,
    TOOL_EXIT
};
enum {
    EDIT_PATH,
    EDIT_CONTENT,
    EDIT_RESULT,
    EDIT_OLD,
    EDIT_CREATED,
    EDIT_REASON,
    EDIT_MS,
    EDIT_WRITE
};
/* wait_mcp has mcp's arguments and three more. */
enum {
    MCP_TOOL,
    MCP_ARGS,
    MCP_SAVE,
    MCP_TIMEOUT,
    MCP_REQUIRED,
    MCP_UNTIL,
    MCP_EQUALS,
    MCP_EVERY
};
enum { RESULT_TEXT, RESULT_ERROR, RESULT_STATUS, RESULT_REASON };
enum { USAGE_INPUT, USAGE_OUTPUT, USAGE_CACHE_READ, USAGE_CACHE_WRITE };
enum { LIMIT_STATUS, LIMIT_RESETS_IN, LIMIT_TYPE };
enum { RETRY_ATTEMPT, RETRY_MAX, RETRY_DELAY, RETRY_STATUS, RETRY_ERROR };
enum { RAW_TEXT, RAW_HEX, RAW_NEWLINE };
enum { STDERR_TEXT };
enum { SLEEP_MS }; /* and spin's */
enum { REPEAT_TIMES, REPEAT_STEPS };
enum { FLOOD_LINES, FLOOD_SIZE };
enum { LINE_MB, LINE_BYTES };
enum { BAD_UTF8_LINES };
enum { TRICKLE_LINES, TRICKLE_EVERY };
enum { DAEMON_IGNORE_TERM, DAEMON_HOLD_STDOUT, DAEMON_SECONDS };
enum { IGNORE_TERM_ON };
enum { CRASH_SIGNAL };
enum { EXIT_CODE };

/* The words of tool's and edit's `result`, in this order. */
enum outcome {
    OUTCOME_SUCCESS,
    OUTCOME_REJECTED,
    OUTCOME_ERROR,
    OUTCOME_DENIED
};

enum arg_type {
    ARG_NONE, /* ends a list of arguments */
    ARG_TEXT,
    ARG_NUMBER,
    ARG_FLAG, /* number: 1 or 0 */
    ARG_WORD, /* number: its place in words */
    ARG_JSON,
    ARG_SAVE, /* json: variable -> JSON pointer */
    ARG_STEPS
};

struct arg_form {
    const char *name;
    enum arg_type type;
    bool is_required;
    long low, high, fallback;
    const char *words; /* parted by single spaces */
};

struct step_form {
    const char *name;
    int lone; /* the argument that `step: value` sets, -1 if there is none */
    struct arg_form args[STEP_ARGS];
};

const struct step_form *step_form(enum step_kind kind);
/* STEP_KINDS if there is no such step. */
enum step_kind step_named(const char *name);
/* Adds all the names, parted by commas: for error messages. */
void step_names(struct text *list);
void step_arg_names(const struct step_form *form, struct text *list);
/* The word's place in the list, -1 if it is not in it. */
long step_word(const char *words, const char *word);
/* What the CRASH_SIGNAL words stand for. */
int step_signal(long word);

#endif
