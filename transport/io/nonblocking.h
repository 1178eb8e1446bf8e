/*
 * stdin and stdout of a server, read and written without ever blocking and
 * without a change to what others share: the flags of a pipe or a terminal
 * belong to all programs that have it open, the shell among them.
 */
#ifndef TRANSPORT_IO_NONBLOCKING_H
#define TRANSPORT_IO_NONBLOCKING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct nonblocking {
    int fd;
    bool is_socket; /* MSG_DONTWAIT is enough */
    bool is_file;   /* always ready, and epoll does not take it */
    bool is_opened; /* a second opening of the same thing, with its own flags */
    int flags;      /* as found, when they had to be changed; else -1 */
};

/* 0 or a negative errno. */
int nonblocking_open_input(struct nonblocking *e, int fd);
int nonblocking_open_output(struct nonblocking *e, int fd);
/* Of a socket, which stays the caller's: nothing to be put back. */
struct nonblocking nonblocking_of_socket(int fd);
/* Puts everything back. Leaves the descriptor it was made of open. */
void nonblocking_close(struct nonblocking *e);

/* Like read and write, with a negative errno for an error; -EAGAIN: not now. */
ssize_t nonblocking_read(const struct nonblocking *e, void *to, size_t size);
ssize_t nonblocking_write(const struct nonblocking *e, const void *from,
                          size_t size);

/*
 * A pipe that is full with this much still to come is made as wide as answers
 * get: each filling of it costs two wake-ups. Not before it is needed, since a
 * user has so many pages for all his pipes.
 */
void nonblocking_widen(const struct nonblocking *e, size_t waiting);

#endif
