/* SPDX-License-Identifier: MIT */
/* What is written is there again, and answered only when it is. */
#include <semaphore.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "actors/store/tables.h"
#include "tap.h"
#include "tests/actors/store/scene.h"

static atomic_uint commits;
static atomic_bool is_slow; /* the disk: a commit waits for the test */
static sem_t arrived, released;

static int count_commit(void *arg)
{
    (void)arg;
    atomic_fetch_add(&commits, 1);
    if (atomic_load(&is_slow)) {
        sem_post(&arrived);
        sem_wait(&released);
    }
    return 0;
}

/* Called by SQLite for each connection of this program. */
static int hook(sqlite3 *db)
{
    sqlite3_commit_hook(db, count_commit, NULL);
    return SQLITE_OK;
}

void setUp(void)
{
    scene_fresh();
}

#define ASSERT_SLICE(want, got)                                                \
    do {                                                                       \
        TEST_ASSERT_EQUAL_size_t(strlen(want), (got).len);                     \
        TEST_ASSERT_TRUE_MESSAGE(slice_eq(slice_cstr(want), got), want);       \
    } while (0)

static void test_a_new_file_is_empty_and_private(void)
{
    struct scene *s = scene_open();
    const struct past *p = scene_past(s);
    struct stat st;

    TEST_ASSERT_EQUAL_INT(0, stat(scene_path(), &st));
    TEST_ASSERT_EQUAL_HEX(S_IFREG | 0600, st.st_mode);
    TEST_ASSERT_TRUE(p->is_known);
    TEST_ASSERT_EQUAL_size_t(0, p->group_count + p->agent_count);
    TEST_ASSERT_EQUAL_UINT64(0, p->last_serial + p->last_seq);
    scene_close(s);
    TEST_ASSERT_EQUAL_INT64(TABLES_VERSION, scene_sql("PRAGMA user_version"));
}

static void put(struct store_write *w, const char *text)
{
    store_text(w, slice_cstr(text));
}

static void put_counts(struct store_write *w, uint64_t serial)
{
    store_row(w, STORE_SET_COUNTS);
    store_int(w, (int64_t)serial);
    store_int(w, 1700000001000);
    store_int(w, 77);
    store_int(w, 5);
    put(w, "sess");
    put(w, "cli-m");
    for (int i = 1; i <= 4; i++)
        store_int(w, i * 10);
    store_int(w, 1500000);
    store_int(w, 3);
    store_int(w, 9);
    put(w, "resultReported");
}

static void put_ledger(struct store_write *w, uint64_t group, int iteration)
{
    store_row(w, STORE_ADD_LEDGER);
    store_int(w, (int64_t)group);
    store_int(w, 1700000000000 + iteration);
    put(w, iteration == 1 ? "{\"n\":1}" : "{\"n\":2}");
    store_int(w, iteration);
    store_int(w, 0);
    store_int(w, 1);
}

static void put_rest(struct store_write *w)
{
    store_row(w, STORE_ADD_STATE);
    store_int(w, 3);
    store_int(w, 1700000002000);
    put(w, "resultReported");
    store_row(w, STORE_SET_GONE);
    store_int(w, 3);
    store_int(w, 1700000003000);
    store_int(w, 4096);
    store_row(w, STORE_SET_PLAN);
    store_int(w, 1);
    store_int(w, 2);
    store_int(w, 4);
    store_int(w, 1);
    store_row(w, STORE_SET_HEALTH);
    put(w, "cursor");
    put(w, "/bin/agent");
    put(w, "m");
    put(w, "say OK");
    store_int(w, 1700000003000);
    store_int(w, 250);
    store_int(w, 1700000000000);
    store_row(w, STORE_ADD_EVENT);
    store_int(w, 41);
    store_int(w, 1700000003000);
    put(w, "agent:completed");
    store_int(w, 1);
    store_int(w, 3);
    put(w, "{}");
}

static void write_story(struct scene *s)
{
    struct store_write *w = store_write_create();

    scene_add_group(w, 1, "grp-1-aaaa");
    scene_add_order(w, 3, 1, "run_agents", 2);
    scene_add_agent(w, 3, "impl-code-1-aaaa", 3, 1, "やって");
    scene_add_agent(w, 4, "impl-code-1-bbbb", 3, 1, "");
    put_counts(w, 3);
    scene_set_result(w, 3, "要約", "答え\"\n", "[\"a.c\"]");
    put_ledger(w, 1, 1);
    put_ledger(w, 1, 2);
    put_rest(w);
    scene_write_answered(s, w, 7);
    TEST_ASSERT_EQUAL_STRING("{\"n\":7}", scene_answer(s, 7));
}

static void check_group(const struct past_group *g)
{
    TEST_ASSERT_EQUAL_UINT64(1, g->serial);
    TEST_ASSERT_EQUAL_UINT64(0, g->parent);
    ASSERT_SLICE("grp-1-aaaa", g->id);
    ASSERT_SLICE("調査", g->description);
    ASSERT_SLICE("concurrent", g->mode);
    TEST_ASSERT_EQUAL_UINT64(1700000000001, g->created_at);
    TEST_ASSERT_EQUAL_UINT64(0, g->deleted_at);
    TEST_ASSERT_EQUAL_UINT(2, g->stage);
    TEST_ASSERT_EQUAL_UINT(4, g->stages);
    TEST_ASSERT_TRUE(g->has_plan);
    ASSERT_SLICE("{\"n\":2}", g->ledger);
    TEST_ASSERT_EQUAL_UINT64(2, g->iteration);
    TEST_ASSERT_FALSE(g->is_stalled);
    TEST_ASSERT_TRUE(g->is_exhausted);
}

static void check_agent(const struct agent_record *a)
{
    TEST_ASSERT_EQUAL_UINT64(3, a->serial);
    ASSERT_SLICE("impl-code-1-aaaa", a->line.id);
    ASSERT_SLICE("resultReported", a->line.state);
    ASSERT_SLICE("impl-code", a->line.role);
    ASSERT_SLICE("claude-x", a->line.model);
    ASSERT_SLICE("cursor", a->backend);
    TEST_ASSERT_EQUAL_UINT64(1700000001000, a->line.started_at);
    TEST_ASSERT_EQUAL_UINT64(1700000100003, a->result.finished_at);
    TEST_ASSERT_EQUAL_UINT64(1700000003000, a->gone_at);
    TEST_ASSERT_EQUAL_UINT64(77, a->line.elapsed_ms);
    TEST_ASSERT_EQUAL_UINT64(5, a->line.tool_calls);
    ASSERT_SLICE("sess", a->session_id);
    ASSERT_SLICE("cli-m", a->cli_model);
    TEST_ASSERT_EQUAL_UINT64(10, a->usage.input);
    TEST_ASSERT_EQUAL_UINT64(40, a->usage.cache_write);
    TEST_ASSERT_EQUAL_UINT64(1500000, a->usage.cost);
    TEST_ASSERT_TRUE(a->usage.has_cost);
    TEST_ASSERT_EQUAL_UINT64(9, a->lines);
    ASSERT_SLICE("success", a->result.status);
    ASSERT_SLICE("要約", a->result.summary);
    ASSERT_SLICE("答え\"\n", a->result.response);
    ASSERT_SLICE("", a->result.error);
    ASSERT_SLICE("[\"a.c\"]", a->result.edited.json);
    ASSERT_SLICE("[]", a->result.created.json);
    TEST_ASSERT_EQUAL_UINT64(1234, a->result.duration_ms);
    TEST_ASSERT_TRUE(a->result.is_reported);
}

static void check_past(const struct past *p)
{
    TEST_ASSERT_TRUE(p->is_known);
    TEST_ASSERT_EQUAL_size_t(1, p->group_count);
    check_group(&p->groups[0]);
    TEST_ASSERT_EQUAL_size_t(1, p->order_count);
    TEST_ASSERT_EQUAL_UINT64(3, p->orders[0].first);
    ASSERT_SLICE("run_agents", p->orders[0].kind);
    ASSERT_SLICE("{\"a\":1}", p->orders[0].args);
    TEST_ASSERT_EQUAL_UINT(2, p->orders[0].count);
    TEST_ASSERT_EQUAL_size_t(2, p->agent_count);
    check_agent(&p->agents[0]);
    ASSERT_SLICE("queued", p->agents[1].line.state);
    ASSERT_SLICE("", p->agents[1].result.status);
    TEST_ASSERT_FALSE(p->agents[1].usage.has_cost);
    TEST_ASSERT_EQUAL_UINT64(4, p->last_serial);
    TEST_ASSERT_EQUAL_UINT64(41, p->last_seq);
}

static void test_rows_are_the_past(void)
{
    struct scene *s = scene_open();

    write_story(s);
    scene_close(s);
    s = scene_open();
    check_past(scene_past(s));
    scene_close(s);
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT integrity_check = 'ok'"
                                         " FROM pragma_integrity_check"));
}

/* As after an I/O error at a commit that had happened all the same. */
static void test_rows_may_come_twice(void)
{
    struct scene *s = scene_open();

    write_story(s);
    scene_close(s);
    s = scene_open();
    write_story(s);
    scene_close(s);
    s = scene_open();
    check_past(scene_past(s));
    scene_close(s);
    TEST_ASSERT_EQUAL_INT64(2, scene_sql("SELECT count(*) FROM ledgers"));
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT count(*) FROM states"));
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT count(*) FROM events"));
    scene_sql("INSERT INTO agents_fts(agents_fts) VALUES('integrity-check')");
}

static void test_all_that_waits_is_one_transaction(void)
{
    enum { MANY = 2000 };
    struct store_write **writes = bytes_alloc(MANY * sizeof(*writes));
    struct scene *s = scene_open();
    unsigned before;

    for (unsigned i = 1; i <= MANY; i++) {
        writes[i - 1] = store_write_create();
        scene_add_group(writes[i - 1], i, "g");
        writes[i - 1]->answer = answer_create(i);
        bytes_append(&writes[i - 1]->answer->json, "{}", 2);
    }
    scene_past(s);
    before = atomic_load(&commits);
    scene_write_together(s, writes, MANY);
    scene_answer(s, MANY);
    TEST_ASSERT_EQUAL_UINT(1, atomic_load(&commits) - before);
    TEST_ASSERT_EQUAL_UINT(MANY, scene_answers(s));
    scene_close(s);
    TEST_ASSERT_EQUAL_INT64(MANY, scene_sql("SELECT count(*) FROM groups"));
    free(writes);
}

static void test_a_lone_write_does_not_wait_for_others(void)
{
    struct scene *s = scene_open();

    for (unsigned i = 1; i <= 5; i++) {
        struct store_write *w = store_write_create();

        scene_add_group(w, i, "g");
        scene_write_answered(s, w, i);
        scene_answer(s, i);
        TEST_ASSERT_EQUAL_INT64(i, scene_sql("SELECT count(*) FROM groups"));
    }
    scene_close(s);
}

/* Nobody may be kept waiting for a row that can never be. */
static void test_a_wrong_row_harms_no_other(void)
{
    struct scene *s = scene_open();

    for (unsigned i = 1; i <= 3; i++) {
        struct store_write *w = store_write_create();

        scene_add_group(w, i, "g");
        if (i == 2) {
            store_row(w, STORE_DELETE_GROUP);
            store_int(w, 1);
            store_null(w);
        }
        scene_write_answered(s, w, i);
    }
    TEST_ASSERT_EQUAL_STRING("{\"n\":3}", scene_answer(s, 3));
    TEST_ASSERT_EQUAL_STRING("{\"n\":1}", scene_answer(s, 1));
    TEST_ASSERT_TRUE(scene_is_error(s, 2));
    TEST_ASSERT_NOT_NULL(strstr(scene_condition(s, true), "NOT NULL"));
    scene_close(s);
    TEST_ASSERT_EQUAL_INT64(4, scene_sql("SELECT sum(serial) FROM groups"));
}

static void test_too_few_parameters_are_refused(void)
{
    struct scene *s = scene_open();
    struct store_write *w = store_write_create();

    store_row(w, STORE_SET_GONE);
    store_int(w, 1);
    scene_write_answered(s, w, 1);
    TEST_ASSERT_TRUE(scene_is_error(s, 1));
    scene_close(s);
}

static void add_call(struct store_write *w, const char *key, const char *answer)
{
    store_row(w, STORE_ADD_CALL);
    put(w, key);
    store_int(w, 1700000000000);
    store_int(w, 1);
    put(w, answer);
}

static void test_a_known_key_gets_its_answer(void)
{
    struct scene *s = scene_open();
    struct store_write *w = store_write_create();

    add_call(w, "relay-1", "{\"was\":1}");
    scene_write(s, w);
    scene_recall(s, "relay-1", 5);
    scene_recall(s, "relay-2", 6);
    TEST_ASSERT_EQUAL_STRING("{\"was\":1}", scene_answer(s, 5));
    TEST_ASSERT_TRUE(scene_is_error(s, 5));
    scene_recalled(s, 6);
    scene_close(s);
    s = scene_open();
    scene_recall(s, "relay-1", 7);
    TEST_ASSERT_EQUAL_STRING("{\"was\":1}", scene_answer(s, 7));
    scene_close(s);
}

static void put_check(struct store_write *w, const char *model, int64_t at)
{
    put(w, "cursor");
    put(w, "/bin/agent");
    put(w, model);
    put(w, "say OK");
    if (at == 0)
        return;
    store_int(w, at);
    store_int(w, 250);
    store_int(w, at - 1000);
}

static void write_check(struct scene *s, enum store_statement statement,
                        const char *model, int64_t at)
{
    struct store_write *w = store_write_create();

    store_row(w, statement);
    put_check(w, model, at);
    scene_write(s, w);
}

static void test_checks_that_passed_are_known_again(void)
{
    struct scene *s = scene_open();
    const struct past *p;

    write_check(s, STORE_SET_HEALTH, "too-old", 8000);
    write_check(s, STORE_SET_HEALTH, "again", 9500);
    write_check(s, STORE_SET_HEALTH, "failed", 9600);
    write_check(s, STORE_SET_HEALTH, "newest", 10000);
    write_check(s, STORE_SET_HEALTH, "again", 9700);
    write_check(s, STORE_DROP_HEALTH, "failed", 0);
    scene_close(s);
    s = scene_open();
    p = scene_checks(s);
    TEST_ASSERT_TRUE(p->is_known);
    /* One behind what is newest has taken that for a wrong clock's. */
    TEST_ASSERT_EQUAL_size_t(1, p->check_count);
    ASSERT_SLICE("cursor", p->checks[0].backend);
    ASSERT_SLICE("/bin/agent", p->checks[0].program);
    ASSERT_SLICE("again", p->checks[0].model);
    ASSERT_SLICE("say OK", p->checks[0].prompt);
    TEST_ASSERT_EQUAL_UINT64(9700, p->checks[0].at);
    TEST_ASSERT_EQUAL_UINT64(250, p->checks[0].response_ms);
    write_check(s, STORE_SET_HEALTH, "b", 9800);
    TEST_ASSERT_EQUAL_size_t(2, scene_checks(s)->check_count);
    scene_close(s);
}

static struct store_write *numbered_group(uint64_t number)
{
    struct store_write *w = store_write_create();

    scene_add_group(w, number, "g");
    w->number = number;
    return w;
}

/* What an answer tells is as safe as what it answers. */
static void test_questions_are_answered_behind_what_they_see(void)
{
    struct scene *s = scene_open();

    scene_past(s);
    atomic_store(&is_slow, true);
    scene_write(s, numbered_group(1));
    sem_wait(&arrived);
    /* Both are there when the next transaction is opened. */
    scene_write(s, numbered_group(2));
    scene_ask(s, ORDER_HISTORY, "{\"groupId\":\"g\"}", 3);
    scene_sent(s);
    sem_post(&released);
    sem_wait(&arrived);
    scene_sent(s); /* behind what the store has said until here */
    TEST_ASSERT_EQUAL_UINT(0, scene_answers(s));
    atomic_store(&is_slow, false);
    sem_post(&released);
    scene_answer(s, 3);
    scene_close(s);
}

static void test_it_is_said_what_is_safe(void)
{
    struct store_write *writes[3];
    struct scene *s = scene_open();

    for (uint64_t i = 1; i <= 3; i++)
        writes[i - 1] = numbered_group(i);
    /* One that is refused does not keep the others from being told. */
    store_row(writes[2], STORE_SET_GONE);
    store_int(writes[2], 1);
    scene_past(s);
    scene_write_together(s, writes, 3);
    scene_safe(s, 3);
    TEST_ASSERT_EQUAL_INT64(2, scene_sql("SELECT count(*) FROM groups"));
    writes[0] = numbered_group(4);
    store_row(writes[0], STORE_SET_GONE);
    scene_write(s, writes[0]);
    scene_safe(s, 4);
    scene_close(s);
}

int main(void)
{
    sem_init(&arrived, 0, 0);
    sem_init(&released, 0, 0);
    sqlite3_auto_extension((void (*)(void))hook);
    TAP_BEGIN();
    TEST(test_a_new_file_is_empty_and_private);
    TEST(test_rows_are_the_past);
    TEST(test_rows_may_come_twice);
    TEST(test_all_that_waits_is_one_transaction);
    TEST(test_a_lone_write_does_not_wait_for_others);
    TEST(test_a_wrong_row_harms_no_other);
    TEST(test_too_few_parameters_are_refused);
    TEST(test_a_known_key_gets_its_answer);
    TEST(test_checks_that_passed_are_known_again);
    TEST(test_questions_are_answered_behind_what_they_see);
    TEST(test_it_is_said_what_is_safe);
    return TAP_END();
}
