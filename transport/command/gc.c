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
             yyjson_get_bool(FIELD(root, "dryRun"))
                 ? SAY(con, "消えるもの:\n", "would go:\n")
                 : SAY(con, "消えたもの:\n", "gone:\n"));
    show_count(con, SAY(con, "Agent", "agents"), FIELD_COUNT(root, "agents"));
    show_count(con, SAY(con, "グループ", "groups"),
               FIELD_COUNT(root, "groups"));
    show_count(con, SAY(con, "イベント", "events"),
               FIELD_COUNT(root, "events"));
    show_count(con, SAY(con, "覚えていた答え", "remembered answers"),
               FIELD_COUNT(root, "calls"));
    show_count(con, SAY(con, "消す記録ファイル", "transcripts to drop"),
               FIELD_COUNT(root, "transcriptsToDrop"));
    show_count(con, SAY(con, "圧縮する記録ファイル", "transcripts to compress"),
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
    .ja = "古い履歴と記録ファイルを片付ける",
    .en = "removes what is old enough of the history",
    .more_ja = "  -n, --dry-run   何が消えるかを言うだけ\n"
               "      --json      gc の答えをそのまま JSON で\n"
               "ハブも一時間ごとに同じことをする。期限は設定の history.*。\n"
               "ディレクトリの削除と圧縮はこのあとハブが少しずつ行う。",
    .more_en = "  -n, --dry-run   only says what would go\n"
               "      --json      the answer of gc as it is\n"
               "The hub does the same every hour; history.* of the settings "
               "says what is old.\n"
               "It removes directories and compresses transcripts after that, "
               "bit by bit.",
    .needs_home = true,
    .run = run,
};
