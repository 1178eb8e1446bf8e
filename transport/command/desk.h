/*
 * The desk is what every command has at hand: where its hub is, the language
 * it speaks, and where it writes.
 */
#ifndef TRANSPORT_COMMAND_DESK_H
#define TRANSPORT_COMMAND_DESK_H

#include <yyjson.h>

#include "config/config.h"
#include "transport/command/term.h"
#include "transport/home.h"

/* Exit codes, for scripts. */
enum {
    DESK_FINE = 0,
    DESK_FAILED = 1, /* it could not be done, or what was asked for is not */
    DESK_USAGE = 2,  /* wrong use or configuration */
    DESK_NO_HUB = 3
};

struct desk {
    const char *config_file; /* --config, or NULL */
    struct home home;
    int home_error; /* 0, or a negative errno: home has nothing but language */
    struct config_error error;
    char *state_dir; /* NULL: see home_error */
    bool is_english;
    struct term out, err;
};

/* Never fails: a command that needs a home asks for it by desk_needs_home. */
void desk_open(struct desk *d, const char *config_file);
void desk_close(struct desk *d);
/* DESK_FINE, or DESK_USAGE with the configuration's error told. */
int desk_needs_home(struct desk *d);

/* One of two texts, by language. */
#define SAY(d, ja, en) ((d)->is_english ? (en) : (ja))
/* An error on stderr; arguments may come from outside. */
#define COMPLAIN(d, ja, en, ...)                                               \
    ((d)->is_english ? desk_complain(d, en, __VA_ARGS__)                       \
                     : desk_complain(d, ja, __VA_ARGS__))
__attribute__((format(printf, 2, 3))) void desk_complain(struct desk *d,
                                                         const char *format,
                                                         ...);

/* The name of what follows, in its column of that width; text of our own. */
void desk_label(struct desk *d, size_t width, const char *text);
/* Prints a document on stdout, for programs. */
void desk_print_json(struct desk *d, yyjson_doc *doc);

#endif
