/*
 * Which MCP server the CLI was told to start, read from where the real ones
 * look: Cursor's --plugin-dir, Claude's --mcp-config.
 */
#ifndef TRANSPORT_PUPPET_MCP_ENTRY_H
#define TRANSPORT_PUPPET_MCP_ENTRY_H

#include <yyjson.h>

#include "transport/puppet/options.h"
#include "transport/puppet/text.h"

struct mcp_entry {
    struct text name;    /* empty: no server */
    struct text refusal; /* not empty: why its tools cannot be called */
    yyjson_doc *doc;     /* holds server */
    yyjson_val *server;  /* {command, args?, env?, cwd?}; NULL: see shell */
    const char *shell;   /* KUROMAJUTSU_MCP_COMMAND, for sh -c */
};

/* Fills a zeroed e. The server called kuromajutsu is taken, else the first.
 * Returns 0, also without any server, or -EINVAL with the message in error. */
int mcp_entry_find(struct mcp_entry *e, const struct options *o,
                   struct text *error);
void mcp_entry_finish(struct mcp_entry *e);
/* Arrays that end in NULL, each string and the array to be freed. */
char **mcp_entry_argv(const struct mcp_entry *e);
char **mcp_entry_env(const struct mcp_entry *e);
void mcp_entry_free(char **strings);

#endif
