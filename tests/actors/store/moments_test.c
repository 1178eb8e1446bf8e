/* SPDX-License-Identifier: MIT */
/* Past moments: checkpoints, samples, and what is kept of them. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "actors/store/tables.h"
#include "json_text.h"
#include "tap.h"
#include "tests/actors/store/scene.h"

#define T0 ((int64_t)1700000000000)

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

static void open_with(int64_t samples_bytes)
{
    s = scene_open_with(&(struct store_setup){
        .path = scene_path(), .keep_days = 30, .samples_bytes = samples_bytes});
}

static void add_checkpoint(struct store_write *w, int64_t seq,
                           struct slice picture)
{
    store_row(w, STORE_ADD_CHECKPOINT);
    store_int(w, seq);
    store_int(w, T0 + seq);
    store_int(w, 0);
    store_text(w, picture);
}

static void add_event(struct store_write *w, int64_t seq, const char *type,
                      const char *data)
{
    store_row(w, STORE_ADD_EVENT);
    store_int(w, seq);
    store_int(w, T0 + 1000 * seq);
    store_text(w, slice_cstr(type));
    store_null(w);
    store_null(w);
    store_text(w, json_slice(data));
}

static void add_sample(struct store_write *w, int64_t agent, int64_t at,
                       int64_t follows, const char *said)
{
    store_row(w, STORE_ADD_SAMPLE);
    store_int(w, agent);
    store_int(w, at);
    store_int(w, follows);
    store_int(w, at % 1000);
    for (int i = 0; i < 4; i++)
        store_int(w, 7);
    store_null(w);
    store_int(w, 2);
    store_int(w, 1);
    store_text(w, SLICE("grep"));
    store_text(w, slice_cstr(said));
    store_text(w, SLICE("main in src"));
    store_int(w, T0 + 2500);
}

static void thin(struct store_write *w, int64_t agent)
{
    store_row(w, STORE_THIN_SAMPLES);
    store_int(w, agent);
}

static void set_gone(struct store_write *w, int64_t serial, int64_t at)
{
    store_row(w, STORE_SET_GONE);
    store_int(w, serial);
    store_int(w, at);
    store_int(w, 0);
}

/* Group 1 with agents from 10 on. */
static void add_agents(struct store_write *w, unsigned count)
{
    char id[40];

    scene_add_group(w, 1, "grp-1");
    scene_add_order(w, 10, 1, "run_agents", count);
    for (unsigned i = 0; i < count; i++) {
        snprintf(id, sizeof(id), "a-%u", 10 + i);
        scene_add_agent(w, 10 + i, id, 10, 1, "words");
    }
}

static void write_all(struct store_write *w)
{
    static uint64_t number;

    scene_write_answered(s, w, ++number);
    scene_answer(s, number);
}

/* ---- moments ------------------------------------------------------------ */

static const char picture[] =
    "{'seq':1,'at':'2023-11-14T22:13:21.000Z','version':'v','roles':[],"
    "'groups':[{'groupId':'grp-1','mode':'concurrent','agents':{'total':0},"
    "'completed':false,'finishedAt':null,'agentIds':[]}],'agents':[],"
    "'totalAgents':0,'healthcheck':{'status':'complete','results':[]},"
    "'places':{'max':1},'config':{}}";

static void tell_moments(void)
{
    struct store_write *w = store_write_create();

    add_agents(w, 1);
    add_event(w, 1, "server:startup", "{}");
    add_checkpoint(w, 1, json_slice(picture));
    add_event(w, 2, "agent:created",
              "{'agentId':'a-10','groupId':'grp-1','status':'queued',"
              "'startedAt':null,'toolCallCount':0,'prompt':'long'}");
    add_event(w, 3, "agent:status_update",
              "{'agentId':'a-10','groupId':'grp-1','status':'running',"
              "'startedAt':'2023-11-14T22:13:23.000Z','toolCallCount':1}");
    add_sample(w, 10, T0 + 3400, 3, "first words");
    add_sample(w, 10, T0 + 4400, 4, "last words");
    add_event(w, 4, "server:other", "{}");
    add_event(w, 5, "server:other", "{}");
    write_all(w);
}

static const char *at(const char *moment)
{
    char args[80];

    snprintf(args, sizeof(args), "{'at':'%s'}", moment);
    return scene_asked(s, ORDER_SNAPSHOT, args);
}

#define HAS(text, part) ASSERT_JSON_IN(part, text)
#define HAS_NOT(text, part) TEST_ASSERT_NULL(strstr(text, json_of(part)))

static void test_a_moment_is_a_checkpoint_with_events_and_samples(void)
{
    open_with(1 << 20);
    tell_moments();
    HAS(at("1"), "'agents':[],'totalAgents':0");
    HAS(at("2"), "'status':'queued'");
    HAS_NOT(at("2"), "'prompt'");
    HAS_NOT(at("2"), "'places'");
    HAS(at("3"), "'status':'running'");
    HAS(at("3"), "'toolCallCount':1");
    HAS(at("3"), "'agents':{'total':1,'queued':0,'running':1,");
    HAS(at("4"), "'toolCallCount':400,'lastAssistantMessage':'first words'");
    HAS(at("5"), "'lastAssistantMessage':'last words','tool':'grep',"
                 "'toolTitle':'main in src',"
                 "'toolAt':'2023-11-14T22:13:22.500Z'");
    HAS(at("5"), "'elapsed_ms':2000");
    HAS(at("5"), "'begins':{'seq':1,");
}

static void test_a_time_is_a_moment_too(void)
{
    open_with(1 << 20);
    tell_moments();
    HAS(at("2023-11-14T22:13:22.500Z"), "'seq':2,");
    HAS(at("1700000003300"), "'seq':3,");
    HAS_NOT(at("1700000003300"), "first words");
    HAS(at("1700000003400"), "first words");
    HAS(at("1700000003900"), "'elapsed_ms':900");
    HAS(at("1800000000000"), "'seq':5,");
}

static void test_what_is_not_kept_is_refused(void)
{
    open_with(1 << 20);
    tell_moments();
    HAS(at("0"), "VALIDATION_ERROR");
    HAS(at("6"), "VALIDATION_ERROR");
    HAS(at("noon"), "VALIDATION_ERROR");
}

static void test_a_record_has_the_samples_in_order(void)
{
    const char *record;

    open_with(1 << 20);
    tell_moments();
    record = scene_asked(s, ORDER_RECORD, "{'agentId':'a-10'}");
    HAS(record, "'samples':[{'at':'2023-11-14T22:13:23.400Z','follows':3,"
                "'toolCallCount':400,'lastAssistantMessage':'first words',"
                "'tool':'grep','toolTitle':");
    HAS(record, "'editedFileCount':2,'createdFileCount':1,"
                "'usage':{'inputTokens':7,");
    HAS(record, "'lastAssistantMessage':'last words'");
    TEST_ASSERT_LESS_THAN(strstr(record, "last words"),
                          strstr(record, "first words"));
}

/* ---- what is kept ------------------------------------------------------- */

static void test_samples_are_thinned_evenly(void)
{
    struct store_write *w = store_write_create();

    open_with(1 << 20);
    add_agents(w, 2);
    for (int i = 0; i < 1500; i++)
        add_sample(w, 10, T0 + i, i, "words");
    add_sample(w, 11, T0, 1, "words");
    thin(w, 10);
    thin(w, 11);
    write_all(w);
    TEST_ASSERT_EQUAL_INT64(
        600, scene_sql("SELECT count(*) FROM samples WHERE agent = 10"));
    TEST_ASSERT_EQUAL_INT64(
        1, scene_sql("SELECT count(*) FROM samples WHERE agent = 11"));
    TEST_ASSERT_EQUAL_INT64(
        1499, scene_sql("SELECT max(follows) FROM samples WHERE agent = 10"));
    TEST_ASSERT_EQUAL_INT64(
        3, scene_sql("SELECT max(gap) FROM (SELECT at - lag(at) OVER (ORDER BY"
                     " at) AS gap FROM samples WHERE agent = 10)"));
}

static void test_samples_go_with_the_transcript(void)
{
    struct store_write *w = store_write_create();

    open_with(1 << 20);
    add_agents(w, 2);
    add_sample(w, 10, T0, 1, "words");
    add_sample(w, 11, T0, 1, "words");
    set_gone(w, 10, T0 + 5);
    set_gone(w, 11, T0 + 5);
    store_row(w, STORE_SET_TRANSCRIPT);
    store_text(w, SLICE("a-10"));
    store_int(w, 2);
    store_int(w, 0);
    write_all(w);
    TEST_ASSERT_EQUAL_INT64(11, scene_sql("SELECT agent FROM samples"));
}

static void test_over_their_bound_the_oldest_samples_go(void)
{
    struct store_write *w = store_write_create();

    open_with(280); /* three of eighty-four bytes */
    add_agents(w, 5);
    for (int i = 10; i < 15; i++) {
        add_sample(w, i, T0, 1, "words");
        thin(w, i);
        set_gone(w, i, T0 + i);
    }
    write_all(w);
    scene_sweep(s);
    scene_asked(s, ORDER_GC, "{}");
    TEST_ASSERT_EQUAL_INT64(3, scene_sql("SELECT count(*) FROM samples"));
    TEST_ASSERT_EQUAL_INT64(12, scene_sql("SELECT min(agent) FROM samples"));
}

/* What does not shrink: so that a few of them are too much. */
static struct slice noise(struct bytes *out, size_t len)
{
    static unsigned long state = 1;

    out->len = 0;
    bytes_reserve(out, len);
    while (out->len < len) {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        out->ptr[out->len++] = (char)('0' + (state >> 33) % 75);
    }
    return bytes_slice(out);
}

static void test_checkpoints_are_thinned_and_bounded(void)
{
    struct bytes text = {0};
    int64_t total, first;

    open_with(1 << 20);
    for (int i = 1; i <= 60; i++) {
        struct store_write *w = store_write_create();

        add_checkpoint(w, i, noise(&text, 2 << 20));
        write_all(w);
    }
    bytes_finish(&text);
    total = scene_sql("SELECT sum(length(data)) FROM checkpoints");
    first = scene_sql("SELECT min(seq) FROM checkpoints");
    TEST_ASSERT_LESS_OR_EQUAL_INT64(64 << 20, total);
    TEST_ASSERT_EQUAL_INT64(60, scene_sql("SELECT max(seq) FROM checkpoints"));
    TEST_ASSERT_LESS_OR_EQUAL_INT64(2, first);
}

static void test_checkpoints_go_with_their_events(void)
{
    struct store_write *w = store_write_create();

    open_with(1 << 20);
    add_event(w, 1, "server:startup", "{}");
    for (int i = 1; i <= 3; i++)
        add_checkpoint(w, 10 * i, json_slice(picture));
    /* Events of the past are old; this one is of the future. */
    store_row(w, STORE_ADD_EVENT);
    store_int(w, 21);
    store_int(w, INT64_MAX / 2);
    store_text(w, SLICE("server:other"));
    store_null(w);
    store_null(w);
    store_text(w, SLICE("{}"));
    write_all(w);
    scene_asked(s, ORDER_GC, "{}");
    TEST_ASSERT_EQUAL_INT64(20, scene_sql("SELECT min(seq) FROM checkpoints"));
}

static void test_a_file_of_version_7_is_brought_up(void)
{
    sqlite3 *db;

    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(scene_path(), &db));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, tables_migrate(db, tables_steps(), 7));
    TEST_ASSERT_EQUAL_INT(
        SQLITE_OK,
        sqlite3_exec(db,
                     "INSERT INTO events VALUES(1, 5, 'server:startup', NULL,"
                     " NULL, '{}');",
                     NULL, NULL, NULL));
    sqlite3_close(db);
    open_with(1 << 20);
    TEST_ASSERT_EQUAL_UINT64(1, scene_past(s)->last_seq);
    TEST_ASSERT_EQUAL_INT64(TABLES_VERSION, scene_sql("PRAGMA user_version"));
    HAS(at("1"), "VALIDATION_ERROR");
    HAS(scene_asked(s, ORDER_EVENTS, "{}"), "'begins':null");
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_a_moment_is_a_checkpoint_with_events_and_samples);
    TEST(test_a_time_is_a_moment_too);
    TEST(test_what_is_not_kept_is_refused);
    TEST(test_a_record_has_the_samples_in_order);
    TEST(test_samples_are_thinned_evenly);
    TEST(test_samples_go_with_the_transcript);
    TEST(test_over_their_bound_the_oldest_samples_go);
    TEST(test_checkpoints_are_thinned_and_bounded);
    TEST(test_checkpoints_go_with_their_events);
    TEST(test_a_file_of_version_7_is_brought_up);
    return TAP_END();
}
