/* Which CLI an agent was, as it is recorded; of one that nobody knows any more,
 * by its id and the configuration. */
#ifndef TRANSPORT_COMMAND_AGENT_BACKEND_H
#define TRANSPORT_COMMAND_AGENT_BACKEND_H

#include "actors/stream/backend.h"
#include "transport/command/console.h"

const struct backend *agent_backend_of(struct console *con, const char *id);

#endif
