/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <poll.h>

#include "runtime/text/field.h"
#include "runtime/text/moment.h"
#include "transport/command/command.h"
#include "transport/command/hub_question.h"
#include "transport/command/options.h"
#include "transport/wire/build.h"
#include "transport/wire/hubstart.h"

/* A hub that takes over many agents reads their transcripts first. */
#define PATIENCE_MS 60000
#define LOOK_MS 20

static bool is_there(struct console *con, struct hublink *l,
                     struct hublink_welcome *w)
{
    return hublink_meet(l, con->home.socket, build_id(), "command",
                        ASK_PATIENCE_MS, w) == 0;
}

static int failed(struct console *con, const struct bytes *why)
{
    COMPLAIN(con, START_FAILED, (int)why->len, why->ptr, con->state_dir);
    return CONSOLE_FAILED;
}

/* Until it welcomes us, or has said why it will not. */
static int begin(struct console *con, struct hublink *l,
                 struct hublink_welcome *w)
{
    int64_t end = moment_monotonic() + PATIENCE_MS;
    struct hubstart start;
    struct bytes why = {0};
    int code = CONSOLE_FINE;

    con->home.has_hub_stay = true;
    if (hubstart_begin(&start, &con->home, &why) != 0)
        code = failed(con, &why);
    while (code == CONSOLE_FINE && !is_there(con, l, w)) {
        enum hubstart_news news = start.fd >= 0
                                      ? hubstart_look(&start, &con->home, &why)
                                      : HUBSTART_NOTHING;

        if (news == HUBSTART_FAILED || news == HUBSTART_KILLED)
            code = failed(con, &why);
        else if (moment_monotonic() > end)
            code = ask_failed(con, -ETIMEDOUT);
        poll(NULL, 0, LOOK_MS);
    }
    hubstart_end(&start);
    bytes_finish(&why);
    return code;
}

/* The web side may need a moment more than the socket. */
static int show(struct console *con, struct hublink *l, bool is_new)
{
    int64_t end = moment_monotonic() + ASK_PATIENCE_MS;
    yyjson_doc *doc = NULL;
    struct slice url;
    int code;

    for (;;) {
        code = ask_link(con, l, "hub_status", SLICE("{}"), &doc);
        url = FIELD_TEXT(yyjson_doc_get_root(doc), "url");
        if (code || url.len > 0 || moment_monotonic() > end)
            break;
        yyjson_doc_free(doc);
        poll(NULL, 0, LOOK_MS);
    }
    if (code)
        return code;
    term_format(&con->out, TERM_PLAIN,
                is_new ? SAY(con, START_DONE) : SAY(con, START_RUNS_ALREADY),
                (unsigned)FIELD_COUNT(yyjson_doc_get_root(doc), "pid"));
    term_put(&con->out, TERM_PLAIN,
             url.len > 0 ? SAY(con, START_DASHBOARD)
                         : SAY(con, START_NO_DASHBOARD));
    term_line(&con->out, TERM_BOLD, url);
    fputc('\n', con->out.out);
    yyjson_doc_free(doc);
    return CONSOLE_FINE;
}

static int run(struct console *con, int argc, char **argv)
{
    const struct option options[] = {{NULL}};
    struct hublink link = HUBLINK_CLOSED;
    struct hublink_welcome welcome;
    int code = CONSOLE_FINE;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    bool is_new = !is_there(con, &link, &welcome);
    if (is_new && con->home.is_agent) {
        COMPLAIN(con, START_NOT_FOR_AGENTS, argv[0]);
        return CONSOLE_FAILED;
    }
    if (is_new && con->home.wrong)
        return ask_no_hub(con);
    if (is_new)
        code = begin(con, &link, &welcome);
    if (!code)
        code = show(con, &link, is_new);
    hublink_close(&link);
    return code;
}

const struct command command_start = {
    .name = "start",
    .words = "",
    .what = BOTH(START_COMMAND),
    .more = BOTH(START_MANUAL),
    .needs_home = true,
    .run = run,
};
