/* SPDX-License-Identifier: MIT */
#include "transport/puppet/claude_lines.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static yyjson_mut_val *root_of(yyjson_mut_doc *doc)
{
    return yyjson_mut_doc_get_root(doc);
}

/* The scenario's words are Cursor's; these are Claude's for the same. */
static void tool_name(const struct call *c, struct text *name)
{
    if (c->server)
        text_addf(name, "mcp__%s__%s", c->server, c->name);
    else if (c->edit)
        text_adds(name, c->edit->is_created ? "Write" : "Edit");
    else if (!strcmp(c->tool, "shell") || !strcmp(c->tool, "delete"))
        text_adds(name, "Bash");
    else {
        text_adds(name, c->tool);
        name->data[0] = (char)toupper((unsigned char)name->data[0]);
    }
}

static yyjson_mut_val *input_of(yyjson_mut_doc *doc, const struct call *c)
{
    yyjson_mut_val *input = yyjson_mut_val_mut_copy(doc, c->args);
    yyjson_mut_val *path = yyjson_mut_obj_get(input, "path");

    if (c->edit) {
        input = yyjson_mut_obj(doc);
        yyjson_mut_obj_add_str(doc, input, "file_path", c->edit->path);
        if (c->edit->is_created) {
            yyjson_mut_obj_add_str(doc, input, "content", c->edit->after);
            return input;
        }
        yyjson_mut_obj_add_str(doc, input, "old_string", c->edit->before);
        yyjson_mut_obj_add_str(doc, input, "new_string", c->edit->after);
        yyjson_mut_obj_add_bool(doc, input, "replace_all", false);
    } else if (!strcmp(c->tool, "delete")) {
        struct text command = {0};
        text_addf(&command, "rm %s", path ? yyjson_mut_get_str(path) : "");
        input = yyjson_mut_obj(doc);
        yyjson_mut_obj_add_strncpy(doc, input, "command", command.data,
                                   command.len);
        text_finish(&command);
    } else if (path && !c->server) {
        yyjson_mut_obj_rename_key(doc, input, "path", "file_path");
        yyjson_mut_obj_rename_key(doc, input, "fileText", "content");
    }
    return input;
}

void claude_tool_started(struct teller *t, struct call *c)
{
    yyjson_mut_val *block;
    struct text name = {0};
    char uuid[TELLER_UUID];

    teller_uuid(uuid);
    snprintf(c->id, sizeof(c->id), "toolu_01%s", uuid);
    c->started_ms = teller_wall_ms();
    t->calls++;
    tool_name(c, &name);
    yyjson_mut_doc *tmp = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *input = input_of(tmp, c);
    claude_start_tool(t, c, name.data, input);
    yyjson_mut_doc *doc = claude_assistant_line(t, &block);
    yyjson_mut_obj_add_str(doc, block, "type", "tool_use");
    yyjson_mut_obj_add_str(doc, block, "id", c->id);
    yyjson_mut_obj_add_str(doc, block, "name", name.data);
    yyjson_mut_obj_add_val(doc, block, "input",
                           yyjson_mut_val_mut_copy(doc, input));
    yyjson_mut_doc_free(tmp);
    teller_print(t, doc);
    claude_stop_block(t);
    claude_close_message(t, "tool_use");
    text_finish(&name);
}

static void add_patch_lines(yyjson_mut_doc *doc, yyjson_mut_val *lines,
                            char sign, const char *text, long *count)
{
    struct text line = {0};

    for (*count = 0; *text; ++*count) {
        const char *end = strchrnul(text, '\n');
        text_clear(&line);
        text_addf(&line, "%c%.*s", sign, (int)(end - text), text);
        yyjson_mut_arr_add_strncpy(doc, lines, line.data, line.len);
        text = *end ? end + 1 : end;
    }
    text_finish(&line);
}

static void add_edit(yyjson_mut_doc *doc, yyjson_mut_val *o,
                     const struct edit *e)
{
    long before, after;

    if (e->is_created)
        yyjson_mut_obj_add_str(doc, o, "type", "create");
    yyjson_mut_obj_add_str(doc, o, "filePath", e->path);
    yyjson_mut_val *patch = yyjson_mut_obj_add_arr(doc, o, "structuredPatch");
    if (e->is_created) {
        yyjson_mut_obj_add_str(doc, o, "content", e->after);
        yyjson_mut_obj_add_null(doc, o, "originalFile");
        return;
    }
    yyjson_mut_obj_add_str(doc, o, "oldString", e->before);
    yyjson_mut_obj_add_str(doc, o, "newString", e->after);
    yyjson_mut_obj_add_str(doc, o, "originalFile", e->before);
    yyjson_mut_val *hunk = yyjson_mut_arr_add_obj(doc, patch);
    yyjson_mut_val *lines = yyjson_mut_arr(doc);
    add_patch_lines(doc, lines, '-', e->before, &before);
    add_patch_lines(doc, lines, '+', e->after, &after);
    yyjson_mut_obj_add_int(doc, hunk, "oldStart", 1);
    yyjson_mut_obj_add_int(doc, hunk, "oldLines", before);
    yyjson_mut_obj_add_int(doc, hunk, "newStart", 1);
    yyjson_mut_obj_add_int(doc, hunk, "newLines", after);
    yyjson_mut_obj_add_val(doc, hunk, "lines", lines);
}

static void add_tool_use_result(yyjson_mut_doc *doc, const struct call *c,
                                const char *text)
{
    yyjson_mut_val *o;

    if (c->outcome != OUTCOME_SUCCESS) {
        struct text error = {0};
        text_addf(&error, "Error: %s", c->reason);
        yyjson_mut_obj_add_strncpy(doc, root_of(doc), "tool_use_result",
                                   error.data, error.len);
        text_finish(&error);
        return;
    }
    o = yyjson_mut_obj_add_obj(doc, root_of(doc), "tool_use_result");
    if (c->edit) {
        add_edit(doc, o, c->edit);
    } else if (!strcmp(c->tool, "shell")) {
        yyjson_mut_obj_add_strcpy(doc, o, "stdout", text);
        yyjson_mut_obj_add_str(doc, o, "stderr", "");
        yyjson_mut_obj_add_bool(doc, o, "interrupted", false);
    } else {
        yyjson_mut_obj_add_strcpy(doc, o, "content", text);
    }
}

static void answer_text(const struct call *c, struct text *out)
{
    const char *text = NULL;

    if (c->outcome != OUTCOME_SUCCESS)
        text = c->reason;
    else if (c->server)
        text = yyjson_mut_get_str(
            yyjson_mut_ptr_get(c->answer, "/content/0/text"));
    else if (c->edit)
        text = "The file has been updated.";
    else if (!c->answer)
        text = c->output;
    if (text || !c->answer) {
        text_adds(out, text ? text : "");
        return;
    }
    char *json = yyjson_mut_val_write(c->answer, 0, NULL);
    text_adds(out, json ? json : "");
    free(json);
}

static void add_time(yyjson_mut_doc *doc)
{
    int64_t ms = teller_wall_ms();
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;
    char day[32], stamp[48];

    strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &tm));
    snprintf(stamp, sizeof(stamp), "%s.%03dZ", day, (int)(ms % 1000));
    yyjson_mut_obj_add_strcpy(doc, root_of(doc), "timestamp", stamp);
}

static void note_denial(struct teller *t, const struct call *c)
{
    yyjson_mut_doc *doc = t->denials;
    yyjson_mut_val *o = yyjson_mut_arr_add_obj(doc, root_of(doc));
    struct text name = {0};

    tool_name(c, &name);
    yyjson_mut_obj_add_strncpy(doc, o, "tool_name", name.data, name.len);
    yyjson_mut_obj_add_strcpy(doc, o, "tool_use_id", c->id);
    /* The input borrows from the call, which ends before the result line. */
    yyjson_mut_doc *tmp = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *input = input_of(tmp, c);
    yyjson_mut_obj_add_val(doc, o, "tool_input",
                           yyjson_mut_val_mut_copy(doc, input));
    yyjson_mut_doc_free(tmp);
    text_finish(&name);
}

void claude_tool_completed(struct teller *t, struct call *c)
{
    yyjson_mut_doc *doc = teller_line("user", NULL);
    yyjson_mut_val *message =
        yyjson_mut_obj_add_obj(doc, root_of(doc), "message");
    bool is_error =
        c->outcome != OUTCOME_SUCCESS || c->exit_code ||
        yyjson_mut_get_bool(yyjson_mut_obj_get(c->answer, "isError"));
    struct text text = {0};

    answer_text(c, &text);
    yyjson_mut_obj_add_str(doc, message, "role", "user");
    yyjson_mut_val *content = yyjson_mut_obj_add_arr(doc, message, "content");
    yyjson_mut_val *block = yyjson_mut_arr_add_obj(doc, content);
    yyjson_mut_obj_add_str(doc, block, "tool_use_id", c->id);
    yyjson_mut_obj_add_str(doc, block, "type", "tool_result");
    yyjson_mut_obj_add_strncpy(doc, block, "content", text_str(&text),
                               text.len);
    yyjson_mut_obj_add_bool(doc, block, "is_error", is_error);
    yyjson_mut_obj_add_null(doc, root_of(doc), "parent_tool_use_id");
    claude_add_tail(t, doc);
    add_time(doc);
    add_tool_use_result(doc, c, text_str(&text));
    teller_print(t, doc);
    if (c->outcome == OUTCOME_REJECTED || c->outcome == OUTCOME_DENIED)
        note_denial(t, c);
    text_finish(&text);
}
