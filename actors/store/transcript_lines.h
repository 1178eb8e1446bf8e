/* Lines of a transcript, as an answer has them. */
#ifndef ACTORS_STORE_TRANSCRIPT_LINES_H
#define ACTORS_STORE_TRANSCRIPT_LINES_H

#include "actors/store/transcript_pages.h"

/* The bytes that were read for one page. */
struct transcript_lines {
    const char *text;
    uint64_t at;   /* of its first byte */
    size_t len;    /* bytes read */
    uint64_t size; /* of the whole */
};

/* Appends the answer: docs/api.md. */
void transcript_lines_put(struct bytes *out, const struct transcript_page *p,
                          const struct transcript_lines *l);

#endif
