/*
 * The recording page is the dashboard as one file, into which the command line
 * puts a recording. It is a constant of the hub's program, like the dashboard
 * itself, and needs no hub.
 */
#ifndef TRANSPORT_WEB_RECORDING_PAGE_H
#define TRANSPORT_WEB_RECORDING_PAGE_H

/* Writes all of it, waiting for its reader. 0 or a negative errno. */
int recording_page_write(int fd);

#endif
