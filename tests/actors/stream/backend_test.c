/* SPDX-License-Identifier: MIT */
/*
 * The shape of a back-end fits CLIs whose streams are built otherwise than
 * the two that are there: each below is the gist of one, on its real lines.
 */
#include "actors/stream/backend.h"

#include <string.h>

#include "runtime/text/field.h"
#include "tap.h"
#include "tests/actors/stream/describe.h"

static void check(const struct backend *b, const char *lines, const char *want)
{
    struct replay r = replay_str(b, lines);

    TEST_ASSERT_EQUAL_STRING(want, replay_log(&r));
    replay_finish(&r);
}

/*
 * OpenCode has no result line: it ends by exiting, and its run was good if
 * the last step stopped by itself and nothing complained. Its calls come when
 * they are over, so that start and end are told by one line.
 */
struct opencode {
    struct parser base;
    bool has_stopped, has_failed;
};

static void opencode_call(struct parser *p, yyjson_val *part)
{
    struct event start = {.kind = EVENT_TOOL_START};
    struct event end = {.kind = EVENT_TOOL_END};
    yyjson_val *state = FIELD(part, "state");

    start.tool_start.call_id = FIELD_TEXT(part, "callID");
    start.tool_start.name = FIELD_TEXT(part, "tool");
    start.tool_start.title = parser_title(FIELD(state, "input"));
    parser_emit(p, &start);
    end.tool_end.call_id = start.tool_start.call_id;
    end.tool_end.status =
        slice_eq(FIELD_TEXT(state, "status"), SLICE("completed"))
            ? EVENT_TOOL_OK
            : EVENT_TOOL_ERROR;
    parser_emit(p, &end);
}

/* A cost per step and no sum: the listener adds them up. */
static void opencode_cost(struct parser *p, yyjson_val *part)
{
    struct event ev = {.kind = EVENT_USAGE};

    ev.usage = (struct event_usage){
        .scope = EVENT_USAGE_MESSAGE,
        .input = FIELD_COUNT(FIELD(part, "tokens"), "input"),
        .has_cost = true,
        .cost_usd = yyjson_get_num(FIELD(part, "cost")),
        .model = SLICE_EMPTY,
    };
    if (FIELD(part, "cost"))
        parser_emit(p, &ev);
}

static void opencode_line(struct parser *p, yyjson_val *root, struct slice type)
{
    struct opencode *o = (struct opencode *)p;
    yyjson_val *part = FIELD(root, "part");

    if (slice_eq(type, SLICE("text")))
        parser_full(p, FIELD_TEXT(part, "text"), FIELD_TEXT(part, "messageID"));
    else if (slice_eq(type, SLICE("tool_use")))
        opencode_call(p, part);
    else if (slice_eq(type, SLICE("step_finish"))) {
        o->has_stopped = slice_eq(FIELD_TEXT(part, "reason"), SLICE("stop"));
        opencode_cost(p, part);
    } else if (slice_eq(type, SLICE("error")))
        o->has_failed = true;
    else
        parser_unknown(p, type, SLICE_EMPTY);
}

static void opencode_end(struct parser *p)
{
    struct opencode *o = (struct opencode *)p;
    bool ok = o->has_stopped && !o->has_failed;

    parser_result(
        p, (struct event_result){.ok = ok,
                                 .reason = ok ? SLICE_EMPTY : SLICE("error")});
}

static const struct backend opencode = {.name = "opencode",
                                        .parser_size = sizeof(struct opencode),
                                        .line = opencode_line,
                                        .end = opencode_end};

static void test_result_made_at_the_end(void)
{
    check(&opencode,
          "{\"type\":\"tool_use\",\"part\":{\"tool\":\"bash\",\"callID\":"
          "\"call_B\",\"state\":{\"status\":\"completed\",\"input\":{"
          "\"command\":\"pwd\"}}}}\n"
          "{\"type\":\"text\",\"part\":{\"text\":\"pong\"}}\n"
          "{\"type\":\"step_finish\",\"part\":{\"reason\":\"stop\"}}\n",
          "tool_start id=call_B name=bash title=pwd\ntool_end ok id=call_B\n"
          "text full text=pong\nresult ok\n");
    check(&opencode,
          "{\"type\":\"step_finish\",\"part\":{\"reason\":\"stop\"}}\n"
          "{\"type\":\"error\"}\n",
          "result failed reason=error\n");
    check(&opencode, "", "result failed reason=error\n");
}

static void test_costs_per_step_are_added(void)
{
    struct replay r = replay_str(
        &opencode, "{\"type\":\"step_finish\",\"part\":{\"cost\":0.25,"
                   "\"tokens\":{\"input\":3}}}\n"
                   "{\"type\":\"step_finish\",\"part\":{\"cost\":0.5,"
                   "\"tokens\":{\"input\":4}}}\n");

    TEST_ASSERT_EQUAL_UINT64(7, r.state->usage.input);
    TEST_ASSERT_TRUE(r.state->usage.has_cost);
    TEST_ASSERT_TRUE(r.state->usage.cost_usd == 0.75);
    replay_finish(&r);
}

/* Only ordinary lines make the lasting buffer grow. */
static void test_long_lines_leave_no_memory_behind(void)
{
    struct parser *p = parser_create(&opencode);
    struct bytes text = {0}, log = {0};

    bytes_append(&text, "{\"type\":\"", 9);
    while (text.len < (size_t)4 << 20)
        bytes_append(&text, "\xff-------", 8);
    bytes_append(&text, "\"}", 2);
    struct ndjson_line line = {.ptr = text.ptr, .len = text.len};
    parser_line(p, &line, describe_event, &log);
    TEST_ASSERT_EQUAL_size_t(0, p->pool_size);
    TEST_ASSERT_TRUE(p->mended.cap <= PARSER_KEEP);
    TEST_ASSERT_TRUE(p->scratch.cap <= PARSER_KEEP);
    line = (struct ndjson_line){.ptr = "{}", .len = 2};
    parser_line(p, &line, describe_event, &log);
    TEST_ASSERT_TRUE(p->pool_size > 0 && p->pool_size <= PARSER_KEEP);
    parser_destroy(p);
    bytes_finish(&text);
    bytes_finish(&log);
}

/* Codex names what happens in the type and puts it into an item. */
static void codex_file(struct parser *p, yyjson_val *change)
{
    bool is_add = slice_eq(FIELD_TEXT(change, "kind"), SLICE("add"));

    parser_file(p, FIELD_TEXT(change, "path"), is_add ? FILES_ADD : FILES_EDIT,
                NULL);
}

static void codex_item(struct parser *p, yyjson_val *item)
{
    yyjson_val *changes = FIELD(item, "changes"), *change;
    size_t i, n;

    if (slice_eq(FIELD_TEXT(item, "type"), SLICE("agent_message")))
        parser_full(p, FIELD_TEXT(item, "text"), FIELD_TEXT(item, "id"));
    yyjson_arr_foreach(changes, i, n, change) codex_file(p, change);
}

static void codex_line(struct parser *p, yyjson_val *root, struct slice type)
{
    if (slice_eq(type, SLICE("thread.started")))
        parser_started(p, (struct event_started){
                              .session_id = FIELD_TEXT(root, "thread_id")});
    else if (slice_eq(type, SLICE("item.completed")))
        codex_item(p, FIELD(root, "item"));
    else if (slice_eq(type, SLICE("turn.completed")))
        parser_result(p, (struct event_result){.ok = true});
    else if (slice_eq(type, SLICE("turn.failed")))
        parser_result(p,
                      (struct event_result){
                          .reason = SLICE("turn.failed"),
                          .text = FIELD_TEXT(FIELD(root, "error"), "message")});
    else
        parser_unknown(p, type, SLICE_EMPTY);
}

static void test_items(void)
{
    static const struct backend codex = {.name = "codex",
                                         .parser_size = sizeof(struct parser),
                                         .line = codex_line};

    check(&codex,
          "{\"type\":\"thread.started\",\"thread_id\":\"019e\"}\n"
          "{\"type\":\"item.completed\",\"item\":{\"type\":\"file_change\","
          "\"changes\":[{\"path\":\"/a\",\"kind\":\"add\"},{\"path\":"
          "\"/b\",\"kind\":\"update\"}]}}\n"
          "{\"type\":\"item.completed\",\"item\":{\"id\":\"item_2\","
          "\"type\":\"agent_message\",\"text\":\"DONE\"}}\n"
          "{\"type\":\"turn.completed\"}\n",
          "started session=019e\nfile_change add first path=/a\n"
          "file_change edit first path=/b\ntext full text=DONE\n"
          "result ok\n");
    check(&codex, "{\"type\":\"turn.failed\",\"error\":{\"message\":\"no\"}}\n",
          "result failed reason=turn.failed text=no\n");
}

/* Gemini says success after an error: what came before must be remembered. */
struct gemini {
    struct parser base;
    bool has_failed;
};

static void gemini_line(struct parser *p, yyjson_val *root, struct slice type)
{
    struct gemini *g = (struct gemini *)p;

    if (slice_eq(type, SLICE("message"))) {
        parser_delta(p, FIELD_TEXT(root, "content"), SLICE_EMPTY);
    } else if (slice_eq(type, SLICE("error"))) {
        g->has_failed = true;
        parser_note(p, EVENT_NOTE_ERROR, FIELD_TEXT(root, "severity"),
                    FIELD_TEXT(root, "message"));
    } else if (slice_eq(type, SLICE("result"))) {
        bool ok = !g->has_failed &&
                  slice_eq(FIELD_TEXT(root, "status"), SLICE("success"));
        if (ok)
            parser_close(p, SLICE_EMPTY, SLICE_EMPTY);
        parser_result(p, (struct event_result){.ok = ok});
    }
}

static void test_success_after_an_error(void)
{
    static const struct backend gemini = {.name = "gemini",
                                          .parser_size = sizeof(struct gemini),
                                          .line = gemini_line};

    check(&gemini,
          "{\"type\":\"message\",\"content\":\"po\",\"delta\":true}\n"
          "{\"type\":\"message\",\"content\":\"ng\",\"delta\":true}\n"
          "{\"type\":\"result\",\"status\":\"success\"}\n",
          "text delta text=po\ntext delta text=ng\ntext end text=pong\n"
          "result ok\n");
    check(&gemini,
          "{\"type\":\"error\",\"severity\":\"error\",\"message\":"
          "\"Maximum session turns exceeded\"}\n"
          "{\"type\":\"result\",\"status\":\"success\"}\n",
          "note error type=error text=Maximum session turns exceeded\n"
          "result failed\n");
}

static void test_found_by_name_and_program(void)
{
    TEST_ASSERT_EQUAL_PTR(&backend_cursor, backend_find("cursor"));
    TEST_ASSERT_EQUAL_PTR(&backend_cursor, backend_of_program("agent"));
    TEST_ASSERT_EQUAL_PTR(&backend_cursor,
                          backend_of_program("/usr/bin/cursor-agent"));
    TEST_ASSERT_EQUAL_PTR(&backend_claude, backend_of_program("claude"));
    TEST_ASSERT_NULL(backend_find("nobody"));
    TEST_ASSERT_NULL(backend_of_program("/bin/sh"));
    TEST_ASSERT_NULL(backend_at(2));
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_result_made_at_the_end);
    TEST(test_costs_per_step_are_added);
    TEST(test_long_lines_leave_no_memory_behind);
    TEST(test_items);
    TEST(test_success_after_an_error);
    TEST(test_found_by_name_and_program);
    return TAP_END();
}
