#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The puppet as an MCP client, against a real server process."""

import contextlib
import json
import os
import pathlib
import signal
import sys
import tempfile

from harness import tap
from puppet import HERE, check, command, play, said, scenario

SERVER = [sys.executable, str(HERE / "echo_server.py")]


class Place:
    """A folder with the ways of naming the server, and the server's log."""

    def __init__(self, folder, **env):
        self.folder = folder
        self.log_path = folder + "/log"
        entry = {"command": SERVER[0], "args": SERVER[1:], "cwd": folder,
                 "env": {"ECHO_LOG": self.log_path, **env}}
        self.config = {"mcpServers": {"other": {"url": "http://x"},
                                      "kuromajutsu": entry}}
        self.file = folder + "/mcp.json"
        pathlib.Path(self.file).write_text(json.dumps(self.config))
        os.mkdir(folder + "/.cursor-plugin")
        manifest = {"name": "kuromajutsu", **self.config}
        pathlib.Path(folder, ".cursor-plugin/plugin.json").write_text(
            json.dumps(manifest))
        self.plugin = ["--plugin-dir", folder, "--approve-mcps"]

    def log(self):
        with open(self.log_path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]


@contextlib.contextmanager
def place(**env):
    with tempfile.TemporaryDirectory() as folder:
        yield Place(folder, **env)


def mcp_calls(run):
    return [event["tool_call"]["mcpToolCall"]
            for event in run.of("tool_call", "completed")
            if "mcpToolCall" in event["tool_call"]]


def answer(call):
    return json.loads(call["result"]["success"]["content"][0]["text"]["text"])


@tap.test
def the_whole_conversation():
    with place() as at:
        run = check(scenario("- mcp: {tool: echo, args: {a: [1, x]}}\n"
                             "- result\n", *at.plugin))
        assert run.code == 0 and run.err == "", run.err
        call = mcp_calls(run)[0]
        assert call["args"]["name"] == "kuromajutsu-echo"
        assert call["args"]["toolName"] == "echo"
        assert call["args"]["providerIdentifier"] == "kuromajutsu"
        assert call["args"]["args"] == {"a": [1, "x"]}
        assert answer(call) == {"a": [1, "x"]}
        assert call["result"]["success"]["isError"] is False
        log = at.log()
        assert [x.get("method") for x in log] == [
            "initialize", "notifications/initialized", "tools/call", None]
        assert log[-1] == {"end": "eof"}, "its input was closed, no signal"


@tap.test
def claude_config_as_file_and_as_json():
    for as_file in (True, False):
        with place() as at:
            config = at.file if as_file else json.dumps(at.config)
            run = check(scenario(
                "- mcp: {tool: echo, args: {a: 1}}\n- result\n",
                "--mcp-config=" + config, backend="claude"), "claude")
            assert run.events[0]["mcp_servers"] == [
                {"name": "kuromajutsu", "status": "pending"}]
            use = next(block for line in run.of("assistant")
                       for block in line["message"]["content"])
            assert use["name"] == "mcp__kuromajutsu__echo"
            assert use["input"] == {"a": 1}
            result = run.of("user")[0]["message"]["content"][0]
            assert json.loads(result["content"]) == {"a": 1}
            assert result["tool_use_id"] == use["id"]


@tap.test
def manifest_that_names_a_file():
    with place() as at:
        pathlib.Path(at.folder, ".cursor-plugin/plugin.json").write_text(
            '{"name":"k","mcpServers":"./mcp.json"}')
        run = scenario("- mcp: echo\n", *at.plugin)
        assert answer(mcp_calls(run)[0]) == {}


@tap.test
def command_from_the_environment():
    run = scenario("- mcp: {tool: env}\n",
                   KUROMAJUTSU_MCP_COMMAND="exec " + " ".join(SERVER),
                   KUROMAJUTSU_AGENT_ID="a-1")
    assert answer(mcp_calls(run)[0])["env"]["KUROMAJUTSU_AGENT_ID"] == "a-1"


@tap.test
def servers_get_only_their_own_environment():
    with place(MINE="1") as at:
        run = scenario("- mcp: {tool: env}\n", *at.plugin, SECRET="x",
                       KUROMAJUTSU_AGENT_ID="a-1")
        got = answer(mcp_calls(run)[0])
        assert got["env"]["MINE"] == "1"
        assert got["env"]["PATH"] == os.environ["PATH"]
        assert not {"SECRET", "KUROMAJUTSU_AGENT_ID"} & got["env"].keys()
        assert got["cwd"] == os.path.realpath(at.folder)


@tap.test
def cursor_needs_approval_and_force():
    with place() as at:
        run = check(scenario("- mcp: echo\n- say: on\n", *at.plugin[:2]))
        assert "--approve-mcps" in mcp_calls(run)[0]["result"]["rejected"][
            "reason"]
        assert run.code == 0 and said(run.events) == ["on"]
        run = play("x", "--plugin-dir", at.folder)
        assert run.code == 0
        run = command("-p", "--output-format", "stream-json", *at.plugin,
                      "puppet: report")
        assert "--force" in mcp_calls(run)[0]["result"]["rejected"]["reason"]
        assert not os.path.exists(at.log_path), "it was never started"


@tap.test
def saved_answers_keep_their_type():
    with place() as at:
        run = scenario(
            "- mcp: {tool: echo, args: {ids: [a, b], n: 3, s: deep}, "
            "save: {list: /ids, first: /ids/0, n: /n, all: ''}}\n"
            "- mcp: {tool: echo, args: {agentIds: '${list}', n: '${n}', "
            "text: 'is ${first} of ${list} ${n}', whole: '${all}'}}\n"
            "- say: 'got ${first}'\n", *at.plugin)
        assert run.code == 0, run.err
        assert answer(mcp_calls(run)[1]) == {
            "agentIds": ["a", "b"], "n": 3, "text": 'is a of ["a","b"] 3',
            "whole": {"ids": ["a", "b"], "n": 3, "s": "deep"}}
        assert said(run.events) == ["got a"]


@tap.test
def ids_are_substituted():
    with place() as at:
        run = scenario(
            "- mcp: {tool: echo, args: {a: '${KUROMAJUTSU_AGENT_ID}', "
            "g: '${group_id}'}}\n", *at.plugin, KUROMAJUTSU_AGENT_ID="a-1",
            KUROMAJUTSU_GROUP_ID="g-2")
        assert answer(mcp_calls(run)[0]) == {"a": "a-1", "g": "g-2"}


@tap.test
def text_that_is_not_json_can_be_saved():
    with place() as at:
        run = scenario("- mcp: {tool: text, save: {t: ''}}\n- say: '${t}'\n",
                       *at.plugin)
        assert said(run.events) == ["plain words"]


@tap.test
def what_cannot_be_saved_ends_it():
    with place() as at:
        run = scenario("- mcp: {tool: echo, save: {x: /nosuch}}\n- say: no\n",
                       *at.plugin)
        assert run.code == 1 and said(run.events) == []
        assert "expected '/nosuch' in the answer, for 'x'" in run.err
        assert at.log()[-1] == {"end": "eof"}


@tap.test
def a_tool_that_fails_is_an_answer():
    with place() as at:
        text = "- mcp: {tool: fail, save: {e: /error}}\n- say: '${e}'\n"
        run = check(scenario(text, *at.plugin))
        assert mcp_calls(run)[0]["result"]["success"]["isError"] is True
        assert said(run.events) == ["NO"] and run.code == 0
        run = scenario(text, "--mcp-config=" + at.file, backend="claude")
        assert run.of("user")[0]["message"]["content"][0]["is_error"] is True


@tap.test
def an_unknown_tool_is_an_error():
    with place() as at:
        run = scenario("- mcp: nosuch\n- mcp: echo\n", *at.plugin)
        error, good = mcp_calls(run)
        assert "Unknown tool: nosuch" in error["result"]["error"][
            "errorMessage"]
        assert "success" in good["result"] and run.code == 0


@tap.test
def required_calls():
    run = scenario("- mcp: {tool: echo, required: true}\n- say: no\n")
    assert run.code == 1 and said(run.events) == []
    run = scenario("- mcp: {tool: echo, required: false, save: {a: /a}}\n"
                   "- say: yes\n")
    assert run.code == 0 and said(run.events) == ["yes"]


@tap.test
def noise_between_call_and_answer():
    with place() as at:
        run = scenario("- mcp: noisy\n", *at.plugin)
        ping, other = answer(mcp_calls(run)[0])["replies"]
        assert ping == {"jsonrpc": "2.0", "id": "p1", "result": {}}
        assert other["id"] == 7 and other["error"]["code"] == -32601


@tap.test
def a_big_answer_and_a_big_call():
    with place() as at:
        text = "y" * 200000
        run = scenario("- mcp: {tool: big, args: {bytes: 5000000}}\n"
                       f"- mcp: {{tool: echo, args: {{t: {text}}}}}\n",
                       *at.plugin)
        big, echo = mcp_calls(run)
        assert len(answer(big)["text"]) == 5000000
        assert answer(echo) == {"t": text}


@tap.test
def timeout_cancels_the_call():
    with place() as at:
        run = scenario("- mcp: {tool: mute, timeout: 50}\n- say: on\n",
                       *at.plugin)
        assert "no answer within 50 ms" in run.err
        assert said(run.events) == ["on"] and run.code == 0
        log = at.log()
        call = next(x for x in log if x.get("method") == "tools/call")
        cancel = next(x for x in log
                      if x.get("method") == "notifications/cancelled")
        assert cancel["params"]["requestId"] == call["id"]
        assert log[-1] == {"end": "eof"}


@tap.test
def a_server_that_leaves():
    with place() as at:
        run = scenario("- mcp: quit\n- say: on\n", *at.plugin)
        assert "the server has left" in run.err
        assert said(run.events) == ["on"]


@tap.test
def a_server_that_cannot_start():
    run = scenario("- mcp: echo\n", "--mcp-config",
                   '{"mcpServers":{"k":{"command":"/nosuch"}}}',
                   backend="claude")
    assert "cannot start 'k': No such file" in run.err and run.code == 0
    run = scenario("- mcp: echo\n", KUROMAJUTSU_MCP_COMMAND="exit 3")
    assert "the server has left" in run.err


@tap.test
def a_stubborn_server_is_ended():
    with place(ECHO_STUBBORN="1") as at:
        run = scenario("- mcp: {tool: env, save: {p: /cwd}}\n", *at.plugin,
                       KUROMAJUTSU_PUPPET_LEAVE_MS=2000)
        assert run.code == 0 and at.log()[-1] == {"end": "eof"}


@tap.test
def a_daemon_does_not_hold_the_server():
    with place() as at:
        run = scenario("- mcp: echo\n- daemon: {hold_stdout: false}\n"
                       "- say: '${daemon_pid}'\n", *at.plugin)
        os.kill(int(said(run.events)[0]), signal.SIGKILL)
        assert at.log()[-1] == {"end": "eof"}, "closed, not killed"


@tap.test
def wait_mcp_repeats_until():
    with place() as at:
        run = scenario("- wait_mcp: {tool: count, until: /done, every: 1, "
                       "save: {n: /calls}}\n- say: '${n}'\n", *at.plugin)
        assert said(run.events) == ["3"] and len(mcp_calls(run)) == 3
        run = scenario("- wait_mcp: {tool: count, until: /calls, equals: 2}\n",
                       *at.plugin)
        assert run.code == 0 and len(mcp_calls(run)) == 2


@tap.test
def wait_mcp_gives_up():
    with place() as at:
        # The last answer may be another one, or come too late.
        for tool in ("echo", "mute"):
            run = scenario(f"- wait_mcp: {{tool: {tool}, until: /never, "
                           "timeout: 30, every: 10}\n- say: no\n",
                           *at.plugin, KUROMAJUTSU_PUPPET_SPEED=1)
            assert run.code == 1 and "waited in vain" in run.err, run.err
            assert said(run.events) == []


@tap.test
def report():
    with place() as at:
        run = check(play("- Agent ID: impl-7\n\npuppet: report status=failure",
                         *at.plugin))
        assert run.code == 0, run.err
        args = mcp_calls(run)[0]["args"]["args"]
        assert args["agentId"] == "impl-7" and args["status"] == "failure"
        assert args["editedFiles"] == ["src/report.c"]
        # The peer has no such tool, and the puppet lives with its refusal.
        assert "Unknown tool: report_result" in run.err


@tap.test
def wrong_configurations():
    cases = [("{", "byte"), ("{}", "expected an object 'mcpServers'"),
             ('{"mcpServers":{"k":{"url":"http://x"}}}', "stdio only"),
             ("/nosuch.json", "No such file")]
    for config, words in cases:
        run = play("x", "--mcp-config=" + config, backend="claude")
        assert run.code == 1 and words in run.err, run.err
    run = play("x", "--plugin-dir", "/nosuch")
    assert run.code == 1 and "expected .cursor-plugin/plugin.json" in run.err


if __name__ == "__main__":
    tap.run()
