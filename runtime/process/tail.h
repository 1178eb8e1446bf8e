/*
 * Tails: transcripts that are read while they grow.
 *
 * A write wakes the reader at most once: the watch is a one-shot, the reader
 * then waits for more, reads all there is, watches again and reads once more,
 * because what was appended in between made no event. That costs a sixth of a
 * pipe. A tail that has as many chunks under way as it may
 * have, or finds too many under way in all, waits for credit: a slow owner
 * stops the reading, never the CLI. One whose file has become shorter than what
 * was read of it is read again when it is longer than that.
 */
#ifndef RUNTIME_PROCESS_TAIL_H
#define RUNTIME_PROCESS_TAIL_H

#include "runtime/list.h"
#include "runtime/process/process.h"
#include "runtime/text/index.h"

/* Chunks under way over all tails: this bounds the memory of all of them. */
#define TAIL_CHUNKS 64
/* What a look waits for more to come. Longer where looks follow one another
 * closely and bring little: what a fleet writes line by line is then read
 * together. No eye sees the difference, and each look less saves the wake-ups
 * of three threads. Where a look brings plenty these are shared by so many
 * lines that to wait for more saves nothing, and would hold up who writes and
 * is read at full speed. */
#define TAIL_PAUSE_MS 1
#define TAIL_LONG_PAUSE_MS 8
#define TAIL_CLOSE_MS 20
#define TAIL_PLENTY ((size_t)8 << 10)

struct tail {
    int fd;          /* -1: none */
    int watch;       /* -1: not watched */
    uint64_t offset; /* of the next byte to read */
    uint64_t limit;  /* nothing is read from there on */
    uint64_t past;   /* bytes that were there when it was adopted */
    unsigned under_way;
    bool is_ready;               /* in the list of those to be read */
    bool is_final;               /* its tree has ended: read to the end */
    bool is_drained;             /* final, and all of it was read */
    LIST_LINK(struct tail) link; /* in that list */
    struct index_link by_watch;
};

struct tails;

/* -errno when the system has no inotify to give. */
int tails_create(struct tails **out);
void tails_destroy(struct tails *all);
/* To be watched for reading; then tails_look. */
int tails_fd(const struct tails *all);

/* Takes the descriptor. The limit is the end of the file, whatever its size
 * says: a CLI can make that anything without writing a byte. The tail is to be
 * read at once, and is watched when it has been read to its end: what was
 * written before makes no event. */
void tail_open(struct tails *all, struct tail *tail, int fd, uint64_t limit);
void tail_close(struct tails *all, struct tail *tail);
/* Puts a tail in the list of those to be read. */
void tail_wake(struct tails *all, struct tail *tail);
/* A chunk was used up. */
void tail_credit(struct tails *all, struct tail *tail);

/* Whether some tail could not be watched since this was last asked: tails
 * that are not watched must then be woken now and then. */
bool tails_are_blind(struct tails *all);

/* Takes the events there are. Whether a tail is to be read. */
bool tails_look(struct tails *all);
/* How long to wait for more, once a look has found something. */
uint64_t tails_pause(struct tails *all, uint64_t now_ms);

/*
 * The next chunk of any tail that may be read, in turn; NULL when there is
 * none. *from is set also when a final tail has just been drained and no
 * chunk comes with it. The caller owns the chunk.
 */
struct process_chunk *tails_read(struct tails *all, struct tail **from);

#endif
