/* SPDX-License-Identifier: MIT */
#include "transport/command/records.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/reason.h"
#include "runtime/text/field.h"
#include "runtime/text/folder.h"
#include "runtime/text/moment.h"
#include "runtime/text/warden_file.h"
#include "transport/command/flocked.h"
#include "transport/command/options.h"
#include "transport/wire/build.h"
#include "transport/wire/hubstart.h"

/* It reads a disk, perhaps a slow one; it never has to think that long. */
#define PATIENCE_MS 60000

/* ---- a reader ----------------------------------------------------------- */

/* Its socket is its stdin; what it has to complain of is ours. */
static _Noreturn void be_reader(const struct console *con, int socket)
{
    char name[] = "kuromajutsu-hub", read[] = "--read", db[] = "--db";
    char *argv[] = {name,
                    read,
                    con->state_dir,
                    con->home.database ? db : NULL,
                    con->home.database,
                    NULL};

    setenv("KUROMAJUTSU_LANGUAGE", con->is_english ? "en" : "ja", 1);
    dup2(socket, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    hubstart_exec(argv);
    _exit(127);
}

static int begin(struct records *r)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -errno;
    fflush(NULL);
    r->reader = fork();
    if (r->reader == 0)
        be_reader(r->console, ends[1]);
    close(ends[1]);
    r->link = HUBLINK_CLOSED;
    r->link.fd = ends[0];
    if (r->reader > 0)
        return 0;
    r->reader = 0;
    return -errno;
}

static int greet(struct records *r)
{
    struct hublink_welcome w;
    struct wire_frame frame;

    hublink_greet(&r->link, build_id(), "command", NULL);
    int error = hublink_wait(&r->link, PATIENCE_MS, &frame);
    return error == 0 && !hublink_welcome_read(&frame, &w) ? -EPROTO : error;
}

static int nothing(struct console *con)
{
    /* What is wrong would be the first to mend. */
    if (con->home.wrong || con->home.database)
        return ask_no_hub(con);
    COMPLAIN(con, RECORDS_NONE, con->place);
    return CONSOLE_NO_HUB;
}

static int open_reader(struct records *r)
{
    struct console *con = r->console;
    char *database = con->home.database
                         ? bytes_text("%s", con->home.database)
                         : bytes_text("%s/kuromajutsu.db", con->state_dir);
    struct stat st;
    bool is_there = stat(database, &st) == 0;

    free(database);
    if (!is_there)
        return nothing(con);
    int error = st.st_uid == geteuid() ? begin(r) : -EPERM;
    if (error == 0)
        error = greet(r);
    if (error == 0)
        return CONSOLE_FINE;
    if (error == -EPERM) {
        console_complain(con, "%s: %s", con->state_dir,
                         home_why(&con->home, error).text);
        return CONSOLE_FAILED;
    }
    COMPLAIN(con, RECORDS_NO_READER, reason_of(error, con->is_english).text);
    return CONSOLE_FAILED;
}

/* ---- what has become of agents ----------------------------------------- */

/* An agent is under way if its lock is held, however its row stands. */
static const char *look(const struct console *con, struct slice id,
                        struct slice state)
{
    char *path =
        bytes_text("%s/agents/%.*s", con->state_dir, (int)id.len, id.ptr);
    int dir = memchr(id.ptr, '/', id.len) ? -1 : folder_open(path);
    bool is_held = dir >= 0 && flocked_agent(dir) != 0;
    bool was_started = dir >= 0 && warden_file_started(dir) != 0;

    if (dir >= 0)
        close(dir);
    free(path);
    if (is_held)
        return "running";
    return was_started || slice_eq(state, SLICE("running")) ? "ended"
                                                            : "queued";
}

static void set_elapsed(yyjson_mut_doc *doc, yyjson_mut_val *agent)
{
    yyjson_mut_val *at = yyjson_mut_obj_get(agent, "startedAt");
    int64_t ms;

    if (!at || !moment_read(slice_cstr(yyjson_mut_get_str(at)), &ms))
        return;
    int64_t now = (int64_t)moment_now();
    yyjson_mut_obj_remove_key(agent, "elapsed_ms");
    yyjson_mut_obj_add_uint(doc, agent, "elapsed_ms",
                            now > ms ? (uint64_t)(now - ms) : 0);
}

static void mark(const struct console *con, yyjson_mut_doc *doc,
                 yyjson_mut_val *agent)
{
    yyjson_mut_val *id = yyjson_mut_obj_get(agent, "agentId");
    yyjson_mut_val *state = yyjson_mut_obj_get(agent, "status");

    if (!yyjson_mut_is_str(id) || !yyjson_mut_is_str(state))
        return;
    struct slice word = slice_cstr(yyjson_mut_get_str(state));
    if (!slice_eq(word, SLICE("running")) && !slice_eq(word, SLICE("queued")))
        return;
    const char *now = look(con, slice_cstr(yyjson_mut_get_str(id)), word);
    yyjson_mut_obj_add_str(doc, agent, "withoutHub", now);
    if (slice_eq(slice_cstr(now), SLICE("running")))
        set_elapsed(doc, agent);
}

static void mark_all(const struct console *con, yyjson_doc **doc)
{
    yyjson_mut_doc *m = yyjson_doc_mut_copy(*doc, NULL);
    yyjson_mut_val *root = yyjson_mut_doc_get_root(m), *agent;
    size_t i, count;

    mark(con, m, root);
    yyjson_mut_arr_foreach(yyjson_mut_obj_get(root, "agents"), i, count, agent)
    {
        mark(con, m, agent);
    }
    yyjson_mut_obj_add_bool(m, root, "hub", false);
    yyjson_doc_free(*doc);
    *doc = yyjson_mut_doc_imut_copy(m, NULL);
    yyjson_mut_doc_free(m);
}

/* ---- questions ---------------------------------------------------------- */

/* There is none, or not any more: it may go while it is being asked. */
static bool is_without_hub(int error)
{
    return error == -ENOENT || error == -ECONNREFUSED || error == -EPIPE ||
           error == -ECONNRESET || error == -ESHUTDOWN;
}

int records_open(struct records *r, struct console *con)
{
    struct hublink_welcome welcome;

    *r = (struct records){.console = con, .link = HUBLINK_CLOSED};
    int error = hublink_meet(&r->link, con->home.socket, build_id(), "command",
                             ASK_PATIENCE_MS, &welcome);
    if (is_without_hub(error))
        return open_reader(r);
    return error ? ask_failed(con, error) : CONSOLE_FINE;
}

void records_close(struct records *r)
{
    hublink_close(&r->link);
    while (r->reader > 0 && waitpid(r->reader, NULL, 0) < 0 && errno == EINTR)
        ;
    r->reader = 0;
}

/* CONSOLE_NO_HUB, untold: the hub has gone instead of answering. */
static int ask(struct records *r, const char *name, struct slice args,
               bool is_quiet, yyjson_doc **doc)
{
    struct bytes answer = {0};
    bool is_error = false;
    int error = hublink_ask(&r->link, name, args,
                            r->reader > 0 ? PATIENCE_MS : ASK_PATIENCE_MS,
                            &answer, &is_error);
    int code = r->reader == 0 && is_without_hub(error) ? CONSOLE_NO_HUB
               : error ? ask_failed(r->console, error)
               : is_error && is_quiet
                   ? CONSOLE_FINE
                   : ask_read(r->console, &answer, is_error, doc);

    bytes_finish(&answer);
    return code;
}

static int ask_either(struct records *r, const char *name, struct slice args,
                      bool is_quiet, yyjson_doc **doc)
{
    int code;

    *doc = NULL;
    code = ask(r, name, args, is_quiet, doc);
    if (code == CONSOLE_NO_HUB) {
        hublink_close(&r->link);
        code = open_reader(r);
        code = code ? code : ask(r, name, args, is_quiet, doc);
    }
    if (!code && *doc && r->reader > 0)
        mark_all(r->console, doc);
    return code;
}

int records_ask(struct records *r, const char *name, struct slice args,
                yyjson_doc **doc)
{
    return ask_either(r, name, args, false, doc);
}

int records_try(struct records *r, const char *name, struct slice args,
                yyjson_doc **doc)
{
    return ask_either(r, name, args, true, doc);
}

/* Whether some agent waits for a hub, which would take it over. */
static bool is_waiting(yyjson_val *root)
{
    size_t i, count;
    yyjson_val *agent;

    if (FIELD(root, "withoutHub"))
        return true;
    yyjson_arr_foreach(FIELD(root, "agents"), i, count, agent)
    {
        if (FIELD(agent, "withoutHub"))
            return true;
    }
    return false;
}

static void show_waiting(struct console *con, yyjson_val *root)
{
    if (is_waiting(root))
        term_put(&con->out, TERM_DIM, SAY(con, RECORDS_WITHOUT_HUB));
}

int records_show(struct console *con, const char *name, struct slice args,
                 bool is_json, ask_show_fn *show)
{
    struct records r;
    yyjson_doc *doc = NULL;
    int code = records_open(&r, con);

    if (!code)
        code = records_ask(&r, name, args, &doc);
    records_close(&r);
    if (code)
        return code;
    if (is_json)
        console_print_json(con, doc);
    else
        show(con, yyjson_doc_get_root(doc));
    if (!is_json)
        show_waiting(con, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return CONSOLE_FINE;
}

int records_plainly(struct console *con, int argc, char **argv,
                    const char *name, ask_show_fn *show)
{
    bool is_json = false;
    const struct option options[] = {{"--json", 0, &is_json, NULL}, {NULL}};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    return records_show(con, name, SLICE("{}"), is_json, show);
}
