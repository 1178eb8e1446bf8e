/* SPDX-License-Identifier: MIT */
#include "config/trust.h"

#include <string.h>
#include <unistd.h>

#include "transport/command/command.h"
#include "transport/command/options.h"
#include "transport/wire/build.h"
#include "transport/wire/hublink.h"
#include "transport/wire/proc_entry.h"

#define HUB_MS 5000
#define KEY_WIDTH 34

static void show_claims(struct console *con, const struct config *c)
{
    term_line(&con->out, TERM_BOLD, slice_cstr(c->file));
    fputc('\n', con->out.out);
    for (size_t i = 0; i < c->claim_count; i++) {
        const struct config_claim *claim = &c->claims[i];
        const char *value =
            claim->value ? claim->value : SAY(con, TRUST_SECRET);

        fputs("  ", con->out.out);
        term_line(&con->out, TERM_PLAIN, slice_cstr(claim->key));
        for (size_t n = strlen(claim->key); n < KEY_WIDTH; n++)
            fputc(' ', con->out.out);
        fputs("  ", con->out.out);
        term_line(&con->out, TERM_YELLOW, slice_cstr(value));
        fputc('\n', con->out.out);
    }
}

/* A hub that runs sees what is noted, and takes it up by itself. */
static void tell_hub(struct console *con)
{
    struct hublink link = HUBLINK_CLOSED;
    struct hublink_welcome w;

    if (con->home_error || hublink_meet(&link, con->home.socket, build_id(),
                                        "command", HUB_MS, &w))
        return;
    hublink_close(&link);
    term_put(&con->out, TERM_PLAIN, SAY(con, TRUST_TAKEN_UP));
}

static int fail(struct console *con, const struct config_error *e)
{
    console_complain(con, "%s", config_error_in(e, con->is_english));
    return CONSOLE_FAILED;
}

static int trust(struct console *con, const struct config *c)
{
    struct config_error e;

    if (c->claim_count == 0) {
        term_line(&con->out, TERM_PLAIN, slice_cstr(c->file));
        term_put(&con->out, TERM_PLAIN, SAY(con, TRUST_NOT_NEEDED));
        return CONSOLE_FINE;
    }
    show_claims(con, c);
    if (trust_note(environ, c->digest, c->file, &e))
        return fail(con, &e);
    term_put(&con->out, TERM_GREEN, SAY(con, TRUST_DONE));
    tell_hub(con);
    return CONSOLE_FINE;
}

static int take_back(struct console *con, const struct config *c)
{
    struct config_error e;

    if (trust_forget(environ, c->file, &e))
        return fail(con, &e);
    term_line(&con->out, TERM_PLAIN, slice_cstr(c->file));
    term_put(&con->out, TERM_PLAIN, SAY(con, TRUST_TAKEN_BACK));
    tell_hub(con);
    return CONSOLE_FINE;
}

static int run(struct console *con, int argc, char **argv)
{
    bool is_revoking = false;
    const struct option options[] = {{"--revoke", 0, &is_revoking, NULL},
                                     {NULL}};
    struct config_error e;
    struct config *c;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 1, ""))
        return CONSOLE_USAGE;
    if (con->home.is_agent || proc_is_agents()) {
        COMPLAIN(con, TRUST_NOT_FOR_AGENTS, argv[0]);
        return CONSOLE_FAILED;
    }
    const char *file = argc > 1 ? argv[1] : con->config_file;
    if (config_examine(file, environ, &c, &e)) {
        console_complain(con, "%s", config_error_in(&e, con->is_english));
        return CONSOLE_USAGE;
    }
    int code = is_revoking ? take_back(con, c) : trust(con, c);
    config_destroy(c);
    return code;
}

const struct command command_trust = {
    .name = "trust",
    .words = "[FILE] [--revoke]",
    .what = BOTH(TRUST_COMMAND),
    .more = BOTH(TRUST_MANUAL),
    .run = run,
};
