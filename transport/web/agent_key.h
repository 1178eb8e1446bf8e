/*
 * The key by which a sub-agent is known over HTTP, where it has no ancestry:
 * its id under the hub's signing key, from its environment.
 */
#ifndef TRANSPORT_WEB_AGENT_KEY_H
#define TRANSPORT_WEB_AGENT_KEY_H

#include "actors/order/hub_context.h"
#include "transport/http/exchange.h"
#include "transport/session/speakers.h"

/* Whose request it is: the hub's own caller, or a sub-agent with the hub's
 * directory and environment, in the language that the request names; the
 * reference is the caller's. NULL: the key is none of ours, and the request has
 * been refused. */
struct caller *agent_key_caller(const struct hub_context *context,
                                const struct speakers *speakers,
                                struct exchange *x);

#endif
