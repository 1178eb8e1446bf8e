/*
 * Files are the paths a stream has touched: those created and those edited.
 *
 * Paths are equal by their absolute form without ".", ".." and doubled
 * slashes, worked out as text: the disk is not asked, so that reading the
 * stream again gives the same. A path is listed once, as its first write gave
 * it.
 */
#ifndef ACTORS_STREAM_FILES_H
#define ACTORS_STREAM_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/text/bytes.h"
#include "runtime/text/slice.h"

/* Bounds: entries of each list, paths known in all, one path, all paths. */
#define FILES_LIST_CAP 10000
#define FILES_KNOWN_CAP 32768
#define FILES_PATH_CAP 4096
#define FILES_BYTES_CAP ((size_t)16 << 20)

enum files_list { FILES_CREATED, FILES_EDITED, FILES_LISTS };

enum files_op {
    FILES_READ,  /* becomes known, is not listed */
    FILES_WRITE, /* a creation if the path was not known, else an edit */
    FILES_ADD,
    FILES_EDIT,
    FILES_DELETE /* changes nothing: a later write is judged as before */
};

struct files_entry {
    uint64_t hash;
    struct slice key;   /* normalised; owned */
    struct slice shown; /* as first given to be listed, NULL before; owned */
};

struct files {
    struct files_entry *entries;
    size_t count, cap;
    uint32_t *index; /* open addressing: entry number + 1, 0 = free */
    size_t index_size;
    uint32_t *lists[FILES_LISTS]; /* entry numbers, in order */
    size_t lengths[FILES_LISTS];
    size_t bytes;     /* of all paths kept */
    uint64_t dropped; /* paths not kept because of a bound */
    struct bytes cwd;
    struct bytes scratch;
};

/* Zeroed memory is an empty set. */
void files_finish(struct files *f);
/* What relative paths of later calls are relative to. */
void files_set_cwd(struct files *f, struct slice cwd);
/* Records one successful operation; the path is copied. The answer is ADD or
 * EDIT for a write, else op. *is_first: the path has just been listed. */
enum files_op files_note(struct files *f, struct slice path, enum files_op op,
                         bool *is_first);
/* The i-th path of a list; i < f->lengths[list]. Valid until finish. */
struct slice files_path(const struct files *f, enum files_list list, size_t i);
/* The same, normalised. */
struct slice files_key(const struct files *f, enum files_list list, size_t i);

#endif
