/*
 * What a CLI writes to and what holds it: its transcript, its stderr, the limit
 * of its memory.
 */
#ifndef RUNTIME_WARDEN_CLI_SETUP_H
#define RUNTIME_WARDEN_CLI_SETUP_H

#include "runtime/warden/cli.h"
#include "runtime/warden/memory.h"
#include "runtime/warden/options.h"
#include "runtime/warden/output.h"
#include "runtime/warden/stderrlog.h"

/* Opens all that in the agent's directory, where it stays the caller's to
 * close, and starts the CLI with it. Its pid, or -1 and why. */
pid_t cli_setup(const struct options *o, int dir, struct stderrlog *log,
                struct output *output, struct memory *memory,
                struct cli_failure *f);

#endif
