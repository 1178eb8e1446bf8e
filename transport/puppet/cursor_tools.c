/* SPDX-License-Identifier: MIT */
#include "transport/puppet/cursor_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static yyjson_mut_val *root_of(yyjson_mut_doc *doc)
{
    return yyjson_mut_doc_get_root(doc);
}

/* How many pieces the newlines make: three lines that end in one are four.
 * So the real one counts what it reads. */
static long count_pieces(const char *text)
{
    long pieces = 1;

    for (; (text = strchr(text, '\n')); text++)
        pieces++;
    return pieces;
}

static long count_lines(const char *text)
{
    size_t len = strlen(text);

    return count_pieces(text) - (!len || text[len - 1] == '\n');
}

static const char *arg_text(const struct call *c, const char *name)
{
    const char *text = yyjson_mut_get_str(yyjson_mut_obj_get(c->args, name));

    return text ? text : "";
}

static void read_success(yyjson_mut_doc *doc, yyjson_mut_val *o,
                         const struct call *c)
{
    long lines = count_pieces(c->output);

    yyjson_mut_obj_add_str(doc, o, "content", c->output);
    yyjson_mut_obj_add_bool(doc, o, "isEmpty", !*c->output);
    yyjson_mut_obj_add_bool(doc, o, "exceededLimit", false);
    yyjson_mut_obj_add_int(doc, o, "totalLines", lines);
    yyjson_mut_obj_add_uint(doc, o, "fileSize", strlen(c->output));
    yyjson_mut_obj_add_str(doc, o, "path", arg_text(c, "path"));
    yyjson_mut_val *range = yyjson_mut_obj_add_obj(doc, o, "readRange");
    yyjson_mut_obj_add_int(doc, range, "startLine", 1);
    yyjson_mut_obj_add_int(doc, range, "endLine", lines);
}

static void shell_success(yyjson_mut_doc *doc, yyjson_mut_val *o,
                          const struct call *c)
{
    yyjson_mut_obj_add_str(doc, o, "command", arg_text(c, "command"));
    yyjson_mut_obj_add_int(doc, o, "exitCode", c->exit_code);
    yyjson_mut_obj_add_str(doc, o, "signal", "");
    yyjson_mut_obj_add_str(doc, o, "stdout", c->output);
    yyjson_mut_obj_add_str(doc, o, "stderr", "");
    yyjson_mut_obj_add_int(doc, o, "executionTime",
                           teller_wall_ms() - c->started_ms);
}

static void add_diff(struct text *diff, char sign, const char *text)
{
    do {
        const char *end = strchrnul(text, '\n');
        text_addf(diff, "\n%c%.*s", sign, (int)(end - text), text);
        text = *end ? end + 1 : end;
    } while (*text);
}

static void add_range(struct text *diff, char sign, long lines)
{
    text_addf(diff, lines == 1 ? " %c1" : " %c1,%ld", sign, lines);
}

static void edit_success(yyjson_mut_doc *doc, yyjson_mut_val *o,
                         const struct edit *e)
{
    struct text diff = {0};
    /* The real diff has an empty old file as one empty line, removed. */
    long before = *e->before ? count_lines(e->before) : 1;
    long after = *e->after ? count_lines(e->after) : 1;

    text_addf(&diff, e->is_created ? "--- /dev/null\n" : "--- a/%s\n", e->path);
    text_addf(&diff, "+++ b/%s\n@@", e->path);
    add_range(&diff, '-', before);
    add_range(&diff, '+', after);
    text_adds(&diff, " @@");
    add_diff(&diff, '-', e->before);
    add_diff(&diff, '+', e->after);
    yyjson_mut_obj_add_str(doc, o, "path", e->path);
    yyjson_mut_obj_add_int(doc, o, "linesAdded", after);
    yyjson_mut_obj_add_int(doc, o, "linesRemoved", before);
    yyjson_mut_obj_add_strncpy(doc, o, "diffString", diff.data, diff.len);
    yyjson_mut_obj_add_str(doc, o, "afterFullFileContent", e->after);
    text_clear(&diff);
    text_addf(&diff, "Wrote contents to %s", e->path);
    yyjson_mut_obj_add_strncpy(doc, o, "message", diff.data, diff.len);
    text_finish(&diff);
}

static void write_success(yyjson_mut_doc *doc, yyjson_mut_val *o,
                          const struct call *c)
{
    const char *content = arg_text(c, "fileText");

    yyjson_mut_obj_add_str(doc, o, "path", arg_text(c, "path"));
    yyjson_mut_obj_add_int(doc, o, "linesCreated", count_lines(content));
    yyjson_mut_obj_add_uint(doc, o, "fileSize", strlen(content));
}

/* content: [{text: {text}}]: Cursor wraps each block once more. */
static void mcp_success(yyjson_mut_doc *doc, yyjson_mut_val *o,
                        const struct call *c)
{
    yyjson_mut_val *blocks = yyjson_mut_obj_get(c->answer, "content"), *block;
    yyjson_mut_val *content = yyjson_mut_obj_add_arr(doc, o, "content");
    size_t at, count;

    yyjson_mut_arr_foreach(blocks, at, count, block)
    {
        const char *text =
            yyjson_mut_get_str(yyjson_mut_obj_get(block, "text"));
        yyjson_mut_val *item = yyjson_mut_arr_add_obj(doc, content);
        yyjson_mut_val *wrap = yyjson_mut_obj_add_obj(doc, item, "text");
        yyjson_mut_obj_add_strcpy(doc, wrap, "text", text ? text : "");
    }
    yyjson_mut_obj_add_bool(
        doc, o, "isError",
        yyjson_mut_get_bool(yyjson_mut_obj_get(c->answer, "isError")));
}

/* Tools that are not in the captures get their output under one key. */
static yyjson_mut_val *success(yyjson_mut_doc *doc, const struct call *c)
{
    yyjson_mut_val *o = yyjson_mut_obj(doc);

    if (c->server && c->answer)
        mcp_success(doc, o, c);
    else if (c->answer)
        return yyjson_mut_val_mut_copy(doc, c->answer);
    else if (c->edit)
        edit_success(doc, o, c->edit);
    else if (!strcmp(c->tool, "read"))
        read_success(doc, o, c);
    else if (!strcmp(c->tool, "shell"))
        shell_success(doc, o, c);
    else if (!strcmp(c->tool, "write"))
        write_success(doc, o, c);
    else if (!strcmp(c->tool, "delete"))
        yyjson_mut_obj_add_str(doc, o, "path", arg_text(c, "path"));
    else
        yyjson_mut_obj_add_str(doc, o, "content", c->output);
    return o;
}

static yyjson_mut_val *result_of(yyjson_mut_doc *doc, const struct call *c)
{
    static const char *const keys[] = {"success", "rejected", "error",
                                       "permissionDenied"};
    bool is_shell = !strcmp(c->tool, "shell");
    yyjson_mut_val *result = yyjson_mut_obj(doc), *body;

    if (c->outcome == OUTCOME_SUCCESS) {
        body = success(doc, c);
    } else {
        body = yyjson_mut_obj(doc);
        if (c->outcome == OUTCOME_ERROR) {
            yyjson_mut_obj_add_str(doc, body, "errorMessage", c->reason);
        } else {
            yyjson_mut_obj_add_str(doc, body, is_shell ? "command" : "path",
                                   arg_text(c, is_shell ? "command" : "path"));
            yyjson_mut_obj_add_str(doc, body, "reason", c->reason);
            yyjson_mut_obj_add_bool(doc, body, "isReadonly", false);
        }
    }
    yyjson_mut_obj_add_val(doc, result, keys[c->outcome], body);
    if (is_shell && c->outcome == OUTCOME_SUCCESS)
        yyjson_mut_obj_add_bool(doc, result, "isBackground", false);
    return result;
}

static yyjson_mut_val *args_of(yyjson_mut_doc *doc, const struct call *c)
{
    yyjson_mut_val *args = yyjson_mut_val_mut_copy(doc, c->args);
    struct text name = {0};

    if (!c->server)
        return args;
    yyjson_mut_val *wrap = yyjson_mut_obj(doc);
    text_addf(&name, "%s-%s", c->server, c->name);
    yyjson_mut_obj_add_strncpy(doc, wrap, "name", name.data, name.len);
    yyjson_mut_obj_add_val(doc, wrap, "args", args);
    yyjson_mut_obj_add_str(doc, wrap, "toolCallId", c->id);
    yyjson_mut_obj_add_str(doc, wrap, "providerIdentifier", c->server);
    yyjson_mut_obj_add_str(doc, wrap, "toolName", c->name);
    text_finish(&name);
    return wrap;
}

static void add_tool(yyjson_mut_doc *doc, yyjson_mut_val *tool_call,
                     const struct call *c, bool is_completed)
{
    size_t len = strlen(c->tool);
    bool is_whole = len > 8 && !strcmp(c->tool + len - 8, "ToolCall");
    yyjson_mut_val *tool = yyjson_mut_obj(doc);
    struct text key = {0};

    if (!strncmp(c->tool, "function:", 9)) {
        char *json = yyjson_mut_val_write(c->args, 0, NULL);
        yyjson_mut_obj_add_str(doc, tool, "name", c->tool + 9);
        yyjson_mut_obj_add_strcpy(doc, tool, "arguments", json);
        free(json);
        text_adds(&key, "function");
    } else {
        yyjson_mut_obj_add_val(doc, tool, "args", args_of(doc, c));
        text_addf(&key, "%s%s", c->tool, is_whole ? "" : "ToolCall");
    }
    if (is_completed)
        yyjson_mut_obj_add_val(doc, tool, "result", result_of(doc, c));
    yyjson_mut_obj_add(tool_call, yyjson_mut_strncpy(doc, key.data, key.len),
                       tool);
    text_finish(&key);
}

static void add_ms(yyjson_mut_doc *doc, yyjson_mut_val *o, const char *key,
                   int64_t ms)
{
    char text[32];

    snprintf(text, sizeof(text), "%" PRId64, ms);
    yyjson_mut_obj_add_strcpy(doc, o, key, text);
}

static void print_call(struct teller *t, const struct call *c,
                       bool is_completed)
{
    yyjson_mut_doc *doc =
        teller_line("tool_call", is_completed ? "completed" : "started");

    yyjson_mut_obj_add_str(doc, root_of(doc), "call_id", c->id);
    yyjson_mut_val *tool_call =
        yyjson_mut_obj_add_obj(doc, root_of(doc), "tool_call");
    add_tool(doc, tool_call, c, is_completed);
    yyjson_mut_obj_add_arr(doc, tool_call, "hookAdditionalContexts");
    yyjson_mut_obj_add_str(doc, tool_call, "toolCallId", c->id);
    add_ms(doc, tool_call, "startedAtMs", c->started_ms);
    if (is_completed)
        add_ms(doc, tool_call, "completedAtMs", teller_wall_ms());
    cursor_add_model_call(t, doc);
    cursor_add_session(t, doc);
    cursor_add_time(doc);
    teller_print(t, doc);
}

void cursor_tool_started(struct teller *t, struct call *c)
{
    char uuid[TELLER_UUID];

    /* Two ids with a newline between them, as the real one has it. */
    teller_uuid(uuid);
    snprintf(c->id, sizeof(c->id), "call-%s-%u\nfc_%s_0", uuid, t->calls++,
             uuid);
    c->started_ms = teller_wall_ms();
    print_call(t, c, false);
}

void cursor_tool_completed(struct teller *t, struct call *c)
{
    print_call(t, c, true);
    t->model_calls++;
}
