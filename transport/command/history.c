/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/agent_words.h"
#include "transport/command/command.h"
#include "transport/command/humanize.h"
#include "transport/command/ids.h"
#include "transport/command/options.h"
#include "transport/command/records.h"
#include "transport/command/table.h"
#include "transport/command/when.h"

struct question {
    const char *search, *since, *until, *group, *role, *status, *limit, *before;
};

static void put_text(struct bytes *args, struct slice key, const char *value)
{
    if (!value)
        return;
    json_key(args, key);
    json_string(args, slice_cstr(value));
}

static void put_time(struct bytes *args, struct slice key, uint64_t ms)
{
    if (!ms)
        return;
    json_key(args, key);
    json_uint(args, ms);
}

static int put_arguments(struct console *con, const char *command,
                         const struct question *q, struct bytes *args)
{
    uint64_t since, until, limit, before;

    if (when_option(con, command, "--since", q->since, &since) ||
        when_option(con, command, "--until", q->until, &until) ||
        options_number(con, command, "--limit", q->limit, 1, 500, &limit) ||
        options_number(con, command, "--before", q->before, 1, INT64_MAX,
                       &before))
        return CONSOLE_USAGE;
    JSON_RAW(args, "{");
    put_text(args, SLICE("search"), q->search);
    put_text(args, SLICE("groupId"), q->group);
    put_text(args, SLICE("role"), q->role);
    put_text(args, SLICE("status"), q->status);
    put_time(args, SLICE("since"), since);
    put_time(args, SLICE("until"), until);
    put_time(args, SLICE("limit"), limit);
    put_time(args, SLICE("before"), before);
    JSON_RAW(args, "}");
    return CONSOLE_FINE;
}

static void add_row(struct console *con, struct table *t, yyjson_val *agent)
{
    struct agent_words state = agent_words_state(con, agent);

    table_add(t, TERM_PLAIN, FIELD_TEXT(agent, "agentId"));
    table_add(t, state.style, slice_cstr(state.text));
    table_addf(t, TERM_PLAIN, "%s",
               humanize_time(FIELD_TEXT(agent, "createdAt")).text);
    table_add(t, TERM_PLAIN, FIELD_TEXT(agent, "about"));
    table_addf(t, TERM_PLAIN, "%s",
               humanize_duration(agent_words_took(agent)).text);
    table_add(t, TERM_PLAIN, agent_words_end(agent));
    table_add(t, TERM_DIM, FIELD_TEXT(agent, "groupId"));
}

static void show_more(struct console *con, yyjson_val *root, size_t count)
{
    uint64_t total = FIELD_COUNT(root, "total");
    uint64_t next = FIELD_COUNT(root, "next");

    if (next == 0)
        return;
    term_format(&con->out, TERM_DIM, SAY(con, HISTORY_PAGE), total, count,
                next);
}

static void show(struct console *con, yyjson_val *root)
{
    const struct table_column columns[] = {
        {.head = "ID", .is_id = true},
        {.head = SAY(con, COLUMN_STATUS)},
        {.head = SAY(con, COLUMN_CREATED), .is_spare = true},
        {.head = SAY(con, COLUMN_ABOUT), .min = 20},
        {.head = SAY(con, COLUMN_TIME), .is_right = true, .is_spare = true},
        {.head = SAY(con, COLUMN_SUMMARY), .min = 14, .is_spare = true},
        {.head = SAY(con, COLUMN_GROUP), .is_id = true, .is_spare = true},
    };
    yyjson_val *agents = FIELD(root, "agents"), *agent;
    struct table t;
    size_t i, count;

    if (yyjson_arr_size(agents) == 0) {
        term_put(&con->out, TERM_DIM, SAY(con, HISTORY_NONE));
        return;
    }
    table_init(&t, columns, 7);
    yyjson_arr_foreach(agents, i, count, agent)
    {
        add_row(con, &t, agent);
    }
    table_print(&t, &con->out);
    table_finish(&t);
    show_more(con, root, count);
}

static int run(struct console *con, int argc, char **argv)
{
    struct question q = {NULL};
    bool is_json = false;
    const struct option options[] = {
        {"--search", 'q', NULL, &q.search}, {"--since", 0, NULL, &q.since},
        {"--until", 0, NULL, &q.until},     {"--group", 'g', NULL, &q.group},
        {"--role", 'r', NULL, &q.role},     {"--status", 's', NULL, &q.status},
        {"--limit", 'n', NULL, &q.limit},   {"--before", 0, NULL, &q.before},
        {"--json", 0, &is_json, NULL},      {NULL}};
    struct bytes args = {0};
    char *group = NULL;
    int code;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, "") ||
        options_one_of(con, argv[0], "--status", q.status, options_states))
        return CONSOLE_USAGE;
    code = ids_look_up(con, q.group, IDS_GROUP, 1, &group);
    q.group = group;
    if (!code)
        code = put_arguments(con, argv[0], &q, &args);
    if (!code)
        code = records_show(con, "history", bytes_slice(&args), is_json, show);
    bytes_finish(&args);
    free(group);
    return code;
}

const struct command command_history = {
    .name = "history",
    .words = "[--search TEXT] [--since WHEN] [--until WHEN]\n"
             "                    [--group G] [--role R] [--status S]\n"
             "                    [--limit N] [--before N] [--json]",
    .what = BOTH(HISTORY_COMMAND),
    .more = BOTH(HISTORY_MANUAL),
    .needs_home = true,
    .run = run,
};
