/* Lines of our own text, broken where a terminal ends: between words, and in
 * Japanese between characters, but for what must not begin or end a line. */
#ifndef TRANSPORT_COMMAND_TERM_WRAP_H
#define TRANSPORT_COMMAND_TERM_WRAP_H

#include "runtime/text/bytes.h"

/* Appends text, each line of it in so many columns at most; 0: as it is. What
 * a line is broken into begins in the column that the line begins in. A word
 * that is wider than that stays whole. */
void term_wrap(struct bytes *out, struct slice text, size_t columns);

#endif
