/* Entries of a table of tools, from its text to what clients are told of them;
 * for tools.c. */
#ifndef TRANSPORT_MCP_TOOLS_ENTRY_H
#define TRANSPORT_MCP_TOOLS_ENTRY_H

#include "transport/mcp/tools.h"

/* The table with the texts of one language; NULL: it is no JSON. */
yyjson_doc *tools_localised(struct slice json, struct slice lang);

struct tools_telling {
    bool is_ours; /* bounds and other names are left out */
    bool has_set; /* for sub-agents: also what is theirs alone in full */
};

void tools_entry_put(struct bytes *out, yyjson_val *entry,
                     enum tools_detail detail, const struct tools_telling *how);

#endif
