/* The list of agents, for `agents` and for what has one in it. */
#ifndef TRANSPORT_COMMAND_AGENTS_H
#define TRANSPORT_COMMAND_AGENTS_H

#include <yyjson.h>

#include "transport/command/console.h"

/* The answer of "overview" as a table. */
void agents_show(struct console *con, yyjson_val *root);

#endif
