/*
 * watch holds a session to its promises, whatever it is sent: every line out
 * is a JSON-RPC message (or a batch of them), and no request is answered twice.
 * It aborts, so that a fuzzer sees it too.
 */
#ifndef TESTS_TRANSPORT_MCP_WATCH_H
#define TESTS_TRANSPORT_MCP_WATCH_H

#include "runtime/text/slice.h"

/* By the hash of an id, so two may share a count: that can only hide. */
#define WATCH_IDS 65536

struct watch {
    int open[WATCH_IDS]; /* requests in less answers out */
    size_t answers;
};

/* Before the session gets it. */
void watch_input(struct watch *w, struct slice text);
/* One line, with its newline. */
void watch_output(struct watch *w, struct slice line);

#endif
