/* A client of a WebSocket, as small as RFC 6455 lets one be. */
#ifndef BENCH_WEB_CLIENT_H
#define BENCH_WEB_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct web_client {
    int fd;
    char *in;
    size_t len, room; /* read and not yet taken; what fits */
};

/* A message, valid during the call only. */
typedef void web_client_text(void *arg, const char *text, size_t len);

/* Opens /ws. Ends the program when it is refused. */
void web_client_open(struct web_client *c, uint16_t port);
/* Sends a text message. */
void web_client_say(struct web_client *c, const char *text);
/* Reads once and hands on every message that is whole by then; a ping is
 * answered. False when the server has closed. */
bool web_client_hear(struct web_client *c, web_client_text *on_text, void *arg);
void web_client_close(struct web_client *c);

#endif
