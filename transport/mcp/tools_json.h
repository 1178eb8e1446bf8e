/* tools_json is the tables of all toolsets, put into the program by tools.py.
 */
#ifndef TRANSPORT_MCP_TOOLS_JSON_H
#define TRANSPORT_MCP_TOOLS_JSON_H

#include <stddef.h>

extern const char tools_json[];
extern const size_t tools_json_len;

#endif
