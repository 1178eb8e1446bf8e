/* SPDX-License-Identifier: MIT */
#include "transport/command/hub_question.h"

#include <errno.h>
#include <string.h>

#include "config/reason.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/options.h"
#include "transport/command/refusal.h"
#include "transport/wire/build.h"

/* One could not even be started. */
static int no_hub_by_config(struct console *con)
{
    COMPLAIN(con, NO_HUB_CONFIG_WRONG, con->home.wrong);
    return CONSOLE_USAGE;
}

int ask_no_hub(struct console *con)
{
    if (con->home.wrong)
        return no_hub_by_config(con);
    if (con->home.database)
        COMPLAIN(con, NO_HUB_OF_DATABASE, con->home.database,
                 con->home.database);
    else
        COMPLAIN(con, NO_HUB, con->place);
    return CONSOLE_NO_HUB;
}

int ask_failed(struct console *con, int error)
{
    if (error == -ETIMEDOUT)
        COMPLAIN(con, HUB_DOES_NOT_ANSWER, con->home.socket, con->state_dir);
    else if (error == -EPERM)
        COMPLAIN(con, HUB_BELONGS_TO_ANOTHER, con->home.socket);
    else if (error == -ESHUTDOWN)
        COMPLAIN(con, HUB_IS_LEAVING, con->home.socket);
    else
        COMPLAIN(con, HUB_CANNOT_SPEAK, con->home.socket,
                 reason_of(error, con->is_english).text);
    return CONSOLE_FAILED;
}

int ask_open(struct console *con, struct hublink *l, struct hublink_welcome *w)
{
    int error = hublink_meet(l, con->home.socket, build_id(), "command",
                             ASK_PATIENCE_MS, w);

    if (error == -ENOENT || error == -ECONNREFUSED)
        return ask_no_hub(con);
    return error ? ask_failed(con, error) : CONSOLE_FINE;
}

static int refused(struct console *con, yyjson_val *root)
{
    struct bytes text = {0};

    refusal_put(&text, FIELD_TEXT(root, "message"));
    console_complain(con, "%.*s", (int)text.len, text.ptr);
    bytes_finish(&text);
    return CONSOLE_FAILED;
}

void ask_refused(struct console *con, struct slice answer)
{
    yyjson_doc *doc = yyjson_read(answer.ptr, answer.len, 0);

    refused(con, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
}

int ask_read(struct console *con, const struct bytes *answer, bool is_error,
             yyjson_doc **doc)
{
    *doc = yyjson_read(answer->ptr, answer->len, 0);
    yyjson_val *root = yyjson_doc_get_root(*doc);

    if (yyjson_is_obj(root) && !is_error)
        return CONSOLE_FINE;
    int code =
        yyjson_is_obj(root) ? refused(con, root) : ask_failed(con, -EPROTO);
    yyjson_doc_free(*doc);
    *doc = NULL;
    return code;
}

static int ask(struct console *con, struct hublink *l, const char *name,
               struct slice args, int patience_ms, yyjson_doc **doc)
{
    struct bytes answer = {0};
    bool is_error = false;
    int error = hublink_ask(l, name, args, patience_ms, &answer, &is_error);
    int code =
        error ? ask_failed(con, error) : ask_read(con, &answer, is_error, doc);

    bytes_finish(&answer);
    return code;
}

int ask_link(struct console *con, struct hublink *l, const char *name,
             struct slice args, yyjson_doc **doc)
{
    *doc = NULL;
    return ask(con, l, name, args, ASK_PATIENCE_MS, doc);
}

static int ask_for(struct console *con, const char *name, struct slice args,
                   int patience_ms, yyjson_doc **doc)
{
    struct hublink link = HUBLINK_CLOSED;
    struct hublink_welcome welcome;
    int code = ask_open(con, &link, &welcome);

    *doc = NULL;
    if (!code)
        code = ask(con, &link, name, args, patience_ms, doc);
    hublink_close(&link);
    return code;
}

int ask_hub(struct console *con, const char *name, struct slice args,
            yyjson_doc **doc)
{
    return ask_for(con, name, args, ASK_PATIENCE_MS, doc);
}

int ask_and_show(struct console *con, const char *name, struct slice args,
                 bool is_json, ask_show_fn *show)
{
    return ask_and_show_for(con, name, args, ASK_PATIENCE_MS, is_json, show);
}

int ask_and_show_for(struct console *con, const char *name, struct slice args,
                     int patience_ms, bool is_json, ask_show_fn *show)
{
    yyjson_doc *doc;
    int code = ask_for(con, name, args, patience_ms, &doc);

    if (code)
        return code;
    if (is_json)
        console_print_json(con, doc);
    else
        show(con, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return CONSOLE_FINE;
}

int ask_plainly(struct console *con, int argc, char **argv, const char *name,
                ask_show_fn *show)
{
    bool is_json = false;
    const struct option options[] = {{"--json", 0, &is_json, NULL}, {NULL}};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    return ask_and_show(con, name, SLICE("{}"), is_json, show);
}

void ask_argument(struct bytes *args, const char *key, const char *value)
{
    if (value) {
        JSON_RAW(args, "{");
        json_string(args, slice_cstr(key));
        JSON_RAW(args, ":");
        json_string(args, slice_cstr(value));
        JSON_RAW(args, "}");
    } else {
        JSON_RAW(args, "{}");
    }
}
