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
    line(con, SAY(con, "説明", "description"),
         FIELD_TEXT(group, "description"));
    line(con, SAY(con, "親グループ", "parent"),
         FIELD_TEXT(group, "parentGroupId"));
    yyjson_arr_foreach(FIELD(root, "childGroupIds"), i, count, child)
    {
        line(con, i == 0 ? SAY(con, "子グループ", "below it") : "",
             field_text(child));
    }
    console_label(con, WIDTH, SAY(con, "作成", "created"));
    term_format(&con->out, TERM_PLAIN, "%s\n",
                humanize_time(FIELD_TEXT(group, "createdAt")).text);
    if (deleted.len == 0)
        return;
    console_label(con, WIDTH, SAY(con, "削除", "deleted"));
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
        term_format(&con->out, TERM_DIM,
                    SAY(con, "  段 %zu\n", "  stage %zu\n"), i + 1);
        show_tasks(con, FIELD(stage, "tasks"));
    }
}

static void show_plan(struct console *con, yyjson_val *orders)
{
    size_t i, count;
    yyjson_val *order;

    if (yyjson_arr_size(orders) > 0)
        title(con, SAY(con, "計画", "plan"));
    yyjson_arr_foreach(orders, i, count, order)
    {
        yyjson_val *args = FIELD(order, "args");
        term_format(&con->out, TERM_DIM, "  %s  ",
                    humanize_time(FIELD_TEXT(order, "createdAt")).text);
        term_line(&con->out, TERM_PLAIN, FIELD_TEXT(order, "kind"));
        fputc('\n', con->out.out);
        line(con, SAY(con, "    課題", "    task"), FIELD_TEXT(args, "task"));
        line(con, SAY(con, "    完了条件", "    until"),
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
    title(con, SAY(con, "台帳", "ledger"));
    console_label(con, WIDTH, SAY(con, "  周", "  round"));
    term_format(&con->out, TERM_PLAIN, "%" PRIu64 "\n",
                FIELD_COUNT(last, "iteration"));
    show_list(con, SAY(con, "  事実", "  given"), FIELD(facts, "given"));
    show_list(con, SAY(con, "  仮定", "  assumed"),
              FIELD(facts, "assumptions"));
    show_list(con, SAY(con, "  計画", "  plan"), FIELD(task, "plan"));
    line(con, SAY(con, "  次", "  next"),
         FIELD_TEXT(FIELD(progress, "nextAction"), "answer"));
    line(con, SAY(con, "  指示", "  instruction"),
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
    title(con, SAY(con, "メンバー", "members"));
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
