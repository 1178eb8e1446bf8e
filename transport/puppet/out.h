/*
 * Standard output with a buffer that is emptied at the end of each step, so
 * that readers see whole lines at once and a flood is not a system call each.
 */
#ifndef TRANSPORT_PUPPET_OUT_H
#define TRANSPORT_PUPPET_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "transport/puppet/text.h"

struct out {
    int fd;
    bool is_broken; /* the reader has gone: everything after is dropped */
    struct text buf;
};

void out_add(struct out *o, const char *data, size_t len);
/* Writes everything out, waiting for the reader as long as it takes. */
void out_flush(struct out *o);
void out_finish(struct out *o);

#endif
