/*
 * The console is what every command has at hand: where its hub is, the language
 * it speaks, and where it writes.
 */
#ifndef TRANSPORT_COMMAND_CONSOLE_H
#define TRANSPORT_COMMAND_CONSOLE_H

#include <yyjson.h>

#include "config/config.h"
#include "config/messages.h"
#include "transport/command/term.h"
#include "transport/wire/home.h"

/* Exit codes, for scripts. */
enum {
    CONSOLE_FINE = 0,
    CONSOLE_FAILED = 1, /* it could not be done, or what was asked for is not */
    CONSOLE_USAGE = 2,  /* wrong use or configuration */
    CONSOLE_NO_HUB = 3
};

struct console {
    const char *config_file; /* --config, or NULL */
    struct home home;
    int home_error; /* 0, or a negative errno: home has nothing but language */
    struct config_error error;
    char *state_dir; /* NULL: see home_error */
    char *place;     /* " (DIR)" of the state; "" while there is none: a path
                      * that leads nowhere is no help */
    bool is_english;
    bool is_quiet; /* what goes wrong is not told: there is another way */
    struct term out, err;
};

/* Never fails: a command that needs a home asks for it by console_needs_home.
 */
void console_open(struct console *con, const char *config_file);
void console_close(struct console *con);
/* CONSOLE_FINE, or CONSOLE_USAGE with the configuration's error told. */
int console_needs_home(struct console *con);

/* One of messages.h, in the language of this console. */
#define SAY(con, name) MESSAGE((con)->is_english, name)
/* Of a count: English has a form for one. */
#define SAY_COUNT(con, count, one, many)                                       \
    ((count) == 1 ? SAY(con, one) : SAY(con, many))
static inline const char *console_say(const struct console *con,
                                      struct message message)
{
    return message_pick(con->is_english, message);
}
/* An error on stderr; arguments may come from outside. */
#define COMPLAIN(con, name, ...)                                               \
    console_complain(con, SAY(con, name), __VA_ARGS__)
__attribute__((format(printf, 2, 3))) void console_complain(struct console *con,
                                                            const char *format,
                                                            ...);

/* The name of what follows, in its column of that width; text of our own. */
void console_label(struct console *con, size_t width, const char *text);
/* That and the text, in a line of its own; nothing if it is empty. */
void console_field(struct console *con, size_t width, const char *name,
                   struct slice text);
/* The same below each other, with this before each line. */
void console_block(struct console *con, const char *indent, const char *name,
                   struct slice text);
/* Prints a document on stdout, for programs. */
void console_print_json(struct console *con, yyjson_doc *doc);

#endif
