/* The relay is an MCP server on stdin and stdout whose tools are the hub's:
 * what MCP clients start. */
#ifndef TRANSPORT_RELAY_RELAY_H
#define TRANSPORT_RELAY_RELAY_H

/* The command `kuromajutsu mcp [--config FILE]`, argv[0] its name. Returns the
 * exit code when the client has left: 0; 2 for wrong arguments. */
int relay_main(int argc, char **argv);

#endif
