/*
 * Posting a notification (`kuromajutsu-hub --post`): a program of its own, so
 * that a name server or a peer that does not answer holds up nobody, and so
 * that what a stranger sends is read by no hub. On stdin come the address, a
 * line, and what is to be posted, to the end. The hub ends it when it takes too
 * long.
 */
#ifndef TRANSPORT_HUB_POST_H
#define TRANSPORT_HUB_POST_H

/* The exit code: 0 after an answer of 200 to 299. Else 1, and a line on stdout
 * says why, without the address. */
int post_main(void);

#endif
