/*
 * The zygote: a process that forks wardens for its hub, and ends with it. What
 * the two say to each other is in order.h.
 */
#ifndef RUNTIME_WARDEN_ZYGOTE_H
#define RUNTIME_WARDEN_ZYGOTE_H

/*
 * Serves the hub at ORDER_SOCKET, with nothing else open above descriptor 2.
 * Returns when the hub has gone, and in each warden when its life is over:
 * what to exit with.
 */
int zygote_run(char **argv);

#endif
