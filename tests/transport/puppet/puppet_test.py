#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command line: flags, refusals, output formats, choice of scenario."""

import os
import subprocess
import tempfile

from harness import tap
from puppet import PUPPET, check, command, flags_of, play, said, scenario


def refused(run, text):
    assert run.code == 1, run.code
    assert text in run.err, run.err
    assert run.raw == b"", run.raw


@tap.test
def help_teaches_in_under_60_lines():
    run = command("--help")
    text = run.raw.decode()
    assert run.code == 0 and len(text.splitlines()) < 60
    for word in ("puppet:", "params:", "steps:", "repeat:", "mcp:", "flood",
                 "daemon", "SPEED"):
        assert word in text, word


@tap.test
def help_example_is_a_scenario():
    lines = command("--help").raw.decode().splitlines()
    first = next(i for i, x in enumerate(lines) if x.startswith("  params:"))
    last = next(i for i, x in enumerate(lines) if x.startswith("  - result"))
    text = "\n".join(line[2:] for line in lines[first:last + 1])
    with tempfile.TemporaryDirectory() as folder:
        run = scenario(text, cwd=folder)
        # Without a server the saved variable is missing, and it says so.
        assert run.code == 1 and "no MCP server" in run.err, run.err
        assert os.path.exists(folder + "/a.c")


@tap.test
def version():
    assert command("--version").raw == b"2026.07.20-puppet\n"
    assert command("-v").raw == b"2026.07.20-puppet\n"
    run = command("--version", argv0="/somewhere/claude")
    assert run.raw == b"2.1.201-puppet (Claude Code)\n"


@tap.test
def models_both_ways():
    run = command("models")
    lines = run.raw.decode().splitlines()
    models = dict(line.split(" - ", 1) for line in lines if " - " in line)
    assert run.code == 0 and models["auto"] == "Auto (default)"
    for role_model in ("claude-4-sonnet", "composer-1.5", "opus-4.6-thinking"):
        assert role_model in models
    assert command("--list-models").raw == run.raw


@tap.test
def models_from_the_environment():
    run = command("models", KUROMAJUTSU_PUPPET_MODELS="a=Model A,b")
    assert b"a - Model A (default)\nb - b\n" in run.raw
    refused(play("x", "--model", "auto", KUROMAJUTSU_PUPPET_MODELS="a"),
            "Cannot use this model: auto. Available models: a")


@tap.test
def status():
    assert command("status").raw.decode().startswith("✓ Logged in as ")
    run = command("status", KUROMAJUTSU_PUPPET_LOGIN="no")
    assert run.code == 0 and run.raw == b"Not logged in\n"


@tap.test
def without_login_nothing_runs():
    refused(command("models", KUROMAJUTSU_PUPPET_LOGIN="no"),
            "Authentication required")
    refused(play("x", KUROMAJUTSU_PUPPET_LOGIN="no"),
            "Authentication required. Please run 'cursor-agent login' first")
    run = play("x", backend="claude", KUROMAJUTSU_PUPPET_LOGIN="no")
    words = "Not logged in · Please run /login\n".encode()
    assert (run.code, run.raw, run.err) == (1, words, ""), run
    run = command("auth", "status", argv0="claude")
    assert run.code == 0 and b'"loggedIn": true' in run.raw, run.raw
    run = command("auth", "status", argv0="claude",
                  KUROMAJUTSU_PUPPET_LOGIN="no")
    assert run.code == 1 and b'"loggedIn": false' in run.raw, run.raw


@tap.test
def unknown_flags_are_refused():
    refused(play("x", "-m", "auto"), "error: unknown option '-m'")
    refused(play("x", "--system-prompt", "s"), "unknown option")
    refused(play("x", "--verbose"), "unknown option '--verbose'")
    refused(play("x", "--force", backend="claude"), "unknown option '--force'")
    refused(play("x", "--backend", "grok"), "unknown backend 'grok'")


@tap.test
def missing_and_wrong_values():
    refused(command("-p", "--model"),
            "error: option '--model <model>' argument missing")
    refused(command("-p", "--output-format", "xml", "x"),
            "argument 'xml' is invalid. Allowed choices are text, json, "
            "stream-json.")
    refused(command("-p", "--mode", "fast", "x"), "plan, ask")


@tap.test
def unknown_models_are_refused():
    refused(play("x", "--model", "gpt-0"), "Cannot use this model: gpt-0")
    refused(play("x", "--model", "gpt-0", backend="claude"),
            "issue with the selected model (gpt-0)")


@tap.test
def interactive_mode_is_refused():
    refused(command("hello"), "expected -p")
    refused(command(), "expected -p")


@tap.test
def every_cursor_flag():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/.cursor-plugin")
        with open(folder + "/.cursor-plugin/plugin.json", "w") as file:
            file.write('{"name":"x","mcpServers":{}}')
        run = command(
            "agent", "--print", "-f", "--yolo", "--trust", "--approve-mcps",
            "--model=claude-opus-4-8[context=1m,effort=high]",
            "--output-format=stream-json", "--stream-partial-output",
            "--workspace", folder, "--resume", "chat-1", "--mode", "plan",
            "--sandbox", "disabled", "--api-key", "k", "--plugin-dir", folder,
            "--", "-hello")
        init = check(run).events[0]
        assert run.code == 0, run.err
        assert init["model"] == "Claude Opus 4.8"
        assert init["session_id"] == "chat-1"
        assert init["cwd"] == os.path.realpath(folder)
        assert run.of("user")[0]["message"]["content"][0]["text"] == "-hello"


@tap.test
def every_claude_flag():
    session = "11111111-2222-4333-8444-555555555555"
    run = command(
        "-p", "--output-format", "stream-json", "--verbose",
        "--include-partial-messages", "--model", "haiku", "--session-id",
        session, "--mcp-config", '{"mcpServers":{}}', "--strict-mcp-config",
        "--permission-mode", "plan", "--dangerously-skip-permissions",
        "--append-system-prompt", "s", "--allowedTools", "Bash", "Read",
        "--disallowedTools=AskUserQuestion", "--max-turns", "3",
        "--max-budget-usd", "1", "--json-schema", "{}", "--effort", "low",
        "--forward-subagent-text", "--fork-session", "--input-format", "text",
        "--add-dir", "/", "--continue", "hello", argv0="claude")
    init = check(run, "claude").events[0]
    assert run.code == 0, run.err
    assert init["model"] == "claude-haiku-4-5-20251001"
    assert init["permissionMode"] == "bypassPermissions"
    assert init["session_id"] == session


@tap.test
def claude_stream_needs_verbose():
    refused(command("--backend", "claude", "-p", "--output-format",
                    "stream-json", "x"), "requires --verbose")


@tap.test
def claude_lists_swallow_the_prompt():
    """The real trap: a list flag with a space takes every word that follows."""
    run = command("-p", "--allowedTools", "Bash", "the prompt", argv0="claude")
    refused(run, "Input must be provided")
    run = command("-p", "--allowedTools=Bash", "puppet: reply", argv0="claude")
    assert run.raw == b"puppet: reply\n"


@tap.test
def prompt_from_stdin():
    run = command(*flags_of("cursor"), stdin="前の行\n最後の行\n".encode())
    assert "最後の行" in said(run.events)[-1]
    refused(command("-p"), "No prompt provided")


@tap.test
def a_big_prompt_from_stdin():
    text = "x" * (3 << 20) + "\nthe end"
    run = command(*flags_of("cursor"), stdin=text.encode())
    assert run.of("user")[0]["message"]["content"][0]["text"] == text


@tap.test
def a_prompt_that_is_not_utf8():
    run = command(*flags_of("cursor"), stdin=b"bad \xff\xe3\x81 end")
    assert check(run).of("user")[0]["message"]["content"][0]["text"] == (
        "bad \ufffd\ufffd\ufffd end")


@tap.test
def text_format_prints_the_answer_only():
    run = command("-p", "--trust", "--model", "claude-4-sonnet",
                  "Hello, respond with exactly: OK")
    assert run.code == 0 and run.raw == b"OK\n", run.raw
    run = command("-p", "puppet: edits files=1")
    assert run.raw == b"The files are edited.\n"
    assert command("-p", "puppet: flood lines=9").raw == b"The flood is over.\n"


@tap.test
def json_format_prints_the_result_only():
    for backend in ("cursor", "claude"):
        run = command("-p", "--backend", backend, "--output-format", "json",
                      "puppet: thinking")
        assert [event["type"] for event in run.events] == ["result"]
        assert run.events[0]["result"] == "It is as it should be."


@tap.test
def partial_output_has_pieces_that_make_the_whole():
    text = "猫が寝ている。" * 9
    run = check(scenario(f"- say: {{text: '{text}', chunks: 7}}\n- result\n"))
    lines = run.of("assistant")
    pieces = [line for line in lines if "timestamp_ms" in line]
    assert len(pieces) == 7
    assert "".join(said([{**p, "model_call_id": ""}])[0]
                   for p in pieces) == text
    assert said(run.events) == [text]
    run = check(scenario(f"- say: '{text}'\n- result\n", partial=False))
    assert len(run.of("assistant")) == 1


@tap.test
def a_message_before_a_tool_has_a_model_call_id():
    run = check(scenario("- say: a\n- tool: ls\n- say: b\n- result\n",
                         partial=False))
    first, last = run.of("assistant")
    assert "model_call_id" in first and "timestamp_ms" in first
    assert "model_call_id" not in last and "timestamp_ms" not in last
    assert run.of("tool_call")[0]["model_call_id"] == first["model_call_id"]


@tap.test
def claude_partial_messages():
    run = check(scenario("- think: hm\n- say: hello there\n- tool: ls\n"
                         "- say: b\n- result\n", backend="claude"), "claude")
    kinds = [event["event"]["type"] for event in run.of("stream_event")]
    assert kinds.count("message_start") == kinds.count("message_stop") == 2
    assert kinds.count("content_block_start") == 4
    assert kinds.count("content_block_stop") == 4
    ids = [line["message"]["id"] for line in run.of("assistant")]
    assert ids[0] == ids[1] == ids[2] != ids[3]
    run = scenario("- say: a\n", backend="claude", partial=False)
    assert run.of("stream_event") == []


@tap.test
def directive_in_the_prompt():
    run = play("intro\n  puppet: failure code=5 text=\"two words\"\nrest")
    assert run.code == 5 and "two words" in run.err


@tap.test
def the_last_directive_is_the_users():
    run = play("an earlier agent said:\npuppet: hang\n\npuppet: reply")
    assert run.code == 0


@tap.test
def environment_wins_over_the_prompt():
    run = play("puppet: failure", KUROMAJUTSU_PUPPET="thinking rounds=1")
    assert run.code == 0 and len(run.of("thinking", "completed")) == 1


@tap.test
def puppet_file_in_the_prompt():
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/with space.yaml"
        with open(path, "w") as file:
            file.write("params: {what: x}\nsteps: [say: 'it is ${what}']\n")
        run = play(f'puppet-file: "{path}" what=good')
        assert said(run.events) == ["it is good"], run.err
        run = play("x", KUROMAJUTSU_PUPPET=path)
        assert said(run.events) == ["it is x"]


@tap.test
def unknown_scenarios_and_parameters():
    run = play("puppet: nosuch")
    assert run.code == 2 and run.raw == b""
    assert "unknown scenario 'nosuch': expected one of: default," in run.err
    run = play("puppet: flood lnes=3")
    assert run.code == 2
    assert "unknown parameter 'lnes' (expected: lines, size)" in run.err
    run = play("puppet: flood lines=many")
    assert run.code == 2 and "expected for 'lines' a whole number" in run.err
    run = play("puppet: flood 3")
    assert run.code == 2 and "expected key=value, found '3'" in run.err
    run = play("puppet-file: /nosuch.yaml")
    assert run.code == 2 and "/nosuch.yaml: No such file" in run.err


@tap.test
def an_empty_environment_is_enough():
    done = subprocess.run([PUPPET, "-p", "puppet: reply"], env={},
                          stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 0 and done.stdout == b"puppet: reply\n"


if __name__ == "__main__":
    tap.run()
