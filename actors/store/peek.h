/*
 * A peek is the database as it lies on disk, read by a program that is not
 * its hub: without a lock, so no hub is ever kept waiting, and without making
 * a file, so it can be had of a directory that cannot be written too.
 *
 * What a killed hub has left in its log is read with it. Instead of locks it
 * looks afterwards whether what it read has been written over meanwhile; a log
 * that only grew is none of its concern.
 */
#ifndef ACTORS_STORE_PEEK_H
#define ACTORS_STORE_PEEK_H

#include <sqlite3.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "actors/store/store_why.h"

enum peek_verdict {
    PEEK_FINE,
    PEEK_NOTHING,    /* there is no database, or nothing in it yet */
    PEEK_OLDER,      /* its tables are; a hub would bring them up to date */
    PEEK_NEWER,      /* its tables are, and not for this program to read */
    PEEK_UNFINISHED, /* a hub has to mend it first */
    PEEK_BAD         /* `why` says */
};

struct peek {
    const char *path;      /* borrowed */
    sqlite3 *db;           /* NULL: closed */
    int version;           /* of its tables, if it is older or newer */
    struct stat file;      /* as it was when it was opened */
    unsigned char log[32]; /* the head of its log; zeros: none */
};

/* Opens it; to be closed in any case. */
enum peek_verdict peek_open(struct peek *s, const char *path,
                            struct store_why *why);
/* Whether what was read since may be torn: open it again and ask again. */
bool peek_is_stale(const struct peek *s);
/* Accepts one that is closed. */
void peek_close(struct peek *s);

#endif
