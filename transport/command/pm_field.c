/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/reason.h"
#include "runtime/text/json.h"
#include "transport/command/options.h"
#include "transport/command/pm.h"
#include "transport/command/text_file.h"

#define MOST 16
#define CONTENTS_MAX ((size_t)100000) /* as much as the hub takes */
#define NUMBER_MAX 10000000

const char *const pm_task_states[] = {
    "backlog", "todo", "in_progress", "blocked", "done", "cancelled", NULL};

static void put_list(struct bytes *args, const char *text)
{
    const char *comma = "[";

    while (*text) {
        size_t len = strcspn(text, ",");

        if (len > 0) {
            json_raw(args, slice_cstr(comma));
            json_string(args, slice_of(text, len));
            comma = ",";
        }
        text += len + (text[len] == ',');
    }
    json_raw(args, *comma == '[' ? SLICE("[]") : SLICE("]"));
}

/* The hub stands elsewhere than who types. */
static void put_path(struct bytes *args, const char *text)
{
    char *real = realpath(text, NULL);
    char *here = real || *text == '/' ? NULL : getcwd(NULL, 0);
    char *path = bytes_text("%s%s%s", here ? here : "", here ? "/" : "",
                            real ? real : text);

    json_string(args, slice_cstr(path));
    free(path);
    free(here);
    free(real);
}

static int put_contents(struct console *con, struct bytes *args,
                        const char *name)
{
    struct bytes text = {0};
    int code = text_file_read(con, name, CONTENTS_MAX, &text);

    if (!code)
        json_string(args, bytes_slice(&text));
    bytes_finish(&text);
    return code;
}

static int put_number(struct console *con, struct bytes *args,
                      const char *command, const struct pm_field *f,
                      const char *text)
{
    uint64_t number;
    int code =
        options_number(con, command, f->option, text, 1, NUMBER_MAX, &number);

    if (!code)
        json_uint(args, number);
    return code;
}

static int put(struct console *con, struct bytes *args, const char *command,
               const struct pm_field *f, const char *text)
{
    bool is_none = !*text && f->kind != PM_TEXT && f->kind != PM_LIST;

    if (f->words && options_one_of(con, command, f->option, text, f->words))
        return CONSOLE_USAGE;
    json_key(args, slice_cstr(f->member));
    if (f->kind == PM_NUMBER)
        return put_number(con, args, command, f, text);
    if (f->kind == PM_CONTENTS && !is_none)
        return put_contents(con, args, text);
    if (is_none)
        JSON_RAW(args, "null");
    else if (f->kind == PM_LIST)
        put_list(args, text);
    else if (f->kind == PM_PATH)
        put_path(args, text);
    else
        json_string(args, slice_cstr(text));
    return CONSOLE_FINE;
}

int pm_fields_take(struct console *con, const struct pm_field *fields, int argc,
                   char **argv, struct bytes *args, bool *is_json,
                   bool *is_stdin)
{
    struct option options[MOST + 3] = {{"--json", 0, is_json, NULL}};
    const char *values[MOST] = {NULL};
    size_t n = 1;

    if (is_stdin)
        options[n++] = (struct option){"--stdin", 0, is_stdin, NULL};
    for (size_t i = 0; fields[i].option && i < MOST; i++)
        options[n++] = (struct option){fields[i].option, 0, NULL, &values[i]};
    argc = options_take(con, options, argc, argv);
    JSON_RAW(args, "{");
    for (size_t i = 0; argc >= 0 && fields[i].option; i++)
        if (values[i] && put(con, args, argv[0], &fields[i], values[i]))
            argc = -1;
    return argc;
}
