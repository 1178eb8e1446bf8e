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

/* The whole ids of pieces, heap, as far as they could be found. Without a hub
 * there is nothing to be cancelled, which is told when it is asked. */
static int find(struct console *con, char *const *pieces, enum ids_kind kind,
                char **ids)
{
    struct hublink link = HUBLINK_CLOSED;
    struct hublink_welcome welcome;
    int code = ask_open(con, &link, &welcome);

    hublink_close(&link);
    for (; !code && *pieces; pieces++, ids++)
        code = ids_look_up(con, *pieces, kind, IDS_LEAST, ids);
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
static int cancel_each(struct console *con, char **ids, size_t count,
                       const char *reason)
{
    char **agents = calloc(count + 1, sizeof(*agents));
    size_t n = 0;
    int code = CONSOLE_FINE;

    if (!agents)
        abort();
    for (size_t i = 0; i < count; i++)
        if (!ids_is_group(ids[i]))
            agents[n++] = ids[i];
    if (n > 0)
        code = cancel(con, agents, NULL, reason);
    for (size_t i = 0; !code && i < count; i++)
        if (ids_is_group(ids[i]))
            code = cancel(con, NULL, ids[i], reason);
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
    char *one[] = {(char *)(uintptr_t)group, NULL};
    char **pieces = group ? one : argv + 1;
    size_t count = group ? 1 : (size_t)argc - 1;
    char **ids = calloc(count + 1, sizeof(*ids));
    if (!ids)
        abort();
    int code = find(con, pieces, group ? IDS_GROUP : IDS_EITHER, ids);
    if (!code && group)
        code = cancel(con, NULL, ids[0], reason);
    else if (!code)
        code = cancel_each(con, ids, count, reason);
    for (size_t i = 0; i < count; i++)
        free(ids[i]);
    free(ids);
    return code;
}

const struct command command_cancel = {
    .name = "cancel",
    .words = "ID... | --group G [--reason R]",
    .what = BOTH(CANCEL_COMMAND),
    .more = BOTH(CANCEL_MANUAL),
    .needs_home = true,
    .run = run,
};
