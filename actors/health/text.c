/* SPDX-License-Identifier: MIT */
#include "actors/health/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "config/messages.h"
#include "config/reason.h"
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
        return MESSAGE(is_english, HEALTH_CLI_OF_CURSOR);
    return backend == &backend_claude ? "Claude Code" : backend->name;
}

void health_text_missing(struct bytes *out, enum config_language language,
                         const struct backend *backend, const char *command)
{
    bool is_english = language == CONFIG_EN;
    const char *product = product_of(backend, is_english);

    if (*command != 0) {
        bytes_format(out, MESSAGE(is_english, HEALTH_NO_PROGRAM), command,
                     product);
        return;
    }
    bytes_format(out, MESSAGE(is_english, HEALTH_NO_CLI_ON_PATH));
    say_programs(out, backend);
    bytes_format(out, MESSAGE(is_english, HEALTH_INSTALL_CLI), product);
}

void health_text_stranger(struct bytes *out, enum config_language language,
                          const struct backend *backend, const char *program)
{
    bool is_english = language == CONFIG_EN;

    bytes_format(out, MESSAGE(is_english, HEALTH_ANOTHER_MAKERS_PROGRAM),
                 program, product_of(backend, is_english));
}

void health_text_withheld(struct bytes *out, const struct config *c)
{
    bytes_format(out,
                 MESSAGE(c->language == CONFIG_EN, HEALTH_COMMAND_NOT_TRUSTED),
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

static void say_start(struct bytes *out, bool is_english,
                      const struct process_exit *exit)
{
    const char *what = exit->about[0] ? exit->about : exit->stage;
    struct bytes text = {0};

    bytes_format(&text, MESSAGE(is_english, HEALTH_CANNOT_RUN), what,
                 reason_of(exit->system, is_english).text);
    utf8_repair(text.ptr, text.len, out);
    bytes_finish(&text);
}

static void say_exit(struct bytes *out, bool is_english,
                     const struct check_result *r)
{
    const struct process_exit *exit = r->exit;

    if (exit->reason == PROCESS_NEVER_RAN && exit->system != 0)
        say_start(out, is_english, exit);
    else if (exit->reason == PROCESS_NEVER_RAN && exit->detail[0] != 0)
        utf8_repair(exit->detail, strlen(exit->detail), out);
    else if (exit->reason == PROCESS_OUTPUT_LIMIT)
        bytes_format(out, "%s", MESSAGE(is_english, HEALTH_TOO_MUCH_OUTPUT));
    else if (exit->reason == PROCESS_MEMORY_LIMIT)
        bytes_format(out, "%s", MESSAGE(is_english, HEALTH_OVER_MEMORY_LIMIT));
    else if (say_tail(out, slice_of(exit->stderr_tail, exit->stderr_len)) ||
             say_stdout(out, r->output))
        return;
    else if (exit->has_signal)
        bytes_format(out, MESSAGE(is_english, HEALTH_KILLED_BY_SIGNAL),
                     exit->signal);
    else if (exit->has_code)
        bytes_format(out, MESSAGE(is_english, HEALTH_EXIT_CODE), exit->code);
    else
        bytes_format(out, "%s", MESSAGE(is_english, HEALTH_INTERRUPTED));
}

void health_text_failure(struct bytes *out, enum config_language language,
                         const struct check_result *r, uint64_t limit_ms)
{
    bool is_english = language == CONFIG_EN;

    if (r->is_late)
        bytes_format(out, MESSAGE(is_english, HEALTH_NO_ANSWER),
                     (unsigned long long)limit_ms);
    else if (check_has_succeeded(r))
        bytes_format(out, "%s", MESSAGE(is_english, HEALTH_ANSWER_EMPTY));
    else
        say_exit(out, is_english, r);
}

void health_text_no_models(struct bytes *out, enum config_language language,
                           const char *program, const struct check_result *r,
                           uint64_t limit_ms)
{
    const char *name = strrchr(program, '/');
    bool is_english = language == CONFIG_EN;

    bytes_format(out, MESSAGE(is_english, HEALTH_MODELS_FAILED),
                 name != NULL ? name + 1 : program);
    if (check_has_succeeded(r))
        bytes_format(out, "%s", MESSAGE(is_english, HEALTH_MODEL_NOT_NAMED));
    else
        health_text_failure(out, language, r, limit_ms);
}

void health_text_unknown_model(struct bytes *out, enum config_language language,
                               const char *model)
{
    bytes_format(
        out, MESSAGE(language == CONFIG_EN, HEALTH_MODEL_NOT_AVAILABLE), model);
}

void health_text_skipped(struct bytes *out, enum config_language language)
{
    bytes_format(out, "%s",
                 MESSAGE(language == CONFIG_EN, HEALTH_SKIPPED_FOR_MODEL));
}

void health_text_tool(struct bytes *out, enum config_language language,
                      const char *tool, const char *reason)
{
    bool is_english = language == CONFIG_EN;

    if (out->len > 0)
        bytes_format(out, "%s", MESSAGE(is_english, HEALTH_NEXT_SENTENCE));
    bytes_format(out, MESSAGE(is_english, HEALTH_WITHOUT_TOOL), tool, reason);
}
