/* What becomes of a text, line by line, as a unified diff. */
#ifndef CONFIG_LINE_DIFF_H
#define CONFIG_LINE_DIFF_H

#include "runtime/text/bytes.h"

/*
 * Appends the diff of the two texts, which `patch` turns one into the other
 * with; nothing if they are equal. Lines of before from `first` up to `last`
 * (from 0) may stand around a change, others are not shown: they may hold a
 * secret. before.ptr NULL: there is no such file yet.
 */
void line_diff(struct bytes *out, const char *name, struct slice before,
               struct slice after, size_t first, size_t last);

#endif
