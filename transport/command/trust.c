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
            claim->value ? claim->value : SAY(con, "（秘密）", "(a secret)");

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
    term_put(
        &con->out, TERM_PLAIN,
        SAY(con,
            "動作中のハブには数秒で反映されます（dashboard の host・token・"
            "tokenFile は再起動後: kuromajutsu stop --keep-agents）\n",
            "the hub that runs takes it up within seconds (dashboard "
            "host, token and tokenFile when it starts again: kuromajutsu "
            "stop --keep-agents)\n"));
}

static int fail(struct console *con, const struct config_error *e)
{
    COMPLAIN(con, "%s", "%s", e->text);
    return CONSOLE_FAILED;
}

static int trust(struct console *con, const struct config *c)
{
    struct config_error e;

    if (c->claim_count == 0) {
        term_line(&con->out, TERM_PLAIN, slice_cstr(c->file));
        term_put(&con->out, TERM_PLAIN,
                 SAY(con, ": 信頼が必要な設定はありません\n",
                     ": nothing in it needs trust\n"));
        return CONSOLE_FINE;
    }
    show_claims(con, c);
    if (trust_note(environ, c->digest, c->file, &e))
        return fail(con, &e);
    term_put(&con->out, TERM_GREEN,
             SAY(con, "信頼しました。上の値が変わればまた尋ねます。\n",
                 "trusted, until one of these values changes.\n"));
    tell_hub(con);
    return CONSOLE_FINE;
}

static int take_back(struct console *con, const struct config *c)
{
    struct config_error e;

    if (trust_forget(environ, c->file, &e))
        return fail(con, &e);
    term_line(&con->out, TERM_PLAIN, slice_cstr(c->file));
    term_put(&con->out, TERM_PLAIN,
             SAY(con, ": 信頼を取り消しました\n", ": not trusted any more\n"));
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
        COMPLAIN(con,
                 "%s: Agent からは信頼できません。人が端末で実行してください",
                 "%s: not for agents: a person has to say it in a terminal",
                 argv[0]);
        return CONSOLE_FAILED;
    }
    const char *file = argc > 1 ? argv[1] : con->config_file;
    if (config_examine(file, environ, &c, &e)) {
        COMPLAIN(con, "%s", "%s", e.text);
        return CONSOLE_USAGE;
    }
    int code = is_revoking ? take_back(con, c) : trust(con, c);
    config_destroy(c);
    return code;
}

const struct command command_trust = {
    .name = "trust",
    .words = "[FILE] [--revoke]",
    .ja = "プロジェクトに付属の設定を信頼する",
    .en = "lets what a project's settings could run or expose take effect",
    .more_ja =
        "FILE がなければ、このプロジェクトの kuromajutsu.config.yaml。\n"
        "プログラムを実行したり外に公開したりできる設定（agent.command、\n"
        "agent.allowNesting、dashboard の host・token・tokenFile、\n"
        "healthCheckPrompt、healthCheckCommand）は、プロジェクトのファイルに\n"
        "あるだけでは効かず、これを実行して初めて有効になる。値が変われば\n"
        "もう一度必要。自分のファイル ~/.config/kuromajutsu/config.yaml、\n"
        "環境変数、--config で指定したファイルには不要。\n"
        "      --revoke   信頼を取り消す",
    .more_en =
        "FILE is this project's kuromajutsu.config.yaml if it is not given.\n"
        "What could run or expose something (agent.command, "
        "agent.allowNesting,\n"
        "dashboard host, token and tokenFile, healthCheckPrompt,\n"
        "healthCheckCommand) has no effect from a file that came with a "
        "project\n"
        "until you have said this, and again when a value has changed. Your "
        "own\n"
        "~/.config/kuromajutsu/config.yaml, the environment and a file named "
        "by\n"
        "--config need none.\n"
        "      --revoke   takes it back",
    .run = run,
};
