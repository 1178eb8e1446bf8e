/*
 * What a warden says to its hub: one JSON object on a line each. All of it
 * goes unheard where the link is closed; the next hello tells the state.
 */
#ifndef RUNTIME_WARDEN_MESSAGE_H
#define RUNTIME_WARDEN_MESSAGE_H

#include <sys/types.h>

#include "runtime/warden/link.h"
#include "runtime/warden/options.h"
#include "runtime/warden/record.h"

/* The first line of every connection. cli is 0 for a program that never ran;
 * started_at is what the mark on the disk says. */
void message_hello(struct link *l, const struct options *o, pid_t cli,
                   const char *state, int64_t started_at);

void message_started(struct link *l, pid_t cli);

/* The answer to a hub that welcomes a warden whose tree is being ended. */
void message_ending(struct link *l, const char *reason);

/* Only for a record that is on disk. */
void message_ended(struct link *l, const struct record *r);

#endif
