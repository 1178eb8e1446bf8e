/*
 * A story is what an agent has said and done, entry by entry, made of a piece
 * of its transcript by the parsers that read it live.
 *
 * A transcript may be entered anywhere, so what an entry is must not depend on
 * where reading began. It is cut into blocks of a MiB, and the entries of a
 * block are a function of that block, the one before it and the one behind:
 *
 *   | warm-up        | own              | ahead        |
 *   from - block     from               to             to + block
 *
 * Lines of the warm-up bring the parser into the state it would have, as far as
 * that matters; entries are those that begin in the own block; of what lies
 * ahead only the ends of calls are taken. A text that goes on into the next
 * block is two entries. A call whose end is further away than the block ahead
 * is told where it began, as open, and again where it ended.
 */
#ifndef ACTORS_STREAM_STORY_H
#define ACTORS_STREAM_STORY_H

#include "actors/stream/backend.h"
#include "runtime/text/bytes.h"

#define STORY_BLOCK ((uint64_t)1 << 20)
/* A longer line is told as one that is too long: of a window of three blocks
 * the last line may reach beyond it by as much. */
#define STORY_LINE_MAX ((size_t)4 << 20)
/* What is given of each text; and of one that is asked for alone. */
#define STORY_TEXT_MAX ((size_t)32 << 10)
#define STORY_TEXT_WHOLE ((size_t)1 << 20)
/* Entries of one line; what a line has beyond it is not told. */
#define STORY_LINE_ENTRIES 200

/* Everything before `up_to` had been read by `at` (Unix ms), and what lies
 * behind the time before it not much earlier. 0: it is not known when. */
struct story_time {
    uint64_t up_to, at;
};

struct story_times {
    const struct story_time *items; /* by up_to */
    size_t count;
};

struct story_window {
    const char *bytes;
    uint64_t at; /* of the first one: 0, or the last byte before `warm` */
    size_t len;
    uint64_t warm, from, to, ahead; /* each where a block begins */
    bool is_last; /* the transcript ends with it, as far as it was written */
    bool is_over; /* and nothing more will be */
};

struct story;

/* Where the window begins and should end for this block, by its number, of a
 * transcript of so many bytes; behind that it is to have the rest of the line
 * there. Blocks have `each` bytes, STORY_BLOCK but for tests. */
void story_window_plan(struct story_window *w, uint64_t each, uint64_t block,
                       uint64_t size);

/* The entries that begin in [from, to). The caller owns it; it borrows nothing.
 */
struct story *story_create(const struct backend *backend,
                           const struct story_window *w);
void story_destroy(struct story *s); /* accepts NULL */

size_t story_count(const struct story *s);
/* Where the i-th begins: never less than that of the one before. */
uint64_t story_offset(const struct story *s, size_t i);
/* Appends it as JSON, each of its texts cut to so many bytes. */
void story_put(struct bytes *out, const struct story *s, size_t i,
               const struct story_times *times, size_t text_max);
/* Up to where whole lines were read. */
uint64_t story_up_to(const struct story *s);

#endif
