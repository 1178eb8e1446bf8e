/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "tap.h"
#include "tests/actors/stream/check.h"

#define check(lines, want) check_lines(&backend_cursor, lines, want)

#define SAY(text, more)                                                        \
    "{'type':'assistant','message':{'role':'assistant',"                       \
    "'content':[{'type':'text','text':'" text "'}]}" more "}\n"
#define DELTA(text) SAY(text, ",'timestamp_ms':1")
#define REPLAY(text) SAY(text, ",'timestamp_ms':2,'model_call_id':'m'")
#define LAST(text) SAY(text, "")
#define CALL(state, id, call)                                                  \
    "{'type':'tool_call','subtype':'" state "','call_id':'" id                 \
    "','tool_call':{" call "}}\n"
#define OK_RESULT                                                              \
    "{'type':'result','subtype':'success','is_error':false,'result':'r'}\n"

static void test_capture_without_partial_output(void)
{
    check_fixture(
        &backend_cursor, "cursor_full.ndjson",
        "started session=ebb521c2-7d0b-4d57-9c0e-3f3a6a3f7c11 model=Auto "
        "cwd=/tmp/curcap\n"
        "prompt full text=Read notes.txt, count its lines, write count.txt\n"
        "thinking delta text=Reading notes.txt.\n"
        "thinking end\n"
        "text full text=I'll read `notes.txt`, then count.\n"
        "tool_start id=call-bb11656a-0 name=readToolCall "
        "title=/tmp/curcap/notes.txt\n"
        "tool_end ok id=call-bb11656a-0 name=readToolCall bytes=38\n"
        "tool_start id=call-2 name=shellToolCall title=wc -l notes.txt\n"
        "tool_end ok id=call-2 name=shellToolCall bytes=34 exit=0\n"
        "tool_start id=call-3 name=editToolCall title=/tmp/curcap/count.txt\n"
        "tool_end ok id=call-3 name=editToolCall bytes=120 diff=--- "
        "/dev/null\\n+++ b//tmp/curcap/count.txt\\n@@ -1 +1 @@\\n-\\n+3\n"
        "file_change add first path=/tmp/curcap/count.txt\n"
        "text full text=`notes.txt` has 3 lines; `count.txt` says so.\n"
        "usage total in=8830 out=185 cache_r=44800\n"
        "result ok ms=9679 text=I'll read `notes.txt`, then count.`notes.txt` "
        "has 3 lines; `count.txt` says so.\n");
}

static void test_capture_with_partial_output(void)
{
    check_fixture(
        &backend_cursor, "cursor_partial.ndjson",
        "started session=ebb521c2-7d0b-4d57-9c0e-3f3a6a3f7c11 model=Auto "
        "cwd=/tmp/curcap\n"
        "prompt full text=Read notes.txt, count its lines, write count.txt\n"
        "text delta text=正在\n"
        "text delta text=查看\n"
        "text delta text=ha\n"
        "text delta text=ha\n"
        "text end text=正在查看haha\n"
        "tool_start id=call-bb11656a-0 name=readToolCall "
        "title=/tmp/curcap/notes.txt\n"
        "tool_end ok id=call-bb11656a-0 name=readToolCall bytes=38\n"
        "text delta text=All \n"
        "text delta text=done\n"
        "text delta text=.\n"
        "text end text=All done.\n"
        "usage total in=10 out=20 cache_r=30 cache_w=40\n"
        "result ok ms=1200 text=正在查看hahaAll done.\n");
}

static void test_last_copy_may_hold_all_messages(void)
{
    check(DELTA("One.") REPLAY("One.") DELTA("Two.") LAST("One.\\nTwo.\\n"),
          "text delta text=One.\ntext end text=One.\n"
          "text delta text=Two.\ntext end text=Two.\n");
}

static void test_second_copy_is_a_repeat(void)
{
    check(DELTA("One.") REPLAY("One.") LAST("One.") LAST("Zero.One. "),
          "text delta text=One.\ntext end text=One.\n");
}

static void test_text_that_never_had_deltas_is_not_lost(void)
{
    check(DELTA("One.") REPLAY("One.") REPLAY("Two."),
          "text delta text=One.\ntext end text=One.\ntext full text=Two.\n");
}

static void test_copy_mends_what_deltas_lost(void)
{
    check(DELTA("hi \\ud83d") DELTA("\\ude00") REPLAY("hi \\ud83d\\ude00"),
          "note bad_utf8 text={\"type\":\"assistant\",\"message\":{\"role\":"
          "\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"hi "
          "\\ud83d\"}]},\"timestamp_ms\":1}\n"
          "text delta text=hi \xEF\xBF\xBD\n"
          "note bad_utf8 text={\"type\":\"assistant\",\"message\":{\"role\":"
          "\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"\\ude00\"}"
          "]},\"timestamp_ms\":1}\n"
          "text delta text=\xEF\xBF\xBD\n"
          "text end text=hi \xF0\x9F\x98\x80\n");
}

static void test_tool_call_completes_the_text_before_it(void)
{
    check(DELTA("Look") DELTA("ing.")
              CALL("started", "c", "'lsToolCall':{'args':{'path':'/'}}")
                  REPLAY("Looking."),
          "text delta text=Look\ntext delta text=ing.\n"
          "text end text=Looking.\n"
          "tool_start id=c name=lsToolCall title=/\n");
}

static void test_success_completes_the_open_text_and_failure_does_not(void)
{
    check(DELTA("half") OK_RESULT,
          "text delta text=half\ntext end text=half\nresult ok text=r\n");
    check(DELTA("half") "{'type':'result','subtype':'success',"
                        "'is_error':true,'result':'no'}\n",
          "text delta text=half\nresult failed reason=error text=no\n");
    check(DELTA("half"), "text delta text=half\n");
    /* Nor does the fragment get into a later message. */
    check(DELTA("half") "{'type':'result','is_error':true}\n" DELTA("new")
              OK_RESULT,
          "text delta text=half\nresult failed reason=error\n"
          "text delta text=new\ntext end text=new\nresult ok text=r\n");
}

static void test_every_tool_key(void)
{
    check(CALL("started", "1", "'grepToolCall':{'args':{'pattern':'x'}}")
              CALL("started", "2",
                   "'mcpToolCall':{'args':{'name':'n','args':{},"
                   "'providerIdentifier':'p','toolName':'t'}}")
                  CALL("started", "3",
                       "'hookAdditionalContexts':[],'futureToolCall':{}")
                      CALL("started", "4",
                           "'function':{'name':'look_up','arguments':'{}'}"),
          "tool_start id=1 name=grepToolCall title=x\n"
          "tool_start id=2 name=mcpToolCall title=t\n"
          "tool_start id=3 name=futureToolCall\n"
          "tool_start id=4 name=look_up\n");
}

static void test_outcomes(void)
{
#define SHELL(result)                                                          \
    CALL("completed", "c", "'shellToolCall':{'result':{" result "}}")
    check(SHELL("'success':{'exitCode':1,'stdout':'ab'}")
              SHELL("'rejected':{'command':'rm','reason':'not allowed',"
                    "'isReadonly':false}")
                  SHELL("'permissionDenied':{'error':'blocked'}")
                      SHELL("'isBackground':false,'error':{"
                            "'errorMessage':'bad'}") SHELL("'error':'text'"),
          "tool_end ok id=c name=shellToolCall bytes=2 exit=1\n"
          "tool_end rejected id=c name=shellToolCall message=not allowed "
          "bytes=13\n"
          "tool_end denied id=c name=shellToolCall message=blocked bytes=7\n"
          "tool_end error id=c name=shellToolCall message=bad bytes=3\n"
          "tool_end error id=c name=shellToolCall message=text bytes=4\n");
    check(CALL("completed", "c", "'shellToolCall':{'args':{}}"),
          "tool_end unsaid id=c name=shellToolCall\n");
    check(CALL("completed", "c",
               "'function':{'name':'f'},'result':{'success':{}}"),
          "tool_end ok id=c name=f\n");
}

#define EDIT(path, result)                                                     \
    CALL("completed", "e",                                                     \
         "'editToolCall':{'args':{'path':'" path "'},'result':{" result "}}")
#define WRITE(path, result)                                                    \
    CALL("completed", "w",                                                     \
         "'writeToolCall':{'args':{'path':'" path "'},'result':{" result "}}")
#define NEW "'success':{'diffString':'--- /dev/null\\n+++ b/x\\n@@'}"
#define OLD "'success':{'diffString':'--- a/x\\n+++ b/x\\n@@'}"
#define FINE "'success':{}"

static void check_files(const char *lines, const char *want)
{
    struct replay r = replay_json(&backend_cursor, lines);
    const struct files *f = transcript_files(r.tr);
    struct bytes out = {0};

    for (int list = 0; list < FILES_LISTS; list++) {
        for (size_t i = 0; i < f->lengths[list]; i++) {
            struct slice path = files_path(f, (enum files_list)list, i);
            bytes_append(&out, list == FILES_CREATED ? "+" : "~", 1);
            bytes_append(&out, path.ptr, path.len);
            bytes_append(&out, " ", 1);
        }
    }
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(want, out.ptr);
    bytes_finish(&out);
    replay_finish(&r);
}

#define INIT                                                                   \
    "{'type':'system','subtype':'init','cwd':'/w','session_id':'s',"           \
    "'model':'m'}\n"

static void test_edit_from_nothing_creates(void)
{
    check_files(INIT EDIT("/w/n", NEW) EDIT("/w/o", OLD) EDIT("/w/p", FINE),
                "+/w/n ~/w/o ~/w/p ");
    /* In a diff without a head this is a removed line "-- /dev/null". */
    check_files(EDIT("/o", "'success':{'diffString':'--- /dev/null\\n+x'}"),
                "~/o ");
    check_files(EDIT("/o", "'success':{'diffString':'diff --git a b\\nnew "
                           "file mode 100644\\n--- /dev/null\\n+++ b'}"),
                "+/o ");
}

static void test_write_of_what_was_not_seen_creates(void)
{
    check_files(INIT CALL("completed", "r",
                          "'readToolCall':{'args':{'path':'seen'},"
                          "'result':{'success':{}}}") WRITE("/w/seen", FINE)
                    WRITE("new", FINE) WRITE("./new", FINE)
                        EDIT("sub/../new", OLD),
                "+new ~/w/seen ");
}

static void test_read_that_failed_has_seen_nothing(void)
{
    check_files(INIT CALL("completed", "r",
                          "'readToolCall':{'args':{'path':'/w/n'},"
                          "'result':{'error':{'message':'none'}}}")
                    WRITE("/w/n", FINE),
                "+/w/n ");
}

static void test_failed_edits_are_in_neither_list(void)
{
    check_files(EDIT("/a", "'rejected':{'reason':'r'}")
                    EDIT("/b", "'permissionDenied':{}")
                        WRITE("/c", "'error':{'message':'m'}")
                            CALL("completed", "x",
                                 "'writeToolCall':{'args':{'path':'/d'}}")
                                CALL("started", "x",
                                     "'editToolCall':{'args':{'path':'/e'}}"),
                "");
    /* And they do not make the path known. */
    check_files(WRITE("/c", "'error':{}") WRITE("/c", FINE), "+/c ");
}

static void test_delete_is_told_and_not_listed(void)
{
    check(CALL("completed", "d",
               "'deleteToolCall':{'args':{'path':'/x'},"
               "'result':{'success':{}}}"),
          "tool_end ok id=d name=deleteToolCall\n"
          "file_change delete path=/x\n");
    check_files(CALL("completed", "d",
                     "'deleteToolCall':{'args':{'path':'/x'},"
                     "'result':{'success':{}}}"),
                "");
}

static void test_usage_in_all_its_places(void)
{
    check("{'type':'result','subtype':'success','inputTokens':1,"
          "'outputTokens':2}\n",
          "usage total in=1 out=2\nresult ok\n");
    check("{'type':'result','subtype':'success','input_tokens':1,"
          "'output_tokens':2}\n",
          "usage total in=1 out=2\nresult ok\n");
    check("{'type':'result','subtype':'success','usage':null}\n",
          "result ok\n");
    check("{'type':'result','subtype':'success','usage':{'inputTokens':'12',"
          "'outputTokens':-3}}\n",
          "usage total in=12\nresult ok\n");
}

static void test_results_that_failed(void)
{
    check("{'type':'result','subtype':'error','is_error':true,"
          "'error':{'message':'boom'}}\n",
          "result failed reason=error text=boom\n");
    check("{'type':'result','subtype':'error_max','result':'x'}\n",
          "result failed reason=error_max text=x\n");
}

static void test_side_lines(void)
{
    check("{'type':'interaction_query','subtype':'request',"
          "'query_type':'createPlanRequestQuery'}\n"
          "{'type':'interaction_query','subtype':'response',"
          "'query_type':'createPlanRequestQuery'}\n"
          "{'type':'connection','subtype':'lost'}\n"
          "{'type':'retry','attempt':2,'error':'overloaded'}\n"
          "{'type':'error','message':'bad'}\n"
          "{'type':'system','subtype':'error','error':'worse'}\n",
          "ask open what=createPlanRequestQuery\n"
          "ask answered what=createPlanRequestQuery\n"
          "note status type=connection text=lost\n"
          "retry 2/0 reason=overloaded\n"
          "note error type=error text=bad\n"
          "note error type=system/error text=worse\n");
}

static void test_unknown_is_noted_and_never_guessed(void)
{
    check("{'type':'holo','subtype':'gram'}\n"
          "{'type':'x'}\n"
          "{'type':7}\n"
          "{}\n"
          "{'type':'thinking','subtype':'other'}\n"
          "{'type':'system','subtype':'beep'}\n"
          "{'type':'interaction_query'}\n" CALL("paused", "c",
                                                "'readToolCall':{}"),
          "note unknown type=holo/gram\nnote unknown type=x\n"
          "note unknown\nnote unknown\nnote unknown type=thinking/other\n"
          "note unknown type=system/beep\n"
          "note unknown type=interaction_query\n"
          "note unknown type=tool_call/paused\n");
}

static void test_odd_bytes(void)
{
    check_fixture(
        &backend_cursor, "cursor_odd.ndjson",
        "note not_json type=no object text=Warning: something on stdout\n"
        "started session=s model=m cwd=/w\n"
        "note bad_utf8 text={\"type\":\"assistant\",\"message\":{\"content\":[{"
        "\"type\":\"text\",\"text\":\"a\xEF\xBF\xBD\xEF\xBF\xBD\"}]},"
        "\"timestamp_ms\":1}\n"
        "text delta text=a\xEF\xBF\xBD\xEF\xBF\xBD\n"
        "note bad_utf8 text={\"type\":\"assistant\",\"message\":{\"content\":[{"
        "\"type\":\"text\",\"text\":\"half \\ud83d\"}]},\"timestamp_ms\":2}\n"
        "text delta text=half \xEF\xBF\xBD\n"
        "note unknown type=holo/gram\n"
        "note unknown type=thinking/pondered\n"
        "note unknown\n"
        "note not_json type=no object text=[1,2]\n"
        "note not_json type=unexpected end of data "
        "text={\"type\":\"assistant\"\n"
        "note unknown type=tool_call/exploded\n"
        "result failed reason=error text=boom\n");
}

static void test_prefix_only_before_an_object(void)
{
    check("stderr: {\"type\":\"x\"}\nSTDOUT = {\"type\":\"y\"}\n"
          "stdout: hello\nstdout {\"type\":\"z\"}\n"
          "\xEF\xBB\xBF{\"type\":\"bom\"}\n",
          "note unknown type=x\nnote unknown type=y\n"
          "note not_json type=no object text=stdout: hello\n"
          "note not_json type=no object text=stdout {\"type\":\"z\"}\n"
          "note unknown type=bom\n");
}

static void test_shapes_that_do_not_fit(void)
{
    check("{'type':'assistant'}\n"
          "{'type':'assistant','message':[]}\n"
          "{'type':'assistant','message':{'content':'plain'}}\n"
          "{'type':'tool_call','subtype':'started'}\n"
          "{'type':'tool_call','subtype':'completed',"
          "'tool_call':{'editToolCall':'no'}}\n"
          "{'type':'user'}\n",
          "text full text=plain\ntool_start name=\n"
          "tool_end unsaid name=editToolCall\nprompt full\n");
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_capture_without_partial_output);
    TEST(test_capture_with_partial_output);
    TEST(test_last_copy_may_hold_all_messages);
    TEST(test_second_copy_is_a_repeat);
    TEST(test_text_that_never_had_deltas_is_not_lost);
    TEST(test_copy_mends_what_deltas_lost);
    TEST(test_tool_call_completes_the_text_before_it);
    TEST(test_success_completes_the_open_text_and_failure_does_not);
    TEST(test_every_tool_key);
    TEST(test_outcomes);
    TEST(test_edit_from_nothing_creates);
    TEST(test_write_of_what_was_not_seen_creates);
    TEST(test_read_that_failed_has_seen_nothing);
    TEST(test_failed_edits_are_in_neither_list);
    TEST(test_delete_is_told_and_not_listed);
    TEST(test_usage_in_all_its_places);
    TEST(test_results_that_failed);
    TEST(test_side_lines);
    TEST(test_unknown_is_noted_and_never_guessed);
    TEST(test_odd_bytes);
    TEST(test_prefix_only_before_an_object);
    TEST(test_shapes_that_do_not_fit);
    return TAP_END();
}
