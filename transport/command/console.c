/* SPDX-License-Identifier: MIT */
#include "transport/command/console.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void console_open(struct console *con, const char *config_file)
{
    *con = (struct console){.config_file = config_file};
    term_text_init();
    term_init(&con->out, stdout);
    term_init(&con->err, stderr);
    con->home_error = home_find(&con->home, config_file, environ, &con->error);
    con->is_english = con->home.language == CONFIG_EN;
    if (con->home_error)
        return;
    /* Inside an agent only the socket is known, and it lies in there. */
    const char *slash = strrchr(con->home.socket, '/');
    con->state_dir =
        con->home.state_dir
            ? bytes_text("%s", con->home.state_dir)
            : bytes_text("%.*s", slash ? (int)(slash - con->home.socket) : 0,
                         con->home.socket);
    con->place = access(con->state_dir, F_OK) == 0
                     ? bytes_text(" (%s)", con->state_dir)
                     : bytes_text("%s", "");
}

void console_close(struct console *con)
{
    home_finish(&con->home);
    free(con->state_dir);
    free(con->place);
    *con = (struct console){0};
}

int console_needs_home(struct console *con)
{
    if (!con->home_error)
        return CONSOLE_FINE;
    console_complain(con, "%s", config_error_in(&con->error, con->is_english));
    return CONSOLE_USAGE;
}

void console_complain(struct console *con, const char *format, ...)
{
    struct bytes text = {0};
    va_list args;

    if (con->is_quiet)
        return;
    va_start(args, format);
    bytes_vformat(&text, format, args);
    va_end(args);
    fflush(con->out.out);
    term_put(&con->err, TERM_RED, "kuromajutsu: ");
    term_block(&con->err, TERM_PLAIN, bytes_slice(&text), "");
    fputc('\n', con->err.out);
    bytes_finish(&text);
}

void console_label(struct console *con, size_t width, const char *text)
{
    term_put(&con->out, TERM_DIM, text);
    for (size_t i = term_text_columns(slice_cstr(text)); i < width; i++)
        fputc(' ', con->out.out);
}

void console_field(struct console *con, size_t width, const char *name,
                   struct slice text)
{
    if (text.len == 0)
        return;
    console_label(con, width, name);
    term_line(&con->out, TERM_PLAIN, text);
    fputc('\n', con->out.out);
}

void console_block(struct console *con, const char *indent, const char *name,
                   struct slice text)
{
    struct bytes deeper = {0};

    if (text.len == 0)
        return;
    bytes_format(&deeper, "  %s", indent);
    bytes_append(&deeper, "", 1);
    term_format(&con->out, TERM_DIM, "%s%s\n%s", indent, name, deeper.ptr);
    term_block(&con->out, TERM_PLAIN, text, deeper.ptr);
    fputc('\n', con->out.out);
    bytes_finish(&deeper);
}

void console_print_json(struct console *con, yyjson_doc *doc)
{
    size_t len = 0;
    char *text = yyjson_write(doc, YYJSON_WRITE_PRETTY_TWO_SPACES, &len);
    struct bytes safe = {0};

    term_text_safe_json(&safe, slice_of(text, len));
    term_safe(&con->out, TERM_PLAIN, bytes_slice(&safe));
    fputc('\n', con->out.out);
    bytes_finish(&safe);
    free(text);
}
