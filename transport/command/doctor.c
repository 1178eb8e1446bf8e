/* SPDX-License-Identifier: MIT */
#include "transport/command/doctor.h"

#include <stdarg.h>
#include <stdlib.h>

#include "transport/command/command.h"
#include "transport/command/options.h"

#define SUBJECT_COLUMNS 16

static void put(struct doctor *x, const char *indent, const char *format,
                va_list args)
{
    struct console *con = x->console;
    struct bytes text = {0};

    bytes_vformat(&text, format, args);
    term_block(&con->out, TERM_PLAIN, bytes_slice(&text), indent);
    fputc('\n', con->out.out);
    fflush(con->out.out);
    bytes_finish(&text);
}

void doctor_find(struct doctor *x, enum doctor_verdict verdict,
                 const char *subject, const char *format, ...)
{
    static const struct {
        const char *word;
        enum term_style style;
    } looks[] = {[DOCTOR_OK] = {"ok  ", TERM_GREEN},
                 [DOCTOR_WARN] = {"warn", TERM_YELLOW},
                 [DOCTOR_FAIL] = {"fail", TERM_RED}};
    va_list args;

    x->warnings += verdict == DOCTOR_WARN;
    x->failures += verdict == DOCTOR_FAIL;
    term_put(&x->console->out, looks[verdict].style, looks[verdict].word);
    fputs("  ", x->console->out.out);
    console_label(x->console, SUBJECT_COLUMNS, subject);
    va_start(args, format);
    put(x, "      ", format, args);
    va_end(args);
}

void doctor_mend(struct doctor *x, const char *format, ...)
{
    va_list args;

    term_put(&x->console->out, TERM_BOLD, "      → ");
    va_start(args, format);
    put(x, "        ", format, args);
    va_end(args);
}

static int run(struct console *con, int argc, char **argv)
{
    const struct option options[] = {{NULL}};
    struct doctor x = {.console = con};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    doctor_see_config(&x);
    doctor_see_state(&x);
    doctor_see_programs(&x);
    doctor_see_hub(&x);
    doctor_see_clis(&x);
    doctor_see_entry(&x);
    doctor_see_limits(&x);
    fputc('\n', con->out.out);
    if (x.failures > 0)
        term_format(&con->out, TERM_RED,
                    SAY(con, "問題 %u 件、注意 %u 件。\n",
                        "%u to mend, %u to look at.\n"),
                    x.failures, x.warnings);
    else
        term_format(&con->out, TERM_GREEN,
                    SAY(con, "問題ありません（注意 %u 件）。\n",
                        "All is well (%u to look at).\n"),
                    x.warnings);
    config_destroy(x.config);
    return x.failures > 0 ? CONSOLE_FAILED : CONSOLE_FINE;
}

const struct command command_doctor = {
    .name = "doctor",
    .words = "",
    .ja = "環境を調べ、問題と直し方を示す",
    .en = "says what is wrong with this set-up and how to mend it",
    .more_ja =
        "設定ファイル、状態ディレクトリ、プログラム、ハブ、Agent の CLI と"
        "ログイン、\n.cursor/mcp.json、システムの上限を調べる。何も変更せず、"
        "ハブも起動しない。\nfail が一つもなければ終了コード 0、あれば 1。",
    .more_en =
        "Looks at configuration, state directory, programs, hub, the agents'\n"
        "CLI and its login, .cursor/mcp.json and the system's limits. Changes\n"
        "nothing and starts no hub. Exit code 0 without any fail, else 1.",
    .run = run,
};
