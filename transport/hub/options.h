/* Options are what the hub's command line says. */
#ifndef TRANSPORT_HUB_OPTIONS_H
#define TRANSPORT_HUB_OPTIONS_H

#include <stdbool.h>

enum options_mode {
    OPTIONS_SERVE,      /* in the foreground, until it is told to leave */
    OPTIONS_BACKGROUND, /* started by a relay: leaves when no client needs it */
    OPTIONS_STANDALONE, /* with the one client on stdin and stdout */
    OPTIONS_READ,       /* no hub: tells the past to the client on stdin */
    OPTIONS_RECORDING_PAGE, /* no hub: writes that page to stdout */
    OPTIONS_POST,           /* no hub: posts what is on stdin, see post.h */
    OPTIONS_FETCH           /* no hub: gets what stdin names, see fetch.h */
};

struct options {
    enum options_mode mode;
    bool stays;            /* in the background, also when no client needs it */
    const char *config;    /* or NULL */
    const char *project;   /* or NULL */
    const char *database;  /* or NULL */
    const char *state_dir; /* OPTIONS_READ: which past */
};

/* 0: go on; 1: it was answered, leave with 0; 2: it is wrong, which was said
 * on stderr: leave with 2. */
int options_read(struct options *o, int argc, char **argv);

#endif
