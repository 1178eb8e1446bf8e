/* SPDX-License-Identifier: MIT */
/*
 * A file that is not ours to write is not touched at all: its header is read
 * with plain reads first, since SQLite, once it has a file open, recovers and
 * truncates what lies beside it.
 */
#include "actors/store/database.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actors/store/packed.h"
#include "actors/store/query.h"
#include "actors/store/tables.h"

#define HEADER 108 /* bytes of a database's header, and of its first page's */

bool database_is_lost(int code)
{
    int kind = code & 0xff;

    return kind != SQLITE_FULL && kind != SQLITE_BUSY && kind != SQLITE_LOCKED;
}

/* What SQLite says, and the system below it, stands behind what we say. */
void database_why(struct store_why *why, const char *path, sqlite3 *db,
                  int code)
{
    bool has_text = db != NULL && sqlite3_errcode(db) != SQLITE_OK;
    int system = db != NULL ? sqlite3_system_errno(db) : 0;
    const char *text = has_text ? sqlite3_errmsg(db) : sqlite3_errstr(code);

    if (system == ENOSPC || system == EDQUOT)
        code = SQLITE_FULL;
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        STORE_WHY_SAY(why, DATABASE_LOCKED, path);
        break;
    case SQLITE_FULL:
        STORE_WHY_SAY(why, DATABASE_FULL, path, text);
        break;
    case SQLITE_READONLY:
    case SQLITE_PERM:
        STORE_WHY_SAY(why, DATABASE_READ_ONLY, path, text);
        break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        STORE_WHY_SAY(why, DATABASE_DAMAGED, path, text);
        break;
    case SQLITE_CANTOPEN:
        STORE_WHY_SAY(why, DATABASE_CANNOT_OPEN, path,
                      system != 0 ? strerror(system) : text);
        break;
    case SQLITE_IOERR:
        STORE_WHY_SAY(why, DATABASE_INPUT_OUTPUT, path,
                      system != 0 ? strerror(system) : text);
        break;
    default:
        STORE_WHY_SAY(why, DATABASE_REFUSED, path, text);
    }
}

/* ---- before SQLite sees it --------------------------------------------- */

/* Without its database SQLite would delete a log that may be all there is. */
static int check_log(const char *path, struct store_why *why)
{
    struct stat st;
    char *log;
    int code = SQLITE_OK;

    if (asprintf(&log, "%s-wal", path) < 0)
        abort();
    if (stat(log, &st) == 0 && st.st_size > 0) {
        STORE_WHY_SAY(why, DATABASE_LOG_ALONE, path, log);
        code = SQLITE_CORRUPT;
    }
    free(log);
    return code;
}

static uint32_t number_at(const unsigned char *header, size_t at)
{
    return (uint32_t)header[at] << 24 | (uint32_t)header[at + 1] << 16 |
           (uint32_t)header[at + 2] << 8 | header[at + 3];
}

/* Whose it is and whether anything is in it stand on one page, the first: so
 * what is there of another's is known before its log is looked at. The first
 * page's table is that of all things, a leaf (13) with so many cells. */
static bool is_anothers(const unsigned char *header)
{
    bool is_empty = header[100] == 13 && header[103] == 0 && header[104] == 0;

    return number_at(header, 68) != TABLES_APPLICATION && !is_empty;
}

static int check_header(const char *path, const unsigned char *header,
                        ssize_t len, struct store_why *why)
{
    static const char magic[16] = "SQLite format 3";
    uint32_t version;

    if (len == 0)
        return check_log(path, why);
    if (len < HEADER || memcmp(header, magic, sizeof(magic)) != 0) {
        STORE_WHY_SAY(why, DATABASE_NO_DATABASE, path);
        return SQLITE_NOTADB;
    }
    if (is_anothers(header)) {
        STORE_WHY_SAY(why, DATABASE_ANOTHERS, path);
        return SQLITE_SCHEMA;
    }
    version = number_at(header, 60);
    if (version <= TABLES_VERSION)
        return SQLITE_OK;
    STORE_WHY_SAY(why, DATABASE_TOO_NEW, path, version, TABLES_VERSION);
    return SQLITE_SCHEMA;
}

/* SQLite gives them the rights of the database, also while it is read-only. */
static void mend_rights(const char *path)
{
    static const char *const ends[] = {"-wal", "-shm"};
    char *name;

    for (unsigned i = 0; i < 2; i++) {
        if (asprintf(&name, "%s%s", path, ends[i]) < 0)
            abort();
        if (faccessat(AT_FDCWD, name, W_OK, AT_EACCESS) != 0 && errno == EACCES)
            chmod(name, 0600);
        free(name);
    }
}

static int check_open(const char *path, int fd, struct store_why *why)
{
    unsigned char header[HEADER];
    ssize_t len = pread(fd, header, sizeof(header), 0);

    close(fd);
    if (len < 0) {
        store_why_system(why, path, errno);
        return SQLITE_IOERR;
    }
    return check_header(path, header, len, why);
}

int database_check(const char *path, struct store_why *why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd >= 0)
        return check_open(path, fd, why);
    if (errno == ENOENT)
        return check_log(path, why);
    store_why_system(why, path, errno);
    return SQLITE_CANTOPEN;
}

/* Makes the file if there is none: SQLite would let all users read it. */
static int look(const char *path, struct store_why *why)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    int error = errno;

    if (fd >= 0)
        mend_rights(path);
    else
        fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        store_why_system(why, path, error);
        return SQLITE_CANTOPEN;
    }
    return check_open(path, fd, why);
}

/* ---- with SQLite ------------------------------------------------------- */

/* Its log may be of a newer version than its header. */
static int check_owner(const char *path, sqlite3 *db, bool *is_current,
                       struct store_why *why)
{
    int64_t version = 0, owner = 0, things = 0;
    int code = query_sql_number(db, "PRAGMA user_version", &version);

    if (code == SQLITE_OK)
        code = query_sql_number(db, "PRAGMA application_id", &owner);
    if (code == SQLITE_OK)
        code =
            query_sql_number(db, "SELECT count(*) FROM sqlite_schema", &things);
    if (code != SQLITE_OK) {
        database_why(why, path, db, code);
        return code;
    }
    *is_current = version == TABLES_VERSION;
    if (version > TABLES_VERSION)
        STORE_WHY_SAY(why, DATABASE_TOO_NEW, path, (unsigned)version,
                      TABLES_VERSION);
    else if (things > 0 && owner != TABLES_APPLICATION)
        STORE_WHY_SAY(why, DATABASE_ANOTHERS, path);
    else
        return SQLITE_OK;
    return SQLITE_SCHEMA;
}

static int set_wal(sqlite3 *db)
{
    sqlite3_stmt *stmt;
    int code =
        sqlite3_prepare_v2(db, "PRAGMA journal_mode = WAL", -1, &stmt, NULL);

    if (code != SQLITE_OK)
        return code;
    code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        code = strcmp((const char *)sqlite3_column_text(stmt, 0), "wal") == 0
                   ? SQLITE_OK
                   : SQLITE_BUSY;
    sqlite3_finalize(stmt);
    return code;
}

static int set_up(sqlite3 *db, bool is_relaxed, bool is_current)
{
    int code = sqlite3_exec(db,
                            "PRAGMA temp_store = MEMORY;"
                            "PRAGMA trusted_schema = OFF;"
                            "PRAGMA cell_size_check = ON;"
                            "PRAGMA cache_size = -4096;"
                            "PRAGMA journal_size_limit = 16777216;",
                            NULL, NULL, NULL);

    /* Reading is all that is left with a file that cannot be written. */
    if (code != SQLITE_OK || (is_current && sqlite3_db_readonly(db, "main")))
        return code;
    code = set_wal(db);
    if (code == SQLITE_OK)
        code = sqlite3_exec(db,
                            is_relaxed ? "PRAGMA synchronous = NORMAL"
                                       : "PRAGMA synchronous = FULL",
                            NULL, NULL, NULL);
    if (code == SQLITE_OK && !is_current)
        code = tables_migrate(db, tables_steps(), TABLES_VERSION);
    return code;
}

static int open_checked(const char *path, bool is_relaxed, int busy_ms,
                        sqlite3 *db, struct store_why *why)
{
    bool is_current;
    int code;

    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(db, busy_ms);
    /* Also of a database that turns out to be another program's. */
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    code = packed_register(db);
    if (code == SQLITE_OK)
        code = check_owner(path, db, &is_current, why);
    if (code != SQLITE_OK)
        return code;
    code = set_up(db, is_relaxed, is_current);
    if (code != SQLITE_OK)
        database_why(why, path, db, code);
    else
        sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
    return code;
}

/* It counts what it allocates for a question that nobody asks, under a lock,
 * at every turn. */
static void set_up_library(void)
{
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

int database_open(const char *path, bool is_relaxed, int busy_ms, sqlite3 **db,
                  struct store_why *why)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int code = look(path, why);

    pthread_once(&once, set_up_library);
    *db = NULL;
    if (code != SQLITE_OK)
        return code;
    code = sqlite3_open_v2(path, db,
                           SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                               SQLITE_OPEN_PRIVATECACHE,
                           NULL);
    if (code != SQLITE_OK)
        database_why(why, path, *db, code);
    else
        code = open_checked(path, is_relaxed, busy_ms, *db, why);
    if (code == SQLITE_OK)
        return code;
    sqlite3_close(*db);
    *db = NULL;
    return code;
}
