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
import tomllib

from harness import tap
from harness.command import CommandHome
from harness.programs import PROGRAM, PUPPET
from harness.until import equal, until

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
            assert "kuromajutsu start" in run.err
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


USUAL = ("--toolsets", "kuro,mail")  # of an entry


@tap.test
def mcp_config_is_json():
    with CommandHome() as h:
        run = h.run("mcp-config")
        entry = json.loads(run.out)["mcpServers"]["kuromajutsu"]
        equal(entry, {"command": os.path.realpath(PROGRAM),
                      "args": ["mcp", "--project", str(h.project), *USUAL]})
        assert ".cursor/mcp.json" in run.err
        path = h.configure("language: en\n")
        run = h.run("--config", path.name, "mcp-config")
        entry = json.loads(run.out)["mcpServers"]["kuromajutsu"]
        equal(entry["args"], ["mcp", *USUAL])
        equal(entry["env"], {"KUROMAJUTSU_CONFIG": str(path)})
        run = h.run("mcp-config", KUROMAJUTSU_CONFIG=path.name)
        equal(json.loads(run.out)["mcpServers"]["kuromajutsu"], entry)


@tap.test
def mcp_config_speaks_every_clients_language():
    ours = os.path.realpath(PROGRAM)
    with CommandHome(CURSOR_API_KEY="very secret", CODEX_HOME=None) as h:
        args = ["mcp", "--project", str(h.project), *USUAL]
        plain = {"command": ours, "args": args}

        def entry(name, *path):
            run = h.run("mcp-config", "--for", name)
            equal(run.returncode, 0)
            assert "very secret" not in run.out
            found = (tomllib if name == "codex" else json).loads(run.out)
            for key in path:
                found = found[key]
            return found["kuromajutsu"], run.err
        equal(entry("cursor", "mcpServers")[0], plain)
        seen, said = entry("claude", "mcpServers")
        equal(seen, {"type": "stdio", **plain})
        assert ".mcp.json" in said and "MCP_TOOL_TIMEOUT" in said
        seen, said = entry("codex", "mcp_servers")
        equal((seen["command"], seen["args"]), (ours, ["mcp", *USUAL]))
        run = h.run("mcp-config", "--for", "codex", "--project", ".")
        equal(tomllib.loads(run.out)["mcp_servers"]["kuromajutsu"]["args"],
              args)
        equal((seen["default_tools_approval_mode"], seen["tool_timeout_sec"]),
              ("approve", 300))
        assert {"CURSOR_API_KEY", "KUROMAJUTSU_HOME"} <= set(seen["env_vars"])
        assert f"{h.user}/.codex/config.toml" in said, said
        seen, said = entry("gemini", "mcpServers")
        equal(seen, {**plain, "timeout": 300000,
                     "env": {"CURSOR_API_KEY": "$CURSOR_API_KEY"}})
        assert ".gemini/settings.json" in said
        equal(entry("vscode", "servers")[0], {"type": "stdio", **plain})
        seen, said = entry("opencode", "mcp")
        equal(seen, {"type": "local", "command": [ours, *args],
                     "enabled": True, "timeout": 300000})
        path = h.configure("language: en\n")
        run = h.run("--config", path.name, "mcp-config", "--for", "codex")
        seen = tomllib.loads(run.out)["mcp_servers"]["kuromajutsu"]
        equal((seen["args"], seen["env"]),
              (["mcp", *USUAL], {"KUROMAJUTSU_CONFIG": str(path)}))
        run = h.run("mcp-config", "--for", "emacs")
        equal((run.returncode, run.out), (2, ""))
        assert "gemini" in run.err and "emacs" in run.err, run.err


def verdicts(run):
    """(verdict, subject) of every line, and its words."""
    found = {}
    for line in run.out.splitlines():
        if line[:4].strip() in ("ok", "note", "warn", "fail"):
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
        equal(found["client"], ["warn"])
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
               "client": ["ok"], "open": ["ok"], "inotify": ["ok"],
               "notifications": ["note"]})
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
        assert set(verdicts(run)["role"]) == {"fail"}, run.out
        run = h.run("doctor", KUROMAJUTSU_PUPPET_MODELS="claude-4-sonnet=S",
                    **puppet)
        assert set(verdicts(run)["role"]) == {"warn"}, run.out
        run = h.run("doctor", KUROMAJUTSU_AGENT_COMMAND="/bin/false")
        equal(verdicts(run)["CLI"], ["fail"])
        (h.project / ".cursor").mkdir()
        entry = h.project / ".cursor/mcp.json"
        entry.write_text("{")
        equal(verdicts(h.run("doctor", **puppet))["client"], ["fail"])
        entry.write_text('{"mcpServers":{"kuromajutsu":'
                         '{"command":"/nowhere/kuromajutsu"}}}')
        equal(verdicts(h.run("doctor", **puppet))["client"], ["fail"])
        entry.write_text('{"mcpServers":{"other":{"command":"/bin/sh"}}}')
        equal(verdicts(h.run("doctor", **puppet))["client"], ["warn"])
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


def findings(h, subject, **env):
    """(verdict, text and remedy) of what --json says of one subject."""
    run = h.run("doctor", "--json", **env)
    seen = json.loads(run.out)
    equal(run.returncode, 0 if seen["ok"] else 1)
    return [(f["verdict"], f["text"] + f.get("remedy", ""))
            for f in seen["findings"] if f["subject"] == subject]


@tap.test
def doctor_speaks_json():
    with CommandHome(KUROMAJUTSU_AGENT_COMMAND=PUPPET) as h:
        seen = json.loads(h.run("doctor", "--json").out)
        shown = h.run("doctor")
        words = [f["verdict"] for f in seen["findings"]]
        equal((seen["failures"], seen["warnings"], seen["ok"]),
              (words.count("fail"), words.count("warn"), "fail" not in words))
        equal(words, [line[:4].strip() for line in shown.out.splitlines()
                      if line[:4].strip() in ("ok", "note", "warn", "fail")])
        subjects = {f["subject"] for f in json.loads(h.run(
            "doctor", "--json", KUROMAJUTSU_LANGUAGE="ja").out)["findings"]}
        equal(subjects, {f["subject"] for f in seen["findings"]})


@tap.test
def doctor_knows_whether_claude_code_can_be_used():
    with CommandHome({"agent": {"backend": "claude"}}) as h:
        h.cli("claude", words="--backend claude")
        equal([v for v, _ in findings(h, "login")], ["ok"])
        (verdict, text), = findings(h, "login", KUROMAJUTSU_PUPPET_LOGIN="no")
        equal(verdict, "fail")
        assert "auth login" in text and "ANTHROPIC_API_KEY" in text, text
        refused = [v for v, text in findings(h, "cli", IS_SANDBOX="")
                   if "IS_SANDBOX" in text]
        equal(refused, ["fail"] if os.geteuid() == 0 else [])
        equal([v for v, text in findings(h, "cli", IS_SANDBOX="1")
               if "IS_SANDBOX" in text], [])
        # To an older one "auth status" would be a prompt.
        asked = h.top / "asked"
        h.cli("claude", f'echo "$*" >>{asked}; case "$*" in --version) echo 1;'
              "exit;; --help) echo Usage; exit;; esac; exit 3")
        equal([v for v, _ in findings(h, "login")], ["warn"])
        equal(asked.read_text().split(), ["--version", "--help"])


@tap.test
def doctor_does_not_wait_for_what_a_cli_leaves_behind():
    with CommandHome() as h:
        left = h.top / "left"
        h.cli("agent", f"sleep 600 & echo $! >>{left}")
        equal([v for v, _ in findings(h, "cli")], ["ok"])
        for pid in left.read_text().split():
            # It was killed, and dies when it is its turn to run.
            until(lambda: not os.path.exists(f"/proc/{pid}/exe"), "its end")


@tap.test
def doctor_warns_of_missing_tools():
    with CommandHome({"roles": [{"id": "impl-code", "tools": ["textlint"]}]},
                     KUROMAJUTSU_AGENT_COMMAND=PUPPET) as h:
        (verdict, text), = findings(h, "role", PATH="/usr/bin:/bin")
        equal(verdict, "warn")
        assert "npm install --save-dev textlint" in text, text


# Of each client: where an entry goes, and what has one that is broken.
CLIENTS = {"claude": (".mcp.json", '{"mcpServers": {'),
           "codex": ("../user/.codex/config.toml", None),
           "gemini": (".gemini/settings.json", '{"mcpServers": {'),
           "cursor": (".cursor/mcp.json", '{"mcpServers": {')}
UNSET = dict.fromkeys(("CODEX_HOME", "CLAUDE_CONFIG_DIR", "GEMINI_CLI_HOME",
                       "CURSOR_API_KEY", "ANTHROPIC_API_KEY",
                       "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"))


@tap.test
def doctor_knows_the_clients():
    for name, (file, broken) in CLIENTS.items():
        with CommandHome(**UNSET) as h:
            def seen():
                one, = (c for c in json.loads(
                    h.run("doctor", "--json").out)["clients"]
                    if c["client"] == name)
                return one["installed"], one["entry"]
            path = h.project / file
            equal(seen(), (False, "none"))
            equal([v for v, _ in findings(h, "client")], ["warn"])
            h.cli("cursor-agent" if name == "cursor" else name)
            equal(seen(), (True, "none"))
            (note, text), (warn, _) = findings(h, "client")
            equal((note, warn), ("note", "warn"))
            entry = h.run("mcp-config", "--for", name).out
            assert entry.strip() in text and path.name in text, text
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(entry)
            equal(seen(), (True, "there"))
            (verdict, text), = findings(h, "client")
            equal(verdict, "ok")
            assert path.name in text, text
            path.write_text(entry.replace(os.path.realpath(PROGRAM),
                                          "/nowhere/kuromajutsu"))
            (verdict, text), = findings(h, "client")
            equal(verdict, "fail")
            assert "/nowhere/kuromajutsu" in text, text
            if broken:
                path.write_text(broken)
                equal([v for v, _ in findings(h, "client")], ["fail"])


@tap.test
def doctor_says_what_a_client_keeps_back():
    with CommandHome(**UNSET) as h:
        codex = h.user / ".codex/config.toml"
        codex.parent.mkdir()
        codex.write_text("[mcp_servers.kuromajutsu]\n"
                         f"command = '{os.path.realpath(PROGRAM)}'\n"
                         "[other]\ncommand = 'x'\n")
        seen = findings(h, "client", CURSOR_API_KEY="x")
        equal([v for v, _ in seen], ["ok", "warn", "note"])
        assert "CURSOR_API_KEY" in seen[1][1], seen
        assert "default_tools_approval_mode" in seen[2][1], seen
        codex.write_text(h.run("mcp-config", "--for", "codex").out)
        equal([v for v, _ in findings(h, "client", CURSOR_API_KEY="x")],
              ["ok"])


@tap.test
def doctor_finds_an_entry_that_claude_keeps_for_a_project():
    with CommandHome(**UNSET) as h:
        entry = {"command": os.path.realpath(PROGRAM), "args": ["mcp"]}
        (h.user / ".claude.json").write_text(json.dumps({"projects": {
            str(h.project): {"mcpServers": {"kuromajutsu": entry}}}}))
        (verdict, text), = findings(h, "client")
        assert verdict == "ok" and ".claude.json" in text, text


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
