/* Lines of known shapes held against what reading makes of them. */
#ifndef TESTS_ACTORS_STREAM_REREAD_H
#define TESTS_ACTORS_STREAM_REREAD_H

#include "actors/stream/shapes.h"

/* Looks for the line, reads it too, and aborts unless both give the same
 * document, value by value; what was not found is learnt. Whether it was. */
bool reread(struct shapes *all, struct slice line);
/* The same for each line of a text that is an object; how many were found. */
size_t reread_lines(struct shapes *all, struct slice text);

#endif
