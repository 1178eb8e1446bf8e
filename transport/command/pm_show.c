/* SPDX-License-Identifier: MIT */
/*
 * All that is known of a task, a project or a profile. People choose ids, so an
 * id does not say of what it is: the three are asked for in this order.
 */
#include <inttypes.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/humanize.h"
#include "transport/command/options.h"
#include "transport/command/pm.h"
#include "transport/command/records.h"

#define LABEL 14

static void text(struct console *con, const char *name, struct slice value)
{
    console_field(con, LABEL, name, value);
}

static void block(struct console *con, const char *name, struct slice value)
{
    console_block(con, "  ", name, value);
}

static void list(struct console *con, const char *name, yyjson_val *words)
{
    struct bytes all = {0};
    yyjson_val *word;
    size_t i, count;

    yyjson_arr_foreach(words, i, count, word)
    {
        struct slice s = field_text(word);

        bytes_format(&all, "%s%.*s", i > 0 ? ", " : "", (int)s.len, s.ptr);
    }
    text(con, name, bytes_slice(&all));
    bytes_finish(&all);
}

static void when(struct console *con, const char *name, struct slice iso)
{
    if (iso.len > 0)
        text(con, name, slice_cstr(humanize_time(iso).text));
}

static void head(struct console *con, yyjson_val *what, struct slice title)
{
    struct slice status = FIELD_TEXT(what, "status");

    term_line(&con->out, TERM_BOLD, FIELD_TEXT(what, "id"));
    fputs("  ", con->out.out);
    term_line(&con->out, pm_style(status), status);
    fputs("  ", con->out.out);
    term_line(&con->out, TERM_PLAIN, title);
    fputc('\n', con->out.out);
}

/* ---- a task -------------------------------------------------------------- */

static void show_notes(struct console *con, yyjson_val *notes)
{
    yyjson_val *note;
    size_t i, count;

    yyjson_arr_foreach(notes, i, count, note)
    {
        struct slice who = FIELD_TEXT(note, "agent_id");

        term_format(&con->out, TERM_BOLD, SAY(con, PM_CONTEXT_OF),
                    humanize_time(FIELD_TEXT(note, "created_at")).text,
                    (int)who.len, who.ptr);
        block(con, SAY(con, PM_PROGRESS), FIELD_TEXT(note, "progress"));
        block(con, SAY(con, PM_FINDINGS), FIELD_TEXT(note, "findings"));
        block(con, SAY(con, PM_BLOCKERS), FIELD_TEXT(note, "blockers"));
        block(con, SAY(con, PM_NEXT_STEPS), FIELD_TEXT(note, "next_steps"));
    }
}

static void show_handoffs(struct console *con, yyjson_val *handoffs)
{
    yyjson_val *one;
    size_t i, count;

    yyjson_arr_foreach(handoffs, i, count, one)
    {
        struct slice from = FIELD_TEXT(one, "from_agent_id");
        struct slice to = FIELD_TEXT(one, "to_agent_id");
        struct slice by = FIELD_TEXT(one, "accepted_by");

        if (to.len == 0)
            to = slice_cstr(SAY(con, PM_ANYBODY));
        term_format(&con->out, TERM_BOLD, SAY(con, PM_HANDOFF_OF),
                    humanize_time(FIELD_TEXT(one, "created_at")).text,
                    (int)from.len, from.ptr, (int)to.len, to.ptr);
        block(con, SAY(con, SHOW_SUMMARY), FIELD_TEXT(one, "summary"));
        block(con, SAY(con, PM_CONTEXT), FIELD_TEXT(one, "context"));
        block(con, SAY(con, PM_RECOMMENDATIONS),
              FIELD_TEXT(one, "recommendations"));
        block(con, SAY(con, PM_TAKEN_BY),
              by.len > 0 ? by : slice_cstr(SAY(con, PM_NOT_TAKEN)));
    }
}

static void show_task(struct console *con, yyjson_val *root)
{
    yyjson_val *task = FIELD(root, "task");

    head(con, task, FIELD_TEXT(task, "title"));
    text(con, SAY(con, PM_PROJECT), FIELD_TEXT(task, "project_id"));
    text(con, SAY(con, PM_ASSIGNEE), FIELD_TEXT(task, "assignee_id"));
    text(con, SAY(con, PM_PRIORITY), FIELD_TEXT(task, "priority"));
    list(con, SAY(con, PM_NEEDS), FIELD(task, "dependencies"));
    text(con, SAY(con, PM_PARENT), FIELD_TEXT(task, "parent_task_id"));
    text(con, SAY(con, PM_BLOCKED), FIELD_TEXT(task, "blocked_reason"));
    when(con, SAY(con, REPLAY_AGENT_CREATED), FIELD_TEXT(task, "created_at"));
    when(con, SAY(con, PM_COMPLETED), FIELD_TEXT(task, "completed_at"));
    text(con, SAY(con, SHOW_RESULT), FIELD_TEXT(task, "completion_result"));
    block(con, SAY(con, PM_DESCRIPTION), FIELD_TEXT(task, "description"));
    block(con, SAY(con, SHOW_SUMMARY), FIELD_TEXT(task, "completion_summary"));
    show_notes(con, FIELD(root, "contexts"));
    show_handoffs(con, FIELD(root, "handoffs"));
}

/* ---- a project, a profile ------------------------------------------------ */

static void show_project(struct console *con, yyjson_val *root)
{
    yyjson_val *project = FIELD(root, "project"), *sum = FIELD(root, "summary");

    head(con, project, FIELD_TEXT(project, "name"));
    text(con, SAY(con, SHOW_DIRECTORY),
         FIELD_TEXT(project, "working_directory"));
    list(con, SAY(con, LABEL_AGENTS), FIELD(root, "agents"));
    console_label(con, LABEL, SAY(con, PM_TASKS));
    term_format(&con->out, TERM_PLAIN, SAY(con, PM_TASK_COUNTS),
                FIELD_COUNT(sum, "completed_tasks"),
                FIELD_COUNT(sum, "total_tasks"),
                FIELD_COUNT(sum, "in_progress_tasks"),
                FIELD_COUNT(sum, "blocked_tasks"));
    when(con, SAY(con, REPLAY_AGENT_CREATED),
         FIELD_TEXT(project, "created_at"));
    block(con, SAY(con, PM_DESCRIPTION), FIELD_TEXT(project, "description"));
    if (yyjson_arr_size(FIELD(root, "tasks")) > 0)
        pm_tasks_show(con, root);
}

static void show_agent(struct console *con, yyjson_val *root)
{
    yyjson_val *agent = FIELD(root, "agent");

    head(con, agent, FIELD_TEXT(agent, "name"));
    text(con, SAY(con, PM_ROLE), FIELD_TEXT(agent, "role"));
    text(con, SAY(con, PM_TYPE), FIELD_TEXT(agent, "type"));
    text(con, "AI", FIELD_TEXT(agent, "ai_type"));
    text(con, SAY(con, SHOW_MODEL), FIELD_TEXT(agent, "model"));
    text(con, SAY(con, PM_RUNS_AS), FIELD_TEXT(agent, "runs_as"));
    text(con, SAY(con, PM_WORK), FIELD_TEXT(agent, "role_type"));
    text(con, SAY(con, PM_PARENT), FIELD_TEXT(agent, "parent_agent_id"));
    list(con, SAY(con, PM_CAN), FIELD(agent, "capabilities"));
    when(con, SAY(con, REPLAY_AGENT_CREATED), FIELD_TEXT(agent, "created_at"));
    if (yyjson_arr_size(FIELD(root, "tasks")) > 0)
        pm_tasks_show(con, root);
}

/* ---- asking -------------------------------------------------------------- */

static const struct subject {
    const char *order, *argument; /* what asks for it */
    const char *member;           /* what it is called in what is shown */
    const char *more, *by;        /* what is asked beside it, of what */
    ask_show_fn *show;
} subjects[] = {
    {"get_task", "task_id", "task", "get_task_context", "task_id", show_task},
    {"get_project", "project_id", NULL, "list_tasks", "project_id",
     show_project},
    {"get_agent_profile", "agent_id", "agent", "list_tasks", "assignee_id",
     show_agent},
};

enum { SUBJECTS = sizeof(subjects) / sizeof(*subjects) };

/* Its members, into one that is shown; that no hub has said it, once. */
static void merge(yyjson_mut_doc *doc, yyjson_mut_val *all, yyjson_doc *part)
{
    yyjson_val *key, *val;
    size_t i, max;

    yyjson_obj_foreach(yyjson_doc_get_root(part), i, max, key, val)
    {
        const char *name = yyjson_get_str(key);

        yyjson_mut_obj_remove_key(all, name);
        yyjson_mut_obj_add_val(doc, all, name, yyjson_val_mut_copy(doc, val));
    }
}

static yyjson_doc *join(const struct subject *s, yyjson_doc *of,
                        yyjson_doc *more)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *all = yyjson_mut_obj(doc);
    yyjson_doc *joined;

    yyjson_mut_doc_set_root(doc, all);
    merge(doc, s->member ? yyjson_mut_obj_add_obj(doc, all, s->member) : all,
          of);
    yyjson_mut_obj_remove_key(yyjson_mut_obj_get(all, s->member), "hub");
    merge(doc, all, more);
    joined = yyjson_mut_doc_imut_copy(doc, NULL);
    yyjson_mut_doc_free(doc);
    return joined;
}

static int ask_more(struct records *r, const struct subject *s, const char *id,
                    yyjson_doc **more)
{
    struct bytes args = {0};

    JSON_RAW(&args, "{");
    json_key(&args, slice_cstr(s->by));
    json_string(&args, slice_cstr(id));
    if (s == &subjects[0])
        JSON_BOOL(&args, "include_history", true);
    JSON_RAW(&args, "}");
    int code = records_ask(r, s->more, bytes_slice(&args), more);
    bytes_finish(&args);
    return code;
}

/* *doc stays NULL if there is none of that id. */
static int find(struct records *r, const char *id, const struct subject **s,
                yyjson_doc **doc)
{
    yyjson_doc *of = NULL, *more = NULL;
    int code = CONSOLE_FINE;

    for (int i = 0; i < SUBJECTS && !code && !of; i++) {
        struct bytes args = {0};

        *s = &subjects[i];
        ask_argument(&args, (*s)->argument, id);
        code = records_try(r, (*s)->order, bytes_slice(&args), &of);
        bytes_finish(&args);
    }
    if (of && !(code = ask_more(r, *s, id, &more)))
        *doc = join(*s, of, more);
    yyjson_doc_free(of);
    yyjson_doc_free(more);
    return code;
}

int pm_show(struct console *con, int argc, char **argv)
{
    bool is_json = false;
    const struct option options[] = {{"--json", 0, &is_json, NULL}, {NULL}};
    const struct subject *s = NULL;
    yyjson_doc *doc = NULL;
    struct records r;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 1, 1, SAY(con, OPERAND_PM_ANY)))
        return CONSOLE_USAGE;
    int code = records_open(&r, con);
    if (!code)
        code = find(&r, argv[1], &s, &doc);
    records_close(&r);
    if (!code && !doc) {
        COMPLAIN(con, PM_NOTHING_OF_ID, argv[1]);
        code = CONSOLE_FAILED;
    }
    if (doc && is_json)
        console_print_json(con, doc);
    else if (doc)
        s->show(con, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return code;
}
