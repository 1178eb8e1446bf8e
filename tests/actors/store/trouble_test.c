/* SPDX-License-Identifier: MIT */
/* Files that are not ours, broken, locked or full: nothing is lost by it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actors/store/query.h"
#include "actors/store/tables.h"
#include "tap.h"
#include "tests/actors/store/scene.h"

#define NOBODY 65534

static char place[96]; /* of the test's files */

void setUp(void)
{
    snprintf(place, sizeof(place), "%s", scene_fresh());
}

static bool was_root;

static void become_root(void)
{
    if (was_root && seteuid(0) != 0)
        abort();
    was_root = false;
}

void tearDown(void)
{
    become_root();
}

/* ---- files ------------------------------------------------------------- */

static struct bytes read_file(const char *end)
{
    struct bytes b = {0};
    char name[128];
    ssize_t n;
    int fd;

    snprintf(name, sizeof(name), "%s%s", scene_path(), end);
    fd = open(name, O_RDONLY);
    TEST_ASSERT_GREATER_OR_EQUAL_INT_MESSAGE(0, fd, name);
    do {
        bytes_reserve(&b, 65536);
        n = read(fd, b.ptr + b.len, 65536);
        b.len += n > 0 ? (size_t)n : 0;
    } while (n > 0);
    close(fd);
    return b;
}

static size_t read_size(const char *end)
{
    struct bytes b = read_file(end);
    size_t len = b.len;

    bytes_finish(&b);
    return len;
}

static void write_file(const char *end, const char *text, size_t len)
{
    char name[128];
    int fd;

    snprintf(name, sizeof(name), "%s%s", scene_path(), end);
    fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    TEST_ASSERT_EQUAL_INT((int)len, (int)write(fd, text, len));
    close(fd);
}

static unsigned count_files(void)
{
    DIR *d = opendir(place);
    struct dirent *e;
    unsigned n = 0;

    while ((e = readdir(d)) != NULL)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void run_sql(const char *sql)
{
    sqlite3 *db;

    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(scene_path(), &db));
    TEST_ASSERT_EQUAL_INT_MESSAGE(SQLITE_OK,
                                  sqlite3_exec(db, sql, NULL, NULL, NULL), sql);
    sqlite3_close(db);
}

static struct store_write *one_group(uint64_t serial)
{
    struct store_write *w = store_write_create();

    scene_add_group(w, serial, "grp-1-abcd");
    return w;
}

static void make_store(void)
{
    struct scene *s = scene_open();

    scene_write_answered(s, one_group(1), 1);
    scene_answer(s, 1);
    scene_close(s);
}

/* In its words; what stands in brackets is SQLite's own. */
static bool is_japanese(const char *text)
{
    const char *colon = strstr(text, ".db");

    return colon != NULL &&
           ((unsigned char)colon[4] >= 0x80 || (unsigned char)colon[5] >= 0x80);
}

/* Opens it, hears why it cannot be read, and finds the file as it was. */
static void check_refused(const char *end, const char *why)
{
    struct bytes before = read_file(end), after;
    unsigned files = count_files(), beside;
    struct scene *s = scene_open();
    const struct past *p = scene_past(s);

    TEST_ASSERT_FALSE(p->is_known);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(p->why.en, why), p->why.en);
    TEST_ASSERT_TRUE_MESSAGE(is_japanese(p->why.ja), p->why.ja);
    TEST_ASSERT_NOT_NULL(strstr(scene_condition(s, false), why));
    scene_asked(s, ORDER_HISTORY, "{}");
    scene_recall(s, "k", 9);
    TEST_ASSERT_TRUE(scene_is_error(s, 9));
    scene_close(s);
    after = read_file(end);
    TEST_ASSERT_EQUAL_size_t(before.len, after.len);
    TEST_ASSERT_TRUE(slice_eq(bytes_slice(&before), bytes_slice(&after)));
    /* A log and its index, empty, may come to lie beside it: no harm. */
    beside = count_files() - files;
    TEST_ASSERT_TRUE(beside == 0 || (beside == 2 && read_size("-wal") == 0));
    bytes_finish(&before);
    bytes_finish(&after);
}

static void test_a_newer_version_is_not_touched(void)
{
    char why[80];

    make_store();
    run_sql("PRAGMA user_version = 99");
    snprintf(why, sizeof(why), "version 99, this program knows up to %d",
             TABLES_VERSION);
    check_refused("", why);
}

/* A hub that was killed leaves its newest in the log, and the log alone. */
static void test_a_newer_version_in_the_log_is_not_touched(void)
{
    sqlite3 *db;

    make_store();
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(scene_path(), &db));
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    TEST_ASSERT_EQUAL_INT(
        SQLITE_OK,
        sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL));
    sqlite3_close(db);
    check_refused("", "version 99");
    check_refused("-wal", "version 99");
    TEST_ASSERT_EQUAL_INT64(99, scene_sql("PRAGMA user_version"));
}

static void test_another_programs_database_is_not_touched(void)
{
    run_sql("CREATE TABLE theirs(x)");
    check_refused("", "another program's");
}

static void test_what_is_no_database_is_not_touched(void)
{
    char text[5000];

    memset(text, 'x', sizeof(text));
    write_file("", text, sizeof(text));
    check_refused("", "not a database");
    write_file("", text, 10);
    check_refused("", "not a database");
}

static void test_a_corrupt_database_is_not_touched(void)
{
    struct bytes b;

    make_store();
    b = read_file("");
    memset(b.ptr + 200, 0x5a, b.len - 200);
    write_file("", b.ptr, b.len);
    bytes_finish(&b);
    check_refused("", "malformed");
}

static void test_a_log_without_its_database_is_kept(void)
{
    write_file("", "", 0);
    write_file("-wal", "something", 9);
    check_refused("-wal", "is empty but");
}

static void test_a_file_that_becomes_good_is_read(void)
{
    struct scene *s;

    write_file("", "not a database", 14);
    s = scene_open();
    TEST_ASSERT_FALSE(scene_past(s)->is_known);
    TEST_ASSERT_EQUAL_INT(0, unlink(scene_path()));
    TEST_ASSERT_TRUE(scene_past(s)->is_known);
    scene_condition(s, true);
    scene_write_answered(s, one_group(1), 1);
    TEST_ASSERT_EQUAL_STRING("{\"n\":1}", scene_answer(s, 1));
    scene_close(s);
}

/* ---- a disk that refuses for a while ----------------------------------- */

/* The store has said that it cannot write: it reads on, and keeps what comes.
 */
static void check_waiting(struct scene *s, uint64_t serial)
{
    scene_write_answered(s, one_group(serial), serial);
    scene_recall(s, "unknown", serial + 1);
    TEST_ASSERT_NOT_NULL(
        strstr(scene_asked(s, ORDER_HISTORY, "{}"), "\"total\":0"));
    TEST_ASSERT_EQUAL_UINT(1, scene_answers(s));
}

static void check_recovered(struct scene *s, uint64_t serial)
{
    char want[40];

    snprintf(want, sizeof(want), "{\"n\":%d}", (int)serial);
    TEST_ASSERT_EQUAL_STRING(want, scene_answer(s, serial));
    scene_recalled(s, serial + 1);
    scene_condition(s, true);
}

static void test_another_process_may_hold_the_lock(void)
{
    struct scene *s = scene_open();
    sqlite3 *db;

    scene_past(s);
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(scene_path(), &db));
    TEST_ASSERT_EQUAL_INT(
        SQLITE_OK, sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL));
    scene_write(s, one_group(1));
    TEST_ASSERT_NOT_NULL(strstr(scene_condition(s, false), "locked"));
    check_waiting(s, 2);
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    check_recovered(s, 2);
    scene_close(s);
    sqlite3_close(db);
    TEST_ASSERT_EQUAL_INT64(2, scene_sql("SELECT count(*) FROM groups"));
}

static void test_a_lock_at_the_start_is_waited_for(void)
{
    struct scene *s;
    sqlite3 *db;

    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(scene_path(), &db));
    TEST_ASSERT_EQUAL_INT(
        SQLITE_OK, sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL));
    s = scene_open();
    TEST_ASSERT_FALSE(scene_past(s)->is_known);
    /* This program has opened and closed the file, and with it, by the rules
       of POSIX, given up the lock; the store comes in by itself. */
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(db);
    TEST_ASSERT_TRUE(scene_past(s)->is_known);
    scene_close(s);
}

/* Permissions say nothing to root, so it is somebody else until tearDown. */
static void become_nobody(void)
{
    was_root = geteuid() == 0;
    if (!was_root)
        return;
    TEST_ASSERT_EQUAL_INT(0, chown(place, NOBODY, NOBODY));
    TEST_ASSERT_EQUAL_INT(0, seteuid(NOBODY));
}

static void test_a_directory_that_is_read_only(void)
{
    struct scene *s;
    const struct past *p;

    become_nobody();
    TEST_ASSERT_EQUAL_INT(0, chmod(place, 0500));
    s = scene_open();
    p = scene_past(s);
    TEST_ASSERT_FALSE(p->is_known);
    TEST_ASSERT_NOT_NULL(strstr(p->why.en, "Permission denied"));
    TEST_ASSERT_NOT_NULL(strstr(p->why.ja, "権限がありません"));
    TEST_ASSERT_EQUAL_INT(0, chmod(place, 0700));
    TEST_ASSERT_TRUE(scene_past(s)->is_known);
    scene_condition(s, true);
    scene_close(s);
}

static void test_a_file_that_is_read_only_is_read(void)
{
    struct scene *s;
    const struct past *p;

    become_nobody();
    make_store();
    TEST_ASSERT_EQUAL_INT(0, chmod(scene_path(), 0400));
    s = scene_open();
    p = scene_past(s);
    TEST_ASSERT_TRUE(p->is_known);
    TEST_ASSERT_EQUAL_size_t(1, p->group_count);
    TEST_ASSERT_NOT_NULL(strstr(scene_condition(s, false), "readonly"));
    check_waiting(s, 2);
    TEST_ASSERT_EQUAL_INT(0, chmod(scene_path(), 0600));
    check_recovered(s, 2);
    scene_close(s);
}

/* Writes until the store says that there is no room. */
static uint64_t write_until_full(struct scene *s, uint64_t serial)
{
    char text[65536];
    struct store_write *w = one_group(serial);

    memset(text, 'x', sizeof(text));
    for (int i = 0; i < 64; i++) {
        store_row(w, STORE_ADD_EVENT);
        store_int(w, i + 1);
        store_int(w, 1700000000000);
        store_text(w, SLICE("agent:created"));
        store_null(w);
        store_null(w);
        store_text(w, slice_of(text, sizeof(text)));
    }
    scene_write_answered(s, w, serial);
    return serial;
}

/* RLIMIT_FSIZE: a file system that takes no more, without being root. */
static void test_a_file_that_cannot_grow(void)
{
    struct rlimit old, limit;
    struct scene *s = scene_open();

    scene_past(s);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    limit = old;
    limit.rlim_cur = 512 * 1024;
    TEST_ASSERT_EQUAL_INT(0, setrlimit(RLIMIT_FSIZE, &limit));
    write_until_full(s, 1);
    TEST_ASSERT_NOT_EQUAL(0, scene_condition(s, false)[0]);
    scene_recall(s, "unknown", 2);
    TEST_ASSERT_NOT_NULL(
        strstr(scene_asked(s, ORDER_HISTORY, "{}"), "\"total\":0"));
    TEST_ASSERT_EQUAL_UINT(1, scene_answers(s));
    TEST_ASSERT_EQUAL_INT(0, setrlimit(RLIMIT_FSIZE, &old));
    check_recovered(s, 1);
    scene_close(s);
    TEST_ASSERT_EQUAL_INT64(64, scene_sql("SELECT count(*) FROM events"));
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT integrity_check = 'ok'"
                                         " FROM pragma_integrity_check"));
}

static void fill_disk(const char *name)
{
    static const char zeros[65536];
    int fd = open(name, O_WRONLY | O_CREAT, 0600);

    TEST_ASSERT_GREATER_OR_EQUAL_INT(0, fd);
    while (write(fd, zeros, sizeof(zeros)) > 0)
        ;
    close(fd);
}

static void test_a_disk_that_is_full(void)
{
    char dir[128], file[160], filler[160];
    struct scene *s;

    snprintf(dir, sizeof(dir), "%s/disk", place);
    snprintf(file, sizeof(file), "%s/hub.db", dir);
    snprintf(filler, sizeof(filler), "%s/filler", dir);
    mkdir(dir, 0700);
    if (mount("none", dir, "tmpfs", 0, "size=16m") != 0) {
        rmdir(dir);
        TEST_IGNORE_MESSAGE("needs root, to mount a small tmpfs");
    }
    s = scene_open_with(&(struct store_setup){.path = file});
    TEST_ASSERT_TRUE(scene_past(s)->is_known);
    fill_disk(filler);
    write_until_full(s, 1);
    TEST_ASSERT_NOT_NULL(strstr(scene_condition(s, false), "full"));
    TEST_ASSERT_NOT_NULL(
        strstr(scene_asked(s, ORDER_HISTORY, "{}"), "\"total\":0"));
    TEST_ASSERT_EQUAL_UINT(1, scene_answers(s));
    TEST_ASSERT_EQUAL_INT(0, unlink(filler));
    TEST_ASSERT_EQUAL_STRING("{\"n\":1}", scene_answer(s, 1));
    scene_condition(s, true);
    scene_close(s);
    TEST_ASSERT_EQUAL_INT(0, umount(dir));
    rmdir(dir);
}

/* ---- migration --------------------------------------------------------- */

static const char *const fabricated[] = {
    "CREATE TABLE a(x); INSERT INTO a VALUES(1)",
    "ALTER TABLE a ADD COLUMN y DEFAULT 5; INSERT INTO a VALUES(2, 6)",
    "CREATE TABLE b AS SELECT sum(y) AS s FROM a"};

static void test_every_earlier_version_is_brought_up(void)
{
    for (int from = 0; from <= 3; from++) {
        int64_t sum = 0;
        sqlite3 *db;

        sqlite3_open(":memory:", &db);
        TEST_ASSERT_EQUAL_INT(SQLITE_OK, tables_migrate(db, fabricated, from));
        TEST_ASSERT_EQUAL_INT(SQLITE_OK, tables_migrate(db, fabricated, 3));
        TEST_ASSERT_EQUAL_INT(SQLITE_OK,
                              query_sql_number(db, "SELECT s FROM b", &sum));
        TEST_ASSERT_EQUAL_INT64(11, sum);
        TEST_ASSERT_EQUAL_INT(SQLITE_SCHEMA, tables_migrate(db, fabricated, 2));
        sqlite3_close(db);
    }
}

static void test_a_migration_that_fails_changes_nothing(void)
{
    const char *const broken[] = {fabricated[0], "CREATE TABLE b(y)",
                                  "INSERT INTO nowhere VALUES(1)"};
    int64_t number = -1;
    sqlite3 *db;

    sqlite3_open(":memory:", &db);
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, tables_migrate(db, broken, 1));
    TEST_ASSERT_NOT_EQUAL(SQLITE_OK, tables_migrate(db, broken, 3));
    query_sql_number(db, "PRAGMA user_version", &number);
    TEST_ASSERT_EQUAL_INT64(1, number);
    query_sql_number(db, "SELECT count(*) FROM sqlite_schema", &number);
    TEST_ASSERT_EQUAL_INT64(1, number);
    sqlite3_close(db);
}

/* What a hub leaves that dies before its first migration. */
static void test_a_file_of_version_0_is_made_whole(void)
{
    struct scene *s;

    run_sql("PRAGMA journal_mode = WAL");
    TEST_ASSERT_EQUAL_INT64(0, scene_sql("PRAGMA user_version"));
    s = scene_open();
    TEST_ASSERT_TRUE(scene_past(s)->is_known);
    scene_close(s);
    TEST_ASSERT_EQUAL_INT64(TABLES_VERSION, scene_sql("PRAGMA user_version"));
    TEST_ASSERT_EQUAL_INT64(TABLES_APPLICATION,
                            scene_sql("PRAGMA application_id"));
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_a_newer_version_is_not_touched);
    TEST(test_a_newer_version_in_the_log_is_not_touched);
    TEST(test_another_programs_database_is_not_touched);
    TEST(test_what_is_no_database_is_not_touched);
    TEST(test_a_corrupt_database_is_not_touched);
    TEST(test_a_log_without_its_database_is_kept);
    TEST(test_a_file_that_becomes_good_is_read);
    TEST(test_another_process_may_hold_the_lock);
    TEST(test_a_lock_at_the_start_is_waited_for);
    TEST(test_a_directory_that_is_read_only);
    TEST(test_a_file_that_is_read_only_is_read);
    TEST(test_a_file_that_cannot_grow);
    TEST(test_a_disk_that_is_full);
    TEST(test_every_earlier_version_is_brought_up);
    TEST(test_a_migration_that_fails_changes_nothing);
    TEST(test_a_file_of_version_0_is_made_whole);
    return TAP_END();
}
