/* What a back-end makes of lines, compared. Lines may be in single quotes: see
 * json_text.h. */
#ifndef TESTS_ACTORS_STREAM_CHECK_H
#define TESTS_ACTORS_STREAM_CHECK_H

#include "tests/actors/stream/describe.h"

/* Like replay_str. */
struct replay replay_json(const struct backend *b, const char *lines);

/* All of its events, as replay_log tells them. */
void check_lines(const struct backend *b, const char *lines, const char *want);
/* The same of a file of fixtures/. */
void check_fixture(const struct backend *b, const char *name, const char *want);

#endif
