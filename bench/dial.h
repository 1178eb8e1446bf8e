/* A TCP connection to a server on this machine, and the reading of HTTP. */
#ifndef BENCH_DIAL_H
#define BENCH_DIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Connected, its writes not delayed; blocking. Ends the program when nobody
 * listens. */
int dial(uint16_t port);
/* Sends these bytes, all of them. */
void dial_say(int fd, const char *text, size_t len);
/* Reads what is there, at least a byte; ends the program when it is over. */
size_t dial_hear(int fd, char *to, size_t room);

/* An answer in the bytes read so far. */
struct dial_answer {
    unsigned status;
    size_t head;  /* bytes of the head, its blank line included */
    size_t whole; /* bytes of head and body */
};

/* Whether it is here with all of its body. `text` is ended by a NUL. */
bool dial_answered(const char *text, size_t len, struct dial_answer *answer);

/* Prints what went wrong, and ends the program with 1. */
_Noreturn void dial_fail(const char *what, const char *detail);

#endif
