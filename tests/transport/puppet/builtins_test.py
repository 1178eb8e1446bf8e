#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every scenario that comes with the puppet, for both back-ends."""

import json
import os
import select
import signal
import tempfile

from harness import tap
from harness.until import equal
from puppet import (GIVE_UP, check, command, play, read_until, said, start,
                    status_mask)

BOTH = ("cursor", "claude")
TASKS = {("system", "task_started"), ("system", "task_notification")}


def is_message(event):
    return event["type"] == "assistant" and "timestamp_ms" not in event


def is_result(event):
    return event["type"] == "result"


def end(process, sig):
    process.send_signal(sig)
    process.communicate(timeout=GIVE_UP)
    return process.returncode


def wait_gone(pid):
    """Ends a process that is not our child, and sees it gone."""
    fd = os.pidfd_open(pid)
    try:
        os.kill(pid, signal.SIGKILL)
        assert select.select([fd], [], [], GIVE_UP)[0], f"{pid} stays"
    finally:
        os.close(fd)


@tap.test
def all_are_listed_in_help():
    text = command("--help").raw.decode()
    for name in ("default edits long-output thinking failure hang "
                 "hang-after-result crash ignore-term daemon flood "
                 "broken-utf8 giant-line rate-limit trickle busy report no-result "
                 "second-result background usage-limit exit-nonzero-after-result reply "
                 "orchestrator orchestrator-stalls orchestrator-exceeds "
                 "orchestrator-hangs orchestrator-leaves starts-agents").split():
        assert name in text, name


@tap.test
def default():
    for backend in BOTH:
        run = check(play("first\nこれを直して\n\n", backend=backend), backend)
        assert run.code == 0 and run.err == ""
        assert "これを直して" in said(run.events, backend)[-1]
        assert run.events[-1]["type"] == "result"
        assert "これを直して" in run.events[-1]["result"]
    run = play("x")
    done = run.of("tool_call", "completed")
    assert "readToolCall" in done[0]["tool_call"]
    edit = done[1]["tool_call"]["editToolCall"]["result"]["success"]
    assert edit["diffString"].startswith("--- /dev/null\n")
    assert not os.path.exists(edit["path"])


@tap.test
def edits():
    with tempfile.TemporaryDirectory() as folder:
        run = check(play("puppet: edits files=2 write=true", cwd=folder))
        assert sorted(os.listdir(folder + "/src")) == ["new_1.c", "new_2.c"]
    created, edited, other = [], [], []
    for event in run.of("tool_call", "completed"):
        call = event["tool_call"].get("editToolCall")
        if not call:
            continue
        name = os.path.basename(call["args"]["path"])
        diff = call["result"].get("success", {}).get("diffString")
        (other if diff is None else
         created if diff.startswith("--- /dev/null") else edited).append(name)
    assert created == ["new_1.c", "new_2.c"]
    assert edited == ["old_1.c", "old_2.c"]
    assert other == ["refused.c"]


@tap.test
def edits_by_claude():
    run = check(play("puppet: edits files=1", backend="claude"), "claude")
    uses = [block for line in run.of("assistant")
            for block in line["message"]["content"]
            if block["type"] == "tool_use"]
    assert [use["name"] for use in uses] == ["Write", "Edit", "Write", "Edit",
                                             "Bash"]
    results = [line["tool_use_result"] for line in run.of("user")]
    assert results[0]["type"] == "create" and not results[0]["originalFile"]
    assert results[1]["structuredPatch"][0]["lines"] == ["-int a;", "+int b;"]
    denial = run.events[-1]["permission_denials"][0]
    assert denial["tool_name"] == "Edit"
    assert denial["tool_use_id"] == uses[3]["id"]


@tap.test
def long_output():
    for backend in BOTH:
        run = check(play("puppet: long-output messages=30", backend=backend),
                    backend)
        assert len(said(run.events, backend)) == 31
    whole = "".join(said(play("puppet: long-output messages=3").events))
    assert play("puppet: long-output messages=3").events[-1]["result"] == whole


@tap.test
def thinking():
    run = check(play("puppet: thinking rounds=4"))
    assert len(run.of("thinking", "completed")) == 4
    run = check(play("puppet: thinking rounds=4", backend="claude"), "claude")
    blocks = [line["message"]["content"][0] for line in run.of("assistant")]
    assert [block["type"] for block in blocks] == ["thinking"] * 4 + ["text"]


@tap.test
def failure():
    for backend in BOTH:
        run = check(play("puppet: failure code=4 text=Oh", backend=backend),
                    backend)
        assert run.code == 4 and run.err == "Oh\n"
        assert run.events[-1]["is_error"] is True
    assert play("puppet: failure").code == 1


@tap.test
def no_result():
    for backend in BOTH:
        run = check(play("puppet: no-result", backend=backend), backend)
        assert run.code == 0 and run.of("result") == []


@tap.test
def exit_nonzero_after_result():
    run = check(play("puppet: exit-nonzero-after-result code=9"))
    assert run.code == 9 and run.events[-1]["is_error"] is False


@tap.test
def second_result():
    run = check(play("puppet: second-result", backend="claude"), "claude",
                TASKS)
    kinds = [event["type"] + "/" + event.get("subtype", "")
             for event in run.events]
    assert kinds.count("system/init") == 2
    assert kinds.count("result/success") == 2 and kinds[-1] == "result/success"
    assert "this is the answer" in run.events[-1]["result"]


@tap.test
def background():
    """As Claude Code 2.1.325 prints it."""
    run = check(play("puppet: background", backend="claude"), "claude",
                TASKS | {("system", "background_tasks_changed"),
                         ("system", "task_updated")})
    kinds = [event["type"] + "/" + event.get("subtype", "")
             for event in run.events if event["type"] in ("system", "result")
             and event.get("subtype") != "status"]
    equal(kinds, ["system/init", "system/background_tasks_changed",
                  "system/task_started", "result/success",
                  "system/task_updated", "system/task_notification",
                  "system/background_tasks_changed", "system/init",
                  "result/success"])


@tap.test
def usage_limit():
    run = play("puppet: usage-limit")
    equal((run.code, run.err), (1, ""))
    assert run.raw.decode().endswith("You have hit your usage limit.\n")


@tap.test
def rate_limit():
    run = check(play("puppet: rate-limit retries=3", backend="claude"),
                "claude")
    limits = [event["rate_limit_info"]["status"]
              for event in run.of("rate_limit_event")]
    assert limits == ["allowed_warning", "rejected"]
    assert len(run.of("system", "api_retry")) == 3
    last = run.events[-1]
    assert (last["subtype"], last["is_error"]) == ("success", True)
    assert last["api_error_status"] == 429
    assert last["terminal_reason"] == "api_error" and run.code == 1
    run = check(play("puppet: rate-limit"))
    assert run.code == 1 and len(run.of("retry")) == 2
    assert "usage limit" in run.err


@tap.test
def flood():
    for backend in BOTH:
        for partial in (True, False):
            run = check(play("puppet: flood lines=2000 size=600",
                             backend=backend, partial=partial), backend)
            lines = [x for x in run.raw.splitlines() if len(x) == 599]
            assert len(lines) == 2000, len(lines)
            assert len(set(lines)) == 2000


@tap.test
def flood_of_many_lines_is_whole():
    run = play("puppet: flood lines=300000 size=200")
    assert run.raw.count(b"\n") > 300000 and run.raw.endswith(b"}\n")
    assert b"0000300000" in run.raw


@tap.test
def giant_line():
    run = play("puppet: giant-line")
    longest = max(run.raw.splitlines(), key=len)
    assert len(longest) + 1 == 50 * 1024 * 1024
    assert json.loads(longest)["type"] == "assistant"
    assert run.events[-1]["type"] == "result"


@tap.test
def broken_utf8():
    run = play("puppet: broken-utf8 lines=2")
    bad = []
    for line in run.raw.splitlines():
        try:
            line.decode()
        except UnicodeDecodeError:
            bad.append(line)
    assert len(bad) == 2 and all(b"\xff" in line for line in bad)
    assert b"\nthis line is not JSON\n" in run.raw
    good = run.raw.split(b'"message":\n', 1)[1].splitlines()
    assert said(map(json.loads, good)) == ["壊れた行の後でも続く。"]


@tap.test
def trickle():
    run = check(play("puppet: trickle lines=5"))
    assert sum(b"000000000" in line for line in run.raw.splitlines()) == 5


@tap.test
def busy():
    run = check(play("puppet: busy rounds=5"))
    assert sum(b"0000000001" in line for line in run.raw.splitlines()) == 5


@tap.test
def trickle_shows_each_line_at_once():
    process = start("puppet: trickle lines=0 every=1",
                    KUROMAJUTSU_PUPPET_SPEED=1)
    read_until(process, lambda e: "0000000003" in json.dumps(e))
    process.stdout.close()
    process.wait(GIVE_UP)
    process.stderr.close()
    assert process.returncode == -signal.SIGPIPE


@tap.test
def hang():
    process = start("puppet: hang")
    read_until(process, is_message)
    assert end(process, signal.SIGTERM) == -signal.SIGTERM


@tap.test
def hang_after_result():
    for backend, code in (("cursor", -signal.SIGTERM), ("claude", 143)):
        process = start("puppet: hang-after-result", backend)
        read_until(process, is_result)
        assert end(process, signal.SIGTERM) == code


@tap.test
def ignore_term():
    process = start("puppet: ignore-term")
    read_until(process, is_message)
    assert status_mask(process.pid, "SigIgn") >> (signal.SIGTERM - 1) & 1
    process.send_signal(signal.SIGTERM)
    assert end(process, signal.SIGKILL) == -signal.SIGKILL


@tap.test
def crash():
    for name in ("SEGV", "ABRT", "KILL"):
        run = play(f"puppet: crash signal={name}")
        assert run.code == -getattr(signal, "SIG" + name), run.code
        assert said(run.events) == ["A complete message."]
        assert run.events[-1]["message"]["content"][0]["text"].endswith("sen")
        assert run.of("result") == []


def daemon_of(events):
    return int(said(events)[0].rsplit(" ", 1)[1])


@tap.test
def daemon_holds_stdout():
    process = start("puppet: daemon ignore_term=true seconds=300")
    events = read_until(process, is_message)
    pid = daemon_of(events)
    try:
        read_until(process, is_result)
        assert process.wait(GIVE_UP) == 0
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            stat = file.read().rsplit(")", 1)[1].split()
        assert int(stat[3]) == pid, "its own session"
        assert int(stat[1]) != process.pid, "not the puppet's child"
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            assert file.read() == "worker-server\n"
        assert status_mask(pid, "SigIgn") >> (signal.SIGTERM - 1) & 1
        # The puppet has gone, its output has not ended.
        assert not select.select([process.stdout], [], [], 0)[0]
    finally:
        wait_gone(pid)
    assert process.stdout.read() == b""
    process.stdout.close()
    process.stderr.close()


@tap.test
def daemon_that_lets_go():
    run = play("puppet: daemon hold_stdout=false seconds=300")
    pid = daemon_of(run.events)
    try:
        assert run.code == 0
        assert os.readlink(f"/proc/{pid}/fd/1") == "/dev/null"
        assert not status_mask(pid, "SigIgn") >> (signal.SIGTERM - 1) & 1
    finally:
        wait_gone(pid)


@tap.test
def report_without_a_server_goes_on():
    run = check(play("puppet: report"))
    assert run.code == 0 and "no MCP server is configured" in run.err
    call = run.of("tool_call", "completed")[-1]["tool_call"]["mcpToolCall"]
    assert "errorMessage" in call["result"]["error"]


@tap.test
def the_default_takes_its_time():
    run = play("x", KUROMAJUTSU_PUPPET_SPEED=1)
    assert run.events[-1]["duration_ms"] >= 700


if __name__ == "__main__":
    tap.run()
