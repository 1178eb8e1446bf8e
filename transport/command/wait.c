/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "runtime/text/array.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "runtime/text/moment.h"
#include "transport/command/agent_words.h"
#include "transport/command/command.h"
#include "transport/command/humanize.h"
#include "transport/command/ids.h"
#include "transport/command/options.h"

/* A wait is cut into slices: a hub that has gone is noticed, and Ctrl-C. */
#define SLICE_MS 10000

struct waiting {
    struct records records;
    struct console *console;
    char **ids; /* agents and groups, whole */
    size_t count;
    int64_t end; /* monotonic, ms; -1: none */
    bool is_json;
    uint64_t failed, done;
};

/* ---- what has ended ------------------------------------------------------ */

static void count_end(struct waiting *w, yyjson_val *agent)
{
    w->done++;
    w->failed += !slice_eq(FIELD_TEXT(agent, "outcome"), SLICE("success"));
}

static void show_end(struct waiting *w, yyjson_val *agent)
{
    struct console *con = w->console;
    struct agent_words state = agent_words_state(con, agent);

    count_end(w, agent);
    if (w->is_json)
        return;
    term_line(&con->out, TERM_PLAIN, FIELD_TEXT(agent, "agentId"));
    term_format(&con->out, state.style, "  %s", state.text);
    term_format(&con->out, TERM_DIM, "  %s  ",
                humanize_duration(FIELD_COUNT(agent, "duration_ms")).text);
    term_line(&con->out, TERM_PLAIN, agent_words_end(agent));
    fputc('\n', con->out.out);
    fflush(con->out.out);
}

static void show_answer(struct waiting *w, yyjson_doc *doc)
{
    size_t i, count;
    yyjson_val *agent;

    yyjson_arr_foreach(FIELD(yyjson_doc_get_root(doc), "completed"), i, count,
                       agent)
    {
        show_end(w, agent);
    }
    if (w->is_json)
        console_print_json(w->console, doc);
}

/* ---- waiting ------------------------------------------------------------- */

static void put_arguments(struct bytes *args, const char *id, int64_t ms)
{
    JSON_RAW(args, "{");
    if (ids_is_group(id)) {
        JSON_TEXT(args, "groupId", slice_cstr(id));
    } else {
        JSON_RAW(args, "\"agentIds\":[");
        json_string(args, slice_cstr(id));
        JSON_RAW(args, "]");
    }
    JSON_UINT(args, "timeout_ms", (uint64_t)ms);
    JSON_RAW(args, "}");
}

static int64_t slice_of_wait(const struct waiting *w)
{
    int64_t left = w->end < 0 ? SLICE_MS : w->end - moment_monotonic();

    return left < 0 ? 0 : left < SLICE_MS ? left : SLICE_MS;
}

/* One look, or a slice of a wait. */
static int look(struct waiting *w, const char *id, bool *is_over)
{
    struct bytes args = {0};
    yyjson_doc *doc = NULL;

    put_arguments(&args, id, slice_of_wait(w));
    int code = records_ask(&w->records, "wait_agent", bytes_slice(&args), &doc);
    bytes_finish(&args);
    if (code)
        return code;
    *is_over = !yyjson_is_true(FIELD(yyjson_doc_get_root(doc), "timedOut"));
    if (*is_over)
        show_answer(w, doc);
    yyjson_doc_free(doc);
    return CONSOLE_FINE;
}

static int wait_for(struct waiting *w, const char *id)
{
    bool is_over = false;

    while (!is_over) {
        int code = look(w, id, &is_over);
        if (code)
            return code;
        if (is_over || w->end < 0 || moment_monotonic() < w->end)
            continue;
        COMPLAIN(w->console, WAIT_TIMED_OUT, id);
        return CONSOLE_FAILED;
    }
    return CONSOLE_FINE;
}

/* ---- without a hub ------------------------------------------------------- */

/* Nothing will end any more that has not: there is nobody to wait for. */
static int no_hub(struct waiting *w, struct slice id)
{
    COMPLAIN(w->console, WAIT_NO_HUB, (int)id.len, id.ptr);
    return CONSOLE_NO_HUB;
}

/* The end of one as wait_agent tells it, by what was recorded of it. */
static void put_end(struct bytes *out, yyjson_val *agent)
{
    yyjson_val *result = FIELD(agent, "result");

    if (!result)
        result = agent; /* of history, which has no more of it */
    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", FIELD_TEXT(agent, "agentId"));
    JSON_TEXT(out, "status", FIELD_TEXT(agent, "status"));
    JSON_TEXT(out, "outcome", FIELD_TEXT(agent, "outcome"));
    JSON_UINT(out, "duration_ms", FIELD_COUNT(result, "duration_ms"));
    JSON_TEXT(out, "summary", FIELD_TEXT(result, "summary"));
    if (FIELD(result, "errorMessage"))
        JSON_TEXT(out, "errorMessage", FIELD_TEXT(result, "errorMessage"));
    JSON_RAW(out, "}");
}

static int take_end(struct waiting *w, struct bytes *ends, yyjson_val *agent)
{
    if (FIELD(agent, "withoutHub"))
        return no_hub(w, FIELD_TEXT(agent, "agentId"));
    if (ends->len > 0)
        JSON_RAW(ends, ",");
    put_end(ends, agent);
    return CONSOLE_FINE;
}

static int look_at_agent(struct waiting *w, const char *id, struct bytes *ends)
{
    struct bytes args = {0};
    yyjson_doc *doc = NULL;

    ask_argument(&args, "agentId", id);
    int code =
        records_ask(&w->records, "get_agent_status", bytes_slice(&args), &doc);
    bytes_finish(&args);
    if (!code)
        code = take_end(w, ends, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return code;
}

/* A page of its agents, the newest first; *before is where the next begins. */
static int look_at_page(struct waiting *w, const char *id, struct bytes *ends,
                        uint64_t *before)
{
    struct bytes args = {0};
    yyjson_doc *doc = NULL;
    yyjson_val *agent;
    size_t i, count;

    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "groupId", slice_cstr(id));
    if (*before > 0)
        JSON_UINT(&args, "before", *before);
    JSON_RAW(&args, "}");
    int code = records_ask(&w->records, "history", bytes_slice(&args), &doc);
    bytes_finish(&args);
    yyjson_val *root = yyjson_doc_get_root(doc);
    yyjson_arr_foreach(FIELD(root, "agents"), i, count, agent)
    {
        if (!code)
            code = take_end(w, ends, agent);
    }
    *before = FIELD_COUNT(root, "next");
    yyjson_doc_free(doc);
    return code;
}

static int look_at_group(struct waiting *w, const char *id, struct bytes *ends)
{
    uint64_t before = 0;
    int code;

    do
        code = look_at_page(w, id, ends, &before);
    while (!code && before > 0);
    return code;
}

/* Done is done, whoever runs now. */
static int look_back(struct waiting *w, const char *id)
{
    struct bytes ends = {0}, answer = {0};
    int code = ids_is_group(id) ? look_at_group(w, id, &ends)
                                : look_at_agent(w, id, &ends);

    if (!code) {
        bytes_format(&answer,
                     "{\"completed\":[%.*s],\"pending\":[],"
                     "\"timedOut\":false,\"hub\":false}",
                     (int)ends.len, ends.len > 0 ? ends.ptr : "");
        yyjson_doc *doc = yyjson_read(answer.ptr, answer.len, 0);
        show_answer(w, doc);
        yyjson_doc_free(doc);
    }
    bytes_finish(&ends);
    bytes_finish(&answer);
    return code;
}

static int wait_all(struct waiting *w, int count, char **pieces)
{
    int code = records_open(&w->records, w->console);

    for (int i = 0; !code && i < count; i++) {
        char *id;
        code = ids_find(&w->records, pieces[i], IDS_EITHER, 1, &id);
        if (code)
            break;
        ARRAY_GROW(w->ids, w->count);
        w->ids[w->count++] = id;
    }
    for (size_t i = 0; !code && i < w->count; i++)
        code = w->records.reader > 0 ? look_back(w, w->ids[i])
                                     : wait_for(w, w->ids[i]);
    return code;
}

static int run(struct console *con, int argc, char **argv)
{
    struct waiting w = {.console = con, .end = -1};
    const char *timeout = NULL;
    const struct option options[] = {{"--timeout", 't', NULL, &timeout},
                                     {"--json", 0, &w.is_json, NULL},
                                     {NULL}};
    uint64_t seconds = 0;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 1, -1,
                     SAY(con, OPERAND_AGENT_OR_GROUP)) ||
        options_number(con, argv[0], "--timeout", timeout, 0, 100000000,
                       &seconds))
        return CONSOLE_USAGE;
    if (timeout)
        w.end = moment_monotonic() + (int64_t)seconds * 1000;
    int code = wait_all(&w, argc - 1, argv + 1);
    records_close(&w.records);
    for (size_t i = 0; i < w.count; i++)
        free(w.ids[i]);
    free(w.ids);
    return !code && w.failed > 0 ? CONSOLE_FAILED : code;
}

const struct command command_wait = {
    .name = "wait",
    .words = "[--timeout SECONDS] [--json] ID...",
    .what = BOTH(WAIT_COMMAND),
    .more = BOTH(WAIT_MANUAL),
    .needs_home = true,
    .run = run,
};
