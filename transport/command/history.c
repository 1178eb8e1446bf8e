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
    table_addf(t, TERM_PLAIN, "%s",
               humanize_duration(FIELD_COUNT(agent, "duration_ms")).text);
    table_add(t, TERM_DIM, FIELD_TEXT(agent, "groupId"));
    table_add(t, TERM_PLAIN, FIELD_TEXT(agent, "summary"));
}

static void show_more(struct console *con, yyjson_val *root, size_t count)
{
    uint64_t total = FIELD_COUNT(root, "total");
    uint64_t next = FIELD_COUNT(root, "next");

    if (next == 0)
        return;
    term_format(&con->out, TERM_DIM,
                SAY(con,
                    "全 %" PRIu64 " 件中 %zu 件。続き: --before %" PRIu64 "\n",
                    "of %" PRIu64 " in all, %zu here; the next: --before "
                    "%" PRIu64 "\n"),
                total, count, next);
}

static void show(struct console *con, yyjson_val *root)
{
    const struct table_column columns[] = {
        {.head = "ID"},
        {.head = SAY(con, "状態", "STATUS")},
        {.head = SAY(con, "登録", "CREATED"), .is_spare = true},
        {.head = SAY(con, "時間", "TIME"), .is_right = true},
        {.head = SAY(con, "グループ", "GROUP"), .is_spare = true},
        {.head = SAY(con, "要約", "SUMMARY"), .min = 10, .is_spare = true},
    };
    yyjson_val *agents = FIELD(root, "agents"), *agent;
    struct table t;
    size_t i, count;

    if (yyjson_arr_size(agents) == 0) {
        term_put(
            &con->out, TERM_DIM,
            SAY(con, "該当する Agent はありません。\n", "No such agents.\n"));
        return;
    }
    table_init(&t, columns, 6);
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
    .ja = "これまでの Agent を検索する（新しい順）",
    .en = "finds agents of the past, newest first",
    .more_ja =
        "  -q, --search TEXT  プロンプト・要約・結果・ファイル名にある語（空白"
        "区切り）\n"
        "      --since WHEN   これ以降（2h, 3d, 2026-02-13, 2026-02-13T12:00"
        " など）\n"
        "      --until WHEN   これより前\n"
        "  -g, --group G      このグループだけ\n"
        "  -r, --role R       この職種だけ\n"
        "  -s, --status S     agents の --status と同じ\n"
        "  -n, --limit N      一度に N 件（1～500、既定 50）\n"
        "      --before N     前のページの終わりに表示された番号から続ける\n"
        "      --json         history の答えをそのまま JSON で\n",
    .more_en =
        "  -q, --search TEXT  words, in prompts, summaries, responses or "
        "files\n"
        "      --since WHEN   from then on: 2h, 3d, 2026-02-13, "
        "2026-02-13T12:00\n"
        "      --until WHEN   before then\n"
        "  -g, --group G      only those of this group\n"
        "  -r, --role R       only those of this role\n"
        "  -s, --status S     as of agents\n"
        "  -n, --limit N      so many at a time: 1 to 500 (50)\n"
        "      --before N     goes on where the last page has ended\n"
        "      --json         the answer of history as it is\n",
    .needs_home = true,
    .run = run,
};
