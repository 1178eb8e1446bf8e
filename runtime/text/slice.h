/* A slice is a borrowed run of bytes: a pointer and a length, no terminator. */
#ifndef RUNTIME_TEXT_SLICE_H
#define RUNTIME_TEXT_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct slice {
    const char *ptr; /* may be NULL if len is 0 */
    size_t len;
};

#define SLICE_EMPTY ((struct slice){.ptr = "", .len = 0})
/* Only for string literals: the length is the compiler's. */
#define SLICE(literal) ((struct slice)SLICE_INIT(literal))
/* The same where an initialiser must be constant. */
#define SLICE_INIT(literal)                                                    \
    {                                                                          \
        .ptr = (literal), .len = sizeof(literal) - 1                           \
    }

/*
 * The two below and field_get are inline for a reason: with a literal they
 * become a comparison of words, and a line costs a dozen of them. Calling them
 * took a seventh of all instructions of parsing (agents parse, in bench/).
 */
static inline struct slice slice_of(const char *ptr, size_t len)
{
    return ptr ? (struct slice){.ptr = ptr, .len = len} : SLICE_EMPTY;
}

static inline bool slice_eq(struct slice a, struct slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

struct slice slice_cstr(const char *str);
bool slice_starts(struct slice s, struct slice prefix);
bool slice_ends(struct slice s, struct slice suffix);
/* Without the blanks (space, tab, CR, LF) at both ends. */
struct slice slice_trim(struct slice s);
/* Up to the first newline: Cursor's call_id holds two ids on two lines. */
struct slice slice_first_line(struct slice s);
/* Copies at most cap - 1 bytes, whole UTF-8 characters, and a terminator. */
void slice_keep(char *dst, size_t cap, struct slice s);
/* Continued from seed; SLICE_HASH to begin. The same within one program only,
 * and no defence against texts made to collide. */
uint64_t slice_hash(uint64_t seed, struct slice s);
#define SLICE_HASH 1469598103934665603ull
/* The same in every program for ever, for directories are named by it. */
uint64_t slice_stable_hash(struct slice s);

#endif
