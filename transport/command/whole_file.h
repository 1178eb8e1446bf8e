/*
 * A whole file is there when all of it is written, and not before: it is
 * written under another name beside it. What was there is replaced only then;
 * of a disk that is full nothing is left behind. What is no file (a pipe, a
 * device) is written to as it is.
 */
#ifndef TRANSPORT_COMMAND_WHOLE_FILE_H
#define TRANSPORT_COMMAND_WHOLE_FILE_H

#include "transport/command/console.h"

/* Does not move while it is open. */
struct whole_file {
    struct console *console;
    const char *name; /* borrowed */
    char *part;       /* what it is called so far; NULL: it is no file */
    FILE *out;
    int fd;
    int error; /* errno of the first write that failed */
};

/* CONSOLE_FINE and `out` to write to, else told. To be closed in any case. */
int whole_file_open(struct whole_file *f, struct console *con,
                    const char *name);
/* Lets it be there if the code is CONSOLE_FINE, else removes what was written.
 * The code, or CONSOLE_FAILED and told. */
int whole_file_close(struct whole_file *f, int code);

#endif
