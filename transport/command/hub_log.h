/* The hub's own log: `kuromajutsu logs --hub`. */
#ifndef TRANSPORT_COMMAND_HUB_LOG_H
#define TRANSPORT_COMMAND_HUB_LOG_H

#include "transport/command/console.h"

/* Whether these words of `logs` ask for it. */
bool hub_log_is_wanted(int argc, char **argv);
/* As a command's run. */
int hub_log_run(struct console *con, int argc, char **argv);

#endif
