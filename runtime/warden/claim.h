/*
 * The claim on an agent's directory: a lock that is held as long as this
 * process lives, the mark that makes a CLI start at most once, however often a
 * hub in recovery tries, and the place of the exit record.
 */
#ifndef RUNTIME_WARDEN_CLAIM_H
#define RUNTIME_WARDEN_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct claim {
    int dir;
    int file;        /* the one that is locked */
    bool is_one;     /* that one is all, else there are three: warden_file.h */
    uint64_t marked; /* wall clock, ms */
};

/*
 * Takes the directory. Returns EX_OK, or what to exit with: EX_TEMPFAIL,
 * another warden has it or had it; EX_CANTCREAT, no warden could take it.
 */
int claim_take(struct claim *c, int dir, bool is_one);

/* Puts a record of a line in its place, whole or not at all. 0 or a negative
 * errno. */
int claim_save(const struct claim *c, const char *record, size_t len);

#endif
