/* SPDX-License-Identifier: MIT */
#include "transport/command/report_diff.h"

#include <stdlib.h>
#include <string.h>

#include "transport/command/program.h"

#define PATIENCE_MS 20000
#define MOST ((size_t)60000) /* of what program_ask gathers */
#define FILES 500

/* Nothing that the checkout's configuration names is run, and a file's name
 * is a name. */
static const char *const git[] = {"--literal-pathspecs", "--no-pager", "-c",
                                  "core.fsmonitor=false", NULL};

/* Asks git about the files that lie below the directory. */
static int ask(const char *directory, const char *const *words,
               const struct touched *files, struct bytes *said)
{
    char path[PATH_MAX];
    const char **argv = bytes_zalloc((files->count + 32) * sizeof(*argv));
    size_t n = 0;

    if (!program_on_path("git", path)) {
        free(argv);
        return PROGRAM_NOT_RUN;
    }
    argv[n++] = path;
    argv[n++] = "-C";
    argv[n++] = directory;
    for (size_t i = 0; git[i]; i++)
        argv[n++] = git[i];
    for (size_t i = 0; words[i]; i++)
        argv[n++] = words[i];
    argv[n++] = "--";
    for (size_t i = 0; i < files->count && i < FILES; i++)
        if (files->names[i][0] != '/')
            argv[n++] = files->names[i];
    int code = program_ask((char *const *)argv, PATIENCE_MS, said);
    free(argv);
    return code;
}

/* Longer than any run of backquotes in it. */
static size_t fence_of(struct slice text)
{
    size_t longest = 2, run = 0;

    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest + 1;
}

static void put_fenced(struct bytes *out, const char *kind, struct slice text)
{
    size_t fence = fence_of(text);

    for (size_t i = 0; i < fence; i++)
        bytes_append(out, "`", 1);
    bytes_format(out, "%s\n", kind);
    bytes_append(out, text.ptr, text.len);
    if (text.len > 0 && text.ptr[text.len - 1] != '\n')
        bytes_append(out, "\n", 1);
    for (size_t i = 0; i < fence; i++)
        bytes_append(out, "`", 1);
    bytes_append(out, "\n", 1);
}

static void say(struct bytes *out, const char *text)
{
    bytes_format(out, "%s\n", text);
}

/* Files that git does not know yet are named: it has no other side of them. */
static void put_new(struct console *con, const char *directory,
                    const struct touched *files, struct bytes *out)
{
    static const char *const words[] = {"ls-files", "--others",
                                        "--exclude-standard", NULL};
    struct bytes said = {0};

    if (ask(directory, words, files, &said) == 0 && said.len > 0) {
        say(out, SAY(con, REPORT_NEW_FILES));
        put_fenced(out, "", bytes_slice(&said));
    }
    bytes_finish(&said);
}

void report_diff(struct console *con, const char *directory,
                 const struct touched *files, struct bytes *out)
{
    static const char *const words[] = {
        "diff", "--no-color", "--no-ext-diff", "--no-textconv", "HEAD", NULL};
    struct bytes said = {0};
    int code = ask(directory, words, files, &said);

    if (code != 0)
        say(out, SAY(con, REPORT_NO_GIT));
    else if (said.len == 0)
        say(out, SAY(con, REPORT_NO_DIFFERENCE));
    else
        put_fenced(out, "diff",
                   slice_of(said.ptr, said.len < MOST ? said.len : MOST));
    if (code == 0 && said.len >= MOST)
        say(out, SAY(con, REPORT_DIFF_CUT));
    if (code == 0)
        put_new(con, directory, files, out);
    bytes_finish(&said);
}
