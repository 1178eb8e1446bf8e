/*
 * Readahead says whether it is worth to look for more input before going to
 * sleep for it. After an answer the next question may be there already: on a
 * busy machine the asker runs as soon as it is woken, and has asked again
 * before the answerer gets to its next step. A look that finds something saves
 * the sleep; one that finds nothing costs a system call, so after each of them
 * twice as many chances are left out.
 */
#ifndef TRANSPORT_IO_READAHEAD_H
#define TRANSPORT_IO_READAHEAD_H

#include <stdbool.h>

/* Zeroed memory is one that begins by looking. */
struct readahead {
    unsigned left;  /* chances still to be left out */
    unsigned pause; /* and how many after the next look in vain */
};

/* A chance to look has come: is it to be taken? */
bool readahead_looks(struct readahead *e);
/* What came of a look that was taken. */
void readahead_learn(struct readahead *e, bool has_found);

#endif
