/* SPDX-License-Identifier: MIT */
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/command.h"
#include "transport/command/hub_question.h"
#include "transport/command/ids.h"
#include "transport/command/options.h"

static void put_arguments(struct bytes *args, char **ids, bool wants_failed)
{
    JSON_RAW(args, "{");
    if (ids_is_group(*ids)) {
        JSON_RAW(args, "\"groupId\":");
        json_string(args, slice_cstr(*ids));
    } else {
        JSON_RAW(args, "\"agentIds\":[");
        for (char **id = ids; *id; id++) {
            if (id != ids)
                JSON_RAW(args, ",");
            json_string(args, slice_cstr(*id));
        }
        JSON_RAW(args, "]");
    }
    if (wants_failed)
        JSON_RAW(args, ",\"failed\":true");
    JSON_RAW(args, "}");
}

static void show_agent(struct console *con, struct slice was, struct slice is)
{
    term_line(&con->out, TERM_DIM, was);
    fputs(was.len > 0 ? " → " : "", con->out.out);
    term_line(&con->out, TERM_BOLD, is);
    fputc('\n', con->out.out);
}

/* An orchestrator comes alone, and as the answer of run_magentic has it. */
static void show(struct console *con, yyjson_val *root)
{
    yyjson_val *agents = FIELD(root, "agents"), *agent;
    struct slice group = FIELD_TEXT(root, "groupId");
    size_t i, count;

    yyjson_arr_foreach(agents, i, count, agent)
    {
        show_agent(con, FIELD_TEXT(agent, "retryOf"),
                   FIELD_TEXT(agent, "agentId"));
        group = FIELD_TEXT(agent, "groupId");
    }
    if (!agents)
        show_agent(con, FIELD_TEXT(root, "retryOf"),
                   FIELD_TEXT(root, "orchestratorAgentId"));
    term_put(&con->out, TERM_DIM, SAY(con, "グループ ", "group "));
    term_line(&con->out, TERM_PLAIN, group);
    fputc('\n', con->out.out);
}

/* One group, or agents; --failed chooses among a group's. */
static bool makes_sense(struct console *con, char **argv, int argc,
                        bool wants_failed)
{
    for (int i = 1; i < argc; i++) {
        if (argc > 2 && ids_is_group(argv[i])) {
            COMPLAIN(con,
                     "%s: グループは一つずつ、Agent とは別に指定してください: "
                     "'%s'",
                     "%s: name a group by itself, without others: '%s'",
                     argv[0], argv[i]);
            return false;
        }
    }
    if (wants_failed && !ids_is_group(argv[1])) {
        COMPLAIN(con,
                 "%s: --failed はグループに使います（グループ ID は grp- で"
                 "始まります）: '%s'",
                 "%s: --failed is for a group, whose id begins with grp-, not "
                 "for '%s'",
                 argv[0], argv[1]);
        return false;
    }
    return true;
}

/* Pieces of ids become whole; they are few, and live as long as the program. */
static int look_up(struct console *con, char **ids)
{
    int code = CONSOLE_FINE;

    for (; !code && *ids; ids++)
        code = ids_look_up(con, *ids, IDS_EITHER, IDS_LEAST, ids);
    return code;
}

static int run(struct console *con, int argc, char **argv)
{
    bool wants_failed = false, is_json = false;
    const struct option options[] = {{"--failed", 0, &wants_failed, NULL},
                                     {"--json", 0, &is_json, NULL},
                                     {NULL}};
    struct bytes args = {0};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 1, -1,
                     SAY(con, "Agent ID またはグループ ID",
                         "an agent's or a group's id")))
        return CONSOLE_USAGE;
    /* What was typed may be wrong, and so may be what pieces stand for. */
    if (!makes_sense(con, argv, argc, false))
        return CONSOLE_USAGE;
    int code = look_up(con, argv + 1);
    if (!code && !makes_sense(con, argv, argc, wants_failed))
        code = CONSOLE_USAGE;
    if (!code) {
        put_arguments(&args, argv + 1, wants_failed);
        code = ask_and_show(con, "retry", bytes_slice(&args), is_json, show);
    }
    bytes_finish(&args);
    return code;
}

const struct command command_retry = {
    .name = "retry",
    .words = "ID... | GROUP [--failed] [--json]",
    .ja = "終わった Agent を、同じ指示と前回のエラーでもう一度動かす",
    .en = "runs agents that have ended once more, with the error they met",
    .more_ja =
        "      --failed   グループの Agent のうち失敗したものだけ\n"
        "      --json     ハブの答えをそのまま JSON で\n"
        "指示・職種・作業ディレクトリ・制限時間は前と同じ。失敗したものには"
        "前回の\n"
        "エラーも伝える。新しい Agent の show に、元の ID が「再試行」として"
        "出る。\n"
        "  並列グループ       同じグループで。削除済みなら新しいグループで\n"
        "  順次実行グループ   最後の計画を最初のステージから全て。--failed は"
        "失敗が\n"
        "                     "
        "あるときだけ動かす。一つのステージだけはできない\n"
        "  magentic グループ  Orchestrator を新しいグループで\n"
        "予算、権限、実行枠は run_agents と同じ。",
    .more_en =
        "      --failed   of a group's agents only those that have failed\n"
        "      --json     the hub's answer as it is\n"
        "Prompt, role, directory and time-out are the same; one that failed "
        "is\n"
        "told the error. `show` of the new agent has the id of the old one.\n"
        "  a concurrent group   in the same group; in a new one if it was "
        "deleted\n"
        "  a sequential group   its last plan, from the first stage on; with\n"
        "                       --failed only if something in it has failed. "
        "No\n"
        "                       stage runs alone\n"
        "  a magentic group     its orchestrator, in a new group\n"
        "Budgets, permissions and places are as for run_agents.",
    .needs_home = true,
    .run = run,
};
