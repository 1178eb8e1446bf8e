/*
 * The api answers questions of the dashboard and of scripts: each path below
 * /api/ is one order of the registry, its query the order's arguments, its
 * answer the order's JSON. It reads; nothing is changed through it.
 */
#ifndef TRANSPORT_WEB_API_H
#define TRANSPORT_WEB_API_H

#include "transport/http/exchange.h"
#include "transport/session/calls.h"
#include "transport/session/speakers.h"

#define API_PATH "/api/"

/* Serves one request below API_PATH. */
void api_serve(struct calls *calls, const struct speakers *speakers,
               struct exchange *x);

#endif
