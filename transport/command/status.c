/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "runtime/text/field.h"
#include "transport/command/command.h"
#include "transport/command/hub_question.h"
#include "transport/command/humanize.h"
#include "transport/wire/build.h"

#define LABEL_COLUMNS 16

static void show_hub(struct console *con, yyjson_val *root)
{
    struct slice build = FIELD_TEXT(root, "build");
    struct term *out = &con->out;

    console_label(con, LABEL_COLUMNS, SAY(con, SUBJECT_HUB));
    term_put(out, TERM_GREEN, SAY(con, STATUS_RUNNING));
    term_format(out, TERM_PLAIN, "  pid %" PRIu64 "  ",
                FIELD_COUNT(root, "pid"));
    term_line(out, TERM_PLAIN, build);
    term_format(out, TERM_PLAIN, "  %s %s\n", SAY(con, STATUS_UP),
                humanize_duration(FIELD_COUNT(root, "uptime_ms")).text);
    if (slice_eq(build, slice_cstr(build_id())))
        return;
    console_label(con, LABEL_COLUMNS, "");
    term_format(out, TERM_YELLOW, "%s %s\n", SAY(con, STATUS_ANOTHER_BUILD),
                build_id());
}

static void show_agents(struct console *con, yyjson_val *root)
{
    yyjson_val *agents = FIELD(root, "agents"), *groups = FIELD(root, "groups");

    console_label(con, LABEL_COLUMNS, SAY(con, LABEL_AGENTS));
    term_format(&con->out, TERM_PLAIN, SAY(con, STATUS_AGENTS),
                FIELD_COUNT(agents, "running"), FIELD_COUNT(agents, "queued"),
                FIELD_COUNT(agents, "leaving"), FIELD_COUNT(agents, "total"));
    console_label(con, LABEL_COLUMNS, SAY(con, LABEL_GROUPS));
    term_format(&con->out, TERM_PLAIN, SAY(con, STATUS_GROUPS),
                FIELD_COUNT(groups, "active"), FIELD_COUNT(groups, "total"));
}

static void show_places(struct console *con, yyjson_val *places)
{
    console_label(con, LABEL_COLUMNS, SAY(con, STATUS_PLACES));
    term_format(&con->out, TERM_PLAIN, SAY(con, STATUS_PLACES_TAKEN),
                FIELD_COUNT(places, "held"), FIELD_COUNT(places, "max"),
                FIELD_COUNT(places, "waiting"),
                FIELD_COUNT(places, "orchestrators"),
                FIELD_COUNT(places, "maxOrchestrators"));
}

static void show_path(struct console *con, const char *name, struct slice path)
{
    console_label(con, LABEL_COLUMNS, name);
    if (path.len > 0)
        term_line(&con->out, TERM_PLAIN, path);
    else
        term_put(&con->out, TERM_DIM, SAY(con, STATUS_NO_CONFIG));
    fputc('\n', con->out.out);
}

static void show_withheld(struct console *con, yyjson_val *keys,
                          struct slice file)
{
    size_t i, count;
    yyjson_val *key;

    if (yyjson_arr_size(keys) == 0)
        return;
    console_label(con, LABEL_COLUMNS, "");
    term_put(&con->out, TERM_YELLOW, SAY(con, STATUS_NOT_TRUSTED));
    yyjson_arr_foreach(keys, i, count, key)
    {
        if (i > 0)
            term_put(&con->out, TERM_PLAIN, ", ");
        term_line(&con->out, TERM_PLAIN, slice_cstr(yyjson_get_str(key)));
    }
    fputc('\n', con->out.out);
    console_label(con, LABEL_COLUMNS, "");
    term_put(&con->out, TERM_YELLOW, SAY(con, STATUS_TRUST));
    term_line(&con->out, TERM_YELLOW, file);
    term_put(&con->out, TERM_YELLOW, "'\n");
}

static void show_wrong(struct console *con, yyjson_val *error)
{
    if (!yyjson_is_obj(error))
        return;
    console_label(con, LABEL_COLUMNS, "");
    term_block(&con->out, TERM_RED, FIELD_TEXT(error, "message"), "");
    fputc('\n', con->out.out);
    console_label(con, LABEL_COLUMNS, "");
    term_put(&con->out, TERM_YELLOW, SAY(con, STATUS_CONFIG_OF_BEFORE));
}

static void show_at_restart(struct console *con, yyjson_val *keys)
{
    size_t i, count;
    yyjson_val *key;

    if (yyjson_arr_size(keys) == 0)
        return;
    console_label(con, LABEL_COLUMNS, "");
    term_put(&con->out, TERM_YELLOW, SAY(con, STATUS_AT_RESTART));
    yyjson_arr_foreach(keys, i, count, key)
    {
        if (i > 0)
            term_put(&con->out, TERM_PLAIN, ", ");
        term_line(&con->out, TERM_PLAIN, slice_cstr(yyjson_get_str(key)));
    }
    fputc('\n', con->out.out);
}

static void show(struct console *con, yyjson_val *root)
{
    show_hub(con, root);
    show_agents(con, root);
    show_places(con, FIELD(root, "places"));
    if (FIELD_TEXT(root, "url").len > 0)
        show_path(con, SAY(con, STATUS_DASHBOARD), FIELD_TEXT(root, "url"));
    show_path(con, SAY(con, SUBJECT_STATE), FIELD_TEXT(root, "stateDir"));
    if (FIELD(root, "database"))
        show_path(con, SAY(con, STATUS_DATABASE), FIELD_TEXT(root, "database"));
    /* Where the file would be is no place to look. */
    show_path(con, SAY(con, STATUS_CONFIG),
              yyjson_is_true(FIELD(root, "hasConfig"))
                  ? FIELD_TEXT(root, "config")
                  : SLICE_EMPTY);
    show_withheld(con, FIELD(root, "withheld"), FIELD_TEXT(root, "config"));
    show_wrong(con, FIELD(root, "configError"));
    show_at_restart(con, FIELD(root, "atRestart"));
}

static int run(struct console *con, int argc, char **argv)
{
    return ask_plainly(con, argc, argv, "hub_status", show);
}

const struct command command_status = {
    .name = "status",
    .words = "[--json]",
    .what = BOTH(STATUS_COMMAND),
    .more = BOTH(STATUS_MANUAL),
    .needs_home = true,
    .run = run,
};
