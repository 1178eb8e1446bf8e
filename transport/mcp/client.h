/*
 * What a session knows of its client from earlier messages, in the era that
 * has a handshake. A session has one of its own, or shares one with others:
 * over HTTP each request of a client is a session of its own. Embedded.
 */
#ifndef TRANSPORT_MCP_CLIENT_H
#define TRANSPORT_MCP_CLIENT_H

#include <yyjson.h>

#include "runtime/text/bytes.h"

enum mcp_version {
    MCP_2024_11_05,
    MCP_2025_03_26,
    MCP_2025_06_18,
    MCP_2025_11_25,
    MCP_2026_07_28,
    MCP_VERSIONS
};

/* The levels of logging, in their order. */
enum mcp_level {
    MCP_DEBUG,
    MCP_INFO,
    MCP_NOTICE,
    MCP_WARNING,
    MCP_ERROR,
    MCP_CRITICAL,
    MCP_ALERT,
    MCP_EMERGENCY,
    MCP_LEVELS
};

/* What clients can be asked for. */
enum mcp_can {
    MCP_CAN_SAMPLE = 1 << 0,
    MCP_CAN_ELICIT = 1 << 1,
    MCP_CAN_ROOTS = 1 << 2,
};

/* Names of resources that a client wants to hear of; as many as are given and
 * as long as they are, up to a bound. Zeroed memory has none. */
struct mcp_uris {
    struct bytes *list;
    size_t count;
};

struct mcp_client {
    enum mcp_version version; /* negotiated, or assumed */
    bool has_handshake;
    bool is_initialized; /* it has said so */
    int level;           /* by logging/setLevel, or MCP_LEVELS */
    unsigned can;        /* mcp_can, as said in the handshake */
    struct mcp_uris subscribed;
};

void mcp_client_init(struct mcp_client *c, enum mcp_version version);
/* Accepts zeroed memory. */
void mcp_client_finish(struct mcp_client *c);
/* Of a ClientCapabilities object, or NULL. */
unsigned mcp_client_can(yyjson_val *capabilities);

/* False: no more are taken. One that is there already is as good as added. */
bool mcp_uris_add(struct mcp_uris *u, struct slice uri);
void mcp_uris_remove(struct mcp_uris *u, struct slice uri);
bool mcp_uris_have(const struct mcp_uris *u, struct slice uri);
void mcp_uris_finish(struct mcp_uris *u);

struct slice mcp_version_name(enum mcp_version version);
/* MCP_VERSIONS if it is none of ours. */
enum mcp_version mcp_version_find(struct slice name);
/* Whether a version, ours or not, is of the era without a handshake. */
bool mcp_version_is_modern(struct slice name);
struct slice mcp_level_name(enum mcp_level level);
/* MCP_LEVELS if it is no level. */
int mcp_level_find(struct slice name);

#endif
