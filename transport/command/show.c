/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "runtime/text/field.h"
#include "transport/command/agent_words.h"
#include "transport/command/command.h"
#include "transport/command/humanize.h"
#include "transport/command/ids.h"
#include "transport/command/options.h"
#include "transport/command/records.h"
#include "transport/command/show_group.h"
#include "transport/command/touched.h"

#define LABEL 14

/* A file that was edited and is new was made. */
static void show_files(struct console *con, yyjson_val *result,
                       struct slice directory)
{
    struct touched made = {0}, edited = {0};
    const char *name = SAY(con, SHOW_EDITED);

    touched_add(&made, FIELD(result, "createdFiles"), directory);
    touched_add(&edited, FIELD(result, "editedFiles"), directory);
    for (size_t i = 0; i < edited.count; i++) {
        if (touched_has(&made, edited.names[i]))
            continue;
        console_field(con, LABEL, name, slice_cstr(edited.names[i]));
        name = "";
    }
    name = SAY(con, SHOW_MADE);
    for (size_t i = 0; i < made.count; i++, name = "")
        console_field(con, LABEL, name, slice_cstr(made.names[i]));
    touched_finish(&made);
    touched_finish(&edited);
}

/* What it cost, or that nobody has said what its tokens do. */
static void show_cost(struct console *con, yyjson_val *usage)
{
    yyjson_val *cost = FIELD(usage, "costUsd");
    uint64_t tokens =
        FIELD_COUNT(usage, "inputTokens") + FIELD_COUNT(usage, "outputTokens");

    if (!cost && tokens == 0)
        return;
    console_label(con, LABEL, SAY(con, SHOW_COST));
    if (cost)
        term_format(&con->out, TERM_PLAIN, "$%.4f\n", yyjson_get_num(cost));
    else
        term_put(&con->out, TERM_YELLOW, SAY(con, SHOW_COST_NOT_KNOWN));
}

static void show_times(struct console *con, yyjson_val *root)
{
    struct slice created = FIELD_TEXT(root, "createdAt");
    struct slice started = FIELD_TEXT(root, "startedAt");

    if (created.len > 0) {
        console_label(con, LABEL, SAY(con, REPLAY_AGENT_CREATED));
        term_format(&con->out, TERM_PLAIN, "%s\n", humanize_time(created).text);
    }
    console_label(con, LABEL, SAY(con, SHOW_STARTED));
    term_format(&con->out, TERM_PLAIN, "%s  (%s)\n",
                humanize_time(started).text,
                humanize_duration(FIELD_COUNT(root, "elapsed_ms")).text);
}

static void show_output(struct console *con, yyjson_val *root)
{
    uint64_t messages = FIELD_COUNT(root, "messages");
    uint64_t lines = FIELD_COUNT(root, "lines");
    uint64_t odd =
        FIELD_COUNT(root, "unknownLines") + FIELD_COUNT(root, "skippedLines");

    term_format(&con->out, TERM_PLAIN,
                SAY_COUNT(con, messages, SHOW_OUTPUT_MESSAGES_ONE,
                          SHOW_OUTPUT_MESSAGES),
                humanize_count(messages).text);
    term_format(&con->out, TERM_PLAIN,
                SAY_COUNT(con, lines, SHOW_OUTPUT_LINES_ONE, SHOW_OUTPUT_LINES),
                humanize_count(lines).text);
    term_put(&con->out, TERM_PLAIN,
             humanize_bytes(FIELD_COUNT(root, "bytes")).text);
    if (odd > 0)
        term_format(&con->out, TERM_YELLOW, SAY(con, SHOW_OUTPUT_UNREAD), odd);
    fputc('\n', con->out.out);
}

static void show_stream(struct console *con, yyjson_val *root)
{
    yyjson_val *usage = FIELD(root, "usage");
    struct slice tool = agent_words_tool(FIELD_TEXT(root, "tool"));

    console_label(con, LABEL, SAY(con, SHOW_TOOLS));
    term_put(&con->out, TERM_PLAIN,
             humanize_number(FIELD_COUNT(root, "toolCallCount")).text);
    if (tool.len > 0) {
        term_put(&con->out, TERM_DIM, SAY(con, SHOW_TOOL_NOW));
        term_line(&con->out, TERM_CYAN, tool);
    }
    fputc('\n', con->out.out);
    console_label(con, LABEL, SAY(con, SHOW_TOKENS));
    term_format(&con->out, TERM_PLAIN, SAY(con, SHOW_TOKEN_COUNTS),
                humanize_count(FIELD_COUNT(usage, "inputTokens")).text,
                humanize_count(FIELD_COUNT(usage, "outputTokens")).text,
                humanize_count(FIELD_COUNT(usage, "cacheReadTokens")).text,
                humanize_count(FIELD_COUNT(usage, "cacheWriteTokens")).text);
    show_cost(con, usage);
    console_label(con, LABEL, SAY(con, SHOW_OUTPUT));
    show_output(con, root);
}

static void show_head(struct console *con, yyjson_val *root)
{
    struct agent_words state = agent_words_state(con, root);

    term_line(&con->out, TERM_BOLD, FIELD_TEXT(root, "agentId"));
    term_format(&con->out, state.style, "  %s\n", state.text);
    console_field(con, LABEL, SAY(con, SHOW_GROUP),
                  FIELD_TEXT(root, "groupId"));
    console_field(con, LABEL, SAY(con, SUBJECT_ROLE), FIELD_TEXT(root, "role"));
    console_field(con, LABEL, SAY(con, SHOW_MODEL), FIELD_TEXT(root, "model"));
    console_field(con, LABEL, "CLI", FIELD_TEXT(root, "backend"));
    console_field(con, LABEL, SAY(con, SHOW_MODEL_ITS_OWN),
                  FIELD_TEXT(root, "cliModel"));
    if (FIELD(root, "stageIndex")) {
        console_label(con, LABEL, SAY(con, SHOW_STAGE));
        term_format(&con->out, TERM_PLAIN, "%" PRIu64 "\n",
                    FIELD_COUNT(root, "stageIndex") + 1);
    }
    if (FIELD_COUNT(root, "pid") > 0 && !yyjson_is_true(FIELD(root, "gone"))) {
        console_label(con, LABEL, "pid");
        term_format(&con->out, TERM_PLAIN, "%" PRIu64 "\n",
                    FIELD_COUNT(root, "pid"));
    }
}

static void show_result(struct console *con, yyjson_val *root)
{
    yyjson_val *result = FIELD(root, "result");
    struct agent_words state =
        agent_words_of(con, FIELD_TEXT(result, "status"), SLICE_EMPTY);

    if (!yyjson_is_obj(result))
        return;
    console_label(con, LABEL, SAY(con, SHOW_RESULT));
    term_put(&con->out, state.style, state.text);
    term_format(&con->out, TERM_PLAIN, "  (%s)\n",
                humanize_duration(FIELD_COUNT(result, "duration_ms")).text);
    show_files(con, result, FIELD_TEXT(root, "workingDirectory"));
    console_block(con, "", SAY(con, SHOW_SUMMARY),
                  FIELD_TEXT(result, "summary"));
    console_block(con, "", SAY(con, SHOW_RESPONSE),
                  FIELD_TEXT(result, "response"));
    console_block(con, "", SAY(con, SHOW_ERROR),
                  FIELD_TEXT(result, "errorMessage"));
}

static void show(struct console *con, yyjson_val *root)
{
    show_head(con, root);
    show_times(con, root);
    /* What it has printed is counted by its hub. Without one nothing has, and
     * a count of 0 would be wrong beside its logs. */
    if (!FIELD(root, "withoutHub"))
        show_stream(con, root);
    console_field(con, LABEL, SAY(con, SHOW_RETRY_OF),
                  FIELD_TEXT(root, "retryOf"));
    console_field(con, LABEL, SAY(con, SHOW_DIRECTORY),
                  FIELD_TEXT(root, "workingDirectory"));
    console_field(con, LABEL, SAY(con, SHOW_FILES), FIELD_TEXT(root, "dir"));
    console_field(con, LABEL, SAY(con, SHOW_SESSION),
                  FIELD_TEXT(root, "sessionId"));
    console_block(con, "", SAY(con, SHOW_PROMPT), FIELD_TEXT(root, "prompt"));
    show_result(con, root);
}

static int run(struct console *con, int argc, char **argv)
{
    bool is_json = false;
    const struct option options[] = {{"--json", 0, &is_json, NULL}, {NULL}};
    struct bytes args = {0};
    char *id = NULL;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 1, 1, SAY(con, OPERAND_AGENT_OR_GROUP)))
        return CONSOLE_USAGE;
    int code = ids_look_up(con, argv[1], IDS_EITHER, 1, &id);
    if (!code && ids_is_group(id)) {
        code = show_group(con, id, is_json);
    } else if (!code) {
        ask_argument(&args, "agentId", id);
        code =
            records_show(con, "show_agent", bytes_slice(&args), is_json, show);
    }
    bytes_finish(&args);
    free(id);
    return code;
}

const struct command command_show = {
    .name = "show",
    .words = "ID [--json]",
    .what = BOTH(SHOW_COMMAND),
    .more = BOTH(SHOW_MANUAL),
    .needs_home = true,
    .run = run,
};
