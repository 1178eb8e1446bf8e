/* What specifications of toolsets have words of their own for, of arguments
 * that are wrong; for args_check.c. */
#ifndef TRANSPORT_MCP_ARGS_OWN_H
#define TRANSPORT_MCP_ARGS_OWN_H

#include "transport/mcp/tools.h"

/* False: nothing has been said. args is all that was given. */
bool args_describe_own(const struct tool *tool, yyjson_val *args,
                       const struct schema_problem *s, struct tools_problem *p);

#endif
