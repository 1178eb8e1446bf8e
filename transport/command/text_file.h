/* text_file reads a file that a person names, or stdin by the name of "-". */
#ifndef TRANSPORT_COMMAND_TEXT_FILE_H
#define TRANSPORT_COMMAND_TEXT_FILE_H

#include "transport/command/console.h"

/* Appends all of it. CONSOLE_FINE; else told: it cannot be read, or has more
 * than `most` bytes. */
int text_file_read(struct console *con, const char *name, size_t most,
                   struct bytes *text);

/* The same of what is open: 0, or a negative errno; -EFBIG: there is more. */
int text_file_take(int fd, size_t most, struct bytes *text);

#endif
