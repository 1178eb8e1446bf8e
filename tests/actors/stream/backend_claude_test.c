/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "tap.h"
#include "tests/actors/stream/check.h"

#define check(lines, want) check_lines(&backend_claude, lines, want)

#define BLOCK(id, block)                                                       \
    "{'type':'assistant','message':{'id':'" id                                 \
    "','role':'assistant','content':[" block "]}}\n"
#define SAY(id, text) BLOCK(id, "{'type':'text','text':'" text "'}")
#define USE(id, name, input)                                                   \
    BLOCK("m" id, "{'type':'tool_use','id':'" id "','name':'" name             \
                  "','input':{" input "}}")
#define DONE(id, more)                                                         \
    "{'type':'user','message':{'content':[{'type':'tool_result',"              \
    "'tool_use_id':'" id "','content':'ok'}]}" more "}\n"
#define FAILED(id, more)                                                       \
    "{'type':'user','message':{'content':[{'type':'tool_result',"              \
    "'tool_use_id':'" id "','content':'bad','is_error':true}]}" more "}\n"
#define STREAM(event) "{'type':'stream_event','event':{" event "}}\n"
#define DELTA(text)                                                            \
    STREAM("'type':'content_block_delta','delta':{'type':'text_delta',"        \
           "'text':'" text "'}")
#define RESULT(more) "{'type':'result','subtype':'success'" more "}\n"

static void test_capture_with_partial_messages(void)
{
    check_fixture(
        &backend_claude, "claude_bash.ndjson",
        "started session=adbc49b4-1111-4222-8333-444455556666 "
        "model=claude-haiku-4-5-20251001 cwd=/private/workspace "
        "version=2.1.201 mcp\n"
        "note status type=status text=requesting\n"
        "thinking delta text=Run echo.\n"
        "thinking end text=Run echo.\n"
        "usage message model=claude-haiku-4-5-20251001 in=9 out=5 "
        "cache_r=18000 cache_w=100\n"
        "tool_start id=toolu_016Z name=Bash title=echo hi\n"
        "rate_limit status=allowed scope=five_hour resets=1785958200\n"
        "tool_end ok id=toolu_016Z bytes=2\n"
        "text delta text=The command printed\n"
        "text delta text=: **hi**\n"
        "text end text=The command printed: **hi**\n"
        "usage message model=claude-haiku-4-5-20251001 in=9 out=3 "
        "cache_r=19992 cache_w=44\n"
        "usage model model=claude-haiku-4-5-20251001 in=18 out=153 "
        "cache_r=37992 cache_w=144 cost=0.0048702\n"
        "usage total in=18 out=153 cache_r=37992 cache_w=144 cost=0.0066462\n"
        "result ok ms=4148 turns=2 text=The command printed: **hi**\n");
}

static void test_capture_with_a_second_result(void)
{
    struct bytes text = read_fixture("claude_task.ndjson");
    struct replay r = replay_text(&backend_claude, text.ptr, text.len, 0, 0);
    const struct transcript_state *s = r.state;

    TEST_ASSERT_EQUAL_UINT64(2, s->results);
    TEST_ASSERT_EQUAL_UINT64(2, s->events[EVENT_STARTED]);
    TEST_ASSERT_NOT_NULL(strstr(replay_log(&r), " after_result\n"));
    TEST_ASSERT_EQUAL_MEMORY("There are 3.", s->result.ptr, s->result.len);
    TEST_ASSERT_EQUAL_MEMORY("There are 3.", s->message.ptr, s->message.len);
    TEST_ASSERT_EQUAL_UINT64(1, s->tasks_started);
    TEST_ASSERT_EQUAL_UINT64(1, s->tasks_ended);
    TEST_ASSERT_EQUAL_UINT64(55, s->usage.input);
    TEST_ASSERT_EQUAL_UINT64(10, s->usage.output);
    TEST_ASSERT_TRUE(s->usage.cost_usd > 0.029 && s->usage.cost_usd < 0.031);
    TEST_ASSERT_EQUAL_UINT64(1, s->tool_calls);
    TEST_ASSERT_EQUAL_UINT64(1, s->child_tool_calls);
    TEST_ASSERT_NOT_NULL(strstr(replay_log(&r),
                                "child_task ended id=t1 call=toolu_T "
                                "status=completed summary=found 3 "
                                "output=/tmp/t1.output tokens=26275\n"));
    TEST_ASSERT_NOT_NULL(
        strstr(replay_log(&r),
               "file_change parent=toolu_T add first path=/w/child.txt\n"));
    replay_finish(&r);
    bytes_finish(&text);
}

#define INIT(model)                                                            \
    "{'type':'system','subtype':'init','session_id':'s','model':'" model "'}"  \
                                                                         "\n"

static void test_repeated_start_is_told_once(void)
{
    check(INIT("a") INIT("a") INIT("b") RESULT("") INIT("b") INIT("b"),
          "started session=s model=a\nstarted session=s model=b\n"
          "result ok\nstarted session=s model=b after_result\n");
}

static void test_new_start_opens_the_run_again(void)
{
    struct replay r = replay_json(&backend_claude, INIT("a") RESULT(""));

    TEST_ASSERT_TRUE(r.state->has_terminal);
    replay_finish(&r);
    r = replay_json(&backend_claude, INIT("a") RESULT("") INIT("a"));
    TEST_ASSERT_FALSE(r.state->has_terminal);
    TEST_ASSERT_EQUAL_UINT64(1, r.state->results);
    replay_finish(&r);
}

static void test_childs_words_are_not_the_agents(void)
{
    struct replay r =
        replay_json(&backend_claude,
                    SAY("m", "Mine.") "{'type':'assistant',"
                                      "'parent_tool_use_id':'t',"
                                      "'message':{'id':'c','content':[{'type':"
                                      "'text','text':'No.'}]}}\n");

    TEST_ASSERT_EQUAL_UINT64(1, r.state->messages);
    TEST_ASSERT_EQUAL_MEMORY("Mine.", r.state->message.ptr,
                             r.state->message.len);
    replay_finish(&r);
}

static void test_whole_lines_without_deltas(void)
{
    check(BLOCK("m", "{'type':'thinking','thinking':'hm'}") SAY("m", "One."),
          "thinking full text=hm\ntext full text=One.\n");
}

static void test_pieces_of_one_message_are_one_text(void)
{
    struct replay r =
        replay_json(&backend_claude,
                    SAY("m", "The sky ") SAY("m", "is blue") SAY("m", "."));

    TEST_ASSERT_EQUAL_STRING("text full text=The sky \n"
                             "text full more text=is blue\n"
                             "text full more text=.\n",
                             replay_log(&r));
    TEST_ASSERT_EQUAL_UINT64(1, r.state->messages);
    TEST_ASSERT_EQUAL_size_t(16, r.state->message.len);
    TEST_ASSERT_EQUAL_MEMORY("The sky is blue.", r.state->message.ptr, 16);
    replay_finish(&r);
    check(SAY("m", "a") USE("t", "Bash", "") SAY("m", "b") SAY("n", "c"),
          "text full text=a\ntool_start id=t name=Bash\n"
          "text full text=b\ntext full text=c\n");
}

static void test_usage_once_per_message(void)
{
#define WITH_USAGE(id)                                                         \
    "{'type':'assistant','message':{'id':'" id                                 \
    "','content':[],'usage':{'input_tokens':3}}}\n"
    check(WITH_USAGE("a") WITH_USAGE("b") WITH_USAGE("a") WITH_USAGE("b"),
          "usage message in=3\nusage message in=3\n");
}

static void test_attempt_begun_again(void)
{
    check(DELTA("Hel") STREAM("'type':'message_start'") DELTA("Hello")
              SAY("m", "Hello"),
          "text delta text=Hel\ntext void\ntext delta text=Hello\n"
          "text end text=Hello\n");
}

static void test_childs_deltas_are_not_mixed_in(void)
{
    check("{'type':'stream_event','parent_tool_use_id':'t',"
          "'event':{'type':'content_block_delta',"
          "'delta':{'type':'text_delta','text':'c'}}}\n" DELTA(
              "mine") "{'type':'assistant','parent_tool_use_id':'t',"
                      "'message':{'id':'c','content':[{'type':'text',"
                      "'text':'c'}]}}\n" SAY("m", "mine"),
          "text delta text=mine\ntext parent=t full text=c\n"
          "text end text=mine\n");
}

static void check_files(const char *lines, const char *want)
{
    struct replay r = replay_json(&backend_claude, lines);
    struct bytes out = {0};
    const char *log = replay_log(&r);

    for (const char *p = log; (p = strstr(p, "file_change ")); p++) {
        p += strlen("file_change ");
        bytes_append(&out, p, strcspn(p, "\n") + 1);
    }
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(want, out.ptr);
    bytes_finish(&out);
    replay_finish(&r);
}

#define DETAILS(text) ",'tool_use_result':{" text "}"

static void test_files_by_what_was_before(void)
{
    check_files(
        USE("1", "Write", "'file_path':'/a'")
            DONE("1", DETAILS("'type':'create','filePath':'/a',"
                              "'originalFile':null"))
                USE("2", "Write", "'file_path':'/b'")
                    DONE("2", DETAILS("'type':'update','filePath':'/b',"
                                      "'originalFile':'x'"))
                        USE("3", "Edit", "'file_path':'/a'")
                            DONE("3", DETAILS("'filePath':'/a',"
                                              "'originalFile':'x'"))
                                USE("4", "Edit", "'file_path':'/c'")
                                    DONE("4", DETAILS("'filePath':'/c',"
                                                      "'originalFile':null")),
        "add first path=/a\nedit first path=/b\nedit path=/a\n"
        "add first path=/c\n");
}

static void test_files_of_the_other_tools(void)
{
    check_files(USE("1", "MultiEdit", "'file_path':'/a'")
                    DONE("1", DETAILS("'filePath':'/a',"
                                      "'originalFileContents':'x'"))
                        USE("2", "NotebookEdit", "'notebook_path':'/n'")
                            DONE("2", DETAILS("'notebook_path':'/n',"
                                              "'original_file':'x'"))
                                USE("3", "Bash", "'command':'x'")
                                    DONE("3", DETAILS("'stdout':''")),
                "edit first path=/a\nedit first path=/n\n");
    check_files(USE("2", "NotebookEdit", "'notebook_path':'/n'") DONE(
                    "2", DETAILS("'notebook_path':'/n','error':'no cell'")),
                "");
}

static void test_files_without_details(void)
{
    check_files(USE("1", "Write", "'file_path':'/a'") DONE("1", "")
                    USE("2", "Write", "'file_path':'/a'") DONE("2", "")
                        USE("3", "Read", "'file_path':'/b'") DONE("3", "")
                            USE("4", "Write", "'file_path':'/b'") DONE("4", ""),
                "add first path=/a\nedit path=/a\nedit first path=/b\n");
}

static void test_failed_edits_are_in_neither_list(void)
{
    check_files(USE("1", "Write", "'file_path':'/a'")
                    FAILED("1", ",'tool_use_result':'Error: no'"),
                "");
    check(FAILED("1", ""), "tool_end error id=1 message=bad bytes=3\n");
}

static void test_details_belong_to_a_single_result(void)
{
    check_files(
        USE("1", "Write", "'file_path':'/a'")
            USE("2", "Write", "'file_path':'/b'") "{'type':'user','message':{"
                                                  "'content':[{'type':"
                                                  "'tool_result','tool_use_id':"
                                                  "'1'},{'type':'tool_result',"
                                                  "'tool_use_id':'2'}]},"
                                                  "'tool_use_result':{"
                                                  "'filePath':'/z',"
                                                  "'type':'update'}}\n",
        "add first path=/a\nadd first path=/b\n");
}

static void test_retry_ask_and_status(void)
{
    check("{'type':'system','subtype':'api_retry','attempt':1,"
          "'max_retries':10,'retry_delay_ms':600,'error_status':529,"
          "'error':'overloaded'}\n"
          "{'type':'control_request','request_id':'f5',"
          "'request':{'subtype':'can_use_tool','tool_name':'Bash','input':{},"
          "'tool_use_id':'t'}}\n"
          "{'type':'control_cancel_request','request_id':'f5'}\n"
          "{'type':'control_response','response':{'subtype':'success'}}\n"
          "{'type':'tool_progress','tool_name':'Bash'}\n"
          "{'type':'system','subtype':'compact_boundary'}\n"
          "{'type':'system','subtype':'thinking_tokens'}\n",
          "retry 1/10 ms=600 status=529 reason=overloaded\n"
          "ask open needs_us id=f5 what=can_use_tool tool=Bash call=t\n"
          "ask withdrawn needs_us id=f5\n"
          "note status type=control_response text=success\n"
          "note status type=tool_progress text=Bash\n"
          "note status type=compact_boundary\n"
          "note status type=thinking_tokens\n");
}

static void test_failures_in_all_their_guises(void)
{
    check(RESULT(",'is_error':true,'api_error_status':429,"
                 "'terminal_reason':'api_error','result':'limit'"),
          "result failed reason=api_error api=429 text=limit\n");
    check(RESULT(",'is_error':false,'terminal_reason':'prompt_too_long'"),
          "result failed reason=prompt_too_long\n");
    check(RESULT(",'is_error':true"), "result failed reason=error\n");
    check("{'type':'result','subtype':'error_max_turns','is_error':false,"
          "'errors':['too many']}\n",
          "result failed reason=error_max_turns text=too many\n");
}

static void test_what_the_cli_says_in_the_models_place(void)
{
    struct replay r = replay_json(
        &backend_claude,
        "{\"type\":\"assistant\",\"error\":\"rate_limit\",\"message\":{"
        "\"model\":\"<synthetic>\",\"content\":[{\"type\":\"text\",\"text\":"
        "\"You've hit your session limit\"}]}}\n");

    TEST_ASSERT_EQUAL_STRING(
        "note error type=rate_limit text=You've hit your session limit\n",
        replay_log(&r));
    TEST_ASSERT_EQUAL_UINT64(0, r.state->messages);
    TEST_ASSERT_EQUAL_STRING("You've hit your session limit", r.state->error);
    replay_finish(&r);
}

static void test_failure_leaves_the_open_text_a_fragment(void)
{
    struct replay r =
        replay_json(&backend_claude, SAY("m", "Whole.") DELTA("frag")
                                         RESULT(",'is_error':true"));

    TEST_ASSERT_EQUAL_MEMORY("Whole.", r.state->message.ptr,
                             r.state->message.len);
    TEST_ASSERT_FALSE(r.state->is_ok);
    replay_finish(&r);
}

static void test_unknown_is_noted(void)
{
    check("{'type':'new_thing'}\n"
          "{'type':'system','subtype':'x'}\n" STREAM("'type':'odd'") BLOCK(
              "m",
              "{'type':"
              "'hologram'}") STREAM("'type':'content_block_delta','delta':{'"
                                    "type':'q'}") "{'type':'user','message':{'"
                                                  "content':[{"
                                                  "'type':'w'}]}}\n",
          "note unknown type=new_thing\nnote unknown type=system/x\n"
          "note unknown type=stream_event/odd\n"
          "note unknown type=assistant/hologram\n"
          "note unknown type=content_block_delta/q\n"
          "note unknown type=user/w\n");
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_capture_with_partial_messages);
    TEST(test_capture_with_a_second_result);
    TEST(test_repeated_start_is_told_once);
    TEST(test_new_start_opens_the_run_again);
    TEST(test_childs_words_are_not_the_agents);
    TEST(test_whole_lines_without_deltas);
    TEST(test_pieces_of_one_message_are_one_text);
    TEST(test_usage_once_per_message);
    TEST(test_attempt_begun_again);
    TEST(test_childs_deltas_are_not_mixed_in);
    TEST(test_files_by_what_was_before);
    TEST(test_files_of_the_other_tools);
    TEST(test_files_without_details);
    TEST(test_failed_edits_are_in_neither_list);
    TEST(test_details_belong_to_a_single_result);
    TEST(test_retry_ask_and_status);
    TEST(test_failures_in_all_their_guises);
    TEST(test_what_the_cli_says_in_the_models_place);
    TEST(test_failure_leaves_the_open_text_a_fragment);
    TEST(test_unknown_is_noted);
    return TAP_END();
}
