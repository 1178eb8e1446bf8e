/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "actors/field.h"
#include "transport/build.h"
#include "transport/command/ask.h"
#include "transport/command/command.h"
#include "transport/command/options.h"
#include "transport/command/spell.h"

static void show_hub(struct desk *d, yyjson_val *root)
{
    struct slice build = FIELD_TEXT(root, "build");
    struct term *out = &d->out;

    desk_label(d, 12, SAY(d, "ハブ", "hub"));
    term_put(out, TERM_GREEN, SAY(d, "動作中", "running"));
    term_format(out, TERM_PLAIN, "  pid %" PRIu64 "  ",
                FIELD_COUNT(root, "pid"));
    term_line(out, TERM_PLAIN, build);
    term_format(out, TERM_PLAIN, "  %s %s\n", SAY(d, "稼働", "up"),
                spell_duration(FIELD_COUNT(root, "uptime_ms")).text);
    if (slice_eq(build, slice_cstr(build_name())))
        return;
    desk_label(d, 12, "");
    term_format(out, TERM_YELLOW, "%s %s\n",
                SAY(d, "このプログラムとは別のビルドです:",
                    "another build than this program:"),
                build_name());
}

static void show_agents(struct desk *d, yyjson_val *root)
{
    yyjson_val *agents = FIELD(root, "agents"), *groups = FIELD(root, "groups");

    desk_label(d, 12, SAY(d, "Agent", "agents"));
    term_format(&d->out, TERM_PLAIN,
                SAY(d,
                    "実行中 %" PRIu64 "  待機中 %" PRIu64
                    "  終了処理中 %" PRIu64 "  合計 %" PRIu64 "\n",
                    "%" PRIu64 " running  %" PRIu64 " queued  %" PRIu64
                    " leaving  %" PRIu64 " in all\n"),
                FIELD_COUNT(agents, "running"), FIELD_COUNT(agents, "queued"),
                FIELD_COUNT(agents, "leaving"), FIELD_COUNT(agents, "total"));
    desk_label(d, 12, SAY(d, "グループ", "groups"));
    term_format(&d->out, TERM_PLAIN,
                SAY(d, "有効 %" PRIu64 "  合計 %" PRIu64 "\n",
                    "%" PRIu64 " active  %" PRIu64 " in all\n"),
                FIELD_COUNT(groups, "active"), FIELD_COUNT(groups, "total"));
}

static void show_places(struct desk *d, yyjson_val *places)
{
    desk_label(d, 12, SAY(d, "実行枠", "places"));
    term_format(&d->out, TERM_PLAIN,
                SAY(d,
                    "%" PRIu64 "/%" PRIu64 " 使用  %" PRIu64
                    " 待ち  Orchestrator %" PRIu64 "/%" PRIu64 "\n",
                    "%" PRIu64 "/%" PRIu64 " taken  %" PRIu64
                    " waiting  orchestrators %" PRIu64 "/%" PRIu64 "\n"),
                FIELD_COUNT(places, "held"), FIELD_COUNT(places, "max"),
                FIELD_COUNT(places, "waiting"),
                FIELD_COUNT(places, "orchestrators"),
                FIELD_COUNT(places, "maxOrchestrators"));
}

static void show_path(struct desk *d, const char *name, struct slice path)
{
    desk_label(d, 12, name);
    if (path.len > 0)
        term_line(&d->out, TERM_PLAIN, path);
    else
        term_put(&d->out, TERM_DIM,
                 SAY(d, "なし（既定値）", "none (defaults)"));
    fputc('\n', d->out.out);
}

static int run(struct desk *d, int argc, char **argv)
{
    bool is_json = false;
    const struct option options[] = {{"--json", 0, &is_json, NULL}, {NULL}};
    yyjson_doc *doc;

    argc = options_take(d, options, argc, argv);
    if (options_want(d, argc, argv, 0, 0, ""))
        return DESK_USAGE;
    int code = ask_hub(d, "hub_status", SLICE("{}"), &doc);
    if (code)
        return code;
    yyjson_val *root = yyjson_doc_get_root(doc);
    if (is_json) {
        desk_print_json(d, doc);
    } else {
        show_hub(d, root);
        show_agents(d, root);
        show_places(d, FIELD(root, "places"));
        show_path(d, SAY(d, "状態", "state"), FIELD_TEXT(root, "stateDir"));
        show_path(d, SAY(d, "設定", "config"), FIELD_TEXT(root, "config"));
    }
    yyjson_doc_free(doc);
    return DESK_FINE;
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
