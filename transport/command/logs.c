/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/text/field.h"
#include "config/reason.h"
#include "transport/command/agent_backend.h"
#include "transport/command/command.h"
#include "transport/command/hub_log.h"
#include "transport/command/ids.h"
#include "transport/command/logs_merged.h"
#include "transport/command/options.h"
#include "transport/command/records.h"
#include "transport/command/render.h"
#include "transport/command/transcript_file.h"
#include "transport/command/when.h"

#define CHUNK (64 * 1024)
#define STDERR_TAIL 2048

struct logs {
    struct console *console;
    const char *id;
    bool is_following, is_raw;
    struct transcript_file file;
    struct render render;
};

static void print(struct logs *l, struct slice bytes)
{
    struct term *out = &l->console->out;
    struct bytes safe = {0};

    if (!l->is_raw) {
        render_feed(&l->render, bytes);
        return;
    }
    /* A terminal obeys bytes; a file or pipe gets them as they are. */
    if (out->is_terminal)
        term_text_safe(&safe, bytes, TERM_TEXT_BLOCK);
    else
        bytes_append(&safe, bytes.ptr, bytes.len);
    term_safe(out, TERM_PLAIN, bytes_slice(&safe));
    bytes_finish(&safe);
}

/* Whether it waits for its turn: there is nothing to read yet. Else it is
 * told that there is no such agent, or that it never ran; but while we asked
 * it may have begun, and even ended. */
static int is_waiting(struct logs *l, bool *is_waiting)
{
    struct bytes args = {0};
    struct records records;
    yyjson_doc *doc = NULL;

    *is_waiting = false;
    ask_argument(&args, "agentId", l->id);
    int code = records_open(&records, l->console);
    if (!code)
        code =
            records_ask(&records, "get_agent_status", bytes_slice(&args), &doc);
    records_close(&records);
    bytes_finish(&args);
    if (code)
        return code;
    yyjson_val *root = yyjson_doc_get_root(doc);
    struct slice state = FIELD_TEXT(root, "status");
    *is_waiting = !FIELD(root, "hub") && (slice_eq(state, SLICE("queued")) ||
                                          slice_eq(state, SLICE("running")));
    if ((!*is_waiting || !l->is_following) && !transcript_file_exists(&l->file))
        COMPLAIN(l->console, LOGS_NOTHING_PRINTED, l->id);
    yyjson_doc_free(doc);
    return CONSOLE_FINE;
}

static int wait_started(struct logs *l)
{
    bool is_worth_it = true;

    while (!transcript_file_exists(&l->file)) {
        int code = is_waiting(l, &is_worth_it);
        if (code || !is_worth_it || !l->is_following)
            return code;
        transcript_file_wait(&l->file);
    }
    return CONSOLE_FINE;
}

static int read_all(struct logs *l)
{
    static char chunk[CHUNK];
    ssize_t n;

    while ((n = transcript_file_read(&l->file, chunk, sizeof(chunk))) > 0)
        print(l, slice_of(chunk, (size_t)n));
    fflush(l->console->out.out);
    if (n == 0)
        return CONSOLE_FINE;
    COMPLAIN(l->console, EXPORT_UNREADABLE, l->id,
             reason_of((int)n, l->console->is_english).text);
    return CONSOLE_FAILED;
}

static int follow(struct logs *l)
{
    for (;;) {
        bool is_complete = transcript_file_is_complete(&l->file);
        int code = read_all(l);
        if (code || is_complete || !l->is_following)
            return code;
        if (ferror(l->console->out.out))
            return CONSOLE_FAILED; /* the reader has left */
        transcript_file_wait(&l->file);
    }
}

static void show_stderr(struct logs *l)
{
    struct bytes text = {0};

    transcript_file_tail(&l->file, "stderr.log", STDERR_TAIL, &text);
    if (slice_trim(bytes_slice(&text)).len > 0) {
        term_put(&l->console->out, TERM_DIM, "stderr:\n  ");
        term_block(&l->console->out, TERM_PLAIN, bytes_slice(&text), "  ");
        fputc('\n', l->console->out.out);
    }
    bytes_finish(&text);
}

/* "exit 3", "signal 9 end", "exec ENOENT" and the like. */
static void put_cause(struct console *con, yyjson_val *root)
{
    struct slice reason = FIELD_TEXT(root, "reason");
    struct slice error = FIELD_TEXT(root, "error");
    struct term *out = &con->out;

    if (yyjson_is_num(FIELD(root, "code")))
        term_format(out, TERM_PLAIN, " exit %" PRIu64,
                    FIELD_COUNT(root, "code"));
    else if (yyjson_is_num(FIELD(root, "signal")))
        term_format(out, TERM_PLAIN, " signal %" PRIu64,
                    FIELD_COUNT(root, "signal"));
    if (!slice_eq(reason, SLICE("exit"))) {
        fputc(' ', out->out);
        term_line(out, TERM_PLAIN, reason);
    }
    if (error.len > 0) {
        fputc(' ', out->out);
        term_line(out, TERM_PLAIN, error);
    }
    fputc('\n', out->out);
}

/* How its process ended, by the record that its warden has left. */
static void show_end(struct logs *l)
{
    struct console *con = l->console;
    struct bytes record = {0};

    transcript_file_exit(&l->file, &record);
    yyjson_doc *doc = yyjson_read(record.ptr, record.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    bool has_code = yyjson_is_num(FIELD(root, "code"));
    uint64_t code = FIELD_COUNT(root, "code");
    if (!root) {
        if (transcript_file_is_complete(&l->file))
            term_put(&con->out, TERM_YELLOW,
                     SAY(con, LOGS_ENDED_WITHOUT_RECORD));
    } else if (!has_code || code != 0) {
        term_put(&con->out, TERM_RED, SAY(con, LOGS_ENDED));
        put_cause(con, root);
        show_stderr(l);
    }
    yyjson_doc_free(doc);
    bytes_finish(&record);
}

/* One that has come to its end without a transcript had one once. */
static int check_found(struct logs *l)
{
    if (transcript_file_is_found(&l->file) ||
        !transcript_file_is_complete(&l->file))
        return CONSOLE_FINE;
    COMPLAIN(l->console, LOGS_NOT_KEPT, l->id);
    return CONSOLE_FAILED;
}

static int show(struct logs *l)
{
    int code = wait_started(l);

    if (code || !transcript_file_exists(&l->file))
        return code;
    if (l->is_raw) {
        code = follow(l);
        return code ? code : check_found(l);
    }
    render_init(&l->render, l->console, agent_backend_of(l->console, l->id));
    if (l->is_following)
        render_live(&l->render);
    code = follow(l);
    render_end(&l->render);
    render_finish(&l->render);
    show_end(l);
    return code ? code : check_found(l);
}

static int no_id(struct console *con, const char *word)
{
    COMPLAIN(con, LOGS_NO_AGENT_ID, word);
    return CONSOLE_FAILED;
}

/* An agent that has a directory need not be asked for. */
static int find(struct console *con, const char *piece, char **id)
{
    struct transcript_file f;

    *id = NULL;
    if (!transcript_file_open(&f, con->state_dir, piece))
        return no_id(con, piece);
    bool is_whole = transcript_file_exists(&f);
    transcript_file_close(&f);
    if (!is_whole)
        return ids_look_up(con, piece, IDS_EITHER, 1, id);
    *id = bytes_text("%s", piece);
    return CONSOLE_FINE;
}

static int show_end_of(struct logs *l, const struct logs_merged *how)
{
    int code = wait_started(l);

    return code || !transcript_file_exists(&l->file) ? code
                                                     : logs_merged_show(how);
}

/* Of one agent all, or only what came last. */
static int show_one(struct logs *l, const struct logs_merged *how)
{
    bool is_whole = how->tail == 0 && how->since == 0;

    if (!transcript_file_open(&l->file, l->console->state_dir, l->id))
        return no_id(l->console, l->id);
    int code = is_whole ? show(l) : show_end_of(l, how);
    transcript_file_close(&l->file);
    return code;
}

/* Of a group there is no one stream to be shown raw. */
static int show_either(struct logs *l, uint64_t tail, uint64_t since)
{
    const struct logs_merged how = {.console = l->console,
                                    .id = l->id,
                                    .tail = tail,
                                    .since = (int64_t)since,
                                    .is_following = l->is_following};

    bool is_group = ids_is_group(l->id);

    if (!l->is_raw || (!is_group && tail == 0 && since == 0))
        return is_group ? logs_merged_show(&how) : show_one(l, &how);
    COMPLAIN(l->console, LOGS_RAW_ALONE, "logs");
    return CONSOLE_USAGE;
}

static int run(struct console *con, int argc, char **argv)
{
    struct logs l = {.console = con};
    const char *tail_text = NULL, *since_text = NULL;
    const struct option options[] = {{"--follow", 'f', &l.is_following, NULL},
                                     {"--raw", 0, &l.is_raw, NULL},
                                     {"--tail", 'n', NULL, &tail_text},
                                     {"--since", 0, NULL, &since_text},
                                     {NULL}};
    uint64_t tail, since;
    char *id;

    if (hub_log_is_wanted(argc, argv))
        return hub_log_run(con, argc, argv);
    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 1, 1, SAY(con, OPERAND_AGENT_OR_GROUP)) ||
        options_number(con, argv[0], "--tail", tail_text, 1, 1000000, &tail) ||
        when_option(con, argv[0], "--since", since_text, &since))
        return CONSOLE_USAGE;
    int code = find(con, argv[1], &id);
    l.id = id;
    if (!code)
        code = show_either(&l, tail, since);
    free(id);
    return code;
}

const struct command command_logs = {
    .name = "logs",
    .words = "[-f] [--tail N] [--since WHEN] [--raw] AGENT|GROUP | --hub",
    .what = BOTH(LOGS_COMMAND),
    .more = BOTH(LOGS_MANUAL),
    .needs_home = true,
    .run = run,
};
