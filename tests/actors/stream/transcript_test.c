/* SPDX-License-Identifier: MIT */
#include "actors/stream/transcript.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "tests/actors/stream/describe.h"

static const size_t chunks[] = {1, 2, 3, 7, 64, 4096};

static void check_chunkings(const struct backend *b, const char *name)
{
    struct bytes text = read_fixture(name);
    struct replay whole = replay_text(b, text.ptr, text.len, 0, 0);
    uint64_t digest = transcript_digest(whole.tr);

    for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        struct replay r = replay_text(b, text.ptr, text.len, chunks[i], 0);
        TEST_ASSERT_EQUAL_STRING(replay_log(&whole), replay_log(&r));
        TEST_ASSERT_EQUAL_HEX64(digest, transcript_digest(r.tr));
        replay_finish(&r);
    }
    replay_finish(&whole);
    bytes_finish(&text);
}

static void test_chunking_changes_nothing(void)
{
    check_chunkings(&backend_cursor, "cursor_full.ndjson");
    check_chunkings(&backend_cursor, "cursor_partial.ndjson");
    check_chunkings(&backend_cursor, "cursor_odd.ndjson");
    check_chunkings(&backend_claude, "claude_bash.ndjson");
    check_chunkings(&backend_claude, "claude_task.ndjson");
    check_chunkings(&backend_claude, "claude_background.ndjson");
    /* Each other's streams too: nothing known, all of it counted. */
    check_chunkings(&backend_claude, "cursor_full.ndjson");
    check_chunkings(&backend_cursor, "claude_bash.ndjson");
}

/* Feeds the lines up to and with the one that has this text. */
static void feed_to(struct transcript *tr, struct slice *rest, const char *text)
{
    const char *at = memmem(rest->ptr, rest->len, text, strlen(text)), *end;
    size_t len;

    TEST_ASSERT_NOT_NULL_MESSAGE(at, text);
    end = memchr(at, '\n', rest->len - (size_t)(at - rest->ptr));
    len = (size_t)(end + 1 - rest->ptr);
    transcript_feed(tr, rest->ptr, len, NULL, NULL);
    *rest = slice_of(rest->ptr + len, rest->len - len);
}

/* As Claude Code 2.1.325 prints it: a result, the end of what ran in the
 * background, a new start and the result that counts. */
static void test_a_task_in_the_background_is_waited_for(void)
{
    struct bytes text = read_fixture("claude_background.ndjson");
    struct transcript *tr = transcript_create(&backend_claude, NULL);
    const struct transcript_state *s = transcript_state(tr);
    struct slice rest = bytes_slice(&text);

    feed_to(tr, &rest, "\"duration_api_ms\"");
    TEST_ASSERT_TRUE(s->has_terminal);
    TEST_ASSERT_EQUAL_size_t(1, s->task_count);
    TEST_ASSERT_FALSE(transcript_is_over(tr));
    feed_to(tr, &rest, "\"task_updated\"");
    TEST_ASSERT_TRUE(transcript_is_over(tr));
    feed_to(tr, &rest, "\"init\"");
    TEST_ASSERT_FALSE(transcript_is_over(tr));
    feed_to(tr, &rest, "\"duration_api_ms\"");
    TEST_ASSERT_TRUE(transcript_is_over(tr));
    TEST_ASSERT_EQUAL_UINT64(2, s->results);
    TEST_ASSERT_EQUAL_UINT64(0, s->notes[EVENT_NOTE_UNKNOWN]);
    transcript_destroy(tr);
    bytes_finish(&text);
}

#define TASK(what, id)                                                         \
    "{\"type\":\"system\",\"subtype\":\"task_" what "\",\"task_id\":\"" id     \
    "\"}\n"

static void test_more_tasks_than_are_listed_are_waited_for(void)
{
    struct transcript *tr = transcript_create(&backend_claude, NULL);
    const struct transcript_state *s = transcript_state(tr);
    char line[200];

    for (int i = 0; i < TRANSCRIPT_TASKS_CAP + 3; i++) {
        int n = snprintf(line, sizeof(line), TASK("started", "t%d"), i);
        transcript_feed(tr, line, (size_t)n, NULL, NULL);
    }
    TEST_ASSERT_EQUAL_UINT64(3, s->tasks_unlisted);
    for (int i = 0; i < TRANSCRIPT_TASKS_CAP + 3; i++) {
        int n = snprintf(line, sizeof(line), TASK("notification", "t%d"), i);
        transcript_feed(tr, line, (size_t)n, NULL, NULL);
        TEST_ASSERT_EQUAL(
            i<TRANSCRIPT_TASKS_CAP + 2, s->task_count + s->tasks_unlisted> 0);
    }
    transcript_destroy(tr);
}

static void test_the_last_plain_lines_are_kept(void)
{
    struct replay r =
        replay_str(&backend_cursor, "Warning: old\n{\"type\":\"x\"}\n"
                                    "You have hit\n\nyour usage limit\n"
                                    "{\"type\":\"broken\n");

    TEST_ASSERT_EQUAL_MEMORY("You have hit\nyour usage limit",
                             r.state->plain.ptr, r.state->plain.len);
    TEST_ASSERT_EQUAL_size_t(29, r.state->plain.len);
    replay_finish(&r);
}

static void test_plain_lines_are_bounded(void)
{
    struct transcript *tr = transcript_create(&backend_cursor, NULL);
    const struct transcript_state *s = transcript_state(tr);
    char line[64];

    for (int i = 0; i < 10000; i++) {
        int n = snprintf(line, sizeof(line), "行 %05d\n", i);
        transcript_feed(tr, line, (size_t)n, NULL, NULL);
        TEST_ASSERT_TRUE(s->plain.len <= TRANSCRIPT_PLAIN_CAP);
    }
    TEST_ASSERT_EQUAL_MEMORY("行 09999", s->plain.ptr + s->plain.len - 9, 9);
    TEST_ASSERT_NOT_EQUAL(0x80, s->plain.ptr[0] & 0xC0);
    transcript_destroy(tr);
}

static void test_digest_tells_streams_apart(void)
{
    struct replay a = replay_str(&backend_cursor, "{\"type\":\"x\"}\n");
    struct replay b = replay_str(&backend_cursor, "{\"type\":\"y\"}\n");

    TEST_ASSERT_TRUE(transcript_digest(a.tr) != transcript_digest(b.tr));
    replay_finish(&a);
    replay_finish(&b);
}

static void test_state_of_a_whole_run(void)
{
    struct bytes text = read_fixture("cursor_full.ndjson");
    struct replay r = replay_text(&backend_cursor, text.ptr, text.len, 0, 0);
    const struct transcript_state *s = r.state;
    const struct files *f = transcript_files(r.tr);

    TEST_ASSERT_EQUAL_STRING("ebb521c2-7d0b-4d57-9c0e-3f3a6a3f7c11",
                             s->session_id);
    TEST_ASSERT_EQUAL_STRING("Auto", s->model);
    TEST_ASSERT_EQUAL_UINT64(text.len, s->bytes);
    TEST_ASSERT_EQUAL_UINT64(13, s->lines);
    TEST_ASSERT_EQUAL_UINT64(3, s->tool_calls);
    TEST_ASSERT_EQUAL_UINT64(3, s->tool_ends[EVENT_TOOL_OK]);
    TEST_ASSERT_NULL(transcript_running(r.tr));
    TEST_ASSERT_EQUAL_size_t(1, f->lengths[FILES_CREATED]);
    TEST_ASSERT_EQUAL_size_t(0, f->lengths[FILES_EDITED]);
    TEST_ASSERT_EQUAL_UINT64(2, s->messages);
    TEST_ASSERT_EQUAL_MEMORY("`notes.txt` has 3 lines", s->message.ptr, 23);
    TEST_ASSERT_TRUE(s->has_terminal && s->is_ok);
    TEST_ASSERT_EQUAL_UINT64(9679, s->duration_ms);
    TEST_ASSERT_EQUAL_UINT64(8830, s->usage.input);
    TEST_ASSERT_FALSE(s->usage.has_cost);
    TEST_ASSERT_EQUAL_UINT64(1, s->events[EVENT_PROMPT]);
    replay_finish(&r);
    bytes_finish(&text);
}

#define CALL(state, id, key)                                                   \
    "{\"type\":\"tool_call\",\"subtype\":\"" state "\",\"call_id\":\"" id      \
    "\",\"tool_call\":{\"" key                                                 \
    "\":{\"args\":{\"command\":\"make\"},\"result\":{\"success\":{}}}}}\n"

static void test_the_tool_running_now(void)
{
    struct replay r = replay_str(&backend_cursor,
                                 CALL("started", "1", "readToolCall")
                                     CALL("started", "2", "shellToolCall")
                                         CALL("started", "2", "shellToolCall"));

    TEST_ASSERT_EQUAL_UINT64(2, r.state->tool_calls);
    TEST_ASSERT_EQUAL_STRING("shellToolCall", transcript_running(r.tr)->name);
    TEST_ASSERT_EQUAL_STRING("make", transcript_running(r.tr)->title);
    replay_finish(&r);

    r = replay_str(&backend_cursor,
                   CALL("started", "1", "readToolCall")
                       CALL("started", "2", "shellToolCall")
                           CALL("completed", "2", "shellToolCall")
                               CALL("completed", "9", "x"));
    TEST_ASSERT_EQUAL_STRING("readToolCall", transcript_running(r.tr)->name);
    TEST_ASSERT_EQUAL_UINT64(1, r.state->stray_ends);
    replay_finish(&r);
}

static void test_calls_without_ids(void)
{
    struct replay r = replay_str(&backend_cursor,
                                 CALL("started", "", "readToolCall")
                                     CALL("started", "", "readToolCall")
                                         CALL("completed", "", "readToolCall"));

    TEST_ASSERT_EQUAL_UINT64(2, r.state->tool_calls);
    TEST_ASSERT_EQUAL_size_t(1, r.state->running_count);
    replay_finish(&r);
}

static void test_running_table_is_bounded(void)
{
    struct transcript *tr = transcript_create(&backend_cursor, NULL);
    const struct transcript_state *s = transcript_state(tr);
    char line[256];

    for (int i = 0; i < 2 * (TRANSCRIPT_RUNNING_CAP + 3); i++) {
        int id = i % (TRANSCRIPT_RUNNING_CAP + 3);
        bool is_end = i >= TRANSCRIPT_RUNNING_CAP + 3;
        int n = snprintf(line, sizeof(line),
                         "{\"type\":\"tool_call\",\"subtype\":\"%s\","
                         "\"call_id\":\"%d\",\"tool_call\":{\"lsToolCall\":{"
                         "\"result\":{\"success\":{}}}}}\n",
                         is_end ? "completed" : "started", id);
        transcript_feed(tr, line, (size_t)n, NULL, NULL);
    }
    TEST_ASSERT_EQUAL_UINT64(TRANSCRIPT_RUNNING_CAP + 3, s->tool_calls);
    TEST_ASSERT_EQUAL_UINT64(TRANSCRIPT_RUNNING_CAP + 3,
                             s->tool_ends[EVENT_TOOL_OK]);
    TEST_ASSERT_EQUAL_size_t(0, s->running_count);
    TEST_ASSERT_EQUAL_UINT64(0, s->running_unlisted);
    transcript_destroy(tr);
}

static void test_unknown_types_are_counted_in_a_bounded_table(void)
{
    struct transcript *tr = transcript_create(&backend_cursor, NULL);
    const struct transcript_state *s = transcript_state(tr);
    char line[64];

    for (int i = 0; i < 3 * (TRANSCRIPT_UNKNOWN_CAP + 2); i++) {
        int n = snprintf(line, sizeof(line), "{\"type\":\"t%d\"}\n",
                         i % (TRANSCRIPT_UNKNOWN_CAP + 2));
        transcript_feed(tr, line, (size_t)n, NULL, NULL);
    }
    TEST_ASSERT_EQUAL_size_t(TRANSCRIPT_UNKNOWN_CAP, s->unknown_types);
    TEST_ASSERT_EQUAL_STRING("t0", s->unknown[0].type);
    TEST_ASSERT_EQUAL_UINT64(3, s->unknown[0].count);
    TEST_ASSERT_EQUAL_UINT64(6, s->unknown_unlisted);
    TEST_ASSERT_EQUAL_UINT64(3 * (TRANSCRIPT_UNKNOWN_CAP + 2),
                             s->notes[EVENT_NOTE_UNKNOWN]);
    transcript_destroy(tr);
}

static void test_long_line_is_skipped_and_reported(void)
{
    const char *text = "{\"type\":\"x\"}\n{\"type\":\"loooooooooong\"}\n"
                       "{\"type\":\"y\"}\n";

    for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        struct replay r =
            replay_text(&backend_cursor, text, strlen(text), chunks[i], 20);
        TEST_ASSERT_EQUAL_STRING("note unknown type=x\n"
                                 "note too_long bytes=24\n"
                                 "note unknown type=y\n",
                                 replay_log(&r));
        TEST_ASSERT_EQUAL_UINT64(1, r.state->notes[EVENT_NOTE_TOO_LONG]);
        TEST_ASSERT_EQUAL_UINT64(24, r.state->skipped_bytes);
        TEST_ASSERT_EQUAL_UINT64(3, r.state->lines);
        replay_finish(&r);
    }
}

/* A message of size bytes as deltas of 1000, then its copy. */
static void feed_message(struct transcript *tr, size_t size, bool has_copy)
{
    static const char head[] =
        "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\","
        "\"text\":\"";
    struct bytes line = {0};

    for (size_t sent = 0; sent < size; sent += 1000) {
        line.len = 0;
        bytes_append(&line, head, sizeof(head) - 1);
        for (int i = 0; i < 1000; i++)
            bytes_append(&line, "x", 1);
        bytes_append(&line, "\"}]},\"timestamp_ms\":1}\n", 24);
        line.len =
            (size_t)((char *)memrchr(line.ptr, '\n', line.len) - line.ptr) + 1;
        transcript_feed(tr, line.ptr, line.len, NULL, NULL);
    }
    line.len = 0;
    bytes_append(&line, head, sizeof(head) - 1);
    for (size_t i = 0; has_copy && i < size; i++)
        bytes_append(&line, "x", 1);
    bytes_append(&line, "\"}]}}\n", 6);
    transcript_feed(tr, line.ptr, line.len, NULL, NULL);
    bytes_finish(&line);
}

static void test_texts_are_capped(void)
{
    struct transcript *tr = transcript_create(&backend_cursor, NULL);
    const struct transcript_state *s = transcript_state(tr);

    feed_message(tr, 3000, true);
    TEST_ASSERT_EQUAL_size_t(3000, s->message.len);
    TEST_ASSERT_FALSE(s->is_message_cut);
    feed_message(tr, 3000000, true);
    TEST_ASSERT_EQUAL_size_t(TRANSCRIPT_TEXT_CAP, s->message.len);
    TEST_ASSERT_TRUE(s->is_message_cut);
    TEST_ASSERT_EQUAL_UINT64(2, s->messages);
    feed_message(tr, 3000000, false);
    TEST_ASSERT_EQUAL_size_t(TRANSCRIPT_TEXT_CAP, s->message.len);
    TEST_ASSERT_TRUE(s->is_message_cut);
    TEST_ASSERT_EQUAL_UINT64(3, s->messages);
    feed_message(tr, 1000, true);
    TEST_ASSERT_EQUAL_size_t(1000, s->message.len);
    TEST_ASSERT_FALSE(s->is_message_cut);
    transcript_destroy(tr);
}

static void giant_tool_output(size_t size, uint64_t want_ends)
{
    static const char head[] =
        "{\"type\":\"tool_call\",\"subtype\":\"completed\",\"call_id\":\"g\","
        "\"tool_call\":{\"editToolCall\":{\"args\":{\"path\":\"/"
        "g\"},\"result\":"
        "{\"success\":{\"afterFullFileContent\":\"";
    static const char tail[] = "\"}}}}}\n{\"type\":\"result\"}\n";
    struct transcript *tr = transcript_create(&backend_cursor, NULL);
    const struct transcript_state *s = transcript_state(tr);
    char chunk[65536];

    memset(chunk, 'y', sizeof(chunk));
    transcript_feed(tr, head, sizeof(head) - 1, NULL, NULL);
    for (size_t sent = 0; sent < size; sent += sizeof(chunk))
        transcript_feed(tr, chunk, sizeof(chunk), NULL, NULL);
    transcript_feed(tr, tail, sizeof(tail) - 1, NULL, NULL);
    TEST_ASSERT_EQUAL_UINT64(want_ends, s->events[EVENT_TOOL_END]);
    TEST_ASSERT_EQUAL_UINT64(1 - want_ends, s->notes[EVENT_NOTE_TOO_LONG]);
    TEST_ASSERT_EQUAL_size_t(want_ends,
                             transcript_files(tr)->lengths[FILES_EDITED]);
    TEST_ASSERT_TRUE(s->has_terminal);
    transcript_destroy(tr);
}

static void test_giant_lines(void)
{
    giant_tool_output((size_t)5 << 20, 1);
    giant_tool_output((size_t)50 << 20, 0);
}

/* Deep nesting is read without recursion and walked by name only. */
static void test_deep_nesting(void)
{
    size_t depth = 200000;
    struct bytes line = {0};

    bytes_append(&line, "{\"type\":\"assistant\",\"message\":", 30);
    line.len = strlen("{\"type\":\"assistant\",\"message\":");
    for (size_t i = 0; i < depth; i++)
        bytes_append(&line, "[", 1);
    for (size_t i = 0; i < depth; i++)
        bytes_append(&line, "]", 1);
    bytes_append(&line, "}\n{\"type\":\"result\"}\n", 20);
    struct replay r = replay_text(&backend_cursor, line.ptr, line.len, 4096, 0);
    TEST_ASSERT_EQUAL_UINT64(1, r.state->results);
    TEST_ASSERT_EQUAL_UINT64(0, r.state->notes[EVENT_NOTE_NOT_JSON]);
    replay_finish(&r);
    bytes_finish(&line);
}

static void test_fragment_is_never_the_message(void)
{
    struct replay r =
        replay_str(&backend_cursor,
                   "{\"type\":\"assistant\",\"message\":{\"content\":\"frag\"},"
                   "\"timestamp_ms\":1}\n");

    TEST_ASSERT_EQUAL_UINT64(0, r.state->messages);
    TEST_ASSERT_EQUAL_size_t(0, r.state->message.len);
    TEST_ASSERT_FALSE(r.state->has_terminal);
    replay_finish(&r);
}

/* The events a callback gets say where their lines are, each line once. */
struct places {
    uint64_t last_line, last_offset;
    const char *text;
};

static void on_place(void *ctx, const struct event *ev)
{
    struct places *p = ctx;

    TEST_ASSERT_TRUE(ev->line >= p->last_line);
    if (ev->line > p->last_line && p->last_line > 0) {
        TEST_ASSERT_TRUE(ev->offset > p->last_offset);
        TEST_ASSERT_EQUAL_CHAR('\n', p->text[ev->offset - 1]);
    }
    p->last_line = ev->line;
    p->last_offset = ev->offset;
}

static void test_events_know_their_line(void)
{
    struct bytes text = read_fixture("cursor_odd.ndjson");
    struct transcript *tr = transcript_create(&backend_cursor, NULL);
    struct places p = {.text = text.ptr};

    for (size_t i = 0; i < text.len; i++)
        transcript_feed(tr, text.ptr + i, 1, on_place, &p);
    transcript_end(tr, on_place, &p);
    TEST_ASSERT_EQUAL_UINT64(p.last_offset,
                             transcript_state(tr)->last_event_offset);
    transcript_destroy(tr);
    bytes_finish(&text);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_chunking_changes_nothing);
    TEST(test_a_task_in_the_background_is_waited_for);
    TEST(test_more_tasks_than_are_listed_are_waited_for);
    TEST(test_the_last_plain_lines_are_kept);
    TEST(test_plain_lines_are_bounded);
    TEST(test_digest_tells_streams_apart);
    TEST(test_state_of_a_whole_run);
    TEST(test_the_tool_running_now);
    TEST(test_calls_without_ids);
    TEST(test_running_table_is_bounded);
    TEST(test_unknown_types_are_counted_in_a_bounded_table);
    TEST(test_long_line_is_skipped_and_reported);
    TEST(test_texts_are_capped);
    TEST(test_giant_lines);
    TEST(test_deep_nesting);
    TEST(test_fragment_is_never_the_message);
    TEST(test_events_know_their_line);
    return TAP_END();
}
