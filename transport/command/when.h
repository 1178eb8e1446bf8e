/* when reads a moment as people type it. */
#ifndef TRANSPORT_COMMAND_WHEN_H
#define TRANSPORT_COMMAND_WHEN_H

#include <stdbool.h>
#include <stdint.h>

#include "transport/command/console.h"

/*
 * "90s", "45m", "2h", "3d", "2w" before now; or "2026-02-13",
 * "2026-02-13T12:00[:30]", also with a blank, in local time unless it ends
 * with Z or +09:00. Milliseconds since 1970; false if it is none.
 */
bool when_read(const char *text, uint64_t now_ms, uint64_t *ms);
/* The same for an option; NULL is none, then *ms is 0. CONSOLE_USAGE: told. */
int when_option(struct console *con, const char *command, const char *option,
                const char *text, uint64_t *ms);

#endif
