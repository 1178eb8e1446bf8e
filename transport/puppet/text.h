/*
 * A growing string: every answer, message and line is put together in one.
 * A zeroed struct is an empty text. Running out of memory ends the program.
 */
#ifndef TRANSPORT_PUPPET_TEXT_H
#define TRANSPORT_PUPPET_TEXT_H

#include <stddef.h>

struct text {
    char *data; /* ends in a NUL that len does not count; NULL when empty */
    size_t len, cap;
};

void text_add(struct text *t, const char *data, size_t len);
void text_adds(struct text *t, const char *string);
void text_addf(struct text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds data with every byte that is not UTF-8 replaced by U+FFFD: what the
 * real CLIs, being JavaScript, make of a broken prompt. */
void text_add_utf8(struct text *t, const char *data, size_t len);
/* Never NULL. Borrowed until the next change. */
const char *text_str(const struct text *t);
/* Reads fd to its end. Returns 0, -EFBIG over limit, or -errno. */
int text_read(struct text *t, int fd, size_t limit);
/* The same for a file, which must be a regular one. */
int text_read_file(struct text *t, const char *path, size_t limit);
/* Makes it empty but keeps the memory. */
void text_clear(struct text *t);
void text_finish(struct text *t);
/* The length of the UTF-8 sequence at data, 0 if it is not a valid one. */
size_t text_sequence(const char *data, size_t len);

#endif
