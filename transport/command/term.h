/*
 * A term is where a command writes for people: a terminal with its width and
 * colours, or a file or pipe that has neither.
 */
#ifndef TRANSPORT_COMMAND_TERM_H
#define TRANSPORT_COMMAND_TERM_H

#include <stdbool.h>
#include <stdio.h>

#include "runtime/text/slice.h"
#include "transport/command/term_text.h"

enum term_style {
    TERM_PLAIN,
    TERM_BOLD,
    TERM_DIM,
    TERM_RED,
    TERM_GREEN,
    TERM_YELLOW,
    TERM_CYAN,
    TERM_BLUE,
    TERM_MAGENTA
};

struct term {
    FILE *out;
    size_t width; /* columns; 0: as many as it takes */
    bool is_terminal, has_color;
};

/* $COLUMNS wins over what the terminal says; NO_COLOR and TERM=dumb turn
 * colours off. out is borrowed. */
void term_init(struct term *t, FILE *out);
/* Text of our own; what comes from outside goes through the next two. */
void term_put(struct term *t, enum term_style style, const char *text);
__attribute__((format(printf, 3, 4))) void term_format(struct term *t,
                                                       enum term_style style,
                                                       const char *format, ...);
void term_line(struct term *t, enum term_style style, struct slice text);
/* Keeps line breaks, and begins every line after the first with indent. */
void term_block(struct term *t, enum term_style style, struct slice text,
                const char *indent);
/* Safe text as it is. */
void term_safe(struct term *t, enum term_style style, struct slice safe);

#endif
