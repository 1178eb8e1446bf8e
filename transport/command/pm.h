/*
 * pm is a command of many: nouns (projects, agents, tasks ...) with verbs,
 * which ask the hub for projects and their tasks. Reading needs none.
 */
#ifndef TRANSPORT_COMMAND_PM_H
#define TRANSPORT_COMMAND_PM_H

#include "transport/command/console.h"
#include "transport/command/hub_question.h"

/* argv[0] is "pm", what follows are a verb's own words. The exit code. */
typedef int pm_verb_fn(struct console *con, int argc, char **argv);

pm_verb_fn pm_projects_list, pm_projects_add, pm_projects_set;
pm_verb_fn pm_agents_list, pm_agents_add, pm_agents_set, pm_agents_passkey;
pm_verb_fn pm_tasks_list, pm_tasks_add, pm_tasks_set, pm_tasks_move,
    pm_tasks_assign;
pm_verb_fn pm_show, pm_assign, pm_unassign, pm_handoffs, pm_import, pm_setup;

/* ---- what options say, pm_field.c --------------------------------------- */

enum pm_kind {
    PM_TEXT,     /* as it is */
    PM_OR_NONE,  /* the same; "" takes it away */
    PM_PATH,     /* the same, made absolute */
    PM_NUMBER,   /* from 1 on */
    PM_LIST,     /* words with commas between */
    PM_CONTENTS, /* of a file of that name; "" takes it away */
};

/* An option, and the member of the order's arguments that it becomes. */
struct pm_field {
    const char *option, *member; /* NULL ends a list */
    enum pm_kind kind;
    const char *const *words; /* what it may be; NULL: anything */
};

extern const char *const pm_task_states[];

/*
 * Takes these options, --json and, unless is_stdin is NULL, --stdin; appends
 * `{` and the members. Returns how many words are left with argv[0], or -1 and
 * told. args is to be closed with `}`.
 */
int pm_fields_take(struct console *con, const struct pm_field *fields, int argc,
                   char **argv, struct bytes *args, bool *is_json,
                   bool *is_stdin);

/* ---- a verb that is one order, pm.c ------------------------------------- */

struct pm_order {
    const char *name;
    const struct pm_field *fields;
    const char *members[2];   /* what its words become */
    int least, most;          /* how many words there are */
    const char *what;         /* what they are */
    const char *const *words; /* what the last may be; NULL: anything */
    bool is_question;         /* needs no hub */
    bool wants_field;         /* without one nothing would be changed */
    ask_show_fn *show;
};

int pm_order_run(struct console *con, int argc, char **argv,
                 const struct pm_order *o);

/* ---- what is shown ------------------------------------------------------ */

/* How a status looks, of tasks, projects and profiles. */
enum term_style pm_style(struct slice status);
/* Says a line of messages.h with one %.*s, of an id. */
#define PM_SAY(con, name, id)                                                  \
    term_format(&(con)->out, TERM_PLAIN, SAY(con, name), (int)(id).len,        \
                (id).ptr)
/* That of so many only some are in the answer. */
void pm_show_more(struct console *con, yyjson_val *root, size_t shown);
ask_show_fn pm_tasks_show;
/* The passkey of an answer, if it has one. */
void pm_show_passkey(struct console *con, struct slice agent,
                     struct slice passkey);

#endif
