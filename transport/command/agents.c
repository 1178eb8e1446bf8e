/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/agent_words.h"
#include "transport/command/command.h"
#include "transport/command/humanize.h"
#include "transport/command/options.h"
#include "transport/command/records.h"
#include "transport/command/table.h"

static void put_arguments(struct bytes *args, const char *group,
                          const char *status)
{
    JSON_RAW(args, "{");
    if (group) {
        JSON_RAW(args, "\"groupId\":");
        json_string(args, slice_cstr(group));
    }
    if (status) {
        if (group)
            JSON_RAW(args, ",");
        JSON_RAW(args, "\"status\":");
        json_string(args, slice_cstr(status));
    }
    JSON_RAW(args, "}");
}

static void add_row(struct console *con, struct table *t, yyjson_val *agent)
{
    struct agent_words state = agent_words_state(con, agent);

    table_add(t, TERM_PLAIN, FIELD_TEXT(agent, "agentId"));
    table_add(t, state.style, slice_cstr(state.text));
    table_addf(t, TERM_PLAIN, "%s",
               humanize_duration(FIELD_COUNT(agent, "elapsed_ms")).text);
    table_addf(t, TERM_PLAIN, "%" PRIu64, FIELD_COUNT(agent, "toolCallCount"));
    table_add(t, TERM_DIM, FIELD_TEXT(agent, "groupId"));
    table_add(t, TERM_DIM, FIELD_TEXT(agent, "model"));
}

static void show(struct console *con, yyjson_val *root)
{
    const struct table_column columns[] = {
        {.head = "ID"},
        {.head = SAY(con, "状態", "STATUS")},
        {.head = SAY(con, "時間", "TIME"), .is_right = true},
        {.head = SAY(con, "ツール", "TOOLS"), .is_right = true},
        {.head = SAY(con, "グループ", "GROUP"), .is_spare = true},
        {.head = SAY(con, "モデル", "MODEL"), .min = 8, .is_spare = true},
    };
    yyjson_val *agents = FIELD(root, "agents"), *agent;
    uint64_t total = FIELD_COUNT(root, "total");
    struct table t;
    size_t i, count;

    if (yyjson_arr_size(agents) == 0) {
        term_put(&con->out, TERM_DIM,
                 SAY(con, "Agent はありません。\n", "No agents.\n"));
        return;
    }
    table_init(&t, columns, 6);
    yyjson_arr_foreach(agents, i, count, agent)
    {
        add_row(con, &t, agent);
    }
    table_print(&t, &con->out);
    table_finish(&t);
    if (total > count)
        term_format(
            &con->out, TERM_DIM,
            SAY(con, "ほかに %" PRIu64 " 件\n", "and %" PRIu64 " more\n"),
            total - count);
}

static int run(struct console *con, int argc, char **argv)
{
    const char *group = NULL, *status = NULL;
    bool is_json = false;
    const struct option options[] = {{"--group", 'g', NULL, &group},
                                     {"--status", 's', NULL, &status},
                                     {"--json", 0, &is_json, NULL},
                                     {NULL}};
    struct bytes args = {0};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    put_arguments(&args, group, status);
    int code =
        records_show(con, "list_agents", bytes_slice(&args), is_json, show);
    bytes_finish(&args);
    return code;
}

const struct command command_agents = {
    .name = "agents",
    .words = "[--group G] [--status S] [--json]",
    .ja = "Agent の一覧を表示する",
    .en = "lists the agents",
    .more_ja = "  -g, --group G    このグループの Agent だけ\n"
               "  -s, --status S   running, completed, failed, all, queued, "
               "timedOut,\n"
               "                   resultReported, cancelled のいずれか\n"
               "      --json       list_agents の答えをそのまま JSON で\n",
    .more_en = "  -g, --group G    only those of this group\n"
               "  -s, --status S   running, completed, failed, all, queued, "
               "timedOut,\n"
               "                   resultReported or cancelled\n"
               "      --json       the answer of list_agents as it is\n",
    .needs_home = true,
    .run = run,
};
