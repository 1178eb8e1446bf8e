#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command line while no hub runs: help, mistakes, doctor, logs."""

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import subprocess

from harness import tap
from harness.command import CommandHome
from harness.programs import PROGRAM, PUPPET
from harness.until import equal

COMMANDS = ("status agents show logs groups roles cancel stop doctor "
            "mcp-config help version").split()
NEED_HUB = (["status"], ["agents"], ["groups"], ["roles"], ["stop"],
            ["show", "a-1-1"], ["cancel", "a-1-1"], ["cancel", "-g", "grp-1"])
MESSAGE = {"type": "assistant", "session_id": "s",
           "message": {"role": "assistant", "content": [
               {"type": "text", "text": "危険な\x1b[2J text"}]}}


@tap.test
def help_teaches():
    with CommandHome() as h:
        for asked in (["--help"], ["-h"], ["help"]):
            run = h.run(*asked)
            assert run.returncode == 0 and run.err == "", run
            for name in (*COMMANDS, "mcp", "serve", "--standalone",
                         "KUROMAJUTSU_HOME", "Exit codes"):
                assert name in run.out, name
        assert "はじめかた" in h.run("--help", KUROMAJUTSU_LANGUAGE="ja").out
        assert max(map(len, run.out.splitlines())) <= 80


@tap.test
def every_command_has_a_manual():
    with CommandHome() as h:
        for name in (*COMMANDS, "mcp", "serve", "config"):
            run = h.run("help", name)
            assert run.returncode == 0 and run.out, name
        for name in ("agents", "logs", "serve", "mcp"):
            assert h.run(name, "--help").out == h.run("help", name).out


@tap.test
def version():
    with CommandHome() as h:
        for asked in ("--version", "version", "-V"):
            assert h.run(asked).out.startswith("kuromajutsu 0."), asked


@tap.test
def unknown_words_name_what_was_meant():
    with CommandHome() as h:
        for args, meant in ((["agnets"], "agents"), (["sevre"], "serve"),
                            (["agents", "--jsn"], "--json"),
                            (["logs", "--folow", "x"], "--follow"),
                            (["help", "dcotor"], "doctor")):
            run = h.run(*args)
            equal((run.returncode, run.out), (2, ""))
            assert meant in run.err, run.err
        run = h.run("zzzzzz")
        equal(run.returncode, 2)
        assert "--help" in run.err


@tap.test
def wrong_use_is_2():
    with CommandHome() as h:
        for args in (["show"], ["show", "a", "b"], ["logs"], ["cancel"],
                     ["agents", "x"], ["agents", "--group"],
                     ["agents", "--json=1"], ["cancel", "-g", "g", "a"],
                     ["status", "-x"], ["--config"]):
            run = h.run(*args)
            equal((args, run.returncode, run.out), (args, 2, ""))
            assert run.err.startswith("kuromajutsu: "), run.err


@tap.test
def no_hub_is_3_and_none_is_started():
    with CommandHome() as h:
        for args in NEED_HUB:
            run = h.run(*args)
            equal((args, run.returncode, run.out), (args, 3, ""))
            assert "serve" in run.err
        equal(list(h.home.iterdir()), [])


@tap.test
def wrong_configuration_is_2_with_its_place():
    with CommandHome() as h:
        h.configure("agent:\n  maxConcurrent: many\n")
        run = h.run("status")
        equal(run.returncode, 2)
        assert "kuromajutsu.config.yaml:2:18" in run.err, run.err
        equal(h.run("--help").returncode, 0)


@tap.test
def a_named_file_that_is_missing_is_2_everywhere():
    with CommandHome() as h:
        for words in (["status"], ["agents"], ["logs", "x-1-2"], ["doctor"],
                      ["trust"], ["mcp-config"], ["stop"], ["mcp"], ["serve"],
                      ["--standalone"]):
            run = h.run(*words, "--config", "/nowhere.yaml")
            equal((words, run.returncode, run.out), (words, 2, ""))
            assert "/nowhere.yaml: there is no such file" in run.err, run.err
            assert "--config" in run.err, run.err
            run = h.run(*words, KUROMAJUTSU_CONFIG="/nowhere.yaml")
            equal((words, run.returncode, run.out), (words, 2, ""))
            assert "KUROMAJUTSU_CONFIG" in run.err, run.err
        equal(h.run("help", "--config", "/nowhere.yaml").returncode, 0)
        equal(list(h.home.iterdir()), [])


@tap.test
def outside_text_is_no_terminal_control():
    with CommandHome() as h:
        run = h.run("a\x1b[2Jb")
        assert "\x1b" not in run.err and "\\x1b" in run.err, run.err


@tap.test
def mcp_config_is_json():
    with CommandHome() as h:
        run = h.run("mcp-config")
        entry = json.loads(run.out)["mcpServers"]["kuromajutsu"]
        equal(entry, {"command": os.path.realpath(PROGRAM),
                      "args": ["mcp", "--project", str(h.project)]})
        assert ".cursor/mcp.json" in run.err
        path = h.configure("language: en\n")
        run = h.run("--config", path.name, "mcp-config")
        entry = json.loads(run.out)["mcpServers"]["kuromajutsu"]
        equal(entry["args"], ["mcp"])
        equal(entry["env"], {"KUROMAJUTSU_CONFIG": str(path)})
        run = h.run("mcp-config", KUROMAJUTSU_CONFIG=path.name)
        equal(json.loads(run.out)["mcpServers"]["kuromajutsu"], entry)


def verdicts(run):
    """(verdict, subject) of every line, and its words."""
    found = {}
    for line in run.out.splitlines():
        if line[:4].strip() in ("ok", "warn", "fail"):
            found.setdefault(line.split()[1], []).append(line[:4].strip())
    return found


@tap.test
def doctor_says_what_is_missing():
    with CommandHome() as h:
        run = h.run("doctor", PATH="/usr/bin:/bin")
        found = verdicts(run)
        equal(run.returncode, 1)
        equal(found["CLI"], ["fail"])
        assert "cursor.com" in run.out and "puppet" in run.out
        equal(found["MCP"], ["warn"])
        equal(found["configuration"] + found["state"] + found["hub"],
              ["ok"] * 3)
        equal(list(h.home.iterdir()), [])


@tap.test
def doctor_is_content_with_a_good_set_up():
    with CommandHome() as h:
        (h.project / ".cursor").mkdir()
        (h.project / ".cursor/mcp.json").write_text(h.run("mcp-config").out)
        run = h.run("doctor", KUROMAJUTSU_AGENT_COMMAND=PUPPET)
        found = verdicts(run)
        equal({**found, "program": None},
              {"configuration": ["ok"], "state": ["ok"], "program": None,
               "hub": ["ok"], "CLI": ["ok"], "login": ["ok"],
               "MCP": ["ok"], "open": ["ok"], "inotify": ["ok"]})
        equal(run.returncode, 1 if "fail" in found["program"] else 0)


@tap.test
def doctor_finds_each_fault():
    puppet = {"KUROMAJUTSU_AGENT_COMMAND": PUPPET}
    with CommandHome() as h:
        run = h.run("doctor", KUROMAJUTSU_PUPPET_LOGIN="no", **puppet)
        equal(verdicts(run)["login"], ["fail"])
        assert "login`" in run.out
        run = h.run("doctor", KUROMAJUTSU_PUPPET_MODELS="only=Only",
                    **puppet)
        assert set(verdicts(run)["role"]) == {"warn"}, run.out
        run = h.run("doctor", KUROMAJUTSU_AGENT_COMMAND="/bin/false")
        equal(verdicts(run)["CLI"], ["fail"])
        (h.project / ".cursor").mkdir()
        entry = h.project / ".cursor/mcp.json"
        entry.write_text("{")
        equal(verdicts(h.run("doctor", **puppet))["MCP"], ["fail"])
        entry.write_text('{"mcpServers":{"kuromajutsu":'
                         '{"command":"/nowhere/kuromajutsu"}}}')
        equal(verdicts(h.run("doctor", **puppet))["MCP"], ["fail"])
        entry.write_text('{"mcpServers":{"other":{"command":"/bin/sh"}}}')
        equal(verdicts(h.run("doctor", **puppet))["MCP"], ["warn"])
        h.configure("agent:\n  maxConcurent: 3\n")
        run = h.run("doctor", **puppet)
        equal(verdicts(run)["configuration"], ["ok", "warn"])
        assert "maxConcurrent" in run.out
        h.configure("agent: [\n")
        run = h.run("doctor", **puppet)
        equal(verdicts(run)["configuration"], ["fail"])


@tap.test
def doctor_finds_the_cli_as_the_hub_does():
    with CommandHome() as h:
        first = h.cli("agent")
        run = h.run("doctor")
        assert f"{first} answers `models`" in run.out, run.out
        second = h.cli("cursor-agent")
        assert f"{first} answers `models`" in h.run("doctor").out
        h.cli("agent", "echo Usage: agent PROMPT; exit 0")
        run = h.run("doctor")
        equal(verdicts(run)["CLI"], ["warn", "ok"])
        assert f"{second} answers `models`" in run.out, run.out
        assert f"{first} is another maker's" in run.out, run.out


@tap.test
def doctor_counts_descriptors_as_the_hub_does():
    with CommandHome({"agent": {"maxConcurrent": 100,
                                "maxOrchestrators": 20}}) as h:
        for limit, verdict in ((64 + 4 * 120 - 1, "fail"),
                               (64 + 4 * 120, "ok")):
            run = h.run("doctor", under=["prlimit", f"--nofile={limit}"])
            equal(verdicts(run)["open"], [verdict])


@tap.test
def doctor_says_whether_memory_can_be_limited():
    with CommandHome() as h:
        assert "memory limit" not in h.run("doctor").out
        h.configure({"agent": {"memoryMax_bytes": 1 << 30}})
        run = h.run("doctor")
        verdict, = verdicts(run)["memory"]
        assert "agent.memoryMax_bytes" in run.out
        assert verdict == "ok" or "cannot be enforced here" in run.out, run.out
        said = h.run("doctor", KUROMAJUTSU_LANGUAGE="ja").out
        assert verdict == "ok" or "強制できない" in said, said


@tap.test
def doctor_sees_a_lock_that_nobody_answers_for():
    with CommandHome() as h:
        state = h.told_state()
        state.mkdir(mode=0o700)
        with open(state / "hub.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            run = h.run("doctor")
            equal(verdicts(run)["hub"], ["fail"])
            assert str(os.getpid()) in run.out
        equal(verdicts(h.run("doctor"))["hub"], ["ok"])
        state.chmod(0o755)
        run = h.run("doctor")
        equal(verdicts(run)["state"], ["warn"])
        assert "chmod 700" in run.out


class Agent:
    """An agent's files, written as its warden and its CLI would."""

    def __init__(self, state, name="impl-code-1739487600-a3f2"):
        self.name = name
        self.folder = state / "agents" / name
        self.folder.mkdir(parents=True)
        self.lock = open(self.folder / "lock", "w", encoding="utf-8")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        (self.folder / "started").touch()
        self.out = open(self.folder / "stdout.ndjson", "ab", buffering=0)

    def say(self, *events):
        for event in events:
            self.out.write(json.dumps(event, ensure_ascii=False).encode()
                           + b"\n")

    def end(self, **record):
        record = {"code": 0, "signal": None, "reason": "exit", "error": None,
                  **record}
        (self.folder / "exit.json.tmp").write_text(json.dumps(record))
        os.rename(self.folder / "exit.json.tmp", self.folder / "exit.json")
        self.lock.close()


@contextlib.contextmanager
def agent():
    with CommandHome() as h:
        yield h, Agent(h.told_state())


@tap.test
def logs_render_the_captures():
    here = pathlib.Path(__file__).resolve().parents[2]
    for name, role in (("cursor_full", "impl-code"), ("claude_bash", "helper")):
        with CommandHome() as h:
            h.configure("roles:\n- {id: helper, name: H, description: d, backend: "
                        "claude, model: m, systemPrompt: p}\n"
                        if role == "helper" else "")
            one = Agent(h.told_state(), role + "-1739487600-a3f2")
            one.out.write((here / f"actors/stream/fixtures/{name}.ndjson")
                          .read_bytes())
            one.end()
            run = h.run("logs", one.name)
            equal((run.returncode, run.err), (0, ""))
            for mark in "▶●→✓■":
                assert mark in run.out, (name, mark, run.out)
            raw = h.run("logs", "--raw", one.name)
            equal(raw.stdout, (one.folder / "stdout.ndjson").read_bytes())


@tap.test
def logs_show_no_control():
    with agent() as (h, one):
        one.say(MESSAGE)
        one.end(code=3)
        (one.folder / "stderr.log").write_text("bad \x1b]0;title\x07 thing\n")
        run = h.run("logs", one.name)
        assert "危険な\\x1b[2J text" in run.out, run.out
        assert "exit 3" in run.out and "bad \\x1b]0;title" in run.out
        assert "\x1b" not in run.out


@tap.test
def logs_without_follow_end_at_once():
    with agent() as (h, one):
        one.say(MESSAGE)
        assert "危険な" in h.run("logs", one.name).out
        equal(h.run("logs", "no-such-1").returncode, 3)
        equal(h.run("logs", "../../etc").returncode, 1)
        equal(h.run("logs", "").returncode, 1)


def read_until(stream, wanted):
    """Lines up to the one that holds it; an end before that fails."""
    for line in stream:
        if wanted in line.decode():
            return
    raise AssertionError(f"no {wanted!r}")


@tap.test
def logs_follow_to_the_end():
    with agent() as (h, one):
        one.say(MESSAGE)
        process = h.popen("logs", "-f", one.name)
        read_until(process.stdout, "危険な")
        assert process.poll() is None
        one.say({**MESSAGE, "message": {"content": [
            {"type": "text", "text": "second"}]}})
        read_until(process.stdout, "second")
        one.say({**MESSAGE, "message": {"content": [
            {"type": "text", "text": "third"}]}})
        one.end()
        read_until(process.stdout, "third")
        equal(process.wait(), 0)
        process.communicate()


@tap.test
def logs_follow_ends_with_a_dead_warden():
    with agent() as (h, one):
        one.say(MESSAGE)
        process = h.popen("logs", "-f", one.name)
        read_until(process.stdout, "危険な")
        one.lock.close()
        out, _ = process.communicate()
        equal(process.returncode, 0)
        assert "without a record" in out.decode(), out


def on_terminal(h, *args, **env):
    """What a terminal of 60 columns is sent."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(h.project)
        os.execve(PROGRAM, [PROGRAM, *args],
                  {**h.env, "TERM": "xterm", "COLUMNS": "60", **env})
    text = b""
    with contextlib.suppress(OSError):
        while piece := os.read(fd, 65536):
            text += piece
    os.close(fd)
    os.waitpid(pid, 0)
    return text.decode()


@tap.test
def colours_on_terminals_alone():
    with CommandHome() as h:
        assert "\x1b[32m" in on_terminal(h, "doctor")
        assert "\x1b" not in on_terminal(h, "doctor", NO_COLOR="1")
        assert "\x1b" not in on_terminal(h, "doctor", TERM="dumb")
        assert "\x1b" not in h.run("doctor").out
        assert "To begin" in on_terminal(h), "help, where people ask nothing"


@tap.test
def a_reader_that_left_is_no_success():
    with CommandHome() as h:
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([PROGRAM, "--help"], stdout=full,
                                  env=h.env, check=False)
        equal(done.returncode, 1)


if __name__ == "__main__":
    tap.run()
