/* The relay is an MCP server on stdin and stdout whose tools are the hub's:
 * what MCP clients start. */
#ifndef TRANSPORT_RELAY_RELAY_H
#define TRANSPORT_RELAY_RELAY_H

/* The toolsets of a list, one bit each; 0 if one is wrong, which is told with
 * those that there are. */
unsigned relay_toolsets(const char *list);
/* `kuromajutsu mcp`, of that configuration or the project's own (NULL), with
 * these toolsets or the configuration's (0). Returns the exit code when the
 * client has left: 0; 2 if the configuration is wrong. */
int relay_main(const char *file, unsigned toolsets);

#endif
