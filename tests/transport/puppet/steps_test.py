#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every step of a scenario and its arguments."""

import json
import os
import tempfile
import time

from harness import tap
from puppet import check, play, said, scenario


def tools(run):
    """(name, args, result) of each call that was completed."""
    found = []
    for event in check(run).of("tool_call", "completed"):
        for key, call in event["tool_call"].items():
            if isinstance(call, dict):
                found.append((key, call.get("args"), call["result"]))
    return found


@tap.test
def say_and_think_chunks():
    run = check(scenario("- think: {text: abcdef, chunks: 3, delay: 0}\n"
                         "- say: {text: abcdef, chunks: 2}\n"))
    assert [x["text"] for x in run.of("thinking", "delta")] == [
        "ab", "cd", "ef"]
    pieces = [x["message"]["content"][0]["text"]
              for x in run.of("assistant") if "timestamp_ms" in x]
    assert pieces == ["abc", "def"]


@tap.test
def say_nothing():
    run = check(scenario("- say: ''\n- result\n"))
    assert said(run.events) == [""] and run.events[-1]["result"] == ""


@tap.test
def incomplete_speech_has_no_closing_line():
    run = check(scenario("- think: {text: hm, complete: false}\n"
                         "- say: {text: half a sen, complete: false}\n"))
    assert run.of("thinking", "completed") == [] and said(run.events) == []
    assert run.code == 0


@tap.test
def tool_success_shapes():
    calls = tools(scenario(
        "- tool: {name: read, args: {path: a.txt}, "
        'output: "alpha\\nbeta\\ngamma\\n"}\n'
        "- tool: {name: shell, args: {command: 'false'}, exit: 1}\n"
        "- tool: {name: write, args: {path: /b, fileText: \"1\\n2\\n\"}}\n"
        "- tool: {name: grep, args: {pattern: x}, answer: {matches: [1]}}\n"))
    read = calls[0][2]["success"]
    assert read["totalLines"] == 4 and read["fileSize"] == 17
    assert read["path"] == os.getcwd() + "/a.txt"
    assert calls[1][2]["success"]["exitCode"] == 1
    assert calls[1][2]["isBackground"] is False
    assert calls[2][2]["success"] == {"path": "/b", "linesCreated": 2,
                                      "fileSize": 4}
    assert calls[3][2] == {"success": {"matches": [1]}}


@tap.test
def tool_outcomes():
    calls = tools(scenario(
        "- tool: {name: shell, args: {command: rm}, result: rejected, "
        "reason: no}\n"
        "- tool: {name: read, result: error, reason: gone}\n"
        "- tool: {name: shell, args: {command: x}, result: denied}\n"))
    assert calls[0][2] == {"rejected": {"command": "rm", "reason": "no",
                                        "isReadonly": False}}
    assert calls[1][2] == {"error": {"errorMessage": "gone"}}
    assert calls[2][2]["permissionDenied"]["command"] == "x"


@tap.test
def tool_outcomes_by_claude():
    run = check(scenario(
        "- tool: {name: shell, args: {command: rm}, result: rejected, "
        "reason: no}\n- tool: {name: shell, args: {command: ls}, output: hi}\n"
        "- result\n", backend="claude"), "claude")
    first, second = run.of("user")
    assert first["message"]["content"][0]["is_error"] is True
    assert first["tool_use_result"] == "Error: no"
    assert second["tool_use_result"] == {"stdout": "hi", "stderr": "",
                                         "interrupted": False}
    assert run.events[-1]["permission_denials"][0]["tool_input"] == {
        "command": "rm"}


@tap.test
def tool_names():
    calls = tools(scenario("- tool: semSearch\n- tool: lsToolCall\n"
                           "- tool: {name: 'function:foo', args: {a: 1}}\n"))
    assert [call[0] for call in calls] == ["semSearchToolCall", "lsToolCall",
                                           "function"]


@tap.test
def edit_as_captured():
    calls = tools(scenario(
        '- edit: {path: /tmp/c.txt, content: "3\\n", created: true}\n'))
    assert calls[0][1] == {"path": "/tmp/c.txt", "streamContent": "3\n"}
    assert calls[0][2]["success"] == {
        "path": "/tmp/c.txt", "linesAdded": 1, "linesRemoved": 1,
        "diffString": "--- /dev/null\n+++ b//tmp/c.txt\n@@ -1 +1 @@\n-\n+3",
        "afterFullFileContent": "3\n",
        "message": "Wrote contents to /tmp/c.txt"}


@tap.test
def edit_really_writes():
    text = ("- edit: {path: d/e/a.c, content: \"one\\n\", write: true}\n"
            "- edit: {path: d/e/a.c, content: \"two\\n\", write: true}\n"
            "- edit: {path: d/b.c, result: rejected, write: true}\n"
            "- edit: {path: d, content: x, write: true}\n")
    with tempfile.TemporaryDirectory() as folder:
        calls = tools(scenario(text, "--workspace", folder))
        with open(folder + "/d/e/a.c") as file:
            assert file.read() == "two\n"
        assert not os.path.exists(folder + "/d/b.c")
    diffs = [call[2].get("success", {}).get("diffString") for call in calls]
    assert diffs[0].startswith("--- /dev/null\n")
    assert "\n-one\n+two" in diffs[1]
    assert "rejected" in calls[2][2]
    assert calls[3][2] == {"error": {"errorMessage": "Is a directory"}}


@tap.test
def usage_adds_up():
    text = ("- usage: {input: 1, output: 2}\n"
            "- usage: {input: 10, cache_read: 3, cache_write: 4}\n- result\n")
    assert check(scenario(text)).events[-1]["usage"] == {
        "inputTokens": 11, "outputTokens": 2, "cacheReadTokens": 3,
        "cacheWriteTokens": 4}
    last = check(scenario(text, backend="claude"), "claude").events[-1]
    assert last["usage"]["cache_creation_input_tokens"] == 4
    assert last["total_cost_usd"] > 0
    assert last["modelUsage"]["claude-sonnet-4-6"]["outputTokens"] == 2


@tap.test
def result():
    run = check(scenario("- say: a\n- say: b\n- result\n"))
    assert run.events[-1]["result"] == "ab" and run.code == 0
    run = check(scenario("- say: a\n- say: b\n- result\n", backend="claude"),
                "claude")
    assert run.events[-1]["result"] == "b"
    assert scenario("- result: mine\n").events[-1]["result"] == "mine"
    run = scenario("- result: {text: bad, error: true}\n")
    assert run.events[-1]["is_error"] is True and run.code == 1


@tap.test
def exit():
    run = scenario("- result\n- exit: 7\n- say: never\n")
    assert run.code == 7 and said(run.events) == []
    assert scenario("- result: {error: true}\n- exit: 0\n").code == 0
    assert scenario("- exit\n").code == 0


@tap.test
def sleep_and_speed():
    assert scenario("- sleep: 86400000\n").code == 0
    before = time.monotonic()
    scenario("- sleep: 100\n", KUROMAJUTSU_PUPPET_SPEED=1)
    assert time.monotonic() - before >= 0.1
    before = time.monotonic()
    scenario("- sleep: 100\n", KUROMAJUTSU_PUPPET_SPEED=2.5)
    assert time.monotonic() - before >= 0.25


@tap.test
def spin_is_as_long_as_sleep():
    assert scenario("- spin: 86400000\n").code == 0
    before = time.monotonic()
    scenario("- spin: 100\n", KUROMAJUTSU_PUPPET_SPEED=1)
    assert time.monotonic() - before >= 0.1


@tap.test
def repeat_nests():
    run = scenario("- repeat:\n    times: 2\n    steps:\n"
                   "    - say: 'out ${index}'\n"
                   "    - repeat: {times: 2, steps: [say: 'in ${index}']}\n"
                   "- repeat: {times: 0, steps: [say: never]}\n")
    assert said(check(run).events) == ["out 1", "in 1", "in 2", "out 2",
                                       "in 1", "in 2"]


@tap.test
def exit_inside_repeat_ends_all():
    run = scenario("- repeat: {times: 5, steps: [say: a, exit: 3]}\n- say: b\n")
    assert run.code == 3 and said(run.events) == ["a"]


@tap.test
def raw():
    run = scenario("init: false\nsteps:\n- raw: not json\n"
                   "- raw: {hex: '80 ff 0a'}\n- raw: {text: end, "
                   "newline: false}\n")
    assert run.raw == b"not json\n\x80\xff\n\nend"


@tap.test
def stderr():
    run = scenario("- stderr: 'for ${model}'\n")
    assert run.err == "for Auto\n" and run.code == 0


@tap.test
def line():
    run = scenario("- line: {bytes: 100000}\n- line: 2\n")
    sizes = sorted(len(line) + 1 for line in run.raw.splitlines())
    assert sizes[-2:] == [100000, 2 << 20]
    check(run)


@tap.test
def bad_utf8_is_not_json():
    run = scenario("- bad_utf8\n")
    try:
        json.loads(run.raw.splitlines()[-1])
    except UnicodeDecodeError:
        return
    raise AssertionError("it was good")


@tap.test
def rate_limit_and_retry():
    run = check(scenario(
        "- rate_limit: {status: allowed, resets_in: 60, type: weekly}\n"
        "- retry: {attempt: 2, max: 3, delay: 4, status: 401, error: auth}\n",
        backend="claude"), "claude")
    info = run.of("rate_limit_event")[0]["rate_limit_info"]
    assert info["rateLimitType"] == "weekly" and info["status"] == "allowed"
    assert abs(info["resetsAt"] - time.time() - 60) < 3600
    retry = run.of("system", "api_retry")[0]
    assert [retry[k] for k in ("attempt", "max_retries", "retry_delay_ms",
                               "error_status", "error")] == [2, 3, 4, 401,
                                                             "auth"]
    run = check(scenario("- rate_limit\n- rate_limit: allowed\n- retry: 2\n"))
    assert len(run.of("error")) == 1 and run.of("retry")[0]["attempt"] == 2


@tap.test
def init_again():
    run = check(scenario("- init\n"))
    assert len(run.of("system", "init")) == 2


@tap.test
def without_init():
    assert scenario("init: false\nsteps: []\n").raw == b""


@tap.test
def variables():
    text = ("params: {who: you}\nsteps:\n- say: '${who}|${last_line}|${model}|"
            "${agent_id}|${group_id}|${KUROMAJUTSU_AGENT_ID}|${cwd}|$${x}|$|"
            "${'\n")
    run = scenario(text, KUROMAJUTSU_AGENT_ID="a-1", KUROMAJUTSU_GROUP_ID="g")
    assert said(run.events) == [
        f"you|its last line|Auto|a-1|g|a-1|{os.getcwd()}|${{x}}|$|${{"]


@tap.test
def ids_come_from_the_prompt_first():
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write("- say: '${agent_id} ${group_id}'\n")
        file.flush()
        run = play("role\n- Agent ID: impl-1\n- Group ID: grp-2\n\ntask",
                   KUROMAJUTSU_PUPPET=file.name, KUROMAJUTSU_AGENT_ID="other")
        assert said(run.events) == ["impl-1 grp-2"]


@tap.test
def secrets_of_the_environment_stay_there():
    run = scenario("- say: '${CURSOR_API_KEY}'\n", CURSOR_API_KEY="secret")
    assert run.code == 2 and "secret" not in run.err


if __name__ == "__main__":
    tap.run()
