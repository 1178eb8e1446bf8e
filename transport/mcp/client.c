/* SPDX-License-Identifier: MIT */
#include "transport/mcp/client.h"

#include <stdlib.h>

#include "runtime/text/array.h"
#include "runtime/text/field.h"

/* Of resources in one set, and of bytes in one name. */
#define MAX_URIS 256
#define MAX_URI 4096

static const struct slice version_names[] = {
    SLICE_INIT("2024-11-05"), SLICE_INIT("2025-03-26"),
    SLICE_INIT("2025-06-18"), SLICE_INIT("2025-11-25"),
    SLICE_INIT("2026-07-28")};

static const struct slice level_names[] = {
    SLICE_INIT("debug"),   SLICE_INIT("info"),     SLICE_INIT("notice"),
    SLICE_INIT("warning"), SLICE_INIT("error"),    SLICE_INIT("critical"),
    SLICE_INIT("alert"),   SLICE_INIT("emergency")};

void mcp_client_init(struct mcp_client *c, enum mcp_version version)
{
    *c = (struct mcp_client){.version = version, .level = MCP_LEVELS};
}

void mcp_client_finish(struct mcp_client *c)
{
    mcp_uris_finish(&c->subscribed);
}

unsigned mcp_client_can(yyjson_val *capabilities)
{
    return (FIELD(capabilities, "sampling") ? MCP_CAN_SAMPLE : 0u) |
           (FIELD(capabilities, "elicitation") ? MCP_CAN_ELICIT : 0u) |
           (FIELD(capabilities, "roots") ? MCP_CAN_ROOTS : 0u);
}

static size_t find(const struct mcp_uris *u, struct slice uri)
{
    size_t i = 0;

    while (i < u->count && !slice_eq(bytes_slice(&u->list[i]), uri))
        i++;
    return i;
}

bool mcp_uris_have(const struct mcp_uris *u, struct slice uri)
{
    return find(u, uri) < u->count;
}

bool mcp_uris_add(struct mcp_uris *u, struct slice uri)
{
    if (mcp_uris_have(u, uri))
        return true;
    if (u->count == MAX_URIS || uri.len > MAX_URI)
        return false;
    ARRAY_GROW(u->list, u->count);
    u->list[u->count] = (struct bytes){0};
    bytes_append(&u->list[u->count++], uri.ptr, uri.len);
    return true;
}

void mcp_uris_remove(struct mcp_uris *u, struct slice uri)
{
    size_t i = find(u, uri);

    if (i == u->count)
        return;
    bytes_finish(&u->list[i]);
    u->list[i] = u->list[--u->count];
}

void mcp_uris_finish(struct mcp_uris *u)
{
    for (size_t i = 0; i < u->count; i++)
        bytes_finish(&u->list[i]);
    free(u->list);
    *u = (struct mcp_uris){0};
}

struct slice mcp_version_name(enum mcp_version version)
{
    return version_names[version];
}

enum mcp_version mcp_version_find(struct slice name)
{
    int i = 0;

    while (i < MCP_VERSIONS && !slice_eq(version_names[i], name))
        i++;
    return (enum mcp_version)i;
}

bool mcp_version_is_modern(struct slice name)
{
    struct slice ours = version_names[MCP_2026_07_28];
    size_t len = name.len < ours.len ? name.len : ours.len;
    int order = len ? memcmp(name.ptr, ours.ptr, len) : 0;

    return order > 0 || (order == 0 && name.len >= ours.len);
}

struct slice mcp_level_name(enum mcp_level level)
{
    return level_names[level];
}

int mcp_level_find(struct slice name)
{
    int i = 0;

    while (i < MCP_LEVELS && !slice_eq(level_names[i], name))
        i++;
    return i;
}
