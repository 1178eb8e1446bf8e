/* options reads the words of a command line: --name, --name=VALUE, -n. */
#ifndef TRANSPORT_COMMAND_OPTIONS_H
#define TRANSPORT_COMMAND_OPTIONS_H

#include "transport/command/console.h"

struct option {
    const char *name;   /* "--json"; NULL ends a list */
    char letter;        /* 'f' for -f; 0: none */
    bool *flag;         /* where to note that it is there, or ... */
    const char **value; /* ... the value it takes */
};

/*
 * Takes the options out of argv, whose first word is the command's name, and
 * moves the other words to its front. Returns how many words there are with
 * the name, or -1 with the mistake told. After "--" all are words.
 */
int options_take(struct console *con, const struct option *options, int argc,
                 char **argv);
/* CONSOLE_FINE, or CONSOLE_USAGE and told, unless there are least to most words
 * behind the command's name (most < 0: any number). what is what they are. */
int options_want(struct console *con, int argc, char **argv, int least,
                 int most, const char *what);

/* CONSOLE_FINE if text is NULL or one of these words, which NULL ends; else
 * CONSOLE_USAGE, and told which there are and which may have been meant. */
int options_one_of(struct console *con, const char *command, const char *option,
                   const char *text, const char *const *words);
/* What --status may be. */
extern const char *const options_states[];

/* A whole number from least to most, given for that option; NULL is none, then
 * *number is 0. CONSOLE_USAGE: told. */
int options_number(struct console *con, const char *command, const char *option,
                   const char *text, uint64_t least, uint64_t most,
                   uint64_t *number);

#endif
