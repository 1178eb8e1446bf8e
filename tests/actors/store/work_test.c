/* SPDX-License-Identifier: MIT */
/* Works: what they write and answer is durable as one, or is not at all. */
#include <string.h>

#include "tap.h"
#include "tests/actors/store/scene.h"

/* Writes a mailbox under the id in its arguments, and says which. */
static void put(struct work *w)
{
    struct slice id = FIELD_TEXT(w->order->args, "agentId");
    struct sql q = sql_open(w, "INSERT INTO mail_agents(id, name, state,"
                               " since, created_at, active_at)"
                               " VALUES(?1, ?1, 2, 0, 1, 1)");

    sql_text(&q, 1, id);
    sql_run(&q);
    bytes_append(work_event(w, "test:put"), "{}", 2);
    bytes_append(work_answer(w), id.ptr, id.len);
}

/* How many there are; by a statement inside its own loop. */
static void count(struct work *w)
{
    struct sql outer = sql_open(w, "SELECT id FROM mail_agents");
    int n = 0;

    while (sql_next(&outer)) {
        struct sql inner = sql_open(w, "SELECT id FROM mail_agents");

        while (sql_next(&inner))
            n++;
        sql_close(&inner);
    }
    sql_close(&outer);
    bytes_format(work_answer(w), "%d", n);
}

static void refuse(struct work *w)
{
    work_refuse(w, CODE_VALIDATION_ERROR, "no %s", "way");
}

static void spoil(struct work *w)
{
    struct sql q = sql_open(w, "INSERT INTO nowhere VALUES(1)");

    sql_run(&q);
}

static struct store_write *work_of(struct scene *s, void (*run)(struct work *w),
                                   const char *id, uint64_t ticket)
{
    struct store_write *w = scene_work(s, run, id, ticket);

    w->work->is_question = run == count;
    return w;
}

static void test_a_work_is_answered_when_it_is_durable(void)
{
    struct scene *s;

    scene_fresh();
    s = scene_open();
    scene_past(s);
    scene_write(s, work_of(s, put, "one", 1));
    TEST_ASSERT_EQUAL_STRING("one", scene_answer(s, 1));
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT count(*) FROM mail_agents"));
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT count(*) FROM calls"
                                         " WHERE key = 'key-one'"));
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT count(*) FROM untold"));
    scene_close(s);
}

/* The second cannot be written; the others of the batch are. */
static void test_one_that_cannot_be_done_is_refused_alone(void)
{
    struct store_write *together[4];
    struct scene *s;

    scene_fresh();
    s = scene_open();
    scene_past(s);
    together[0] = work_of(s, put, "one", 1);
    together[1] = work_of(s, put, "one", 2);
    together[2] = work_of(s, put, "two", 3);
    together[3] = work_of(s, count, "x", 4);
    scene_write_together(s, together, 4);
    TEST_ASSERT_EQUAL_STRING("one", scene_answer(s, 1));
    TEST_ASSERT_NOT_NULL(strstr(scene_answer(s, 2), "UNIQUE"));
    TEST_ASSERT_TRUE(scene_is_error(s, 2));
    TEST_ASSERT_EQUAL_STRING("two", scene_answer(s, 3));
    TEST_ASSERT_EQUAL_STRING("4", scene_answer(s, 4));
    TEST_ASSERT_EQUAL_INT64(2, scene_sql("SELECT count(*) FROM untold"));
    scene_close(s);
}

static void test_a_refusal_changes_nothing(void)
{
    struct scene *s;

    scene_fresh();
    s = scene_open();
    scene_past(s);
    scene_write(s, work_of(s, refuse, "one", 1));
    TEST_ASSERT_NOT_NULL(strstr(scene_answer(s, 1), "no way"));
    TEST_ASSERT_TRUE(scene_is_error(s, 1));
    TEST_ASSERT_EQUAL_INT64(0, scene_sql("SELECT count(*) FROM calls"));
    TEST_ASSERT_EQUAL_INT64(0, scene_sql("SELECT count(*) FROM untold"));
    scene_close(s);
}

/* A fault of ours is told as one; the store goes on. */
static void test_a_wrong_question_is_answered(void)
{
    struct store_write *w;
    struct scene *s;

    scene_fresh();
    s = scene_open();
    scene_past(s);
    w = work_of(s, spoil, "one", 1);
    w->work->is_question = true;
    scene_write(s, w);
    TEST_ASSERT_NOT_NULL(strstr(scene_answer(s, 1), "nowhere"));
    scene_write(s, work_of(s, put, "one", 2));
    TEST_ASSERT_EQUAL_STRING("one", scene_answer(s, 2));
    scene_close(s);
}

/* Works wait for a disk that refuses, and are then done as if it never had;
 * what only asks is answered meanwhile. */
static void test_a_disk_that_refuses(void)
{
    struct scene *s;
    sqlite3 *other;

    scene_fresh();
    s = scene_open();
    scene_past(s);
    scene_write(s, work_of(s, put, "one", 1));
    scene_answer(s, 1);
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(scene_path(), &other));
    TEST_ASSERT_EQUAL_INT(
        SQLITE_OK, sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL));
    scene_write(s, work_of(s, put, "two", 2));
    scene_condition(s, false);
    scene_write(s, work_of(s, count, "x", 3));
    TEST_ASSERT_EQUAL_STRING("1", scene_answer(s, 3));
    TEST_ASSERT_EQUAL_UINT(2, scene_answers(s));
    sqlite3_exec(other, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(other);
    TEST_ASSERT_EQUAL_STRING("two", scene_answer(s, 2));
    scene_close(s);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_a_work_is_answered_when_it_is_durable);
    TEST(test_one_that_cannot_be_done_is_refused_alone);
    TEST(test_a_refusal_changes_nothing);
    TEST(test_a_wrong_question_is_answered);
    TEST(test_a_disk_that_refuses);
    return TAP_END();
}
