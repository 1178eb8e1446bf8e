/* SPDX-License-Identifier: MIT */
#include "transport/command/doctor.h"

#include <stdarg.h>
#include <stdlib.h>

#include "runtime/text/utf8.h"
#include "transport/command/command.h"
#include "transport/command/options.h"

#define SUBJECT_COLUMNS 16

static const struct {
    const char *id; /* for programs */
    const char *ja, *en;
} subjects[] = {
    [DOCTOR_CONFIG] = {"configuration", "設定", "configuration"},
    [DOCTOR_STATE] = {"state", "状態", "state"},
    [DOCTOR_SOCKET] = {"socket", "ソケット", "socket"},
    [DOCTOR_PROGRAM] = {"program", "プログラム", "program"},
    [DOCTOR_HUB] = {"hub", "ハブ", "hub"},
    [DOCTOR_ROLE] = {"role", "職種", "role"},
    [DOCTOR_CLI] = {"cli", "CLI", "CLI"},
    [DOCTOR_LOGIN] = {"login", "ログイン", "login"},
    [DOCTOR_CLIENT] = {"client", "クライアント", "client"},
    [DOCTOR_FILES] = {"files", "ファイル数", "open files"},
    [DOCTOR_MEMORY] = {"memory", "メモリ上限", "memory limit"},
    [DOCTOR_INOTIFY] = {"inotify", "inotify", "inotify"},
};

static const struct {
    const char *word;
    enum term_style style;
} looks[] = {[DOCTOR_OK] = {"ok", TERM_GREEN},
             [DOCTOR_NOTE] = {"note", TERM_CYAN},
             [DOCTOR_WARN] = {"warn", TERM_YELLOW},
             [DOCTOR_FAIL] = {"fail", TERM_RED}};

/* ---- for people -------------------------------------------------------- */

static void print(struct doctor *x, struct slice text, const char *indent)
{
    struct console *con = x->console;

    term_block(&con->out, TERM_PLAIN, text, indent);
    fputc('\n', con->out.out);
    fflush(con->out.out);
}

static void print_finding(struct doctor *x, enum doctor_verdict verdict,
                          enum doctor_subject subject, struct slice text)
{
    struct console *con = x->console;

    term_format(&con->out, looks[verdict].style, "%-4s", looks[verdict].word);
    fputs("  ", con->out.out);
    console_label(con, SUBJECT_COLUMNS,
                  SAY(con, subjects[subject].ja, subjects[subject].en));
    print(x, text, "      ");
}

static void print_end(struct doctor *x)
{
    struct console *con = x->console;

    fputc('\n', con->out.out);
    if (x->failures > 0)
        term_format(&con->out, TERM_RED,
                    SAY(con, "問題 %u 件、注意 %u 件。\n",
                        "%u to mend, %u to look at.\n"),
                    x->failures, x->warnings);
    else
        term_format(&con->out, TERM_GREEN,
                    SAY(con, "問題ありません（注意 %u 件）。\n",
                        "All is well (%u to look at).\n"),
                    x->warnings);
}

/* ---- for programs ------------------------------------------------------ */

void doctor_add(struct doctor *x, yyjson_mut_val *to, const char *key,
                struct slice text)
{
    struct bytes sound = {0};

    utf8_repair(text.ptr, text.len, &sound);
    yyjson_mut_obj_add_strncpy(x->json, to, key, bytes_slice(&sound).ptr,
                               sound.len);
    bytes_finish(&sound);
}

static void add_finding(struct doctor *x, enum doctor_verdict verdict,
                        enum doctor_subject subject, struct slice text)
{
    yyjson_mut_val *found = yyjson_mut_arr_add_obj(x->json, x->findings);

    yyjson_mut_obj_add_str(x->json, found, "verdict", looks[verdict].word);
    yyjson_mut_obj_add_str(x->json, found, "subject", subjects[subject].id);
    doctor_add(x, found, "text", text);
}

static void begin_json(struct doctor *x)
{
    x->json = yyjson_mut_doc_new(NULL);
    yyjson_mut_doc_set_root(x->json, yyjson_mut_obj(x->json));
    x->findings = yyjson_mut_arr(x->json);
    x->clients = yyjson_mut_arr(x->json);
}

static void print_json(struct doctor *x)
{
    yyjson_mut_val *root = yyjson_mut_doc_get_root(x->json);
    yyjson_doc *fixed;

    yyjson_mut_obj_add_bool(x->json, root, "ok", x->failures == 0);
    yyjson_mut_obj_add_uint(x->json, root, "failures", x->failures);
    yyjson_mut_obj_add_uint(x->json, root, "warnings", x->warnings);
    yyjson_mut_obj_add_val(x->json, root, "findings", x->findings);
    yyjson_mut_obj_add_val(x->json, root, "clients", x->clients);
    fixed = yyjson_mut_doc_imut_copy(x->json, NULL);
    console_print_json(x->console, fixed);
    yyjson_doc_free(fixed);
    yyjson_mut_doc_free(x->json);
}

/* ---- either ------------------------------------------------------------ */

void doctor_find(struct doctor *x, enum doctor_verdict verdict,
                 enum doctor_subject subject, const char *format, ...)
{
    struct bytes text = {0};
    va_list args;

    x->warnings += verdict == DOCTOR_WARN;
    x->failures += verdict == DOCTOR_FAIL;
    va_start(args, format);
    bytes_vformat(&text, format, args);
    va_end(args);
    if (x->json != NULL)
        add_finding(x, verdict, subject, bytes_slice(&text));
    else
        print_finding(x, verdict, subject, bytes_slice(&text));
    bytes_finish(&text);
}

void doctor_mend(struct doctor *x, const char *format, ...)
{
    struct bytes text = {0};
    va_list args;

    va_start(args, format);
    bytes_vformat(&text, format, args);
    va_end(args);
    if (x->json != NULL) {
        doctor_add(x, yyjson_mut_arr_get_last(x->findings), "remedy",
                   bytes_slice(&text));
    } else {
        term_put(&x->console->out, TERM_BOLD, "      → ");
        print(x, bytes_slice(&text), "        ");
    }
    bytes_finish(&text);
}

static int run(struct console *con, int argc, char **argv)
{
    bool is_json = false;
    const struct option options[] = {{"--json", 0, &is_json, NULL}, {NULL}};
    struct doctor x = {.console = con};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    if (is_json)
        begin_json(&x);
    doctor_see_config(&x);
    doctor_see_state(&x);
    doctor_see_programs(&x);
    doctor_see_hub(&x);
    doctor_see_clis(&x);
    doctor_see_clients(&x);
    doctor_see_limits(&x);
    if (is_json)
        print_json(&x);
    else
        print_end(&x);
    config_destroy(x.config);
    return x.failures > 0 ? CONSOLE_FAILED : CONSOLE_FINE;
}

const struct command command_doctor = {
    .name = "doctor",
    .words = "[--json]",
    .ja = "環境を調べ、問題と直し方を示す",
    .en = "says what is wrong with this set-up and how to mend it",
    .more_ja =
        "設定ファイル、状態ディレクトリ、プログラム、ハブと職種、Agent の CLI "
        "と"
        "\nログイン、MCP クライアント（Cursor、Claude Code、Codex、Gemini）の"
        "設定、\nシステムの上限を調べる。何も変更せず、ハブも起動しない。"
        "\nfail が一つもなければ終了コード 0、あれば 1。",
    .more_en =
        "Looks at configuration, state directory, programs, hub and roles, the"
        "\nagents' CLI and its login, the entries of MCP clients (Cursor, "
        "Claude\nCode, Codex, Gemini) and the system's limits. Changes nothing "
        "and\nstarts no hub. Exit code 0 without any fail, else 1.",
    .run = run,
};
