/*
 * A dialog is a client's side of a server's pipes: calls go out, several in
 * one write, and answers are counted as they come in. It reads of an answer
 * only where it begins, so that what is measured is the server.
 */
#ifndef BENCH_DIALOG_H
#define BENCH_DIALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIALOG_HEAD 96

struct dialog {
    int to, from;
    const char *method, *params; /* of every call */
    uint64_t asked, answered;    /* ids count from 1 */
    uint64_t open_sum;           /* of the ids asked and not answered */
    size_t line, first;          /* bytes of this answer, of the first one */
    size_t head_len;
    char head[DIALOG_HEAD];
};

/* The pipes stay the caller's; params is the text of a JSON object. */
void dialog_init(struct dialog *d, int to, int from, const char *method,
                 const char *params);
/* So many more calls, in one write. They must fit into the pipe. */
void dialog_ask(struct dialog *d, unsigned calls);
/* Waits for one read's worth of bytes; gives the answers that ended in it.
 * Whatever is no answer to an open call, or much shorter than the first
 * answer was, ends the program with a complaint. Notices are passed over. */
unsigned dialog_hear(struct dialog *d);
/* Sends these bytes, all of them. */
void dialog_say(int to, const char *text, size_t len);
/* Prints what went wrong, and ends the program with 1. */
_Noreturn void dialog_fail(const char *what, const char *detail);

#endif
