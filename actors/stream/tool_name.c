/* SPDX-License-Identifier: MIT */
#include "actors/stream/tool_name.h"

#include "runtime/text/field.h"

/* Cursor's names without their "ToolCall", and Claude Code's. */
static const struct {
    struct slice name, plain;
    enum tool_kind kind;
} tools[] = {
    {SLICE_INIT("shell"), SLICE_INIT("shell"), TOOL_SHELL},
    {SLICE_INIT("Bash"), SLICE_INIT("shell"), TOOL_SHELL},
    {SLICE_INIT("BashOutput"), SLICE_INIT("shell output"), TOOL_SHELL},
    {SLICE_INIT("KillShell"), SLICE_INIT("shell kill"), TOOL_SHELL},
    {SLICE_INIT("read"), SLICE_INIT("read"), TOOL_READ},
    {SLICE_INIT("Read"), SLICE_INIT("read"), TOOL_READ},
    {SLICE_INIT("NotebookRead"), SLICE_INIT("read"), TOOL_READ},
    {SLICE_INIT("ls"), SLICE_INIT("ls"), TOOL_READ},
    {SLICE_INIT("LS"), SLICE_INIT("ls"), TOOL_READ},
    {SLICE_INIT("readLints"), SLICE_INIT("lints"), TOOL_READ},
    {SLICE_INIT("edit"), SLICE_INIT("edit"), TOOL_EDIT},
    {SLICE_INIT("Edit"), SLICE_INIT("edit"), TOOL_EDIT},
    {SLICE_INIT("MultiEdit"), SLICE_INIT("edit"), TOOL_EDIT},
    {SLICE_INIT("NotebookEdit"), SLICE_INIT("edit"), TOOL_EDIT},
    {SLICE_INIT("write"), SLICE_INIT("write"), TOOL_EDIT},
    {SLICE_INIT("Write"), SLICE_INIT("write"), TOOL_EDIT},
    {SLICE_INIT("delete"), SLICE_INIT("delete"), TOOL_EDIT},
    {SLICE_INIT("grep"), SLICE_INIT("grep"), TOOL_SEARCH},
    {SLICE_INIT("Grep"), SLICE_INIT("grep"), TOOL_SEARCH},
    {SLICE_INIT("glob"), SLICE_INIT("glob"), TOOL_SEARCH},
    {SLICE_INIT("Glob"), SLICE_INIT("glob"), TOOL_SEARCH},
    {SLICE_INIT("semSearch"), SLICE_INIT("search"), TOOL_SEARCH},
    {SLICE_INIT("codebaseSearch"), SLICE_INIT("search"), TOOL_SEARCH},
    {SLICE_INIT("ToolSearch"), SLICE_INIT("tool search"), TOOL_SEARCH},
    {SLICE_INIT("webSearch"), SLICE_INIT("web search"), TOOL_WEB},
    {SLICE_INIT("WebSearch"), SLICE_INIT("web search"), TOOL_WEB},
    {SLICE_INIT("web_search"), SLICE_INIT("web search"), TOOL_WEB},
    {SLICE_INIT("fetch"), SLICE_INIT("fetch"), TOOL_WEB},
    {SLICE_INIT("webFetch"), SLICE_INIT("fetch"), TOOL_WEB},
    {SLICE_INIT("WebFetch"), SLICE_INIT("fetch"), TOOL_WEB},
    {SLICE_INIT("web_fetch"), SLICE_INIT("fetch"), TOOL_WEB},
    {SLICE_INIT("Task"), SLICE_INIT("agent"), TOOL_AGENT},
    {SLICE_INIT("Agent"), SLICE_INIT("agent"), TOOL_AGENT},
    {SLICE_INIT("task"), SLICE_INIT("agent"), TOOL_AGENT},
    {SLICE_INIT("updateTodos"), SLICE_INIT("todo"), TOOL_OTHER},
    {SLICE_INIT("readTodos"), SLICE_INIT("todo"), TOOL_OTHER},
    {SLICE_INIT("TodoWrite"), SLICE_INIT("todo"), TOOL_OTHER},
};

/* "server:tool"; without a server the tool alone. */
static enum tool_kind put_mcp(char to[TOOL_NAME_CAP], struct slice server,
                              struct slice tool)
{
    char own[TOOL_NAME_CAP];
    size_t len;

    slice_keep(to, TOOL_NAME_CAP, server.len > 0 ? server : tool);
    if (server.len == 0 || tool.len == 0)
        return TOOL_MCP;
    slice_keep(own, sizeof(own), tool);
    len = strlen(to);
    if (len + 1 < TOOL_NAME_CAP) {
        to[len++] = ':';
        slice_keep(to + len, TOOL_NAME_CAP - len, slice_cstr(own));
    }
    return TOOL_MCP;
}

/* mcp__server__tool: neither part has two underscores in it by custom only,
 * so the first two end the server. */
static enum tool_kind put_claudes_mcp(char to[TOOL_NAME_CAP], struct slice name)
{
    const char *at = name.ptr + 5, *end = name.ptr + name.len;

    for (const char *p = at; p + 1 < end; p++)
        if (p[0] == '_' && p[1] == '_')
            return put_mcp(to, slice_of(at, (size_t)(p - at)),
                           slice_of(p + 2, (size_t)(end - p - 2)));
    return put_mcp(to, SLICE_EMPTY, slice_of(at, (size_t)(end - at)));
}

enum tool_kind tool_name(char to[TOOL_NAME_CAP], struct slice name,
                         const struct yyjson_val *args)
{
    yyjson_val *own = (yyjson_val *)(uintptr_t)args;

    if (slice_starts(name, SLICE("mcp__")))
        return put_claudes_mcp(to, name);
    if (slice_ends(name, SLICE("ToolCall")))
        name.len -= strlen("ToolCall");
    if (slice_eq(name, SLICE("mcp")) && FIELD_TEXT(own, "toolName").len > 0)
        return put_mcp(to, FIELD_TEXT(own, "providerIdentifier"),
                       FIELD_TEXT(own, "toolName"));
    for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
        if (slice_eq(tools[i].name, name)) {
            slice_keep(to, TOOL_NAME_CAP, tools[i].plain);
            return tools[i].kind;
        }
    slice_keep(to, TOOL_NAME_CAP, name);
    return slice_eq(name, SLICE("mcp")) ? TOOL_MCP : TOOL_OTHER;
}

struct slice tool_kind_name(enum tool_kind kind)
{
    static const struct slice names[TOOL_KINDS] = {
        SLICE_INIT("read"),  SLICE_INIT("search"), SLICE_INIT("edit"),
        SLICE_INIT("shell"), SLICE_INIT("web"),    SLICE_INIT("mcp"),
        SLICE_INIT("agent"), SLICE_INIT("other")};

    return names[kind < TOOL_KINDS ? kind : TOOL_OTHER];
}
