/*
 * An MCP client over a server's standard input and output, one call at a
 * time: what a model's tool call becomes inside the real CLIs.
 */
#ifndef TRANSPORT_PUPPET_MCP_H
#define TRANSPORT_PUPPET_MCP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <yyjson.h>

#include "transport/puppet/mcp_entry.h"
#include "transport/puppet/text.h"

struct mcp {
    const struct mcp_entry *entry;
    pid_t pid; /* 0: not started */
    int to, from;
    int64_t next_id;
    struct text in; /* what was read and not yet taken, from in_at on */
    size_t in_at, in_seen;
};

/* entry is borrowed. Nothing is started before the first call. */
void mcp_init(struct mcp *m, const struct mcp_entry *entry);
/*
 * tools/call. Returns 0 and the answer's `result`, to be freed with its
 * document by yyjson_doc_free, or a negative errno with the reason in error:
 * the server could not be started, left, refused, or took too long.
 */
int mcp_call(struct mcp *m, const char *tool, yyjson_mut_val *args,
             long timeout_ms, yyjson_doc **answer, yyjson_val **result,
             struct text *error);
/* Closes the server's input and waits for it; one that does not leave is told
 * by SIGTERM, then SIGKILL. */
void mcp_finish(struct mcp *m);

#endif
