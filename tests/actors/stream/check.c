/* SPDX-License-Identifier: MIT */
#include "tests/actors/stream/check.h"

#include "json_text.h"
#include "tap.h"

struct replay replay_json(const struct backend *b, const char *lines)
{
    return replay_str(b, json_of(lines));
}

void check_lines(const struct backend *b, const char *lines, const char *want)
{
    struct replay r = replay_json(b, lines);

    TEST_ASSERT_EQUAL_STRING(want, replay_log(&r));
    replay_finish(&r);
}

void check_fixture(const struct backend *b, const char *name, const char *want)
{
    struct bytes text = read_fixture(name);

    bytes_append(&text, "", 1);
    check_lines(b, text.ptr, want);
    bytes_finish(&text);
}
