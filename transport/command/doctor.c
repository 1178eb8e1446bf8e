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
    struct message name;
} subjects[] = {
    [DOCTOR_CONFIG] = {"configuration", BOTH(SUBJECT_CONFIG)},
    [DOCTOR_STATE] = {"state", BOTH(SUBJECT_STATE)},
    [DOCTOR_SOCKET] = {"socket", BOTH(SUBJECT_SOCKET)},
    [DOCTOR_PROGRAM] = {"program", BOTH(SUBJECT_PROGRAM)},
    [DOCTOR_HUB] = {"hub", BOTH(SUBJECT_HUB)},
    [DOCTOR_ROLE] = {"role", BOTH(SUBJECT_ROLE)},
    [DOCTOR_CLI] = {"cli", {"CLI", "CLI"}},
    [DOCTOR_LOGIN] = {"login", BOTH(SUBJECT_LOGIN)},
    [DOCTOR_CLIENT] = {"client", BOTH(SUBJECT_CLIENT)},
    [DOCTOR_FILES] = {"files", BOTH(SUBJECT_OPEN_FILES)},
    [DOCTOR_MEMORY] = {"memory", BOTH(SUBJECT_MEMORY_LIMIT)},
    [DOCTOR_NOTIFY] = {"notifications", BOTH(SUBJECT_NOTIFICATIONS)},
    [DOCTOR_INOTIFY] = {"inotify", {"inotify", "inotify"}},
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
                  console_say(con, subjects[subject].name));
    print(x, text, "      ");
}

static void print_end(struct doctor *x)
{
    struct console *con = x->console;

    fputc('\n', con->out.out);
    if (x->failures > 0)
        term_format(&con->out, TERM_RED, SAY(con, DOCTOR_SUM_BAD), x->failures,
                    x->warnings);
    else
        term_format(&con->out, TERM_GREEN, SAY(con, DOCTOR_SUM_GOOD),
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
    doctor_see_notifications(&x);
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
    .what = BOTH(DOCTOR_COMMAND),
    .more = BOTH(DOCTOR_MANUAL),
    .run = run,
};
