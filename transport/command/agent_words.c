/* SPDX-License-Identifier: MIT */
#include "transport/command/agent_words.h"

#include "runtime/text/field.h"
#include "transport/command/humanize.h"

static const struct word {
    struct slice name;
    const char *ja, *en;
} states[] =
    {
        {SLICE_INIT("queued"), "待機中", "queued"},
        {SLICE_INIT("running"), "実行中", "running"},
        {SLICE_INIT("completed"), "完了", "completed"},
        {SLICE_INIT("resultReported"), "報告済み", "reported"},
        {SLICE_INIT("failed"), "失敗", "failed"},
        {SLICE_INIT("timedOut"), "時間切れ", "timed out"},
        {SLICE_INIT("cancelled"), "中止", "cancelled"},
        /* of results */
        {SLICE_INIT("success"), "成功", "success"},
        {SLICE_INIT("failure"), "失敗", "failure"},
        {SLICE_INIT("timeout"), "時間切れ", "timed out"},
},
  without_hub[] = {
      {SLICE_INIT("running"), "実行中（ハブなし）", "running, no hub"},
      {SLICE_INIT("ended"), "終了（ハブなし）", "ended, no hub"},
      {SLICE_INIT("queued"), "待機中（ハブなし）", "queued, no hub"},
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

static const char *find(struct console *con, const struct word *words,
                        size_t count, struct slice name)
{
    for (size_t i = 0; i < count; i++)
        if (slice_eq(words[i].name, name))
            return SAY(con, words[i].ja, words[i].en);
    return NULL;
}

struct agent_words agent_words_of(struct console *con, struct slice state,
                                  struct slice outcome)
{
    bool is_reported = slice_eq(state, SLICE("resultReported"));

    if (is_reported && outcome.len > 0 && !slice_eq(outcome, SLICE("success")))
        return (struct agent_words){SAY(con, "失敗を報告", "reported failure"),
                                    TERM_RED};
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
        return (struct agent_words){SAY(con, "停滞中", "stalled"), TERM_YELLOW};
    return agent_words_of(con, state, outcome_of(agent));
}
#undef COUNT

struct slice agent_words_tool(struct slice name)
{
    const struct slice tail = SLICE_INIT("ToolCall");

    return name.len > tail.len && slice_ends(name, tail)
               ? slice_of(name.ptr, name.len - tail.len)
               : name;
}
