/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/identity.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "transport/command/command.h"
#include "transport/command/hub_question.h"
#include "transport/command/humanize.h"
#include "transport/command/options.h"
#include "transport/command/table.h"
#include "transport/wire/build.h"

/* One that does not answer is listed all the same. */
#define PATIENCE_MS 3000

struct hubs {
    struct console *console;
    char *home; /* has the state directories of all projects */
    bool wants_all;
    struct bytes json;
    unsigned count;
};

/* ---- asking ------------------------------------------------------------ */

/* NULL: nobody is there, or it does not answer. */
static yyjson_doc *status_of(const char *socket, bool *is_there)
{
    struct hublink link = HUBLINK_CLOSED;
    struct hublink_welcome welcome;
    struct bytes answer = {0};
    bool is_error = true;
    yyjson_doc *doc = NULL;

    *is_there = hublink_open(&link, socket) == 0;
    hublink_close(&link);
    if (!*is_there)
        return NULL;
    if (hublink_meet(&link, socket, build_id(), "command", PATIENCE_MS,
                     &welcome) == 0 &&
        hublink_ask(&link, "hub_status", SLICE("{}"), PATIENCE_MS, &answer,
                    &is_error) == 0 &&
        !is_error)
        doc = yyjson_read(answer.ptr, answer.len, 0);
    hublink_close(&link);
    bytes_finish(&answer);
    return doc;
}

/* A database that was named, else the directory of a configuration of the usual
 * name, else the file. */
static struct slice project_of(yyjson_val *status)
{
    struct slice database = FIELD_TEXT(status, "database");
    struct slice file =
        database.len > 0 ? database : FIELD_TEXT(status, "config");
    const struct slice usual = SLICE("/kuromajutsu.config.yaml");

    if (file.len > usual.len &&
        slice_eq(slice_of(file.ptr + file.len - usual.len, usual.len), usual))
        file.len -= usual.len;
    return file;
}

static void put_hub(struct hubs *x, const char *dir, yyjson_val *status,
                    bool is_there)
{
    struct bytes *out = &x->json;

    json_raw(out, x->count++ > 0 ? SLICE(",{") : SLICE("{"));
    JSON_TEXT(out, "stateDir", slice_cstr(dir));
    JSON_BOOL(out, "running", is_there);
    if (status) {
        JSON_TEXT(out, "project", project_of(status));
        JSON_UINT(out, "pid", FIELD_COUNT(status, "pid"));
        JSON_TEXT(out, "startedAt", FIELD_TEXT(status, "startedAt"));
        JSON_UINT(out, "agentsRunning",
                  FIELD_COUNT(FIELD(status, "agents"), "running"));
        JSON_TEXT(out, "url", FIELD_TEXT(status, "url"));
        JSON_TEXT(out, "build", FIELD_TEXT(status, "build"));
    }
    JSON_RAW(out, "}");
}

static void look_at(struct hubs *x, const char *name)
{
    char *dir = bytes_text("%s/%s", x->home, name);
    char *socket = bytes_text("%s/hub.sock", dir);
    char *lock = bytes_text("%s/hub.lock", dir);
    bool is_there = false;

    if (access(lock, F_OK) == 0) {
        yyjson_doc *doc = status_of(socket, &is_there);

        if (is_there || x->wants_all)
            put_hub(x, dir, yyjson_doc_get_root(doc), is_there);
        yyjson_doc_free(doc);
    }
    free(lock);
    free(socket);
    free(dir);
}

static void look(struct hubs *x)
{
    struct dirent **names;
    int count = scandir(x->home, &names, NULL, alphasort);

    JSON_RAW(&x->json, "{\"hubs\":[");
    for (int i = 0; i < count; i++) {
        if (names[i]->d_name[0] != '.')
            look_at(x, names[i]->d_name);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    JSON_RAW(&x->json, "]}");
}

/* ---- showing ----------------------------------------------------------- */

static void add_hub(struct table *t, struct console *con, yyjson_val *hub)
{
    bool is_there = yyjson_is_true(FIELD(hub, "running"));
    bool has_told = FIELD(hub, "pid") != NULL;
    struct slice url = FIELD_TEXT(hub, "url");

    table_add(t, TERM_PLAIN,
              has_told ? FIELD_TEXT(hub, "project")
                       : FIELD_TEXT(hub, "stateDir"));
    if (!has_told) {
        table_addf(t, is_there ? TERM_RED : TERM_DIM, "%s",
                   is_there ? SAY(con, HUBS_SILENT) : SAY(con, HUBS_NO_HUB));
        table_add(t, TERM_PLAIN, SLICE("-"));
        table_add(t, TERM_PLAIN, SLICE("-"));
        table_add(t, TERM_PLAIN, SLICE("-"));
        return;
    }
    table_addf(t, TERM_GREEN, "%u", (unsigned)FIELD_COUNT(hub, "pid"));
    table_addf(t, TERM_PLAIN, "%s",
               humanize_time(FIELD_TEXT(hub, "startedAt")).text);
    table_addf(t, TERM_PLAIN, "%u",
               (unsigned)FIELD_COUNT(hub, "agentsRunning"));
    table_add(t, TERM_PLAIN, url.len > 0 ? url : SLICE("-"));
}

static void show(struct console *con, yyjson_val *root)
{
    const struct table_column columns[] = {
        {.head = SAY(con, COLUMN_PROJECT), .min = 20, .is_id = true},
        {.head = SAY(con, COLUMN_HUB)},
        {.head = SAY(con, COLUMN_SINCE), .is_spare = true},
        {.head = SAY(con, COLUMN_RUNNING), .is_right = true},
        {.head = SAY(con, COLUMN_DASHBOARD), .is_id = true},
    };
    yyjson_val *hubs = FIELD(root, "hubs"), *hub;
    struct table t;
    size_t i, count;

    if (yyjson_arr_size(hubs) == 0) {
        term_put(&con->out, TERM_PLAIN, SAY(con, HUBS_NONE));
        return;
    }
    table_init(&t, columns, 5);
    yyjson_arr_foreach(hubs, i, count, hub)
    {
        add_hub(&t, con, hub);
    }
    table_print(&t, &con->out);
    table_finish(&t);
}

static int run(struct console *con, int argc, char **argv)
{
    struct hubs x = {.console = con};
    bool is_json = false;
    const struct option options[] = {{"--all", 'a', &x.wants_all, NULL},
                                     {"--json", 0, &is_json, NULL},
                                     {NULL}};
    struct config_error e;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    if (identity_home(environ, &x.home, &e)) {
        console_complain(con, "%s", config_error_in(&e, con->is_english));
        return CONSOLE_USAGE;
    }
    look(&x);
    yyjson_doc *doc = yyjson_read(x.json.ptr, x.json.len, 0);
    if (is_json)
        console_print_json(con, doc);
    else
        show(con, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    bytes_finish(&x.json);
    free(x.home);
    return CONSOLE_FINE;
}

const struct command command_hubs = {
    .name = "hubs",
    .words = "[--all] [--json]",
    .what = BOTH(HUBS_COMMAND),
    .more = BOTH(HUBS_MANUAL),
    .run = run,
};
