/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"
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

/* ---- what only the store knows ------------------------------------------ */

static int show_agent_of(struct console *con, const char *id, yyjson_doc **doc)
{
    struct console quiet = *con;
    struct bytes args = {0};

    quiet.is_quiet = true;
    ask_argument(&args, "agentId", id);
    int code = ask_hub(&quiet, "show_agent", bytes_slice(&args), doc);
    bytes_finish(&args);
    return code;
}

static void put_past(struct bytes *out, yyjson_val *agent)
{
    yyjson_val *result = FIELD(agent, "result");
    struct slice error = FIELD_TEXT(result, "errorMessage");
    bool is_bad = slice_eq(FIELD_TEXT(agent, "outcome"), SLICE("failure"));

    if (error.len == 0)
        error = FIELD_TEXT(result, "summary");
    if (out->len > 0)
        JSON_RAW(out, ",");
    JSON_RAW(out, "{");
    JSON_TEXT(out, "role", FIELD_TEXT(agent, "role"));
    JSON_TEXT(out, "prompt", FIELD_TEXT(agent, "prompt"));
    JSON_TEXT(out, "workingDirectory", FIELD_TEXT(agent, "workingDirectory"));
    JSON_TEXT(out, "retryOf", FIELD_TEXT(agent, "agentId"));
    if (is_bad)
        JSON_TEXT(out, "retryError",
                  slice_of(error.ptr, utf8_cut(error.ptr, error.len, 4096)));
    JSON_RAW(out, "}");
}

/* A stage of a plan, or an orchestrator, is nothing without the whole order,
 * which is gone. */
static bool is_part(yyjson_val *agent)
{
    return FIELD(agent, "stageIndex") != NULL ||
           slice_eq(FIELD_TEXT(agent, "role"), SLICE("orchestrator"));
}

/* Appends those of the ids that only the store knows: a hub has a pid to tell
 * of its own, 0 where there is none any more. */
static int look_for_past(struct console *con, char **ids, struct bytes *past,
                         size_t *count)
{
    int code = CONSOLE_FINE;

    for (; *ids && !code; ids++) {
        yyjson_doc *doc = NULL;

        if (ids_is_group(*ids) || show_agent_of(con, *ids, &doc))
            continue;
        yyjson_val *agent = yyjson_doc_get_root(doc);
        if (!FIELD(agent, "pid") && is_part(agent)) {
            COMPLAIN(con, RETRY_PAST_PART, *ids, *ids);
            code = CONSOLE_FAILED;
        } else if (!FIELD(agent, "pid")) {
            put_past(past, agent);
            ++*count;
        }
        yyjson_doc_free(doc);
    }
    return code;
}

static int retry_past(struct console *con, struct slice past, const char *first,
                      bool is_json)
{
    struct bytes args = {0};
    char *about = bytes_text(SAY(con, RETRY_OF_THE_PAST), first);

    JSON_RAW(&args, "{\"past\":{");
    JSON_TEXT(&args, "description", slice_cstr(about));
    JSON_KEY(&args, "agents");
    JSON_RAW(&args, "[");
    json_raw(&args, past);
    JSON_RAW(&args, "]}}");
    int code = ask_and_show(con, "retry", bytes_slice(&args), is_json, show);
    bytes_finish(&args);
    free(about);
    return code;
}

/* ---- the command -------------------------------------------------------- */

static int retry(struct console *con, char **ids, size_t count,
                 bool wants_failed, bool is_json)
{
    struct bytes past = {0}, args = {0};
    size_t past_count = 0;
    int code = look_for_past(con, ids, &past, &past_count);

    if (!code && past_count > 0 && past_count < count) {
        COMPLAIN(con, RETRY_PAST_APART, ids[0]);
        code = CONSOLE_FAILED;
    } else if (!code && past_count > 0) {
        code = retry_past(con, bytes_slice(&past), ids[0], is_json);
    } else if (!code) {
        put_arguments(&args, ids, wants_failed);
        code = ask_and_show(con, "retry", bytes_slice(&args), is_json, show);
    }
    bytes_finish(&past);
    bytes_finish(&args);
    return code;
}

static int run(struct console *con, int argc, char **argv)
{
    bool wants_failed = false, is_json = false;
    const struct option options[] = {{"--failed", 0, &wants_failed, NULL},
                                     {"--json", 0, &is_json, NULL},
                                     {NULL}};

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
        code = retry(con, argv + 1, (size_t)argc - 1, wants_failed, is_json);
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
