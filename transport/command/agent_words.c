/* SPDX-License-Identifier: MIT */
#include "transport/command/agent_words.h"

#include "runtime/text/field.h"
#include "runtime/text/moment.h"
#include "transport/command/humanize.h"

static const struct word {
    struct slice name;
    struct message text;
} states[] =
    {
        {SLICE_INIT("queued"), BOTH(STATE_QUEUED)},
        {SLICE_INIT("running"), BOTH(STATE_RUNNING)},
        {SLICE_INIT("completed"), BOTH(STATE_COMPLETED)},
        {SLICE_INIT("resultReported"), BOTH(STATE_REPORTED)},
        {SLICE_INIT("failed"), BOTH(STATE_FAILED)},
        {SLICE_INIT("timedOut"), BOTH(STATE_TIMED_OUT)},
        {SLICE_INIT("cancelled"), BOTH(STATE_CANCELLED)},
        /* of results */
        {SLICE_INIT("success"), BOTH(OUTCOME_SUCCESS)},
        {SLICE_INIT("failure"), BOTH(OUTCOME_FAILURE)},
        {SLICE_INIT("timeout"), BOTH(STATE_TIMED_OUT)},
        /* of groups */
        {SLICE_INIT("active"), BOTH(STATE_ACTIVE)},
        {SLICE_INIT("deleted"), BOTH(STATE_DELETED)},
},
  without_hub[] = {
      {SLICE_INIT("running"), BOTH(STATE_RUNNING_NO_HUB)},
      {SLICE_INIT("ended"), BOTH(STATE_ENDED_NO_HUB)},
      {SLICE_INIT("queued"), BOTH(STATE_QUEUED_NO_HUB)},
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

static const char *find(struct console *con, const struct word *words,
                        size_t count, struct slice name)
{
    for (size_t i = 0; i < count; i++)
        if (slice_eq(words[i].name, name))
            return console_say(con, words[i].text);
    return NULL;
}

struct agent_words agent_words_of(struct console *con, struct slice state,
                                  struct slice outcome)
{
    bool is_reported = slice_eq(state, SLICE("resultReported"));

    if (is_reported && outcome.len > 0 && !slice_eq(outcome, SLICE("success")))
        return (struct agent_words){SAY(con, STATE_REPORTED_FAILURE), TERM_RED};
    const char *text = find(con, states, COUNT(states), state);
    return (struct agent_words){
        text ? text : "?",
        is_reported && outcome.len == 0 ? TERM_PLAIN : humanize_state(state)};
}

/* Of an agent in a list; one that is shown has it in its result. */
static struct slice outcome_of(yyjson_val *agent)
{
    struct slice outcome = FIELD_TEXT(agent, "outcome");

    return outcome.len > 0 ? outcome
                           : FIELD_TEXT(FIELD(agent, "result"), "status");
}

struct agent_words agent_words_state(struct console *con, yyjson_val *agent)
{
    struct slice state = FIELD_TEXT(agent, "status");
    const char *alone = find(con, without_hub, COUNT(without_hub),
                             FIELD_TEXT(agent, "withoutHub"));

    if (alone)
        return (struct agent_words){alone, TERM_YELLOW};
    if (yyjson_is_true(FIELD(agent, "stalled")) &&
        slice_eq(state, SLICE("running")))
        return (struct agent_words){SAY(con, STATE_STALLED), TERM_YELLOW};
    return agent_words_of(con, state, outcome_of(agent));
}
#undef COUNT

struct slice agent_words_end(yyjson_val *agent)
{
    yyjson_val *result = FIELD(agent, "result");
    struct slice error = FIELD_TEXT(result ? result : agent, "errorMessage");
    bool is_reported =
        slice_eq(FIELD_TEXT(agent, "status"), SLICE("resultReported"));

    return error.len > 0 && !is_reported
               ? error
               : FIELD_TEXT(result ? result : agent, "summary");
}

struct slice agent_words_tool(struct slice name)
{
    const struct slice tail = SLICE_INIT("ToolCall");

    return name.len > tail.len && slice_ends(name, tail)
               ? slice_of(name.ptr, name.len - tail.len)
               : name;
}

uint64_t agent_words_took(yyjson_val *agent)
{
    bool is_at_work =
        slice_eq(FIELD_TEXT(agent, "status"), SLICE("running")) &&
        !slice_eq(FIELD_TEXT(agent, "withoutHub"), SLICE("ended"));
    int64_t now = (int64_t)moment_now(), start;

    if (is_at_work && moment_read(FIELD_TEXT(agent, "startedAt"), &start))
        return now > start ? (uint64_t)(now - start) : 0;
    return FIELD(agent, "duration_ms") ? FIELD_COUNT(agent, "duration_ms")
                                       : FIELD_COUNT(agent, "elapsed_ms");
}
