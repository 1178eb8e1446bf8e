/* SPDX-License-Identifier: MIT */
#include "transport/command/replay_words.h"

#include <inttypes.h>

#include "runtime/text/field.h"
#include "transport/command/agent_words.h"
#include "transport/command/humanize.h"

static void text(struct term *out, enum term_style style, struct slice words)
{
    if (words.len == 0)
        return;
    fputs("  ", out->out);
    term_line(out, style, words);
}

/* ---- what each kind says --------------------------------------------------
 */

static void group_created(struct console *con, struct term *out,
                          yyjson_val *data)
{
    term_put(out, TERM_BOLD, SAY(con, REPLAY_GROUP_CREATED));
    text(out, TERM_DIM, FIELD_TEXT(data, "mode"));
    text(out, TERM_PLAIN, FIELD_TEXT(data, "description"));
}

static void group_stage(struct console *con, struct term *out, yyjson_val *data)
{
    term_format(out, TERM_BOLD, SAY(con, REPLAY_STAGE),
                FIELD_COUNT(data, "stageIndex") + 1,
                FIELD_COUNT(data, "totalStages"));
}

static void group_ledger(struct console *con, struct term *out,
                         yyjson_val *data)
{
    yyjson_val *next = FIELD(FIELD(data, "progressLedger"), "nextAction");

    term_format(out, TERM_BOLD, SAY(con, REPLAY_LEDGER),
                FIELD_COUNT(data, "iteration"));
    text(out, TERM_PLAIN, FIELD_TEXT(next, "answer"));
}

static void agent_created(struct console *con, struct term *out,
                          yyjson_val *data)
{
    term_put(out, TERM_PLAIN, SAY(con, REPLAY_AGENT_CREATED));
    text(out, TERM_DIM, FIELD_TEXT(data, "role"));
    text(out, TERM_PLAIN, FIELD_TEXT(data, "prompt"));
}

static void agent_status(struct console *con, struct term *out,
                         yyjson_val *data)
{
    struct agent_words state = agent_words_state(con, data);

    term_put(out, state.style, state.text);
}

static void agent_reported(struct console *con, struct term *out,
                           yyjson_val *data)
{
    struct agent_words state = agent_words_of(con, SLICE("resultReported"),
                                              FIELD_TEXT(data, "status"));

    term_put(out, state.style, state.text);
    text(out, TERM_PLAIN, FIELD_TEXT(data, "summary"));
}

static void agent_ended(struct console *con, struct term *out, yyjson_val *data)
{
    struct agent_words state = agent_words_state(con, data);

    term_put(out, TERM_PLAIN, SAY(con, REPLAY_AGENT_ENDED));
    text(out, state.style, slice_cstr(state.text));
    text(out, TERM_PLAIN, agent_words_end(data));
}

/* The file, and whom it has met there. */
static void agent_conflict(struct console *con, struct term *out,
                           yyjson_val *data)
{
    yyjson_val *other;
    size_t i, count;

    term_put(out, TERM_YELLOW, SAY(con, REPLAY_AGENT_CONFLICT));
    text(out, TERM_PLAIN, FIELD_TEXT(data, "path"));
    yyjson_arr_foreach(FIELD(data, "with"), i, count, other)
    {
        text(out, TERM_CYAN, field_text(other));
    }
}

#define PLAIN(name, words)                                                     \
    static void name(struct console *con, struct term *out, yyjson_val *data)  \
    {                                                                          \
        (void)data;                                                            \
        term_put(out, TERM_BOLD, SAY(con, words));                             \
    }
PLAIN(group_completed, REPLAY_GROUP_COMPLETED)
PLAIN(group_deleted, REPLAY_GROUP_DELETED)
PLAIN(group_stalled, REPLAY_GROUP_STALLED)
PLAIN(agent_cancelled, STATE_CANCELLED)
PLAIN(agent_stalled, STALLED)
#undef PLAIN

static const struct kind {
    struct slice type;
    void (*say)(struct console *con, struct term *out, yyjson_val *data);
} kinds[] = {
    {SLICE_INIT("group:created"), group_created},
    {SLICE_INIT("group:updated"), NULL}, /* its agents are told themselves */
    {SLICE_INIT("group:stage_advanced"), group_stage},
    {SLICE_INIT("group:ledger_updated"), group_ledger},
    {SLICE_INIT("group:completed"), group_completed},
    {SLICE_INIT("group:deleted"), group_deleted},
    {SLICE_INIT("group:stalled"), group_stalled},
    {SLICE_INIT("agent:created"), agent_created},
    {SLICE_INIT("agent:status_update"), agent_status},
    {SLICE_INIT("agent:result_reported"), agent_reported},
    {SLICE_INIT("agent:completed"), agent_ended},
    {SLICE_INIT("agent:cancelled"), agent_cancelled},
    {SLICE_INIT("agent:stalled"), agent_stalled},
    {SLICE_INIT("agent:conflict"), agent_conflict},
};

/* The report that follows says more. */
static bool is_needless(struct slice type, yyjson_val *data)
{
    return slice_eq(type, SLICE("agent:status_update")) &&
           slice_eq(FIELD_TEXT(data, "status"), SLICE("resultReported"));
}

static const struct kind *find(struct slice type)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (slice_eq(kinds[i].type, type))
            return &kinds[i];
    return NULL;
}

static struct slice subject_of(yyjson_val *data)
{
    struct slice id = FIELD_TEXT(data, "agentId");

    if (id.len == 0)
        id = FIELD_TEXT(data, "groupId");
    return id.len > 0 ? id : FIELD_TEXT(data, "id");
}

bool replay_words(struct console *con, struct term *out, yyjson_val *event)
{
    struct slice type = FIELD_TEXT(event, "type");
    yyjson_val *data = FIELD(event, "data");
    const struct kind *kind = find(type);

    if ((kind && !kind->say) || is_needless(type, data))
        return false;
    term_line(out, TERM_CYAN, subject_of(data));
    /* The time alone: the day is said by the first line. */
    term_format(out, TERM_DIM, "  %s  ",
                humanize_time(FIELD_TEXT(event, "at")).text + 11);
    if (kind)
        kind->say(con, out, data);
    else
        term_line(out, TERM_PLAIN, type);
    fputc('\n', out->out);
    return true;
}
