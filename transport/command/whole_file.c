/* SPDX-License-Identifier: MIT */
/*
 * The stream writes by a function of ours, which keeps why it could not: by the
 * time a stream is closed it no longer knows.
 */
#include "transport/command/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/reason.h"

static int cannot_write(const struct whole_file *f)
{
    COMPLAIN(f->console, EXPORT_CANNOT_WRITE, f->name,
             reason_of(f->error, f->console->is_english).text);
    return CONSOLE_FAILED;
}

/* All of it, or the stream would take it for an error without a reason. */
static ssize_t write_on(void *ctx, const char *data, size_t len)
{
    struct whole_file *f = ctx;
    size_t at = 0;

    while (at < len) {
        ssize_t n = write(f->fd, data + at, len - at);

        if (n < 0 && errno != EINTR) {
            f->error = f->error ? f->error : errno;
            return 0;
        }
        at += n > 0 ? (size_t)n : 0;
    }
    return (ssize_t)len;
}

static int close_it(void *ctx)
{
    struct whole_file *f = ctx;
    int rc = close(f->fd);

    if (rc != 0 && f->error == 0)
        f->error = errno;
    return rc;
}

int whole_file_open(struct whole_file *f, struct console *con, const char *name)
{
    const cookie_io_functions_t functions = {.write = write_on,
                                             .close = close_it};
    struct stat st;
    bool is_file = stat(name, &st) != 0 || S_ISREG(st.st_mode);

    *f = (struct whole_file){.console = con, .name = name};
    if (is_file)
        f->part = bytes_text("%s.part", name);
    f->fd = open(is_file ? f->part : name,
                 O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (f->fd >= 0)
        f->out = fopencookie(f, "w", functions);
    if (f->out)
        return CONSOLE_FINE;
    f->error = errno;
    return cannot_write(f);
}

int whole_file_close(struct whole_file *f, int code)
{
    bool is_open = f->out != NULL;

    if (is_open && fclose(f->out) != 0 && f->error == 0)
        f->error = EIO;
    if (is_open && f->part && !code && f->error == 0 &&
        rename(f->part, f->name) != 0)
        f->error = errno;
    if (is_open && f->part && (code || f->error))
        unlink(f->part);
    free(f->part);
    return is_open && !code && f->error ? cannot_write(f) : code;
}
