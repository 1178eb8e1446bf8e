/* The lines that simulated CLIs print: Cursor's stream-json, as the puppet
 * has it. Each appends whole lines. */
#ifndef TESTS_STORIES_LINES_H
#define TESTS_STORIES_LINES_H

#include <stdbool.h>

#include "runtime/text/bytes.h"

/* Stands in every result before the agent's id: later stages look for it. */
#define LINES_MARK "did-it-"

void lines_init(struct bytes *out, const char *id);
void lines_message(struct bytes *out, const char *text);
/* An edit of a file, begun and completed. */
void lines_edit(struct bytes *out, unsigned call, const char *path);
/* One of its few files, whose names say nothing. */
void lines_any_edit(struct bytes *out, unsigned call);
void lines_result(struct bytes *out, const char *id, bool is_error);

#endif
