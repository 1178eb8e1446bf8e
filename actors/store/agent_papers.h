/*
 * An agent's papers are what is in its directory beside its transcript: how it
 * was started, how it ended, what it wrote to stderr. Each becomes an answer;
 * docs/api.md has their shapes. Works on disk.
 */
#ifndef ACTORS_STORE_AGENT_PAPERS_H
#define ACTORS_STORE_AGENT_PAPERS_H

#include "actors/store/transcript_pages.h"

#define AGENT_PAPERS_STDERR ((size_t)64 << 10) /* bytes, unless it is said */

/* Appends the answer to the page's order, of the agent whose directory this
 * is; dir may be -1: it has none. 0 or a negative errno. */
int agent_papers_put(struct bytes *out, const struct transcript_page *p,
                     int dir);

#endif
