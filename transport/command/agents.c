/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <unistd.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/agent_words.h"
#include "transport/command/agents.h"
#include "transport/command/command.h"
#include "transport/command/humanize.h"
#include "transport/command/ids.h"
#include "transport/command/options.h"
#include "transport/command/records.h"
#include "transport/command/table.h"

#define WATCH_US 500000

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

/* What it does at this moment, and what it was asked. */
static void add_about(struct table *t, yyjson_val *agent)
{
    struct slice tool = agent_words_tool(FIELD_TEXT(agent, "tool"));
    struct slice about = FIELD_TEXT(agent, "about");

    if (tool.len > 0)
        table_addf(t, TERM_PLAIN, "→ %.*s · %.*s", (int)tool.len, tool.ptr,
                   (int)about.len, about.ptr);
    else
        table_add(t, TERM_PLAIN, about);
}

static void add_row(struct console *con, struct table *t, yyjson_val *agent)
{
    struct agent_words state = agent_words_state(con, agent);

    table_add(t, TERM_PLAIN, FIELD_TEXT(agent, "agentId"));
    table_add(t, state.style, slice_cstr(state.text));
    table_addf(t, TERM_PLAIN, "%s",
               humanize_duration(FIELD_COUNT(agent, "elapsed_ms")).text);
    add_about(t, agent);
    table_addf(t, TERM_PLAIN, "%s",
               humanize_number(FIELD_COUNT(agent, "toolCallCount")).text);
    table_add(t, TERM_DIM, FIELD_TEXT(agent, "groupId"));
    table_add(t, TERM_DIM, FIELD_TEXT(agent, "model"));
}

/* Where the terminal is narrow, the last are left out first. */
void agents_show(struct console *con, yyjson_val *root)
{
    const struct table_column columns[] = {
        {.head = "ID", .is_id = true},
        {.head = SAY(con, COLUMN_STATUS)},
        {.head = SAY(con, COLUMN_TIME), .is_right = true, .is_spare = true},
        {.head = SAY(con, COLUMN_ABOUT), .min = 10},
        {.head = SAY(con, COLUMN_TOOLS), .is_right = true, .is_spare = true},
        {.head = SAY(con, COLUMN_GROUP), .is_id = true, .is_spare = true},
        {.head = SAY(con, COLUMN_MODEL), .min = 8, .is_spare = true},
    };
    yyjson_val *agents = FIELD(root, "agents"), *agent;
    uint64_t total = FIELD_COUNT(root, "total");
    struct table t;
    size_t i, count;

    if (yyjson_arr_size(agents) == 0) {
        term_put(&con->out, TERM_DIM, SAY(con, AGENTS_NONE));
        return;
    }
    table_init(&t, columns, 7);
    yyjson_arr_foreach(agents, i, count, agent)
    {
        add_row(con, &t, agent);
    }
    table_print(&t, &con->out);
    table_finish(&t);
    if (total > count)
        term_format(&con->out, TERM_DIM, SAY(con, AGENTS_MORE),
                    humanize_number(total - count).text);
}

/* ---- again and again ----------------------------------------------------- */

static bool is_over(yyjson_val *root)
{
    size_t i, count;
    yyjson_val *agent;

    yyjson_arr_foreach(FIELD(root, "agents"), i, count, agent)
    {
        struct slice state = FIELD_TEXT(agent, "status");
        if (slice_eq(state, SLICE("running")) ||
            slice_eq(state, SLICE("queued")))
            return false;
    }
    return true;
}

/* A terminal shows the list in place; a file gets one after the other. */
static int watch(struct console *con, struct slice args)
{
    struct records r;
    bool is_last = false;
    int code = records_open(&r, con);

    while (!code && !is_last) {
        yyjson_doc *doc;
        code = records_ask(&r, "overview", args, &doc);
        if (code)
            break;
        if (con->out.is_terminal)
            fputs("\x1b[H\x1b[J", con->out.out);
        agents_show(con, yyjson_doc_get_root(doc));
        /* Without a hub nothing will change. */
        is_last = is_over(yyjson_doc_get_root(doc)) || r.reader > 0;
        yyjson_doc_free(doc);
        fflush(con->out.out);
        if (ferror(con->out.out))
            code = CONSOLE_FAILED; /* the reader has left */
        else if (!is_last)
            usleep(WATCH_US);
    }
    records_close(&r);
    return code;
}

static int run(struct console *con, int argc, char **argv)
{
    const char *group = NULL, *status = NULL;
    bool is_json = false, is_watching = false;
    const struct option options[] = {{"--group", 'g', NULL, &group},
                                     {"--status", 's', NULL, &status},
                                     {"--watch", 'w', &is_watching, NULL},
                                     {"--json", 0, &is_json, NULL},
                                     {NULL}};
    struct bytes args = {0};
    char *whole = NULL;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, "") ||
        options_one_of(con, argv[0], "--status", status, options_states))
        return CONSOLE_USAGE;
    int code = ids_look_up(con, group, IDS_GROUP, 1, &whole);
    put_arguments(&args, whole, status);
    if (!code && is_watching && !is_json)
        code = watch(con, bytes_slice(&args));
    else if (!code)
        code = records_show(con, "overview", bytes_slice(&args), is_json,
                            agents_show);
    bytes_finish(&args);
    free(whole);
    return code;
}

const struct command command_agents = {
    .name = "agents",
    .words = "[--group G] [--status S] [--watch] [--json]",
    .what = BOTH(AGENTS_COMMAND),
    .more = BOTH(AGENTS_MANUAL),
    .needs_home = true,
    .run = run,
};
