/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/command.h"
#include "transport/command/ids.h"
#include "transport/command/options.h"

static void put_arguments(struct bytes *args, char **ids, const char *group,
                          const char *reason)
{
    JSON_RAW(args, "{");
    if (group) {
        JSON_RAW(args, "\"groupId\":");
        json_string(args, slice_cstr(group));
    } else {
        JSON_RAW(args, "\"agentIds\":[");
        for (char **id = ids; *id; id++) {
            if (id != ids)
                JSON_RAW(args, ",");
            json_string(args, slice_cstr(*id));
        }
        JSON_RAW(args, "]");
    }
    if (reason) {
        JSON_RAW(args, ",\"reason\":");
        json_string(args, slice_cstr(reason));
    }
    JSON_RAW(args, "}");
}

static void show(struct console *con, yyjson_val *ids, enum term_style style,
                 const char *what)
{
    size_t i, count;
    yyjson_val *id;

    yyjson_arr_foreach(ids, i, count, id)
    {
        term_line(&con->out, TERM_PLAIN, field_text(id));
        term_format(&con->out, style, "  %s\n", what);
    }
}

/* Puts the whole ids in the place of pieces; they live as long as the
 * program. Without a hub there is nothing to be cancelled, which is told
 * when it is asked. */
static int find(struct console *con, int argc, char **argv, const char **group)
{
    struct hublink link = HUBLINK_CLOSED;
    struct hublink_welcome welcome;
    char *whole;
    int code = ask_open(con, &link, &welcome);

    hublink_close(&link);
    if (!code && *group) {
        code = ids_look_up(con, *group, IDS_GROUP, IDS_LEAST, &whole);
        *group = code ? *group : whole;
    }
    for (int i = 1; !code && i < argc; i++) {
        code = ids_look_up(con, argv[i], IDS_EITHER, IDS_LEAST, &whole);
        argv[i] = code ? argv[i] : whole;
    }
    return code;
}

/* Agents, which NULL ends, or all of a group. */
static int cancel(struct console *con, char **ids, const char *group,
                  const char *reason)
{
    struct bytes args = {0};
    yyjson_doc *doc;

    put_arguments(&args, ids, group, reason);
    int code = ask_hub(con, "cancel_agent", bytes_slice(&args), &doc);
    bytes_finish(&args);
    if (code)
        return code;
    yyjson_val *root = yyjson_doc_get_root(doc);
    show(con, FIELD(root, "cancelled"), TERM_YELLOW, SAY(con, CANCEL_DONE));
    show(con, FIELD(root, "notRunning"), TERM_DIM,
         SAY(con, CANCEL_WAS_NOT_RUNNING));
    if (group && yyjson_arr_size(FIELD(root, "cancelled")) == 0) {
        term_line(&con->out, TERM_PLAIN, slice_cstr(group));
        term_format(&con->out, TERM_DIM, "  %s\n", SAY(con, CANCEL_NOTHING));
    }
    yyjson_doc_free(doc);
    return CONSOLE_FINE;
}

/* Agents first: one that there is not refuses the call before a group ends. */
static int cancel_each(struct console *con, int argc, char **argv,
                       const char *reason)
{
    char **agents = calloc((size_t)argc, sizeof(*agents));
    size_t count = 0;
    int code = CONSOLE_FINE;

    if (!agents)
        abort();
    for (int i = 1; i < argc; i++)
        if (!ids_is_group(argv[i]))
            agents[count++] = argv[i];
    if (count > 0)
        code = cancel(con, agents, NULL, reason);
    for (int i = 1; !code && i < argc; i++)
        if (ids_is_group(argv[i]))
            code = cancel(con, NULL, argv[i], reason);
    free(agents);
    return code;
}

static int run(struct console *con, int argc, char **argv)
{
    const char *group = NULL, *reason = NULL;
    const struct option options[] = {{"--group", 'g', NULL, &group},
                                     {"--reason", 'r', NULL, &reason},
                                     {NULL}};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, group ? 0 : 1, group ? 0 : -1,
                     SAY(con, OPERAND_AGENT_OR_GROUP)))
        return CONSOLE_USAGE;
    int code = find(con, argc, argv, &group);
    if (!code && group)
        return cancel(con, NULL, group, reason);
    return code ? code : cancel_each(con, argc, argv, reason);
}

const struct command command_cancel = {
    .name = "cancel",
    .words = "ID... | --group G [--reason R]",
    .what = BOTH(CANCEL_COMMAND),
    .more = BOTH(CANCEL_MANUAL),
    .needs_home = true,
    .run = run,
};
