/* SPDX-License-Identifier: MIT */
#include "tests/stories/lines.h"

#include <stdarg.h>
#include <stdio.h>

#define SESSION "\"session_id\":\"5e55\""

static void put(struct bytes *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(struct bytes *out, const char *format, ...)
{
    va_list args;
    char line[1024];
    int len;

    va_start(args, format);
    len = vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    bytes_append(out, line, (size_t)len);
}

void lines_init(struct bytes *out, const char *id)
{
    put(out,
        "{\"type\":\"system\",\"subtype\":\"init\",\"apiKeySource\":\"login\","
        "\"cwd\":\"/tmp/%s\"," SESSION ",\"model\":\"Auto\","
        "\"permissionMode\":\"default\"}\n",
        id);
}

void lines_message(struct bytes *out, const char *text)
{
    put(out,
        "{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\","
        "\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}," SESSION "}\n",
        text);
}

void lines_edit(struct bytes *out, unsigned call, const char *path)
{
    put(out,
        "{\"type\":\"tool_call\",\"subtype\":\"started\",\"call_id\":\"c%u\","
        "\"tool_call\":{\"editToolCall\":{\"args\":{\"path\":\"%s\"}}}"
        "," SESSION "}\n",
        call, path);
    put(out,
        "{\"type\":\"tool_call\",\"subtype\":\"completed\",\"call_id\":\"c%u\","
        "\"tool_call\":{\"editToolCall\":{\"args\":{\"path\":\"%s\"},"
        "\"result\":{\"success\":{\"path\":\"%s\",\"linesAdded\":1,"
        "\"linesRemoved\":0}}}}," SESSION "}\n",
        call, path, path);
}

void lines_any_edit(struct bytes *out, unsigned call)
{
    char path[16];

    snprintf(path, sizeof(path), "f%u.c", call % 3);
    lines_edit(out, call, path);
}

/* The CLI repeats its last message there. */
void lines_result(struct bytes *out, const char *id, bool is_error)
{
    char said[256];

    snprintf(said, sizeof(said), LINES_MARK "%s", id);
    lines_message(out, said);
    put(out,
        "{\"type\":\"result\",\"subtype\":\"%s\",\"duration_ms\":5,"
        "\"duration_api_ms\":5,\"is_error\":%s,\"result\":\"" LINES_MARK
        "%s\"," SESSION "}\n",
        is_error ? "error" : "success", is_error ? "true" : "false", id);
}
