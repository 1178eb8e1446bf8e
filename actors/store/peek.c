/* SPDX-License-Identifier: MIT */
/*
 * SQLite can read a log without a shared index of it if it believes to be
 * alone: exclusive locking keeps the index in memory, and the VFS "unix-none"
 * lets it believe so. Without a log even that would make one: then the file
 * is opened as one that never changes. At its end nothing may be brought from
 * the log into the file, which a hub may be writing.
 */
#include "actors/store/peek.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "actors/store/database.h"
#include "actors/store/query.h"
#include "actors/store/tables.h"

static ssize_t read_head(const char *path, const char *end, void *to,
                         size_t size)
{
    char *name = bytes_text("%s%s", path, end);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -errno : pread(fd, to, size, 0);

    if (fd >= 0)
        close(fd);
    free(name);
    return n;
}

/* All zeros: there is no log, or an empty one. */
static void read_log(const char *path, unsigned char log[32])
{
    memset(log, 0, 32);
    if (read_head(path, "-wal", log, 32) != 32)
        memset(log, 0, 32);
}

static bool has_log(const struct peek *s)
{
    static const unsigned char none[32];

    return memcmp(s->log, none, sizeof(none)) != 0;
}

/* A journal is left where the very first write of a hub was cut short. */
static bool has_journal(const char *path)
{
    char byte;

    return read_head(path, "-journal", &byte, 1) == 1;
}

/* In a URI these three would mean something. */
static void put_escaped(struct bytes *uri, const char *path)
{
    for (; *path != 0; path++) {
        if (strchr("%?#", *path) != NULL)
            bytes_format(uri, "%%%02X", (unsigned char)*path);
        else
            bytes_append(uri, path, 1);
    }
}

static int open_file(struct peek *s)
{
    struct bytes uri = {0};
    int code;

    bytes_format(&uri, "file:");
    put_escaped(&uri, s->path);
    bytes_format(&uri, has_log(s) ? "?vfs=unix-none" : "?immutable=1");
    bytes_append(&uri, "", 1);
    code = sqlite3_open_v2(uri.ptr, &s->db,
                           SQLITE_OPEN_READONLY | SQLITE_OPEN_URI |
                               SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
                           NULL);
    bytes_finish(&uri);
    if (code != SQLITE_OK)
        return code;
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    return sqlite3_exec(s->db,
                        "PRAGMA locking_mode = EXCLUSIVE;"
                        "PRAGMA temp_store = MEMORY;"
                        "PRAGMA trusted_schema = OFF;"
                        "PRAGMA cell_size_check = ON;",
                        NULL, NULL, NULL);
}

/* Whose tables these are, and of which version. */
static int judge(struct peek *s, enum peek_verdict *verdict)
{
    int64_t version = 0, owner = 0, things = 0;
    int code = query_sql_number(s->db, "PRAGMA user_version", &version);

    if (code == SQLITE_OK)
        code = query_sql_number(s->db, "PRAGMA application_id", &owner);
    if (code == SQLITE_OK)
        code = query_sql_number(s->db, "SELECT count(*) FROM sqlite_schema",
                                &things);
    s->version = (int)version;
    *verdict = things == 0                   ? PEEK_NOTHING
               : owner != TABLES_APPLICATION ? PEEK_BAD
               : version < TABLES_VERSION    ? PEEK_OLDER
               : version > TABLES_VERSION    ? PEEK_NEWER
                                             : PEEK_FINE;
    return code;
}

static enum peek_verdict cannot(const char *path, int error,
                                struct store_why *why)
{
    if (error == ENOENT || error == ENOTDIR)
        return PEEK_NOTHING;
    store_why_system(why, path, error);
    return PEEK_BAD;
}

enum peek_verdict peek_open(struct peek *s, const char *path,
                            struct store_why *why)
{
    enum peek_verdict verdict;
    int code;

    *s = (struct peek){.path = path};
    if (stat(path, &s->file) != 0)
        return cannot(path, errno, why);
    if (s->file.st_size == 0)
        return PEEK_NOTHING;
    if (has_journal(path))
        return PEEK_UNFINISHED;
    read_log(path, s->log);
    code = open_file(s);
    if (code == SQLITE_OK)
        code = judge(s, &verdict);
    if (code != SQLITE_OK)
        database_why(why, path, s->db, code);
    else if (verdict == PEEK_BAD)
        STORE_WHY_SAY(why, DATABASE_ANOTHERS, path);
    return code == SQLITE_OK ? verdict : PEEK_BAD;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* A log that is begun anew has another salt in its head. */
bool peek_is_stale(const struct peek *s)
{
    unsigned char log[32];
    struct stat now;

    if (stat(s->path, &now) != 0 || !is_same_file(&s->file, &now))
        return true;
    read_log(s->path, log);
    return has_log(s) && memcmp(log, s->log, sizeof(log)) != 0;
}

void peek_close(struct peek *s)
{
    sqlite3_close(s->db);
    s->db = NULL;
}
