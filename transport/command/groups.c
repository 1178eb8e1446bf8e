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

/* Deeper than any family may be; a hub that errs gets no further. */
#define DEEPEST 16

/* The way from the top to a group; at each depth, whether sisters follow. */
struct branch {
    unsigned depth;
    bool has_more[DEEPEST + 1];
};

static void add_state(struct console *con, struct table *t, yyjson_val *group)
{
    struct agent_words state =
        agent_words_of(con, FIELD_TEXT(group, "status"), SLICE_EMPTY);

    if (yyjson_is_true(FIELD(group, "stalled")))
        table_addf(t, TERM_YELLOW, "%s", SAY(con, STALLED));
    else
        table_add(t, state.style, slice_cstr(state.text));
}

/* What there is none of is not said; what failed comes first, for in a narrow
 * terminal the end is cut. */
static void add_agents(struct console *con, struct table *t, yyjson_val *agents)
{
    uint64_t failed = FIELD_COUNT(agents, "failed");
    const struct {
        uint64_t count;
        const char *format;
    } parts[] = {
        {failed, SAY(con, GROUPS_FAILED)},
        {FIELD_COUNT(agents, "running"), SAY(con, GROUPS_RUNNING)},
        {FIELD_COUNT(agents, "queued"), SAY(con, GROUPS_QUEUED)},
    };
    struct bytes text = {0};

    bytes_format(&text, "%" PRIu64 "/%" PRIu64, FIELD_COUNT(agents, "done"),
                 FIELD_COUNT(agents, "total"));
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (parts[i].count > 0)
            bytes_format(&text, parts[i].format, parts[i].count);
    table_add(t, failed ? TERM_RED : TERM_PLAIN, bytes_slice(&text));
    bytes_finish(&text);
}

static void add_place(struct console *con, struct table *t, yyjson_val *group)
{
    yyjson_val *stage = FIELD(group, "stage");

    if (stage)
        table_addf(t, TERM_PLAIN, SAY(con, GROUPS_STAGE),
                   FIELD_COUNT(stage, "index") + 1,
                   FIELD_COUNT(stage, "total"));
    else if (FIELD(group, "maxIterations"))
        table_addf(t, TERM_PLAIN, SAY(con, GROUPS_ROUND),
                   FIELD_COUNT(group, "iteration"),
                   FIELD_COUNT(group, "maxIterations"));
    else
        table_add(t, TERM_PLAIN, SLICE_EMPTY);
}

/* Lines of the branches it hangs on, then its own. */
static void add_row(struct console *con, struct table *t, yyjson_val *group,
                    const struct branch *b)
{
    struct slice id = FIELD_TEXT(group, "groupId");
    struct bytes text = {0};

    for (unsigned i = 1; i < b->depth; i++)
        bytes_format(&text, "%s", b->has_more[i] ? "│ " : "  ");
    if (b->depth > 0)
        bytes_format(&text, "%s", b->has_more[b->depth] ? "├ " : "└ ");
    bytes_append(&text, id.ptr, id.len);
    table_add(t, TERM_PLAIN, bytes_slice(&text));
    bytes_finish(&text);
    add_state(con, t, group);
    add_agents(con, t, FIELD(group, "agents"));
    add_place(con, t, group);
    table_add(t, TERM_PLAIN, FIELD_TEXT(group, "description"));
    table_add(t, TERM_DIM, FIELD_TEXT(group, "mode"));
}

static bool is_listed(yyjson_val *groups, struct slice id)
{
    size_t i, count;
    yyjson_val *group;

    yyjson_arr_foreach(groups, i, count, group)
    {
        if (slice_eq(FIELD_TEXT(group, "groupId"), id))
            return true;
    }
    return false;
}

/* One whose parent is not listed stands at the top. */
static bool is_child(yyjson_val *groups, yyjson_val *group, struct slice parent)
{
    struct slice above = FIELD_TEXT(group, "parentGroupId");

    return slice_eq(above, parent) ||
           (parent.len == 0 && !is_listed(groups, above));
}

/* Those whose parent it is, each with its own below it. */
static void add_family(struct console *con, struct table *t, yyjson_val *groups,
                       struct slice parent, struct branch *b)
{
    size_t i, count, left = 0;
    yyjson_val *group;

    yyjson_arr_foreach(groups, i, count, group)
    {
        left += is_child(groups, group, parent);
    }
    yyjson_arr_foreach(groups, i, count, group)
    {
        if (!is_child(groups, group, parent))
            continue;
        b->has_more[b->depth] = --left > 0;
        add_row(con, t, group, b);
        if (b->depth == DEEPEST)
            continue;
        b->depth++;
        add_family(con, t, groups, FIELD_TEXT(group, "groupId"), b);
        b->depth--;
    }
}

static void show(struct console *con, yyjson_val *root)
{
    yyjson_val *groups = FIELD(root, "groups");
    const struct table_column columns[] = {
        {.head = "ID", .is_id = true},
        {.head = SAY(con, COLUMN_STATUS)},
        {.head = SAY(con, COLUMN_DONE), .min = 14},
        {.head = SAY(con, COLUMN_AT)},
        {.head = SAY(con, COLUMN_DESCRIPTION), .min = 8, .is_spare = true},
        {.head = SAY(con, COLUMN_MODE), .is_spare = true},
    };
    uint64_t total = FIELD_COUNT(root, "total");
    struct branch top = {.depth = 0};
    struct table t;

    if (yyjson_arr_size(groups) == 0) {
        term_put(&con->out, TERM_DIM, SAY(con, GROUPS_NONE));
        return;
    }
    table_init(&t, columns, 6);
    add_family(con, &t, groups, SLICE_EMPTY, &top);
    table_print(&t, &con->out);
    table_finish(&t);
    if (total > yyjson_arr_size(groups))
        term_format(&con->out, TERM_DIM, SAY(con, GROUPS_MORE),
                    yyjson_arr_size(groups), humanize_number(total).text);
}

static int run(struct console *con, int argc, char **argv)
{
    const char *limit_text = NULL;
    bool is_json = false;
    const struct option options[] = {{"--limit", 'n', NULL, &limit_text},
                                     {"--json", 0, &is_json, NULL},
                                     {NULL}};
    struct bytes args = {0};
    uint64_t limit;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, "") ||
        options_number(con, argv[0], "--limit", limit_text, 1, 1000, &limit))
        return CONSOLE_USAGE;
    JSON_RAW(&args, "{");
    if (limit_text)
        JSON_UINT(&args, "limit", limit);
    JSON_RAW(&args, "}");
    int code =
        records_show(con, "list_groups", bytes_slice(&args), is_json, show);
    bytes_finish(&args);
    return code;
}

const struct command command_groups = {
    .name = "groups",
    .words = "[--limit N] [--json]",
    .what = BOTH(GROUPS_COMMAND),
    .more = BOTH(GROUPS_MANUAL),
    .needs_home = true,
    .run = run,
};
