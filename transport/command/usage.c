/* SPDX-License-Identifier: MIT */
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/command.h"
#include "transport/command/humanize.h"
#include "transport/command/options.h"
#include "transport/command/records.h"
#include "transport/command/table.h"
#include "transport/command/when.h"

static void add_sums(struct table *t, yyjson_val *row)
{
    static const struct slice counts[] = {
        SLICE_INIT("inputTokens"), SLICE_INIT("outputTokens"),
        SLICE_INIT("cacheReadTokens"), SLICE_INIT("cacheWriteTokens")};
    yyjson_val *cost = FIELD(row, "costUsd");
    const char *mark = FIELD(row, "unpricedTokens") ? " *" : "";

    table_add(t, TERM_PLAIN,
              slice_cstr(humanize_number(FIELD_COUNT(row, "agents")).text));
    for (size_t i = 0; i < 4; i++)
        table_addf(t, TERM_PLAIN, "%s",
                   humanize_count(field_count(field_get(row, counts[i]))).text);
    if (cost)
        table_addf(t, TERM_PLAIN, "$%.4f%s", yyjson_get_num(cost), mark);
    else
        table_addf(t, *mark ? TERM_YELLOW : TERM_DIM, "-%s", mark);
}

static void show(struct console *con, yyjson_val *root)
{
    const struct table_column columns[] = {
        {.head = "", .is_id = true},
        {.head = SAY(con, COLUMN_AGENTS), .is_right = true},
        {.head = SAY(con, COLUMN_TOKENS_IN), .is_right = true},
        {.head = SAY(con, COLUMN_TOKENS_OUT), .is_right = true},
        {.head = SAY(con, COLUMN_CACHE_READ),
         .is_right = true,
         .is_spare = true},
        {.head = SAY(con, COLUMN_CACHE_WRITTEN),
         .is_right = true,
         .is_spare = true},
        {.head = SAY(con, COLUMN_COST), .is_right = true},
    };
    yyjson_val *rows = FIELD(root, "rows"), *row;
    struct table t;
    size_t i, count;

    table_init(&t, columns, 7);
    yyjson_arr_foreach(rows, i, count, row)
    {
        /* What the rows are by is the first of their fields. */
        yyjson_obj_iter iter = yyjson_obj_iter_with(row);
        yyjson_val *key = yyjson_obj_iter_next(&iter);
        table_add(&t, TERM_PLAIN, field_text(yyjson_obj_iter_get_val(key)));
        add_sums(&t, row);
    }
    table_add(&t, TERM_BOLD, slice_cstr(SAY(con, USAGE_ALL)));
    add_sums(&t, FIELD(root, "total"));
    table_print(&t, &con->out);
    table_finish(&t);
    uint64_t unpriced = FIELD_COUNT(FIELD(root, "total"), "unpricedTokens");
    if (unpriced > 0)
        term_format(&con->out, TERM_YELLOW, SAY(con, USAGE_UNPRICED),
                    humanize_number(unpriced).text);
    if (FIELD(root, "more"))
        term_put(&con->out, TERM_DIM, SAY(con, USAGE_MORE));
}

static int put_arguments(struct console *con, const char *command,
                         const char *by, const char *times[2],
                         const char *limit_text, struct bytes *args)
{
    uint64_t since, until, limit;

    if (when_option(con, command, "--since", times[0], &since) ||
        when_option(con, command, "--until", times[1], &until) ||
        options_number(con, command, "--limit", limit_text, 1, 1000, &limit))
        return CONSOLE_USAGE;
    JSON_RAW(args, "{");
    if (by)
        JSON_TEXT(args, "by", slice_cstr(by));
    if (since)
        JSON_UINT(args, "since", since);
    if (until)
        JSON_UINT(args, "until", until);
    if (limit)
        JSON_UINT(args, "limit", limit);
    JSON_RAW(args, "}");
    return CONSOLE_FINE;
}

static int run(struct console *con, int argc, char **argv)
{
    static const char *const sums[] = {"agent", "group", "role",
                                       "model", "day",   NULL};
    const char *by = NULL, *times[2] = {NULL, NULL}, *limit = NULL;
    bool is_json = false;
    const struct option options[] = {
        {"--by", 'b', NULL, &by},        {"--since", 0, NULL, &times[0]},
        {"--until", 0, NULL, &times[1]}, {"--limit", 'n', NULL, &limit},
        {"--json", 0, &is_json, NULL},   {NULL}};
    struct bytes args = {0};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, "") ||
        options_one_of(con, argv[0], "--by", by, sums))
        return CONSOLE_USAGE;
    int code = put_arguments(con, argv[0], by, times, limit, &args);
    if (!code)
        code = records_show(con, "usage", bytes_slice(&args), is_json, show);
    bytes_finish(&args);
    return code;
}

const struct command command_usage = {
    .name = "usage",
    .words = "[--by agent|group|role|model|day] [--since WHEN]\n"
             "                  [--until WHEN] [--limit N] [--json]",
    .what = BOTH(USAGE_COMMAND),
    .more = BOTH(USAGE_MANUAL),
    .needs_home = true,
    .run = run,
};
