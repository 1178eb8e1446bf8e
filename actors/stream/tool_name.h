/* What a tool is called, the same for every CLI: plain words for people. */
#ifndef ACTORS_STREAM_TOOL_NAME_H
#define ACTORS_STREAM_TOOL_NAME_H

#include "runtime/text/slice.h"

struct yyjson_val;

#define TOOL_NAME_CAP 128

enum tool_kind {
    TOOL_READ,
    TOOL_SEARCH,
    TOOL_EDIT,
    TOOL_SHELL,
    TOOL_WEB,
    TOOL_MCP,
    TOOL_AGENT, /* starts an agent inside the agent */
    TOOL_OTHER,
    TOOL_KINDS
};

/*
 * Of a tool as its CLI calls it ("grepToolCall", "Bash", "mcp__web__get") and
 * its arguments, or NULL: writes "grep", "shell", "web:get" and a terminator.
 * A tool that is not known keeps its name, without what every name of its CLI
 * has.
 */
enum tool_kind tool_name(char to[TOOL_NAME_CAP], struct slice name,
                         const struct yyjson_val *args);
/* "read" and so on: constant. */
struct slice tool_kind_name(enum tool_kind kind);

#endif
