/*
 * A service goes on for as long as it is wanted: mcp, serve and --standalone.
 * The rest of what people say are commands, which end when they have answered.
 */
#ifndef TRANSPORT_COMMAND_SERVICE_H
#define TRANSPORT_COMMAND_SERVICE_H

#include <stdbool.h>

enum service_kind {
    SERVICE_NONE,
    SERVICE_MCP,
    SERVICE_SERVE,
    SERVICE_STANDALONE,
    SERVICE_KINDS
};

struct service {
    enum service_kind kind;
    /* What options say, or NULL. */
    const char *config, *project, *database, *toolsets;
    bool is_standalone; /* of mcp */
};

/*
 * Reads which service the program's words ask for; --config, --project and --db
 * may stand before its name, and alone they are for the relay, where stdin is
 * no terminal. Returns -1: go on, SERVICE_NONE by command_main. Else all is
 * said, its manual or what is wrong with its words, and that is the exit code.
 */
int service_read(struct service *s, int argc, char **argv);

#endif
