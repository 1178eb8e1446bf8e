/*
 * Text as a terminal shows it. What is of unknown origin becomes safe here: no
 * control sequence, no right-to-left override and no broken UTF-8 gets through,
 * and its width in columns is known.
 */
#ifndef TRANSPORT_COMMAND_TERM_TEXT_H
#define TRANSPORT_COMMAND_TERM_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/text/bytes.h"

/* Before the rest: takes the locale C.UTF-8 for what characters are, whatever
 * the user's is. A system without it takes all but ASCII to be one column
 * wide, and its tables are not straight. */
void term_text_init(void);

/* 0 for combining and invisible characters, 2 for wide ones, 1 else. */
unsigned term_text_width(uint32_t code);

enum term_text_form {
    TERM_TEXT_LINE, /* line breaks and tabs become a space, runs of them one */
    TERM_TEXT_BLOCK /* they stay; CR before LF is dropped */
};

/* Appends text with what a terminal would obey written out: \x1b, \u202e. */
void term_text_safe(struct bytes *out, struct slice text,
                    enum term_text_form form);
/* The same for the text of a JSON document, which stays the same document. */
void term_text_safe_json(struct bytes *out, struct slice json);

/* The rest take text that is safe and of one line. */
size_t term_text_columns(struct slice text);
/* Appends at most that many columns of it; what is cut ends with "…". */
void term_text_fit(struct bytes *out, struct slice text, size_t columns);
/* The same, of its end: what is cut begins with "…". */
void term_text_fit_end(struct bytes *out, struct slice text, size_t columns);

#endif
