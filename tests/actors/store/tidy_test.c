/* SPDX-License-Identifier: MIT */
/* Which transcripts are packed or dropped, and files of version 1. */
#include <stdio.h>
#include <string.h>

#include "actors/store/agent_dirs.h"
#include "actors/store/tables.h"
#include "tap.h"
#include "tests/actors/store/scene.h"

static struct scene *s;

void setUp(void)
{
    scene_fresh();
    s = NULL;
}

void tearDown(void)
{
    if (s != NULL)
        scene_close(s);
}

static void open_with(enum config_transcripts transcripts, int64_t keep_bytes)
{
    s = scene_open_with(&(struct store_setup){.path = scene_path(),
                                              .keep_days = 30,
                                              .transcripts = transcripts,
                                              .transcript_days = 7,
                                              .keep_bytes = keep_bytes});
}

static void set_transcript(struct store_write *w, const char *id, int form,
                           int64_t bytes)
{
    store_row(w, STORE_SET_TRANSCRIPT);
    store_text(w, slice_cstr(id));
    store_int(w, form);
    store_int(w, bytes);
}

#define DAY_MS ((int64_t)24 * 3600 * 1000)

static int64_t days_ago(int64_t days)
{
    return scene_sql("SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000") -
           days * DAY_MS;
}

/* Agents a-10, a-11, a-12 of 100 bytes each, gone 9, 8 and 1 days ago, and
 * a-13, which is not. */
static void tell_story(void)
{
    static const int64_t ages[] = {9, 8, 1};
    struct store_write *w = store_write_create();
    char id[16];

    scene_add_group(w, 1, "grp-1");
    scene_add_order(w, 10, 1, "run_agents", 4);
    for (uint64_t n = 10; n < 14; n++) {
        snprintf(id, sizeof(id), "a-%d", (int)n);
        scene_add_agent(w, n, id, 10, 1, "x");
        if (n == 13)
            continue;
        store_row(w, STORE_SET_GONE);
        store_int(w, (int64_t)n);
        store_int(w, days_ago(ages[n - 10]));
        store_int(w, 100);
    }
    set_transcript(w, "a-13", AGENT_DIRS_WHOLE, 1000000);
    scene_write_answered(s, w, 1);
    scene_answer(s, 1);
}

static void tell(const char *id, int form, int64_t bytes)
{
    struct store_write *w = store_write_create();

    set_transcript(w, id, form, bytes);
    scene_write(s, w);
}

static void check_counts(const char *want)
{
    const char *answer = scene_asked(s, ORDER_GC, "{\"dryRun\":true}");

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer, want), answer);
}

static void test_old_ones_are_packed(void)
{
    open_with(CONFIG_COMPRESS_TRANSCRIPTS, 0);
    tell_story();
    check_counts("\"transcriptsToDrop\":0,\"transcriptsToCompress\":2}");
    scene_sweep(s);
    TEST_ASSERT_EQUAL_STRING("P a-10\nP a-11\n", scene_tidy(s));
    tell("a-10", AGENT_DIRS_IS_PACKED, 10);
    scene_sweep(s);
    TEST_ASSERT_EQUAL_STRING("P a-11\n", scene_tidy(s));
    tell("a-11", AGENT_DIRS_NOTHING, 0);
    check_counts("\"transcriptsToDrop\":0,\"transcriptsToCompress\":0}");
    /* What was told twice, late, takes nothing back. */
    tell("a-10", AGENT_DIRS_WHOLE, 100);
    check_counts("\"transcriptsToCompress\":0}");
}

static void test_old_ones_are_dropped(void)
{
    open_with(CONFIG_DROP_TRANSCRIPTS, 0);
    tell_story();
    tell("a-11", AGENT_DIRS_IS_PACKED, 10);
    scene_sweep(s);
    TEST_ASSERT_EQUAL_STRING("D a-10\nD a-11\n", scene_tidy(s));
}

static void test_the_newest_are_kept_within_the_bytes(void)
{
    open_with(CONFIG_KEEP_TRANSCRIPTS, 250);
    tell_story();
    check_counts("\"transcriptsToDrop\":1,\"transcriptsToCompress\":0}");
    scene_sweep(s);
    TEST_ASSERT_EQUAL_STRING("D a-10\n", scene_tidy(s));
    tell("a-10", AGENT_DIRS_NOTHING, 0);
    check_counts("\"transcriptsToDrop\":0,");
}

static void test_keeping_touches_nothing(void)
{
    open_with(CONFIG_KEEP_TRANSCRIPTS, 0);
    tell_story();
    check_counts("\"transcriptsToDrop\":0,\"transcriptsToCompress\":0}");
}

static void add_time(struct store_write *w, int64_t serial, int64_t up_to,
                     int64_t at)
{
    store_row(w, STORE_ADD_TIME);
    store_int(w, serial);
    store_int(w, up_to);
    store_int(w, at);
}

/* Until it is durable; the number is the answer's. */
static void tell_for_good(const char *id, int form, int64_t bytes,
                          uint64_t number)
{
    struct store_write *w = store_write_create();

    set_transcript(w, id, form, bytes);
    scene_write_answered(s, w, number);
    scene_answer(s, number);
}

/* When it was read is of no use without it. */
static void test_times_go_with_the_transcript(void)
{
    struct store_write *w = store_write_create();

    open_with(CONFIG_KEEP_TRANSCRIPTS, 0);
    add_time(w, 10, 50, 1000);
    add_time(w, 10, 50, 0); /* what was said first stays */
    add_time(w, 10, 100, 2000);
    add_time(w, 11, 100, 3000);
    scene_write(s, w);
    tell_story();
    TEST_ASSERT_EQUAL_INT64(1000, scene_sql("SELECT at FROM line_times"
                                            " WHERE agent = 10 AND up_to = "
                                            "50"));
    tell_for_good("a-10", AGENT_DIRS_IS_PACKED, 50, 2);
    TEST_ASSERT_EQUAL_INT64(3, scene_sql("SELECT count(*) FROM line_times"));
    tell_for_good("a-10", AGENT_DIRS_NOTHING, 0, 3);
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT count(*) FROM line_times"));
    TEST_ASSERT_EQUAL_INT64(11, scene_sql("SELECT agent FROM line_times"));
}

/* ---- version 1 --------------------------------------------------------- */

static void test_a_file_of_version_1_is_brought_up(void)
{
    sqlite3 *db;

    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(scene_path(), &db));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, tables_migrate(db, tables_steps(), 1));
    TEST_ASSERT_EQUAL_INT(
        SQLITE_OK,
        sqlite3_exec(
            db,
            "INSERT INTO groups(serial, id, description, mode, created_at)"
            " VALUES(1, 'grp-1', 'old', 'concurrent', 5);"
            "INSERT INTO orders VALUES(2, 1, 'run_agents', '{}', '', '/', 1, "
            "5);"
            "INSERT INTO agents(serial, id, ord, grp, stage, role, model,"
            " backend, directory, timeout_ms, created_at, state, gone_at)"
            " VALUES(2, 'a-2', 2, 1, 0, 'r', 'm', 'cursor', '/', 0, 5,"
            " 'completed', 6);"
            "INSERT INTO texts(serial, prompt) VALUES(2, 'words');",
            NULL, NULL, NULL));
    sqlite3_close(db);
    open_with(CONFIG_COMPRESS_TRANSCRIPTS, 0);
    TEST_ASSERT_EQUAL_size_t(1, scene_past(s)->agent_count);
    TEST_ASSERT_EQUAL_INT64(TABLES_VERSION, scene_sql("PRAGMA user_version"));
    scene_sweep(s);
    TEST_ASSERT_EQUAL_STRING("P a-2\n", scene_tidy(s));
}

/* ---- spending ---------------------------------------------------------- */

static void spend(struct store_write *w, uint64_t serial, int64_t at,
                  int64_t cost)
{
    static const int zeros[] = {0, 0};

    store_row(w, STORE_SET_COUNTS);
    store_int(w, (int64_t)serial);
    store_int(w, at);
    for (unsigned i = 0; i < 2; i++)
        store_int(w, zeros[i]);
    store_text(w, SLICE(""));
    store_text(w, SLICE(""));
    for (unsigned i = 0; i < 4; i++)
        store_int(w, 1);
    store_int(w, cost);
    store_int(w, 0);
    store_int(w, 0);
    store_text(w, SLICE("running"));
}

static void add_child(struct store_write *w, int64_t serial, const char *id,
                      int64_t parent)
{
    store_row(w, STORE_ADD_GROUP);
    store_int(w, serial);
    store_text(w, slice_cstr(id));
    store_text(w, SLICE("d"));
    store_text(w, SLICE("concurrent"));
    store_int(w, parent);
    store_int(w, 5);
    store_text(w, SLICE("en"));
}

/* A deleted child's spending is its parent's all the same. Midnight may come
 * before the past is read: what was spent is then not of today any more. */
static void test_the_past_says_what_was_spent(void)
{
    struct store_setup setup = {.path = scene_path(), .keep_days = 30};
    struct store_write *w = store_write_create();
    int64_t now = days_ago(0);
    const struct past *p;
    bool is_today;

    s = scene_open_with(&setup);
    scene_add_group(w, 1, "grp-1");
    add_child(w, 2, "grp-2", 1);
    scene_add_order(w, 10, 1, "run_agents", 2);
    scene_add_agent(w, 10, "a-10", 10, 1, "x");
    scene_add_agent(w, 11, "a-11", 10, 2, "x");
    spend(w, 10, now, 300);
    spend(w, 11, days_ago(3), 5000);
    store_row(w, STORE_DELETE_GROUP);
    store_int(w, 2);
    store_int(w, 6);
    scene_write(s, w);
    scene_close(s);
    s = scene_open_with(&setup);
    p = scene_past(s);
    TEST_ASSERT_EQUAL_size_t(2, p->spent_count);
    TEST_ASSERT_EQUAL_UINT64(1, p->spent[0].group);
    TEST_ASSERT_EQUAL_UINT64(5300, p->spent[0].cost);
    TEST_ASSERT_EQUAL_UINT64(5000, p->spent[1].cost);
    is_today = p->spent_day == (uint64_t)(now / DAY_MS);
    TEST_ASSERT_TRUE(is_today ||
                     p->spent_day == (uint64_t)(days_ago(0) / DAY_MS));
    TEST_ASSERT_EQUAL_UINT64(is_today ? 300 : 0, p->spent_today);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_old_ones_are_packed);
    TEST(test_old_ones_are_dropped);
    TEST(test_the_newest_are_kept_within_the_bytes);
    TEST(test_keeping_touches_nothing);
    TEST(test_times_go_with_the_transcript);
    TEST(test_a_file_of_version_1_is_brought_up);
    TEST(test_the_past_says_what_was_spent);
    return TAP_END();
}
