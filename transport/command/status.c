/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "runtime/text/field.h"
#include "transport/command/command.h"
#include "transport/command/hub_question.h"
#include "transport/command/humanize.h"
#include "transport/wire/build.h"

static void show_hub(struct console *con, yyjson_val *root)
{
    struct slice build = FIELD_TEXT(root, "build");
    struct term *out = &con->out;

    console_label(con, 12, SAY(con, "ハブ", "hub"));
    term_put(out, TERM_GREEN, SAY(con, "動作中", "running"));
    term_format(out, TERM_PLAIN, "  pid %" PRIu64 "  ",
                FIELD_COUNT(root, "pid"));
    term_line(out, TERM_PLAIN, build);
    term_format(out, TERM_PLAIN, "  %s %s\n", SAY(con, "稼働", "up"),
                humanize_duration(FIELD_COUNT(root, "uptime_ms")).text);
    if (slice_eq(build, slice_cstr(build_id())))
        return;
    console_label(con, 12, "");
    term_format(out, TERM_YELLOW, "%s %s\n",
                SAY(con, "このプログラムとは別のビルドです:",
                    "another build than this program:"),
                build_id());
}

static void show_agents(struct console *con, yyjson_val *root)
{
    yyjson_val *agents = FIELD(root, "agents"), *groups = FIELD(root, "groups");

    console_label(con, 12, SAY(con, "Agent", "agents"));
    term_format(&con->out, TERM_PLAIN,
                SAY(con,
                    "実行中 %" PRIu64 "  待機中 %" PRIu64
                    "  終了処理中 %" PRIu64 "  合計 %" PRIu64 "\n",
                    "%" PRIu64 " running  %" PRIu64 " queued  %" PRIu64
                    " leaving  %" PRIu64 " in all\n"),
                FIELD_COUNT(agents, "running"), FIELD_COUNT(agents, "queued"),
                FIELD_COUNT(agents, "leaving"), FIELD_COUNT(agents, "total"));
    console_label(con, 12, SAY(con, "グループ", "groups"));
    term_format(&con->out, TERM_PLAIN,
                SAY(con, "有効 %" PRIu64 "  合計 %" PRIu64 "\n",
                    "%" PRIu64 " active  %" PRIu64 " in all\n"),
                FIELD_COUNT(groups, "active"), FIELD_COUNT(groups, "total"));
}

static void show_places(struct console *con, yyjson_val *places)
{
    console_label(con, 12, SAY(con, "実行枠", "places"));
    term_format(&con->out, TERM_PLAIN,
                SAY(con,
                    "%" PRIu64 "/%" PRIu64 " 使用  %" PRIu64
                    " 待ち  Orchestrator %" PRIu64 "/%" PRIu64 "\n",
                    "%" PRIu64 "/%" PRIu64 " taken  %" PRIu64
                    " waiting  orchestrators %" PRIu64 "/%" PRIu64 "\n"),
                FIELD_COUNT(places, "held"), FIELD_COUNT(places, "max"),
                FIELD_COUNT(places, "waiting"),
                FIELD_COUNT(places, "orchestrators"),
                FIELD_COUNT(places, "maxOrchestrators"));
}

static void show_path(struct console *con, const char *name, struct slice path)
{
    console_label(con, 12, name);
    if (path.len > 0)
        term_line(&con->out, TERM_PLAIN, path);
    else
        term_put(&con->out, TERM_DIM,
                 SAY(con, "なし（既定値）", "none (defaults)"));
    fputc('\n', con->out.out);
}

static void show_withheld(struct console *con, yyjson_val *keys,
                          struct slice file)
{
    size_t i, count;
    yyjson_val *key;

    if (yyjson_arr_size(keys) == 0)
        return;
    console_label(con, 12, "");
    term_put(
        &con->out, TERM_YELLOW,
        SAY(con, "未信頼のため無効: ", "not trusted, so without effect: "));
    yyjson_arr_foreach(keys, i, count, key)
    {
        if (i > 0)
            term_put(&con->out, TERM_PLAIN, ", ");
        term_line(&con->out, TERM_PLAIN, slice_cstr(yyjson_get_str(key)));
    }
    fputc('\n', con->out.out);
    console_label(con, 12, "");
    term_put(&con->out, TERM_YELLOW,
             SAY(con, "内容を確かめてから: kuromajutsu trust '",
                 "look at it, then: kuromajutsu trust '"));
    term_line(&con->out, TERM_YELLOW, file);
    term_put(&con->out, TERM_YELLOW, "'\n");
}

static void show_wrong(struct console *con, yyjson_val *error)
{
    if (!yyjson_is_obj(error))
        return;
    console_label(con, 12, "");
    term_block(&con->out, TERM_RED, FIELD_TEXT(error, "message"), "");
    fputc('\n', con->out.out);
    console_label(con, 12, "");
    term_put(&con->out, TERM_YELLOW,
             SAY(con, "直すまでは、前に読み込んだ設定で動作します\n",
                 "until that is mended, what was read before holds\n"));
}

static void show_at_restart(struct console *con, yyjson_val *keys)
{
    size_t i, count;
    yyjson_val *key;

    if (yyjson_arr_size(keys) == 0)
        return;
    console_label(con, 12, "");
    term_put(&con->out, TERM_YELLOW,
             SAY(con, "再起動後に有効（kuromajutsu stop --keep-agents）: ",
                 "at restart (kuromajutsu stop --keep-agents): "));
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
        show_path(con, SAY(con, "画面", "dashboard"), FIELD_TEXT(root, "url"));
    show_path(con, SAY(con, "状態", "state"), FIELD_TEXT(root, "stateDir"));
    /* Where the file would be is no place to look. */
    show_path(con, SAY(con, "設定", "config"),
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
    .ja = "ハブの状態（Agent 数、実行枠、場所）を表示する",
    .en = "tells how the hub is: agents, places, where it lives",
    .more_ja = "ハブが動いていなければ終了コード 3。",
    .more_en = "Exit code 3 if no hub is running.",
    .needs_home = true,
    .run = run,
};
