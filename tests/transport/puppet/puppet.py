# SPDX-License-Identifier: MIT
"""Runs the puppet for its tests, and knows the shapes of the real CLIs' lines
(keys and types of the captures)."""

import json
import os
import pathlib
import subprocess
import tempfile

from harness.programs import PUPPET

HERE = pathlib.Path(__file__).resolve().parent
# Only against a puppet that never ends: no test waits for it to pass.
GIVE_UP = 120

NUMBER = (int, float)
ANY = object


def environment(**extra):
    env = {key: value for key, value in os.environ.items()
           if not key.startswith("KUROMAJUTSU_")}
    env["KUROMAJUTSU_PUPPET_SPEED"] = "0"
    env.update({key: str(value) for key, value in extra.items()})
    return env


def flags_of(backend, partial=True):
    if backend == "claude":
        flags = ["--backend", "claude", "-p", "--verbose"]
        flags += ["--include-partial-messages"] if partial else []
    else:
        flags = ["-p", "--force"]
        flags += ["--stream-partial-output"] if partial else []
    return flags + ["--output-format", "stream-json"]


class Run:
    def __init__(self, done):
        self.code = done.returncode
        self.raw = done.stdout
        self.err = done.stderr.decode()

    @property
    def events(self):
        return [json.loads(line) for line in self.raw.splitlines()]

    def of(self, kind, subtype=None):
        return [event for event in self.events if event["type"] == kind
                and subtype in (None, event.get("subtype"))]


def command(*args, stdin=b"", argv0=None, cwd=None, **env):
    return Run(subprocess.run(
        [argv0 or PUPPET, *args], executable=PUPPET, input=stdin, cwd=cwd,
        capture_output=True, env=environment(**env), timeout=GIVE_UP))


def play(prompt, *flags, backend="cursor", partial=True, **more):
    return command(*flags_of(backend, partial), *flags, "--", prompt, **more)


def scenario(text, *flags, backend="cursor", **more):
    """Plays YAML from a file, for a prompt of two lines."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml",
                                     encoding="utf-8") as file:
        file.write(text)
        file.flush()
        run = play("the prompt\nits last line", *flags, backend=backend,
                   KUROMAJUTSU_PUPPET=file.name, **more)
        run.path = file.name
        return run


def start(prompt, backend="cursor", **env):
    """A run that does not end by itself; the caller ends it."""
    return subprocess.Popen(
        [PUPPET, *flags_of(backend), "--", prompt], env=environment(**env),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)


def read_until(process, wanted):
    """The events up to the first one for which wanted is true."""
    events = []
    for line in process.stdout:
        events.append(json.loads(line))
        if wanted(events[-1]):
            return events
    raise AssertionError(f"the stream ended after {events}")


def said(events, backend="cursor"):
    """The complete messages, as a parser is to find them."""
    texts = []
    for event in events:
        if event["type"] != "assistant":
            continue
        is_piece = "timestamp_ms" in event and "model_call_id" not in event
        texts += [block["text"] for block in event["message"]["content"]
                  if block["type"] == "text"
                  and not (backend == "cursor" and is_piece)]
    return texts


def status_mask(pid, name):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    line = next(x for x in status.splitlines() if x.startswith(name + ":"))
    return int(line.split()[1], 16)


MESSAGE = {"role": str, "content": [{"type": str, "text": str}]}
CURSOR_TOOL = {"call_id": str, "tool_call": dict, "model_call_id": str,
               "session_id": str, "timestamp_ms": int}
CURSOR_USAGE = {"inputTokens": int, "outputTokens": int,
                "cacheReadTokens": int, "cacheWriteTokens": int}
CURSOR = {
    "system/init": {"apiKeySource": str, "cwd": str, "session_id": str,
                    "model": str, "permissionMode": str},
    "user": {"message": MESSAGE, "session_id": str},
    "thinking/delta": {"text": str, "session_id": str, "timestamp_ms": int},
    "thinking/completed": {"session_id": str, "timestamp_ms": int},
    "assistant": {"message": MESSAGE, "session_id": str,
                  "model_call_id?": str, "timestamp_ms?": int},
    "tool_call/started": CURSOR_TOOL,
    "tool_call/completed": CURSOR_TOOL,
    "result": {"duration_ms": int, "duration_api_ms": int, "is_error": bool,
               "result": str, "session_id": str, "request_id": str,
               "usage": CURSOR_USAGE},
    "retry/starting": {"attempt": int, "reason": str, "session_id": str,
                       "timestamp_ms": int},
    "error": {"message": str, "session_id": str, "timestamp_ms": int},
}
CURSOR_RESULTS = {
    "readToolCall": {"content": str, "isEmpty": bool, "exceededLimit": bool,
                     "totalLines": int, "fileSize": int, "path": str,
                     "readRange": {"startLine": int, "endLine": int}},
    "shellToolCall": {"command": str, "exitCode": int, "signal": str,
                      "stdout": str, "stderr": str, "executionTime": int},
    "editToolCall": {"path": str, "linesAdded": int, "linesRemoved": int,
                     "diffString": str, "afterFullFileContent": str,
                     "message": str},
    "writeToolCall": {"path": str, "linesCreated": int, "fileSize": int},
}
CLAUDE_USAGE = {"input_tokens": int, "cache_creation_input_tokens": int,
                "cache_read_input_tokens": int, "output_tokens": int}
NULL = type(None)
CLAUDE = {
    "system/init": {"cwd": str, "session_id": str, "tools": list,
                    "mcp_servers": list, "model": str, "permissionMode": str,
                    "slash_commands": list, "apiKeySource": str,
                    "claude_code_version": str, "uuid": str},
    "system/status": {"status": str, "uuid": str, "session_id": str},
    "system/api_retry": {"attempt": int, "max_retries": int,
                         "retry_delay_ms": int, "error_status": int,
                         "error": str, "session_id": str, "uuid": str},
    "stream_event": {"event": dict, "session_id": str,
                     "parent_tool_use_id": NULL, "uuid": str},
    "assistant": {"message": {"model": str, "id": str, "type": str,
                              "role": str, "content": list,
                              "stop_reason": NULL, "usage": CLAUDE_USAGE},
                  "parent_tool_use_id": NULL, "session_id": str, "uuid": str,
                  "request_id": str},
    "rate_limit_event": {"rate_limit_info": {
        "status": str, "resetsAt": int, "rateLimitType": str,
        "overageStatus": str, "isUsingOverage": bool},
        "uuid": str, "session_id": str},
    "user": {"message": {"role": str, "content": [
        {"tool_use_id": str, "type": str, "content": str, "is_error": bool}]},
        "parent_tool_use_id": NULL, "session_id": str, "uuid": str,
        "timestamp": str, "tool_use_result": ANY},
    "result": {"is_error": bool, "api_error_status": (int, NULL),
               "duration_ms": int, "duration_api_ms": int, "num_turns": int,
               "result": str, "stop_reason": str, "session_id": str,
               "total_cost_usd": NUMBER, "usage": CLAUDE_USAGE,
               "modelUsage": dict, "permission_denials": list,
               "terminal_reason": str, "uuid": str},
}


def fits(value, shape, where):
    """Fails unless value has exactly the keys and types of shape."""
    if isinstance(shape, dict):
        assert isinstance(value, dict), f"{where}: {value!r} is no object"
        optional = {key[:-1] for key in shape if key.endswith("?")}
        wanted = {key for key in shape if not key.endswith("?")}
        assert wanted <= value.keys() <= wanted | optional, (
            f"{where}: keys {sorted(value)}, expected {sorted(shape)}")
        for key, item in value.items():
            fits(item, shape.get(key, shape.get(key + "?")), f"{where}.{key}")
    elif isinstance(shape, list):
        assert isinstance(value, list) and value, f"{where}: {value!r}"
        for item in value:
            fits(item, shape[0], where + "[]")
    elif shape is not ANY:
        assert isinstance(value, shape), f"{where}: {value!r}"
        assert shape is not int or not isinstance(value, bool), where


def check_cursor_call(event):
    call = dict(event["tool_call"])
    completed = event["subtype"] == "completed"
    tools = [key for key in call if key.endswith("ToolCall")
             or key == "function"]
    assert len(tools) == 1, call
    assert "\n" in event["call_id"], event["call_id"]
    assert call["toolCallId"] == event["call_id"]
    assert call["hookAdditionalContexts"] == []
    assert call["startedAtMs"].isdigit()
    assert ("completedAtMs" in call) == completed
    tool = call[tools[0]]
    assert ("result" in tool) == completed
    if completed and tools[0] in CURSOR_RESULTS and "success" in tool["result"]:
        fits(tool["result"]["success"], CURSOR_RESULTS[tools[0]], tools[0])


def check(run, backend="cursor", ignore=()):
    """Every line is JSON of a known shape, in one session."""
    shapes = CLAUDE if backend == "claude" else CURSOR
    for event in run.events:
        kind = event["type"]
        subtype = event.get("subtype")
        if (kind, subtype) in ignore:
            continue
        name = f"{kind}/{subtype}"
        shape = shapes.get(name) or shapes.get(kind)
        assert shape, f"unknown line {event}"
        rest = {key: value for key, value in event.items()
                if key not in ("type", "subtype")}
        fits(rest, shape, name)
        if kind == "tool_call":
            check_cursor_call(event)
    assert len({event["session_id"] for event in run.events}) == 1
    return run
