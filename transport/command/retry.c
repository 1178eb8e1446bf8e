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
    term_put(&con->out, TERM_DIM, SAY(con, RETRY_GROUP));
    term_line(&con->out, TERM_PLAIN, group);
    fputc('\n', con->out.out);
}

/* One group, or agents; --failed chooses among a group's. */
static bool makes_sense(struct console *con, char **argv, int argc,
                        bool wants_failed)
{
    for (int i = 1; i < argc; i++) {
        if (argc > 2 && ids_is_group(argv[i])) {
            COMPLAIN(con, RETRY_GROUP_ALONE, argv[0], argv[i]);
            return false;
        }
    }
    if (wants_failed && !ids_is_group(argv[1])) {
        COMPLAIN(con, RETRY_FAILED_OF_GROUP, argv[0], argv[1]);
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

/* Whether only the store knows it: a hub has a pid to tell of its own, 0 where
 * there is none any more. */
static bool is_past(struct console *con, const char *id)
{
    struct console quiet = *con;
    struct bytes args = {0};
    yyjson_doc *doc = NULL;

    quiet.is_quiet = true;
    ask_argument(&args, "agentId", id);
    int code = ask_hub(&quiet, "show_agent", bytes_slice(&args), &doc);
    bool is = !code && !FIELD(yyjson_doc_get_root(doc), "pid");
    yyjson_doc_free(doc);
    bytes_finish(&args);
    return is;
}

/* Of an agent of long ago the hub has forgotten who ordered it, with which
 * keys: it cannot be the same once more. */
static int look_for_past(struct console *con, char **ids)
{
    for (; *ids; ids++) {
        if (ids_is_group(*ids) || !is_past(con, *ids))
            continue;
        COMPLAIN(con, RETRY_ONLY_PAST, *ids, *ids);
        return CONSOLE_FAILED;
    }
    return CONSOLE_FINE;
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
                     SAY(con, OPERAND_AN_AGENT_OR_GROUP)))
        return CONSOLE_USAGE;
    /* What was typed may be wrong, and so may be what pieces stand for. */
    if (!makes_sense(con, argv, argc, false))
        return CONSOLE_USAGE;
    int code = look_up(con, argv + 1);
    if (!code && !makes_sense(con, argv, argc, wants_failed))
        code = CONSOLE_USAGE;
    if (!code)
        code = look_for_past(con, argv + 1);
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
    .what = BOTH(RETRY_COMMAND),
    .more = BOTH(RETRY_MANUAL),
    .needs_home = true,
    .run = run,
};
