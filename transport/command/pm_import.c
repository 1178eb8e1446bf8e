/* SPDX-License-Identifier: MIT */
/*
 * The hub makes all of a file, or nothing; then each agent that has no passkey
 * is given the file's, or one that is drawn and shown. What ends in between is
 * mended by doing it again.
 */
#include <string.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/options.h"
#include "transport/command/pm.h"
#include "transport/command/text_file.h"
#include "transport/wire/hublink.h"

#define FILE_MAX ((size_t)16 << 20)

/* What upstream has after its first start, but for the assignment: without it
 * nothing could ever begin. */
static const char usual[] =
    "{\"projects\":[{\"project_id\":\"prj_default\","
    "\"name\":\"Default Project\"}],"
    "\"agents\":[{\"agent_id\":\"agt_claude\",\"name\":\"Claude Code\","
    "\"role\":\"AI Assistant\",\"ai_type\":\"claude\"}],"
    "\"assignments\":[{\"project_id\":\"prj_default\","
    "\"agent_id\":\"agt_claude\"}]}";

/* ---- passkeys ------------------------------------------------------------ */

static struct slice passkey_in(yyjson_val *file, struct slice agent)
{
    yyjson_val *one;
    size_t i, count;

    yyjson_arr_foreach(FIELD(file, "agents"), i, count, one)
    {
        if (slice_eq(slice_trim(FIELD_TEXT(one, "agent_id")), agent))
            return FIELD_TEXT(one, "passkey");
    }
    return SLICE_EMPTY;
}

static int set_passkey(struct console *con, struct hublink *l, yyjson_val *file,
                       struct slice agent, yyjson_doc **answer)
{
    struct slice given = passkey_in(file, agent);
    struct bytes args = {0};

    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "agent_id", agent);
    if (given.len > 0)
        JSON_TEXT(&args, "passkey", given);
    JSON_RAW(&args, "}");
    int code = ask_link(con, l, "set_passkey", bytes_slice(&args), answer);
    explicit_bzero(args.ptr, args.len);
    bytes_finish(&args);
    return code;
}

/* Appends {"agent":"passkey"} of those that were drawn. */
static int set_passkeys(struct console *con, struct hublink *l,
                        yyjson_val *file, yyjson_val *root, struct bytes *drawn)
{
    yyjson_val *agent;
    size_t i, count;
    int code = CONSOLE_FINE;

    JSON_RAW(drawn, "{");
    yyjson_arr_foreach(FIELD(root, "without_passkey"), i, count, agent)
    {
        yyjson_doc *answer = NULL;
        struct slice passkey;

        if (!code)
            code = set_passkey(con, l, file, field_text(agent), &answer);
        passkey = FIELD_TEXT(yyjson_doc_get_root(answer), "passkey");
        if (passkey.len > 0) {
            json_key(drawn, field_text(agent));
            json_string(drawn, passkey);
        }
        yyjson_doc_free(answer);
    }
    JSON_RAW(drawn, "}");
    return code;
}

/* ---- what is told -------------------------------------------------------- */

static void show_made(struct console *con, yyjson_val *root)
{
    const struct {
        const char *list, *label;
    } lists[] = {{"projects", SAY(con, PM_PROJECTS)},
                 {"agents", SAY(con, LABEL_AGENTS)},
                 {"tasks", SAY(con, PM_TASKS)}};

    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        struct slice name = slice_cstr(lists[i].list);

        console_label(con, 14, lists[i].label);
        term_format(
            &con->out, TERM_PLAIN, SAY(con, PM_IMPORTED),
            (uint64_t)yyjson_arr_size(field_get(FIELD(root, "made"), name)),
            field_count(field_get(FIELD(root, "there"), name)));
    }
}

static void show_passkeys(struct console *con, yyjson_val *passkeys)
{
    yyjson_val *key, *val;
    size_t i, max;

    yyjson_obj_foreach(passkeys, i, max, key, val)
    {
        pm_show_passkey(con, field_text(key), field_text(val));
    }
}

static void tell(struct console *con, yyjson_doc *made,
                 const struct bytes *keys, bool is_json)
{
    yyjson_doc *passkeys = yyjson_read(keys->ptr, keys->len, 0);
    yyjson_mut_doc *doc;
    yyjson_mut_val *root;

    if (!is_json) {
        show_made(con, yyjson_doc_get_root(made));
        show_passkeys(con, yyjson_doc_get_root(passkeys));
        yyjson_doc_free(passkeys);
        return;
    }
    doc = yyjson_doc_mut_copy(made, NULL);
    root = yyjson_mut_doc_get_root(doc);
    yyjson_mut_obj_remove_key(root, "without_passkey");
    yyjson_mut_obj_add_val(
        doc, root, "passkeys",
        yyjson_val_mut_copy(doc, yyjson_doc_get_root(passkeys)));
    yyjson_doc_free(passkeys);
    passkeys = yyjson_mut_doc_imut_copy(doc, NULL);
    console_print_json(con, passkeys);
    yyjson_doc_free(passkeys);
    yyjson_mut_doc_free(doc);
}

/* ---- the import ---------------------------------------------------------- */

static int import(struct console *con, struct slice text, yyjson_val *file,
                  bool is_json)
{
    struct hublink link = HUBLINK_CLOSED;
    struct hublink_welcome welcome;
    struct bytes passkeys = {0};
    yyjson_doc *made = NULL;
    int code = ask_open(con, &link, &welcome);

    if (!code)
        code = ask_link(con, &link, "import_projects", text, &made);
    if (!code) {
        code = set_passkeys(con, &link, file, yyjson_doc_get_root(made),
                            &passkeys);
        tell(con, made, &passkeys, is_json);
    }
    hublink_close(&link);
    if (passkeys.ptr)
        explicit_bzero(passkeys.ptr, passkeys.len);
    bytes_finish(&passkeys);
    yyjson_doc_free(made);
    return code;
}

static int read_json(struct console *con, const char *name, struct bytes *text,
                     bool is_json)
{
    yyjson_read_err error;
    yyjson_doc *doc = yyjson_read_opts(text->ptr, text->len, 0, NULL, &error);
    size_t line = 0, column = 0, chars = 0;
    int code = CONSOLE_FAILED;

    if (!doc) {
        yyjson_locate_pos(text->ptr, text->len, error.pos, &line, &column,
                          &chars);
        COMPLAIN(con, PM_FILE_NO_JSON, name, line, column, error.msg);
    } else if (!yyjson_is_obj(yyjson_doc_get_root(doc))) {
        COMPLAIN(con, PM_FILE_NO_OBJECT, name);
    } else {
        code =
            import(con, bytes_slice(text), yyjson_doc_get_root(doc), is_json);
    }
    yyjson_doc_free(doc);
    return code;
}

int pm_import(struct console *con, int argc, char **argv)
{
    bool is_json = false;
    const struct option options[] = {{"--json", 0, &is_json, NULL}, {NULL}};
    struct bytes text = {0};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 1, 1, SAY(con, OPERAND_FILE)))
        return CONSOLE_USAGE;
    int code = text_file_read(con, argv[1], FILE_MAX, &text);
    if (!code)
        code = read_json(con, argv[1], &text, is_json);
    if (text.ptr)
        explicit_bzero(text.ptr, text.len);
    bytes_finish(&text);
    return code;
}

int pm_setup(struct console *con, int argc, char **argv)
{
    bool is_json = false;
    const struct option options[] = {{"--json", 0, &is_json, NULL}, {NULL}};
    yyjson_doc *doc = yyjson_read(usual, strlen(usual), 0);
    int code = CONSOLE_USAGE;

    argc = options_take(con, options, argc, argv);
    if (!options_want(con, argc, argv, 0, 0, ""))
        code =
            import(con, slice_cstr(usual), yyjson_doc_get_root(doc), is_json);
    yyjson_doc_free(doc);
    return code;
}
