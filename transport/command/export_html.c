/* SPDX-License-Identifier: MIT */
#include "transport/command/export_html.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/reason.h"
#include "transport/command/humanize.h"
#include "transport/command/recording.h"
#include "transport/command/text_file.h"
#include "transport/wire/hubstart.h"

#define MARK "@RECORDING@" /* as web/single.mjs has it */

/* ---- the page ----------------------------------------------------------- */

static _Noreturn void be_writer(int out)
{
    char name[] = "kuromajutsu-hub", page[] = "--recording-page";
    char *argv[] = {name, page, NULL};

    dup2(out, STDOUT_FILENO);
    hubstart_exec(argv);
    _exit(127);
}

/* What the hub's program writes; it has the page, for it has the dashboard. */
static int read_page(struct bytes *page)
{
    int ends[2], status = 0;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    fflush(NULL);
    pid_t writer = fork();
    int error = writer < 0 ? -errno : 0;
    if (writer == 0)
        be_writer(ends[1]);
    close(ends[1]);
    if (error == 0)
        error = text_file_take(ends[0], SIZE_MAX, page);
    close(ends[0]);
    while (writer > 0 && waitpid(writer, &status, 0) < 0 && errno == EINTR)
        ;
    return error ? error : status == 0 ? 0 : -ENOEXEC;
}

/* Where the recording belongs in it; SIZE_MAX: nowhere. */
static size_t place_in(const struct bytes *page)
{
    char *at =
        page->len > 0 ? memmem(page->ptr, page->len, MARK, strlen(MARK)) : NULL;

    return at ? (size_t)(at - page->ptr) : SIZE_MAX;
}

static int open_page(struct console *con, struct bytes *page, size_t *place)
{
    int error = read_page(page);

    *place = place_in(page);
    if (error == 0 && *place != SIZE_MAX)
        return CONSOLE_FINE;
    COMPLAIN(con, EXPORT_NO_PAGE,
             reason_of(error ? error : EPROTO, con->is_english).text);
    return CONSOLE_FAILED;
}

/* ---- the file ----------------------------------------------------------- */

static void say_cut(struct console *con, const struct recording *r)
{
    if (r->cut == 0)
        return;
    fflush(con->out.out);
    COMPLAIN(con, EXPORT_STORIES_CUT, humanize_number(r->cut).text);
}

int export_html(struct records *records, FILE *out, const char *group,
                bool is_full)
{
    struct recording r = {.records = records, .is_full = is_full};
    struct bytes page = {0};
    size_t place = 0;
    int code = recording_begin(&r, group);

    if (!code)
        code = open_page(records->console, &page, &place);
    if (!code) {
        r.out = out;
        fwrite(page.ptr, 1, place, out);
        code = recording_write(&r);
        place += strlen(MARK);
        fwrite(page.ptr + place, 1, page.len - place, out);
    }
    if (!code && !ferror(out))
        say_cut(records->console, &r);
    bytes_finish(&page);
    recording_finish(&r);
    return code;
}
