/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "actors/field.h"
#include "transport/command/ask.h"
#include "transport/command/command.h"
#include "transport/command/options.h"
#include "transport/command/spell.h"

static void show_text(struct desk *d, const char *name, struct slice text)
{
    if (text.len == 0)
        return;
    desk_label(d, 14, name);
    term_line(&d->out, TERM_PLAIN, text);
    fputc('\n', d->out.out);
}

static void show_block(struct desk *d, const char *name, struct slice text)
{
    if (text.len == 0)
        return;
    term_format(&d->out, TERM_DIM, "%s\n", name);
    fputs("  ", d->out.out);
    term_block(&d->out, TERM_PLAIN, text, "  ");
    fputc('\n', d->out.out);
}

static void show_list(struct desk *d, const char *name, yyjson_val *list)
{
    size_t i, count;
    yyjson_val *item;

    yyjson_arr_foreach(list, i, count, item)
    {
        show_text(d, i == 0 ? name : "", field_text(item));
    }
}

static void show_times(struct desk *d, yyjson_val *root)
{
    struct slice created = FIELD_TEXT(root, "createdAt");
    struct slice started = FIELD_TEXT(root, "startedAt");

    if (created.len > 0) {
        desk_label(d, 14, SAY(d, "登録", "created"));
        term_format(&d->out, TERM_PLAIN, "%s\n", spell_time(created).text);
    }
    desk_label(d, 14, SAY(d, "開始", "started"));
    term_format(&d->out, TERM_PLAIN, "%s  (%s)\n", spell_time(started).text,
                spell_duration(FIELD_COUNT(root, "elapsed_ms")).text);
}

static void show_stream(struct desk *d, yyjson_val *root)
{
    yyjson_val *usage = FIELD(root, "usage");
    struct slice tool = FIELD_TEXT(root, "tool");

    desk_label(d, 14, SAY(d, "ツール", "tools"));
    term_format(&d->out, TERM_PLAIN, "%" PRIu64,
                FIELD_COUNT(root, "toolCallCount"));
    if (tool.len > 0) {
        term_put(&d->out, TERM_DIM, SAY(d, "  今: ", "  now: "));
        term_line(&d->out, TERM_CYAN, tool);
    }
    fputc('\n', d->out.out);
    desk_label(d, 14, SAY(d, "トークン", "tokens"));
    term_format(&d->out, TERM_PLAIN,
                SAY(d, "入力 %s  出力 %s  キャッシュ読 %s  書 %s\n",
                    "%s in  %s out  %s cache read  %s cache written\n"),
                spell_count(FIELD_COUNT(usage, "inputTokens")).text,
                spell_count(FIELD_COUNT(usage, "outputTokens")).text,
                spell_count(FIELD_COUNT(usage, "cacheReadTokens")).text,
                spell_count(FIELD_COUNT(usage, "cacheWriteTokens")).text);
    desk_label(d, 14, SAY(d, "出力", "output"));
    term_format(&d->out, TERM_PLAIN,
                SAY(d, "メッセージ %s  %s 行  %s", "%s messages  %s lines  %s"),
                spell_count(FIELD_COUNT(root, "messages")).text,
                spell_count(FIELD_COUNT(root, "lines")).text,
                spell_bytes(FIELD_COUNT(root, "bytes")).text);
    uint64_t odd =
        FIELD_COUNT(root, "unknownLines") + FIELD_COUNT(root, "skippedLines");
    if (odd > 0)
        term_format(&d->out, TERM_YELLOW,
                    SAY(d, "  読めない行 %" PRIu64, "  %" PRIu64 " not read"),
                    odd);
    fputc('\n', d->out.out);
}

static void show_head(struct desk *d, yyjson_val *root)
{
    struct slice state = FIELD_TEXT(root, "status");

    term_line(&d->out, TERM_BOLD, FIELD_TEXT(root, "agentId"));
    fputs("  ", d->out.out);
    term_line(&d->out, spell_state(state), state);
    if (yyjson_is_true(FIELD(root, "stalled")))
        term_put(&d->out, TERM_YELLOW, SAY(d, "  停滞中", "  stalled"));
    fputc('\n', d->out.out);
    show_text(d, SAY(d, "グループ", "group"), FIELD_TEXT(root, "groupId"));
    show_text(d, SAY(d, "職種", "role"), FIELD_TEXT(root, "role"));
    show_text(d, SAY(d, "モデル", "model"), FIELD_TEXT(root, "model"));
    show_text(d, SAY(d, "CLI", "CLI"), FIELD_TEXT(root, "backend"));
    show_text(d, SAY(d, "CLI のモデル", "its model"),
              FIELD_TEXT(root, "cliModel"));
    if (FIELD(root, "stageIndex")) {
        desk_label(d, 14, SAY(d, "ステージ", "stage"));
        term_format(&d->out, TERM_PLAIN, "%" PRIu64 "\n",
                    FIELD_COUNT(root, "stageIndex") + 1);
    }
    if (FIELD_COUNT(root, "pid") > 0) {
        desk_label(d, 14, "pid");
        term_format(&d->out, TERM_PLAIN, "%" PRIu64 "\n",
                    FIELD_COUNT(root, "pid"));
    }
}

static void show_result(struct desk *d, yyjson_val *result)
{
    struct slice state = FIELD_TEXT(result, "status");

    if (!yyjson_is_obj(result))
        return;
    desk_label(d, 14, SAY(d, "結果", "result"));
    term_line(&d->out, spell_state(state), state);
    term_format(&d->out, TERM_PLAIN, "  (%s)\n",
                spell_duration(FIELD_COUNT(result, "duration_ms")).text);
    show_list(d, SAY(d, "編集", "edited"), FIELD(result, "editedFiles"));
    show_list(d, SAY(d, "作成", "made"), FIELD(result, "createdFiles"));
    show_block(d, SAY(d, "要約", "summary"), FIELD_TEXT(result, "summary"));
    show_block(d, SAY(d, "報告", "response"), FIELD_TEXT(result, "response"));
    show_block(d, SAY(d, "エラー", "error"),
               FIELD_TEXT(result, "errorMessage"));
}

static void show(struct desk *d, yyjson_val *root)
{
    show_head(d, root);
    show_times(d, root);
    show_stream(d, root);
    show_text(d, SAY(d, "作業場所", "directory"),
              FIELD_TEXT(root, "workingDirectory"));
    show_text(d, SAY(d, "記録", "files"), FIELD_TEXT(root, "dir"));
    show_text(d, SAY(d, "セッション", "session"),
              FIELD_TEXT(root, "sessionId"));
    show_block(d, SAY(d, "指示", "prompt"), FIELD_TEXT(root, "prompt"));
    show_result(d, FIELD(root, "result"));
}

static int run(struct desk *d, int argc, char **argv)
{
    bool is_json = false;
    const struct option options[] = {{"--json", 0, &is_json, NULL}, {NULL}};
    struct bytes args = {0};
    yyjson_doc *doc;

    argc = options_take(d, options, argc, argv);
    if (options_want(d, argc, argv, 1, 1, SAY(d, "Agent ID", "an agent's id")))
        return DESK_USAGE;
    ask_argument(&args, "agentId", argv[1]);
    int code = ask_hub(d, "show_agent", bytes_slice(&args), &doc);
    bytes_finish(&args);
    if (code)
        return code;
    if (is_json)
        desk_print_json(d, doc);
    else
        show(d, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return DESK_FINE;
}

const struct command command_show = {
    .name = "show",
    .words = "ID [--json]",
    .ja = "一つの Agent について全てを表示する",
    .en = "tells all about one agent",
    .more_ja = "状態、時間、トークン、指示、結果。出力の中身は "
               "`kuromajutsu logs ID`。\n知らない ID なら終了コード 1。",
    .more_en = "State, times, tokens, prompt, result. What it said and did: "
               "`kuromajutsu logs ID`.\nExit code 1 if there is none of that "
               "id.",
    .needs_home = true,
    .run = run,
};
