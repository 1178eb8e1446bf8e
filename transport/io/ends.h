/*
 * Ends are stdin and stdout of a server, read and written without ever
 * blocking and without a change to what others share: the flags of a pipe or
 * a terminal belong to everybody who has it open, the shell among them.
 */
#ifndef TRANSPORT_IO_ENDS_H
#define TRANSPORT_IO_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct end {
    int fd;
    bool is_socket; /* MSG_DONTWAIT is enough */
    bool is_file;   /* always ready, and epoll does not take it */
    bool is_opened; /* a second opening of the same thing, with its own flags */
    int flags;      /* as found, when they had to be changed; else -1 */
};

/* 0 or a negative errno. */
int end_open_input(struct end *e, int fd);
int end_open_output(struct end *e, int fd);
/* Of a socket, which stays the caller's: nothing to be put back. */
struct end end_of_socket(int fd);
/* Puts everything back. Leaves the descriptor it was made of open. */
void end_close(struct end *e);

/* Like read and write, with a negative errno for an error; -EAGAIN: not now. */
ssize_t end_read(const struct end *e, void *to, size_t size);
ssize_t end_write(const struct end *e, const void *from, size_t size);

/*
 * A pipe that is full with this much still to come is made as wide as answers
 * get: each filling of it costs two wake-ups. Not before it is needed, since a
 * user has so many pages for all his pipes.
 */
void end_widen(const struct end *e, size_t waiting);

#endif
