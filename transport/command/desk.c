/* SPDX-License-Identifier: MIT */
#include "transport/command/desk.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void desk_open(struct desk *d, const char *config_file)
{
    *d = (struct desk){.config_file = config_file};
    term_init(&d->out, stdout);
    term_init(&d->err, stderr);
    d->home_error = home_find(&d->home, config_file, environ, &d->error);
    d->is_english = d->home.language == CONFIG_EN;
    if (d->home_error)
        return;
    /* Inside an agent only the socket is known, and it lies in there. */
    d->state_dir = d->home.state_dir
                       ? strdup(d->home.state_dir)
                       : strndup(d->home.socket,
                                 (size_t)(strrchr(d->home.socket, '/')
                                              ? strrchr(d->home.socket, '/') -
                                                    d->home.socket
                                              : 0));
    if (!d->state_dir)
        abort();
}

void desk_close(struct desk *d)
{
    home_finish(&d->home);
    free(d->state_dir);
    *d = (struct desk){0};
}

int desk_needs_home(struct desk *d)
{
    if (!d->home_error)
        return DESK_FINE;
    desk_complain(d, "%s", d->error.text);
    return DESK_USAGE;
}

void desk_complain(struct desk *d, const char *format, ...)
{
    char *text = NULL;
    va_list args;

    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    fflush(d->out.out);
    term_put(&d->err, TERM_RED, "kuromajutsu: ");
    if (n >= 0)
        term_block(&d->err, TERM_PLAIN, slice_of(text, (size_t)n), "");
    fputc('\n', d->err.out);
    free(text);
}

void desk_label(struct desk *d, size_t width, const char *text)
{
    term_put(&d->out, TERM_DIM, text);
    for (size_t i = glyph_columns(slice_cstr(text)); i < width; i++)
        fputc(' ', d->out.out);
}

void desk_print_json(struct desk *d, yyjson_doc *doc)
{
    size_t len = 0;
    char *text = yyjson_write(doc, YYJSON_WRITE_PRETTY_TWO_SPACES, &len);
    struct bytes safe = {0};

    glyph_safe_json(&safe, slice_of(text, len));
    term_safe(&d->out, TERM_PLAIN, bytes_slice(&safe));
    fputc('\n', d->out.out);
    bytes_finish(&safe);
    free(text);
}
