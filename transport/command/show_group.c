/* SPDX-License-Identifier: MIT */
#include "transport/command/show_group.h"

#include <inttypes.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/agents.h"
#include "transport/command/humanize.h"
#include "transport/command/records.h"

#define WIDTH 14

static void line(struct console *con, const char *name, struct slice text)
{
    if (text.len == 0)
        return;
    console_label(con, WIDTH, name);
    term_line(&con->out, TERM_PLAIN, text);
    fputc('\n', con->out.out);
}

static void title(struct console *con, const char *name)
{
    term_format(&con->out, TERM_BOLD, "\n%s\n", name);
}

static void show_head(struct console *con, yyjson_val *root)
{
    yyjson_val *group = yyjson_arr_get(FIELD(root, "groups"), 0), *child;
    struct slice deleted = FIELD_TEXT(group, "deletedAt");
    size_t i, count;

    term_line(&con->out, TERM_BOLD, FIELD_TEXT(group, "groupId"));
    fputs("  ", con->out.out);
    term_line(&con->out, TERM_PLAIN, FIELD_TEXT(group, "mode"));
    fputc('\n', con->out.out);
    line(con, SAY(con, SHOW_DESCRIPTION), FIELD_TEXT(group, "description"));
    line(con, SAY(con, SHOW_PARENT), FIELD_TEXT(group, "parentGroupId"));
    yyjson_arr_foreach(FIELD(root, "childGroupIds"), i, count, child)
    {
        line(con, i == 0 ? SAY(con, SHOW_BELOW) : "", field_text(child));
    }
    console_label(con, WIDTH, SAY(con, SHOW_CREATED));
    term_format(&con->out, TERM_PLAIN, "%s\n",
                humanize_time(FIELD_TEXT(group, "createdAt")).text);
    if (deleted.len == 0)
        return;
    console_label(con, WIDTH, SAY(con, SHOW_DELETED));
    term_format(&con->out, TERM_PLAIN, "%s\n", humanize_time(deleted).text);
}

/* ---- what was asked ------------------------------------------------------ */

static void show_tasks(struct console *con, yyjson_val *tasks)
{
    size_t i, count;
    yyjson_val *task;

    yyjson_arr_foreach(tasks, i, count, task)
    {
        fputs("    ", con->out.out);
        term_line(&con->out, TERM_CYAN, FIELD_TEXT(task, "role"));
        fputs("  ", con->out.out);
        term_line(&con->out, TERM_PLAIN, FIELD_TEXT(task, "prompt"));
        fputc('\n', con->out.out);
    }
}

static void show_stages(struct console *con, yyjson_val *stages)
{
    size_t i, count;
    yyjson_val *stage;

    yyjson_arr_foreach(stages, i, count, stage)
    {
        term_format(&con->out, TERM_DIM, SAY(con, SHOW_STAGE_NUMBER), i + 1);
        show_tasks(con, FIELD(stage, "tasks"));
    }
}

static void show_plan(struct console *con, yyjson_val *orders)
{
    size_t i, count;
    yyjson_val *order;

    if (yyjson_arr_size(orders) > 0)
        title(con, SAY(con, SHOW_PLAN));
    yyjson_arr_foreach(orders, i, count, order)
    {
        yyjson_val *args = FIELD(order, "args");
        term_format(&con->out, TERM_DIM, "  %s  ",
                    humanize_time(FIELD_TEXT(order, "createdAt")).text);
        term_line(&con->out, TERM_PLAIN, FIELD_TEXT(order, "kind"));
        fputc('\n', con->out.out);
        line(con, SAY(con, SHOW_STAGE_TASK), FIELD_TEXT(args, "task"));
        line(con, SAY(con, SHOW_STAGE_UNTIL),
             FIELD_TEXT(args, "completionCriteria"));
        show_stages(con, FIELD(args, "stages"));
        show_tasks(con, FIELD(args, "agents"));
    }
}

/* ---- the ledger ---------------------------------------------------------- */

static void show_list(struct console *con, const char *name, yyjson_val *list)
{
    size_t i, count;
    yyjson_val *item;

    yyjson_arr_foreach(list, i, count, item)
    {
        line(con, i == 0 ? name : "", field_text(item));
    }
}

static void show_ledger(struct console *con, yyjson_val *ledgers)
{
    yyjson_val *last = yyjson_arr_get_last(ledgers);
    yyjson_val *ledger = FIELD(last, "ledger");
    yyjson_val *task = FIELD(ledger, "taskLedger");
    yyjson_val *facts = FIELD(task, "facts");
    yyjson_val *progress = FIELD(ledger, "progressLedger");

    if (!last)
        return;
    title(con, SAY(con, SHOW_LEDGER));
    console_label(con, WIDTH, SAY(con, SHOW_LEDGER_ROUND));
    term_format(&con->out, TERM_PLAIN, "%" PRIu64 "\n",
                FIELD_COUNT(last, "iteration"));
    show_list(con, SAY(con, SHOW_LEDGER_GIVEN), FIELD(facts, "given"));
    show_list(con, SAY(con, SHOW_LEDGER_ASSUMED), FIELD(facts, "assumptions"));
    show_list(con, SAY(con, SHOW_LEDGER_PLAN), FIELD(task, "plan"));
    line(con, SAY(con, SHOW_LEDGER_NEXT),
         FIELD_TEXT(FIELD(progress, "nextAction"), "answer"));
    line(con, SAY(con, SHOW_LEDGER_INSTRUCTION),
         FIELD_TEXT(FIELD(progress, "instruction"), "answer"));
}

/* ---- all of it ----------------------------------------------------------- */

static int ask_about(struct records *r, const char *name, const char *id,
                     yyjson_doc **doc)
{
    struct bytes args = {0};

    ask_argument(&args, "groupId", id);
    int code = records_ask(r, name, bytes_slice(&args), doc);
    bytes_finish(&args);
    return code;
}

static void show_all(struct console *con, yyjson_val *record, yyjson_val *list)
{
    show_head(con, record);
    show_plan(con, FIELD(record, "orders"));
    show_ledger(con, FIELD(record, "ledgers"));
    title(con, SAY(con, SHOW_MEMBERS));
    agents_show(con, list);
}

int show_group(struct console *con, const char *id, bool is_json)
{
    struct records r;
    yyjson_doc *record = NULL, *members = NULL;
    int code = records_open(&r, con);

    if (!code)
        code = ask_about(&r, "record", id, &record);
    /* A hub may have forgotten a group that was deleted long ago. */
    if (!code && !is_json)
        code = ask_about(&r, "overview", id, &members);
    records_close(&r);
    if (!code && is_json)
        console_print_json(con, record);
    else if (!code)
        show_all(con, yyjson_doc_get_root(record),
                 yyjson_doc_get_root(members));
    yyjson_doc_free(record);
    yyjson_doc_free(members);
    return code;
}
