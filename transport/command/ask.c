/* SPDX-License-Identifier: MIT */
#include "transport/command/ask.h"

#include <errno.h>
#include <string.h>

#include "actors/field.h"
#include "actors/json.h"
#include "transport/build.h"

/* For a hub that runs and does not answer: it never has to think that long. */
#define PATIENCE_MS 20000

static int no_hub(struct desk *d)
{
    COMPLAIN(d,
             "ハブは動いていません（%s）。\n"
             "MCP クライアントが最初に使う時に自動で起動します。手動なら: "
             "kuromajutsu serve",
             "no hub is running (%s).\n"
             "An MCP client starts it when it is first used; by hand: "
             "kuromajutsu serve",
             d->state_dir);
    return DESK_NO_HUB;
}

static int failed(struct desk *d, int error)
{
    if (error == -ETIMEDOUT)
        COMPLAIN(d, "ハブが応答しません（%s）。ログ: %s/hub.log",
                 "the hub does not answer (%s). Its log: %s/hub.log",
                 d->home.socket, d->state_dir);
    else if (error == -ESHUTDOWN)
        COMPLAIN(d, "ハブは終了処理中です（%s）", "the hub is leaving (%s)",
                 d->home.socket);
    else
        COMPLAIN(d, "ハブと話せません（%s）: %s",
                 "cannot speak with the hub (%s): %s", d->home.socket,
                 strerror(-error));
    return DESK_FAILED;
}

int ask_open(struct desk *d, struct hublink *l, struct hublink_welcome *w)
{
    int error = hublink_meet(l, d->home.socket, build_name(), "command",
                             PATIENCE_MS, w);

    if (error == -ENOENT || error == -ECONNREFUSED)
        return no_hub(d);
    return error ? failed(d, error) : DESK_FINE;
}

static int refused(struct desk *d, yyjson_val *root)
{
    struct slice code = FIELD_TEXT(root, "code");
    struct slice message = FIELD_TEXT(root, "message");

    desk_complain(d, "%.*s: %.*s", (int)code.len, code.ptr, (int)message.len,
                  message.ptr);
    return DESK_FAILED;
}

static int read_answer(struct desk *d, const struct bytes *answer,
                       bool is_error, yyjson_doc **doc)
{
    *doc = yyjson_read(answer->ptr, answer->len, 0);
    yyjson_val *root = yyjson_doc_get_root(*doc);

    if (yyjson_is_obj(root) && !is_error)
        return DESK_FINE;
    int code = yyjson_is_obj(root) ? refused(d, root) : failed(d, -EPROTO);
    yyjson_doc_free(*doc);
    *doc = NULL;
    return code;
}

int ask_hub(struct desk *d, const char *name, struct slice args,
            yyjson_doc **doc)
{
    struct hublink link = HUBLINK_CLOSED;
    struct hublink_welcome welcome;
    struct bytes answer = {0};
    bool is_error = false;
    int code = ask_open(d, &link, &welcome);

    *doc = NULL;
    if (code)
        return code;
    int error = hublink_ask(&link, name, args, PATIENCE_MS, &answer, &is_error);
    code = error ? failed(d, error) : read_answer(d, &answer, is_error, doc);
    bytes_finish(&answer);
    hublink_close(&link);
    return code;
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
