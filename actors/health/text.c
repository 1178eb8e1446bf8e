/* SPDX-License-Identifier: MIT */
#include "actors/health/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/text/field.h"
#include "runtime/text/utf8.h"

/* A CLI's last words, as far as they fit a table. */
#define SAID_MAX 512

static void say_programs(struct bytes *out, const struct backend *backend)
{
    for (const char *const *name = backend->programs; *name != NULL; name++)
        bytes_format(out, "%s%s", name != backend->programs ? ", " : "", *name);
}

static const char *product_of(const struct backend *backend, bool is_english)
{
    if (backend == &backend_cursor)
        return is_english ? "Cursor's CLI (https://cursor.com/cli)"
                          : "Cursor CLI (https://cursor.com/cli)";
    return backend == &backend_claude ? "Claude Code" : backend->name;
}

void health_text_missing(struct bytes *out, enum config_language language,
                         const struct backend *backend, const char *command)
{
    bool is_english = language == CONFIG_EN;
    const char *product = product_of(backend, is_english);

    if (*command != 0) {
        bytes_format(
            out,
            is_english ? "agent.command is '%s', and there is no such program: "
                         "correct it, or install %s and remove it"
                       : "agent.command のプログラム '%s' "
                         "が見つかりません。設定を直すか、%s "
                         "をインストールして agent.command を外してください",
            command, product);
        return;
    }
    bytes_format(out, is_english ? "no agent CLI is on PATH ("
                                 : "Agent の CLI が PATH に"
                                   "見つかりません (");
    say_programs(out, backend);
    bytes_format(out,
                 is_english
                     ? "): install %s, or set agent.command"
                     : ")。%s をインストールするか、設定の agent.command "
                       "にプログラムを指定してください",
                 product);
}

void health_text_stranger(struct bytes *out, enum config_language language,
                          const struct backend *backend, const char *program)
{
    bool is_english = language == CONFIG_EN;

    bytes_format(out,
                 is_english
                     ? "'%s' is another maker's program by what its --help "
                       "says: install %s, or set agent.command"
                     : "'%s' は --help の内容から別の製品と判断しました。%s "
                       "をインストールするか、設定の agent.command "
                       "にプログラムを指定してください",
                 program, product_of(backend, is_english));
}

void health_text_withheld(struct bytes *out, const struct config *c)
{
    bytes_format(out,
                 c->language == CONFIG_EN
                     ? "agent.command came with the project and is not trusted "
                       "yet: look at it, then: kuromajutsu trust '%s'"
                     : "agent.command "
                       "はプロジェクトに付属の設定で、まだ信頼されていません。"
                       "内容を確かめてから実行してください: "
                       "kuromajutsu trust '%s'",
                 c->file);
}

/* The end of what was said, from the beginning of a line. */
static bool say_tail(struct bytes *out, struct slice said)
{
    const char *line;

    said = slice_trim(said);
    if (said.len > SAID_MAX) {
        said = slice_of(said.ptr + said.len - SAID_MAX, SAID_MAX);
        line = memchr(said.ptr, '\n', said.len);
        if (line != NULL)
            said = slice_trim(
                slice_of(line, said.len - (size_t)(line - said.ptr)));
        while (said.len > 0 && ((unsigned char)*said.ptr & 0xc0) == 0x80)
            said = slice_of(said.ptr + 1, said.len - 1);
    }
    utf8_repair(said.ptr, said.len, out);
    return said.len > 0;
}

/* What a line of JSON says is wrong: a result, or an error. */
static bool say_json(struct bytes *out, struct slice line)
{
    static const struct slice keys[] = {
        SLICE_INIT("result"), SLICE_INIT("message"), SLICE_INIT("error"), {0}};
    yyjson_doc *doc = yyjson_read(line.ptr, line.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc), *data;
    struct slice said = field_first_text(root, keys);

    if (said.len == 0)
        said = FIELD_TEXT(FIELD(root, "error"), "message");
    data = FIELD(FIELD(root, "error"), "data");
    if (said.len == 0)
        said = FIELD_TEXT(data, "message");
    bool is_said = say_tail(out, said);
    yyjson_doc_free(doc);
    return is_said;
}

/* Where it prints lines of JSON, the last that says something has the reason;
 * else its last lines are it. */
static bool say_stdout(struct bytes *out, struct slice said)
{
    struct slice left = slice_trim(said);
    bool is_json = false;

    while (left.ptr != NULL && left.len > 0) {
        const char *end = memrchr(left.ptr, '\n', left.len);
        size_t at = end != NULL ? (size_t)(end - left.ptr) + 1 : 0;
        struct slice line = slice_of(left.ptr + at, left.len - at);

        if (line.ptr[0] == '{' && say_json(out, line))
            return true;
        is_json |= line.ptr[0] == '{';
        left = slice_trim(slice_of(left.ptr, at));
    }
    return !is_json && say_tail(out, said);
}

static void say_exit(struct bytes *out, bool is_english,
                     const struct check_result *r)
{
    const struct process_exit *exit = r->exit;

    if (exit->reason == PROCESS_NEVER_RAN && exit->detail[0] != 0)
        utf8_repair(exit->detail, strlen(exit->detail), out);
    else if (exit->reason == PROCESS_OUTPUT_LIMIT)
        bytes_format(out, "%s",
                     is_english ? "too much output" : "出力が多すぎます");
    else if (exit->reason == PROCESS_MEMORY_LIMIT)
        bytes_format(out, "%s",
                     is_english ? "over agent.memoryMax_bytes"
                                : "agent.memoryMax_bytes を超えました");
    else if (say_tail(out, slice_of(exit->stderr_tail, exit->stderr_len)) ||
             say_stdout(out, r->output))
        return;
    else if (exit->has_signal)
        bytes_format(out,
                     is_english ? "killed by signal %d" : "シグナル %d で終了",
                     exit->signal);
    else if (exit->has_code)
        bytes_format(out, is_english ? "exit code %d" : "終了コード %d",
                     exit->code);
    else
        bytes_format(out, "%s", is_english ? "interrupted" : "中断されました");
}

void health_text_failure(struct bytes *out, enum config_language language,
                         const struct check_result *r, uint64_t limit_ms)
{
    bool is_english = language == CONFIG_EN;

    if (r->is_late)
        bytes_format(out,
                     is_english ? "no answer within %llu ms"
                                : "%llu ms 以内に応答がありません",
                     (unsigned long long)limit_ms);
    else if (check_has_succeeded(r))
        bytes_format(out, "%s",
                     is_english ? "the answer is empty" : "応答が空です");
    else
        say_exit(out, is_english, r);
}

void health_text_no_models(struct bytes *out, enum config_language language,
                           const char *program, const struct check_result *r,
                           uint64_t limit_ms)
{
    const char *name = strrchr(program, '/');
    bool is_english = language == CONFIG_EN;

    bytes_format(out,
                 is_english
                     ? "no model can be validated: '%s models' failed: "
                     : "%s models コマンドの実行に失敗したため検証できません: ",
                 name != NULL ? name + 1 : program);
    if (check_has_succeeded(r))
        bytes_format(out, "%s",
                     is_english ? "it names no model"
                                : "モデルが一つもありません");
    else
        health_text_failure(out, language, r, limit_ms);
}

void health_text_unknown_model(struct bytes *out, enum config_language language,
                               const char *model)
{
    bytes_format(out,
                 language == CONFIG_EN ? "model '%s' is not available"
                                       : "モデル '%s' は利用できません",
                 model);
}

void health_text_skipped(struct bytes *out, enum config_language language)
{
    bytes_format(out, "%s",
                 language == CONFIG_EN ? "skipped: its model is not valid"
                                       : "モデル検証に失敗したためスキップ");
}

void health_text_tool(struct bytes *out, enum config_language language,
                      const char *tool, const char *reason)
{
    bool is_english = language == CONFIG_EN;

    if (out->len > 0)
        bytes_format(out, "%s", is_english ? "; " : "。");
    bytes_format(out,
                 is_english ? "its agents go without the tool %s: %s"
                            : "ツール %s なしで動きます: %s",
                 tool, reason);
}
