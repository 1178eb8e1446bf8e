/* SPDX-License-Identifier: MIT */
/* A group's work as Markdown, ready for a pull request. */
#include <stdlib.h>
#include <string.h>

#include "runtime/text/array.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/agent_words.h"
#include "transport/command/command.h"
#include "transport/command/humanize.h"
#include "transport/command/ids.h"
#include "transport/command/options.h"
#include "transport/command/report_diff.h"
#include "transport/command/whole_file.h"

#define TEXT_MOST 4000 /* bytes of one prompt or summary */

struct reporting {
    struct console *console;
    struct records records;
    char **groups; /* found so far, in this order */
    size_t group_count;
    struct bytes head, rows, results; /* parts of the text */
    struct touched files;             /* of the first directory */
    char *directory;
    uint64_t agents, failed, open;
    uint64_t tokens, unpriced; /* all of them; without a price */
    double cost;
    bool has_cost;
};

/* ---- text ---------------------------------------------------------------- */

static void put(struct bytes *out, struct slice text)
{
    bytes_append(out, text.ptr, text.len);
}

/* Every line a quotation: what agents write cannot end the section. */
static void put_quoted(struct bytes *out, struct slice text)
{
    bool is_cut = text.len > TEXT_MOST;

    text = slice_trim(text);
    if (is_cut) {
        text.len = TEXT_MOST;
        while (text.len > 0 &&
               ((unsigned char)text.ptr[text.len] & 0xc0) == 0x80)
            text.len--;
    }
    bytes_append(out, "> ", 2);
    for (size_t i = 0; i < text.len; i++) {
        bytes_append(out, text.ptr + i, 1);
        if (text.ptr[i] == '\n')
            bytes_append(out, "> ", 2);
    }
    bytes_format(out, "%s\n\n", is_cut ? " …" : "");
}

/* In a cell of a table, on one line. */
static void put_cell(struct bytes *out, struct slice text)
{
    put(out, SLICE("| "));
    for (size_t i = 0; i < text.len && i < 200; i++) {
        if (text.ptr[i] == '|')
            bytes_append(out, "\\", 1);
        bytes_append(out, text.ptr[i] == '\n' ? " " : text.ptr + i, 1);
    }
    put(out, SLICE(" "));
}

/* ---- agents -------------------------------------------------------------- */

static void count_usage(struct reporting *r, yyjson_val *usage)
{
    yyjson_val *cost = FIELD(usage, "costUsd");
    uint64_t tokens = FIELD_COUNT(usage, "inputTokens") +
                      FIELD_COUNT(usage, "outputTokens") +
                      FIELD_COUNT(usage, "cacheReadTokens") +
                      FIELD_COUNT(usage, "cacheWriteTokens");

    r->tokens += tokens;
    if (cost) {
        r->cost += yyjson_get_num(cost);
        r->has_cost = true;
    } else {
        r->unpriced += tokens;
    }
}

static void put_row(struct reporting *r, yyjson_val *agent)
{
    yyjson_val *cost = FIELD(FIELD(agent, "usage"), "costUsd");
    struct agent_words state = agent_words_state(r->console, agent);

    put_cell(&r->rows, FIELD_TEXT(agent, "agentId"));
    put_cell(&r->rows, FIELD_TEXT(agent, "role"));
    put_cell(&r->rows, slice_cstr(state.text));
    put_cell(&r->rows,
             slice_cstr(humanize_duration(agent_words_took(agent)).text));
    if (cost)
        bytes_format(&r->rows, "| $%.4f |\n", yyjson_get_num(cost));
    else
        put(&r->rows, SLICE("| - |\n"));
}

static void put_result(struct reporting *r, yyjson_val *agent)
{
    yyjson_val *result = FIELD(agent, "result");
    struct slice error = FIELD_TEXT(result, "errorMessage");
    struct slice summary = FIELD_TEXT(result, "summary");
    bool is_reported =
        slice_eq(FIELD_TEXT(agent, "status"), SLICE("resultReported"));

    put(&r->results, SLICE("### "));
    put(&r->results, FIELD_TEXT(agent, "agentId"));
    put(&r->results, SLICE("\n\n"));
    put_quoted(&r->results, FIELD_TEXT(agent, "prompt"));
    if (error.len > 0) {
        bytes_format(&r->results, "%s\n\n", SAY(r->console, REPORT_ERROR));
        put_quoted(&r->results, error);
    }
    if (slice_eq(summary, error))
        return;
    if (!is_reported && error.len > 0)
        bytes_format(&r->results, "%s\n\n", SAY(r->console, REPORT_LAST_WORDS));
    put(&r->results, summary);
    put(&r->results, SLICE("\n\n"));
}

static void take_files(struct reporting *r, yyjson_val *agent)
{
    struct slice directory = FIELD_TEXT(agent, "workingDirectory");
    yyjson_val *result = FIELD(agent, "result");

    if (!r->directory)
        r->directory = bytes_text("%.*s", (int)directory.len, directory.ptr);
    touched_add(&r->files, FIELD(result, "editedFiles"),
                slice_cstr(r->directory));
    touched_add(&r->files, FIELD(result, "createdFiles"),
                slice_cstr(r->directory));
}

static void take_agent(struct reporting *r, yyjson_val *agent)
{
    struct slice outcome = FIELD_TEXT(FIELD(agent, "result"), "status");

    r->agents++;
    r->open += outcome.len == 0;
    r->failed += outcome.len > 0 && !slice_eq(outcome, SLICE("success"));
    count_usage(r, FIELD(agent, "usage"));
    put_row(r, agent);
    put_result(r, agent);
    take_files(r, agent);
}

/* ---- groups -------------------------------------------------------------- */

static void add_group(struct reporting *r, const char *id)
{
    ARRAY_GROW(r->groups, r->group_count);
    r->groups[r->group_count++] = bytes_text("%s", id);
}

/* Of the first its title and what was asked of it. */
static void take_group(struct reporting *r, yyjson_val *root)
{
    yyjson_val *group = yyjson_arr_get(FIELD(root, "groups"), 0), *item;
    size_t i, count;

    if (group && r->head.len == 0) {
        put(&r->head, SLICE("# "));
        put(&r->head, FIELD_TEXT(group, "description"));
        bytes_format(&r->head, "\n\n`%.*s` (%.*s), %s\n\n",
                     (int)FIELD_TEXT(group, "groupId").len,
                     FIELD_TEXT(group, "groupId").ptr,
                     (int)FIELD_TEXT(group, "mode").len,
                     FIELD_TEXT(group, "mode").ptr,
                     humanize_time(FIELD_TEXT(group, "createdAt")).text);
    }
    yyjson_arr_foreach(FIELD(root, "orders"), i, count, item)
    {
        struct slice task = FIELD_TEXT(FIELD(item, "args"), "task");
        if (task.len > 0)
            put_quoted(&r->head, task);
    }
    yyjson_arr_foreach(FIELD(root, "childGroupIds"), i, count, item)
    {
        add_group(r, yyjson_get_str(item));
    }
}

static int read_group(struct reporting *r, const char *id)
{
    uint64_t after = 0;

    do {
        struct bytes args = {0};
        yyjson_doc *doc;
        yyjson_val *agent;
        size_t i, count;

        JSON_RAW(&args, "{");
        JSON_TEXT(&args, "groupId", slice_cstr(id));
        JSON_UINT(&args, "after", after);
        JSON_RAW(&args, "}");
        int code = records_ask(&r->records, "record", bytes_slice(&args), &doc);
        bytes_finish(&args);
        if (code)
            return code;
        yyjson_val *root = yyjson_doc_get_root(doc);
        take_group(r, root);
        yyjson_arr_foreach(FIELD(root, "agents"), i, count, agent)
        {
            take_agent(r, agent);
        }
        after = FIELD_COUNT(root, "next");
        yyjson_doc_free(doc);
    } while (after > 0);
    return CONSOLE_FINE;
}

/* ---- the text ------------------------------------------------------------ */

static void put_outcomes(struct reporting *r, struct bytes *out)
{
    struct console *con = r->console;

    bytes_format(out, "## %s\n\n", SAY(con, REPORT_OUTCOMES));
    bytes_format(
        out, SAY_COUNT(con, r->agents, REPORT_COUNTS_ONE, REPORT_COUNTS),
        humanize_number(r->agents).text,
        humanize_number(r->agents - r->failed - r->open).text,
        humanize_number(r->failed).text, humanize_number(r->open).text);
    bytes_format(out, "| %s |\n|---|---|---|---|---|\n",
                 SAY(con, REPORT_TABLE));
    put(out, bytes_slice(&r->rows));
}

static void put_files(struct reporting *r, struct bytes *out)
{
    struct console *con = r->console;

    bytes_format(out, "## %s\n\n", SAY(con, REPORT_FILES));
    if (r->files.count == 0) {
        bytes_format(out, "%s\n", SAY(con, REPORT_NO_FILES));
        return;
    }
    for (size_t i = 0; i < r->files.count; i++)
        bytes_format(out, "- `%s`\n", r->files.names[i]);
    bytes_format(out, "\n## %s\n\n", SAY(con, REPORT_DIFF));
    report_diff(con, r->directory, &r->files, out);
}

static void put_cost(struct reporting *r, struct bytes *out)
{
    struct console *con = r->console;

    bytes_format(out, "\n## %s\n\n", SAY(con, REPORT_COST));
    if (r->has_cost)
        bytes_format(out, "$%.4f", r->cost);
    else
        bytes_format(out, "%s", SAY(con, REPORT_COST_NOT_KNOWN));
    bytes_format(out, SAY(con, REPORT_TOKENS), humanize_number(r->tokens).text);
    if (r->unpriced > 0)
        bytes_format(out, SAY(con, REPORT_TOKENS_UNPRICED),
                     humanize_number(r->unpriced).text);
    put(out, SLICE("\n"));
}

static void put_all(struct reporting *r, struct bytes *out)
{
    put(out, bytes_slice(&r->head));
    put_outcomes(r, out);
    bytes_format(out, "\n## %s\n\n", SAY(r->console, REPORT_SUMMARIES));
    put(out, bytes_slice(&r->results));
    put_files(r, out);
    put_cost(r, out);
}

/* A terminal obeys bytes; a file gets them as they are. */
static int write_out(struct console *con, const char *name, struct slice text)
{
    struct whole_file f;
    int code;

    if (!name && con->out.is_terminal)
        term_block(&con->out, TERM_PLAIN, text, "");
    else if (!name)
        fwrite(text.ptr, 1, text.len, con->out.out);
    if (!name)
        return CONSOLE_FINE;
    code = whole_file_open(&f, con, name);
    if (!code)
        fwrite(text.ptr, 1, text.len, f.out);
    return whole_file_close(&f, code);
}

static void finish(struct reporting *r)
{
    records_close(&r->records);
    for (size_t i = 0; i < r->group_count; i++)
        free(r->groups[i]);
    free(r->groups);
    free(r->directory);
    touched_finish(&r->files);
    bytes_finish(&r->head);
    bytes_finish(&r->rows);
    bytes_finish(&r->results);
}

static int run(struct console *con, int argc, char **argv)
{
    struct reporting r = {.console = con};
    struct bytes text = {0};
    const char *file = NULL;
    const struct option options[] = {{"--output", 'o', NULL, &file}, {NULL}};
    char *id = NULL;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 1, 1, SAY(con, OPERAND_GROUP)))
        return CONSOLE_USAGE;
    int code = records_open(&r.records, con);
    if (!code)
        code = ids_find(&r.records, argv[1], IDS_GROUP, 1, &id);
    if (!code)
        add_group(&r, id);
    for (size_t i = 0; !code && i < r.group_count; i++)
        code = read_group(&r, r.groups[i]);
    if (!code) {
        put_all(&r, &text);
        code = write_out(con, file, bytes_slice(&text));
    }
    bytes_finish(&text);
    free(id);
    finish(&r);
    return code;
}

const struct command command_report = {
    .name = "report",
    .words = "[-o FILE] GROUP",
    .what = BOTH(REPORT_COMMAND),
    .more = BOTH(REPORT_MANUAL),
    .needs_home = true,
    .run = run,
};
