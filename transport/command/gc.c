/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "runtime/text/field.h"
#include "transport/command/command.h"
#include "transport/command/hub_question.h"
#include "transport/command/options.h"

/* A history of years is swept slice by slice, between other work. */
#define PATIENCE_MS (30 * 60 * 1000)

static void show_count(struct console *con, const char *name, uint64_t n)
{
    console_label(con, 24, name);
    term_format(&con->out, TERM_PLAIN, "%" PRIu64 "\n", n);
}

static void show(struct console *con, yyjson_val *root)
{
    term_put(&con->out, TERM_BOLD,
             yyjson_get_bool(FIELD(root, "dryRun")) ? SAY(con, GC_WOULD_GO)
                                                    : SAY(con, GC_GONE));
    show_count(con, SAY(con, LABEL_AGENTS), FIELD_COUNT(root, "agents"));
    show_count(con, SAY(con, LABEL_GROUPS), FIELD_COUNT(root, "groups"));
    show_count(con, SAY(con, GC_EVENTS), FIELD_COUNT(root, "events"));
    show_count(con, SAY(con, GC_REMEMBERED_ANSWERS),
               FIELD_COUNT(root, "calls"));
    show_count(con, SAY(con, GC_TRANSCRIPTS_TO_DROP),
               FIELD_COUNT(root, "transcriptsToDrop"));
    show_count(con, SAY(con, GC_TRANSCRIPTS_TO_COMPRESS),
               FIELD_COUNT(root, "transcriptsToCompress"));
}

static int run(struct console *con, int argc, char **argv)
{
    bool is_dry = false, is_json = false;
    const struct option options[] = {{"--dry-run", 'n', &is_dry, NULL},
                                     {"--json", 0, &is_json, NULL},
                                     {NULL}};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    return ask_and_show_for(con, "gc",
                            is_dry ? SLICE("{\"dryRun\":true}") : SLICE("{}"),
                            PATIENCE_MS, is_json, show);
}

const struct command command_gc = {
    .name = "gc",
    .words = "[--dry-run] [--json]",
    .what = BOTH(GC_COMMAND),
    .more = BOTH(GC_MANUAL),
    .needs_home = true,
    .run = run,
};
