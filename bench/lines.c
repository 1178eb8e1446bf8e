/* SPDX-License-Identifier: MIT */
/*
 * A run as Cursor prints it with partial output: mostly deltas of text, some
 * thinking, now and then a tool call. 200 to 500 bytes a line, as measured.
 */
#include "bench/lines.h"

#include <stdio.h>

#define TAIL                                                                   \
    "\"session_id\":\"ebb521c2-0d5e-4b2f-9a5b-3f6a8a1c7d10\","                 \
    "\"timestamp_ms\":%lu}\n"

static const char words[] =
    "the quick agent reads the file, thinks about what it found there, edits "
    "the second half of it and runs the tests again before it says that all "
    "is well and hands the work on to the next in line, who reads the file";

static size_t delta(char *line, unsigned long i)
{
    int len = 20 + (int)(i * 37 % 180);

    return (size_t)snprintf(
        line, LINES_MAX,
        "{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\","
        "\"content\":[{\"type\":\"text\",\"text\":\"%.*s\"}]}," TAIL,
        len, words, 1784819288883ul + i);
}

static size_t thinking(char *line, unsigned long i)
{
    int len = 60 + (int)(i * 53 % 140);

    return (size_t)snprintf(line, LINES_MAX,
                            "{\"type\":\"thinking\",\"subtype\":\"delta\","
                            "\"text\":\"%.*s\"," TAIL,
                            len, words, 1784819288883ul + i);
}

static size_t tool(char *line, unsigned long i, const char *subtype,
                   const char *result)
{
    return (size_t)snprintf(
        line, LINES_MAX,
        "{\"type\":\"tool_call\",\"subtype\":\"%s\",\"call_id\":\"call-%lu\","
        "\"tool_call\":{\"readToolCall\":{\"args\":{\"path\":\"/src/%lu.c\"}"
        "%s}},\"model_call_id\":\"59ff63a6-1\"," TAIL,
        subtype, i / 20, i % 97, result, 1784819288883ul + i);
}

size_t lines_make(char line[LINES_MAX], unsigned long i, unsigned long count)
{
    if (i == 0)
        return (size_t)snprintf(
            line, LINES_MAX,
            "{\"type\":\"system\",\"subtype\":\"init\",\"cwd\":\"/src\","
            "\"apiKeySource\":\"login\",\"model\":\"Auto\"," TAIL,
            1784819288883ul);
    if (i + 1 == count)
        return (size_t)snprintf(
            line, LINES_MAX,
            "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,"
            "\"duration_ms\":1,\"result\":\"done\"," TAIL,
            1784819288883ul + i);
    if (i % 20 == 10)
        return tool(line, i, "started", "");
    if (i % 20 == 11)
        return tool(line, i, "completed",
                    ",\"result\":{\"success\":{\"content\":\"alpha\\nbeta\","
                    "\"totalLines\":2}}");
    return i % 5 == 2 ? thinking(line, i) : delta(line, i);
}
